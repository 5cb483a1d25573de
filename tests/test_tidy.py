"""Style by the numbers, checked: sizes, names, purity, and that schemas, handlers, tests agree."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.source_files import ROOT, name_of, parsed, python_files

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


WITHOUT_CIRCLES = (
    "broker/core/cluster",
    "broker/core/config",
    "broker/core/coordination",
    "broker/core/coordination/groups",
    "broker/core/coordination/groups/classic",
    "broker/core/coordination/groups/consumer",
    "broker/core/coordination/groups/offsets",
    "broker/core/coordination/transactions",
    "broker/core/log",
    "broker/core/log/compaction",
    "broker/core/raft",
    "broker/core/replication",
    "broker/handlers",
    "broker/handlers/fetch",
    "broker/handlers/list_offsets",
    "broker/handlers/produce",
    "broker/server",
    "broker/server/controller",
    "broker/server/coordinators",
    "broker/server/lifecycle",
    "broker/server/quorum",
    "broker/server/replication",
    "broker/server/roles",
    "broker/serving",
    "broker/storage",
    "client/admin",
    "client/consuming",
    "client/groups",
    "client/groups/assignors",
    "client/producing",
    "client/wire",
)
"""Packages whose files can be read from the bottom up. One that has become so is added here."""


def imports_inside(package: Path) -> dict[str, set[str]]:
    """Which files of a package import which others, for type checkers alone included."""
    names = {path.stem for path in package.glob("*.py") if path.stem != "__init__"}
    graph = {}
    for name in names:
        found: set[str] = set()
        for node in ast.walk(parsed((package / f"{name}.py").read_text())):
            if isinstance(node, ast.ImportFrom) and node.level == 1:
                inside = [node.module] if node.module else [alias.name for alias in node.names]
                found |= {module.split(".")[0] for module in inside}
            elif isinstance(node, ast.ImportFrom) and node.module and node.level == 0:
                folder, _, module = node.module.removeprefix("barnabas.").rpartition(".")
                if folder.replace(".", "/") == name_of(package):
                    found.add(module)
        graph[name] = found & names
    return graph


def circles(graph: dict[str, set[str]]) -> list[list[str]]:
    """The files of which each can be reached from each other: strongly connected components."""
    reached = {}
    for start in graph:
        seen: set[str] = set()
        ahead = [start]
        while ahead:
            for found in graph[ahead.pop()] - seen:
                seen.add(found)
                ahead.append(found)
        reached[start] = seen
    groups = {
        tuple(sorted(other for other in seen if one in reached[other]))
        for one, seen in reached.items()
        if one in seen
    }
    return [list(group) for group in sorted(groups)]


def test_circles_are_found() -> None:
    """Goal: the walk sees a circle of three, and takes what hangs on it for none."""
    graph = {"a": {"b"}, "b": {"c"}, "c": {"a", "d"}, "d": set(), "e": {"a"}}
    assert circles(graph) == [["a", "b", "c"]]
    assert circles({"a": {"b"}, "b": set()}) == []


@pytest.mark.parametrize("package", WITHOUT_CIRCLES)
def test_no_circle_of_files(package: str) -> None:
    """Goal: a file is understood with those that it imports, and none of them needs it."""
    assert circles(imports_inside(ROOT / package)) == []


@pytest.mark.parametrize("path", list(python_files("tests")), ids=name_of)
def test_no_test_module_is_imported(path: Path) -> None:
    """Goal: what tests share is in `tests/kit/` or a file of their folder, not in one of them."""
    imported = [
        f".{getattr(node, 'module', '')}.{alias.name}"
        for node in ast.walk(parsed(path.read_text()))
        if isinstance(node, ast.Import | ast.ImportFrom)
        for alias in node.names
    ]
    assert not [name for name in imported if ".test_" in name], "move what is shared out of it"


IMPORTED_LATE = {
    "protocol/records.py": "a circle of files: old formats become the same records",
}
"""Files with an import inside a function, and why. It may only get shorter."""

DOORS = {
    "protocol/apis.py": "the one lazy door: classes of messages, when first asked for by name",
    "broker/server/replication/replica_selectors.py": "the class that a setting names",
}
"""Files that import what a text names, and why."""


@pytest.mark.parametrize("path", list(python_files("broker", "protocol", "client")), ids=name_of)
def test_imports_are_at_the_top(path: Path) -> None:
    """Goal: what a file needs is read in its first lines; nothing is loaded while others wait."""
    tree = parsed(path.read_text())
    late = [
        node.lineno
        for function in ast.walk(tree)
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef)
        for node in ast.walk(function)
        if isinstance(node, ast.Import | ast.ImportFrom)
    ]
    assert not late or name_of(path) in IMPORTED_LATE, f"imports inside functions: {late}"
    assert "importlib" not in imported_names(path) or name_of(path) in DOORS


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
        if not re.search(r"^HANDLER = ", path.read_text(), re.MULTILINE):
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
