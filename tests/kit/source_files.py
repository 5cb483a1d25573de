"""Our own source files, for tests that measure them."""

from __future__ import annotations

import ast
import gc
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
FOLDERS = (
    *("broker", "protocol", "client", "spark", "testing", "cli", "src"),
    *("bench", "lab", "examples", "tests"),
)


def python_files(*folders: str) -> Iterator[Path]:
    for folder in folders or FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            if not path.is_symlink() and "messages" not in path.relative_to(ROOT).parts[:2]:
                yield path


def parsed(text: str) -> ast.Module:
    """The syntax tree. Python 3.11's parser fails if a collection ends coroutines meanwhile."""
    gc.disable()
    try:
        return ast.parse(text)
    finally:
        gc.enable()


def name_of(path: Path) -> str:
    return str(path.relative_to(ROOT))
