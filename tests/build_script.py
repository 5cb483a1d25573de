"""What `setup.py` says, read out of it without running it."""

from __future__ import annotations

import ast
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "barnabas"


def told(name: str) -> Any:
    """The value of one of its constants."""
    for node in ast.parse((ROOT / "setup.py").read_text()).body:
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == name:
            return ast.literal_eval(node.value)
    raise AssertionError(f"setup.py has no {name}")


def leaf_modules() -> list[str]:
    """The full names of the modules that a compiled wheel compiles, sorted."""
    return sorted(
        f"barnabas.{path.removesuffix('.py').replace('/', '.')}" for path in told("LEAVES")
    )
