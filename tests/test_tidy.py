"""Style by the numbers, checked: sizes, names, purity, and that schemas, handlers, tests agree."""

from __future__ import annotations

import ast
import gc
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parent.parent
FOLDERS = (
    *("broker", "protocol", "client", "spark", "testing", "cli", "src"),
    *("bench", "lab", "examples", "tests"),
)
LINES_PER_FILE_MAX = 400
LINES_PER_FUNCTION_MAX = 70
COLUMNS_MAX = 100
BANNED_NAMES = {"utils", "helpers", "common", "manager", "util", "helper", "misc"}
TOP_LEVEL_FOLDERS = {"broker", "client", "protocol", "spark", "cli"}
PURE_FORBIDDEN = {"asyncio", "socket", "os", "time", "random", "threading", "uvloop"}

NEWER_THAN_DEBIAN_12 = {
    "extractall": "TarFile's has no filter in 3.11.2: use barnabas.testing.archives",
    "unpack_archive": "shutil's has no filter in 3.11.2: use barnabas.testing.archives",
}
"""What type checkers take for Python 3.11, and the 3.11.2 of Debian 12 lacks."""


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


ALL_FILES = sorted({path.resolve() for path in python_files()})


@pytest.mark.parametrize("path", ALL_FILES, ids=name_of)
def test_file_is_tidy(path: Path) -> None:
    """Goal: a file is read at one go, imports what is ours by its name, runs on Debian 12."""
    text = path.read_text()
    lines = text.splitlines()
    problems = []
    if len(lines) > LINES_PER_FILE_MAX:
        problems.append(f"{len(lines)} lines, at most {LINES_PER_FILE_MAX}")
    problems += [
        f"line {number} has {len(line)} columns"
        for number, line in enumerate(lines, 1)
        if len(line) > COLUMNS_MAX
    ]
    if path.stem in BANNED_NAMES:
        problems.append(f"the name {path.stem!r} says nothing")
    if re.search(r"\b(FIXME|XXX)\b", text) and path != Path(__file__).resolve():
        problems.append("a leftover marker")
    tree = parsed(text)
    if lines and not ast.get_docstring(tree):
        problems.append("no module docstring")
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            if length > LINES_PER_FUNCTION_MAX:
                problems.append(f"function {node.name} has {length} lines")
        if (
            isinstance(node, ast.ImportFrom)
            and node.level == 0
            and (node.module or "").split(".")[0] in TOP_LEVEL_FOLDERS
        ):
            problems.append(f"line {node.lineno}: import barnabas.{node.module} instead")
        if isinstance(node, ast.Attribute) and node.attr in NEWER_THAN_DEBIAN_12:
            problems.append(f"line {node.lineno}: {NEWER_THAN_DEBIAN_12[node.attr]}")
    assert not problems, f"{name_of(path)}: " + "; ".join(problems)


def imported_names(path: Path) -> set[str]:
    """What a module imports when it runs; imports for type checkers alone do not count."""
    names: set[str] = set()
    tree = parsed(path.read_text())
    for_types = [node for node in ast.walk(tree) if _is_for_type_checkers(node)]
    skipped = {id(inner) for node in for_types for inner in ast.walk(node)}
    for node in ast.walk(tree):
        if id(node) in skipped:
            continue
        if isinstance(node, ast.Import):
            names |= {alias.name.split(".")[0] for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and node.level == 0 and node.module:
            names.add(node.module.split(".")[0])
    return names


def _is_for_type_checkers(node: ast.AST) -> bool:
    return isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"


COMPILER_READS_FILES = "compiler"


@pytest.mark.parametrize("path", list(python_files("protocol", "broker/core")), ids=name_of)
def test_core_and_protocol_are_pure(path: Path) -> None:
    """Goal: decisions and codecs see no socket, file, clock or randomness of their own."""
    if COMPILER_READS_FILES in path.relative_to(ROOT).parts:
        pytest.skip("the compiler is a build tool: it reads schema files")
    assert not imported_names(path) & PURE_FORBIDDEN


BOUNDARIES = ("broker/storage", "broker/handlers", "protocol")
SUPPRESSION = re.compile(r"# type: ignore\[[a-z-]+\](?!  # \w)")
UNTYPED = re.compile(r"^from typing import (?=[^#\n]*\bAny\b)(?!.*# Any: \w)", re.MULTILINE)


@pytest.mark.parametrize("path", list(python_files(*BOUNDARIES)), ids=name_of)
def test_boundaries_say_why_a_type_is_not_checked(path: Path) -> None:
    """Goal: what crosses a boundary is what its type says; compiled code believes nothing else."""
    text = path.read_text()
    assert not SUPPRESSION.search(text), "a `type: ignore` without its reason in the line"
    assert not UNTYPED.search(text), "`Any` without `# Any: reason` at its import"


def test_every_handler_has_schemas_of_its_name() -> None:
    """Goal: one name in four places: schema, generated module, handler, test."""
    for path in sorted((ROOT / "broker/handlers").glob("*.py")):
        if not re.search(r"^VERSIONS", path.read_text(), re.MULTILINE):
            continue
        camel = "".join(word.capitalize() for word in path.stem.split("_"))
        for suffix in ("Request", "Response"):
            assert (ROOT / f"schemas/messages/{camel}{suffix}.json").exists(), path.name
        assert (ROOT / f"protocol/messages/{path.stem}_request.py").exists(), path.name


def test_no_machine_path_or_package_index_in_tracked_text() -> None:
    """Goal: nothing in the repository depends on one machine or names a package registry."""
    pattern = re.compile(
        r"(/wor"
        r"k/|/hom"
        r"e/[a-z]|pypi\.or"
        r"g|files\.pythonhos"
        r"ted|registry\.npmj"
        r"s|"
        r"repo1?\.mave"
        r"n|index-ur"
        r"l)"
    )
    found = []
    for path in our_files():
        if path.suffix in {".py", ".md", ".toml", ".txt", ".sh", ".yml", ".json", ""}:
            text = path.read_text(errors="ignore")
            found += [f"{path.relative_to(ROOT)}: {m.group()}" for m in pattern.finditer(text)]
    assert not found


def our_files() -> Iterator[Path]:
    """All files of the checkout but what tools made; whole roots of Debian may lie in build/."""
    for top in sorted(ROOT.iterdir()):
        made = top.name in {"build", "dist"} or top.name.endswith("_cache")
        if made or top.name.startswith((".git", ".venv", ".hypothesis")):
            continue
        for path in sorted(top.rglob("*")) if top.is_dir() else [top]:
            if path.is_file() and not path.is_symlink() and ".egg-info" not in str(path):
                yield path
