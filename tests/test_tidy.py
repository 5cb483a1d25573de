"""Style by the numbers, checked: sizes, names, purity, and that schemas, handlers, tests agree."""

from __future__ import annotations

import ast
import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from kit.source_files import FOLDERS, ROOT, name_of, parsed, python_files

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


LEFTOVER = re.compile(r"\b(FIX" + r"ME|XX" + r"X)\b")

DOORS = {
    "protocol/apis.py": "the one lazy door: classes of messages, when first asked for by name",
    "broker/server/dotted_path.py": "classes and functions that settings name",
}
"""Files that import what a text names, and why."""


BOUNDARIES = ("broker/storage", "broker/handlers", "protocol")
SUPPRESSION = re.compile(r"# type: ignore\[[a-z-]+\](?!  # \w)")
UNTYPED = re.compile(r"^from typing import (?=[^#\n]*\bAny\b)(?!.*# Any: \w)", re.MULTILINE)

CHECKED_FOLDERS = [folder for folder in FOLDERS if folder != "src"]


@pytest.mark.parametrize("folder", CHECKED_FOLDERS)
def test_files_are_tidy(folder: str) -> None:
    """Goal: a file is read at one go, says what it needs in its first lines, runs on Debian 12."""
    found = []
    for path in python_files(folder):
        text = path.read_text()
        source = SourceFile(path, name_of(path), text, parsed(text))
        found += [f"{source.name}: {problem}" for check in CHECKS for problem in check(source)]
    assert not found, "\n".join(["", *found])


class SourceFile(NamedTuple):
    """A file of ours, read and parsed once for all checks."""

    path: Path
    name: str
    """From the top of the checkout, as `broker/node.py`."""
    text: str
    tree: ast.Module

    def is_in(self, *folders: str) -> bool:
        return self.name.startswith(tuple(f"{folder}/" for folder in folders))


def sizes(source: SourceFile) -> Iterator[str]:
    lines = source.text.splitlines()
    if len(lines) > LINES_PER_FILE_MAX:
        yield f"{len(lines)} lines, at most {LINES_PER_FILE_MAX}"
    for number, line in enumerate(lines, 1):
        if len(line) > COLUMNS_MAX:
            yield f"line {number} has {len(line)} columns"
    for node in ast.walk(source.tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef):
            assert node.end_lineno is not None
            length = node.end_lineno - node.lineno + 1
            if length > LINES_PER_FUNCTION_MAX:
                yield f"function {node.name} has {length} lines"


def words(source: SourceFile) -> Iterator[str]:
    if source.path.stem in BANNED_NAMES:
        yield f"the name {source.path.stem!r} says nothing"
    if LEFTOVER.search(source.text):
        yield "a leftover marker"
    if source.text and not ast.get_docstring(source.tree):
        yield "no module docstring"


def what_is_ours_is_imported_by_its_name(source: SourceFile) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if (
            isinstance(node, ast.ImportFrom)
            and node.level == 0
            and (node.module or "").split(".")[0] in TOP_LEVEL_FOLDERS
        ):
            yield f"line {node.lineno}: import barnabas.{node.module} instead"


def runs_on_debian_12(source: SourceFile) -> Iterator[str]:
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Attribute) and node.attr in NEWER_THAN_DEBIAN_12:
            yield f"line {node.lineno}: {NEWER_THAN_DEBIAN_12[node.attr]}"


def core_and_protocol_are_pure(source: SourceFile) -> Iterator[str]:
    """Decisions and codecs see no socket, file, clock or randomness of their own."""
    if source.is_in("protocol/compiler"):
        return  # a build tool: it reads schema files
    if source.is_in("protocol", "broker/core"):
        for name in sorted(imported_names(source.tree) & PURE_FORBIDDEN):
            yield f"imports {name}, which core and protocol do not"


def no_test_module_is_imported(source: SourceFile) -> Iterator[str]:
    """What tests share is in `tests/kit/` or a file of their folder, not in one of them."""
    if not source.is_in("tests"):
        return
    for node in ast.walk(source.tree):
        if isinstance(node, ast.Import | ast.ImportFrom):
            for alias in node.names:
                if ".test_" in f".{getattr(node, 'module', '')}.{alias.name}":
                    yield f"line {node.lineno}: move what is shared out of {alias.name}"


def imports_are_at_the_top(source: SourceFile) -> Iterator[str]:
    """What a file needs is read in its first lines; nothing is loaded while others wait."""
    if not source.is_in("broker", "protocol", "client"):
        return
    for function in ast.walk(source.tree):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            for node in ast.walk(function):
                if isinstance(node, ast.Import | ast.ImportFrom):
                    yield f"line {node.lineno}: an import inside a function"
    if source.name not in DOORS and "importlib" in imported_names(source.tree):
        yield "imports importlib"


def boundaries_say_why_a_type_is_not_checked(source: SourceFile) -> Iterator[str]:
    """What crosses a boundary is what its type says; compiled code believes nothing else."""
    if source.is_in(*BOUNDARIES):
        if SUPPRESSION.search(source.text):
            yield "a `type: ignore` without its reason in the line"
        if UNTYPED.search(source.text):
            yield "`Any` without `# Any: reason` at its import"


CHECKS: tuple[Callable[[SourceFile], Iterator[str]], ...] = (
    sizes,
    words,
    what_is_ours_is_imported_by_its_name,
    runs_on_debian_12,
    core_and_protocol_are_pure,
    no_test_module_is_imported,
    imports_are_at_the_top,
    boundaries_say_why_a_type_is_not_checked,
)

BAD_FILES = {
    "broker/core/log/utils.py": (
        "import os\n"
        "from broker.node import Node\n"
        f"x = {'y' * 100!r}\n"
        "def f():\n    import json\n" + "    f()\n" * 70 + "\n" * 330 + "z.extractall()\n"
    ),
    "protocol/bad.py": '"""Read."""\nfrom typing import Any\nx = 1  # type: ignore[misc]\n',
    "client/bad.py": '"""Read."""\nimport importlib\n# FIX' + "ME\n",
    "tests/bad.py": '"""Read."""\nfrom kit.test_this import that\n',
}


def test_each_check_finds_something() -> None:
    """Goal: none of the checks is one that never complains."""
    for check in CHECKS:
        found = [
            problem
            for name, text in BAD_FILES.items()
            for problem in check(SourceFile(ROOT / name, name, text, parsed(text)))
        ]
        assert found, check.__name__


def imported_names(tree: ast.Module) -> set[str]:
    """What a module imports when it runs; imports for type checkers alone do not count."""
    names: set[str] = set()
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


CIRCLES = {
    "testing/simulation/raft": "a machine, its cluster and its oracle are one simulator",
}
"""Packages with files that import each other, and why. It may only get shorter."""

PACKAGES = sorted(
    {name_of(path.parent) for path in python_files(*(one for one in FOLDERS if one != "tests"))}
)


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


@pytest.mark.parametrize("package", PACKAGES)
def test_no_circle_of_files(package: str) -> None:
    """Goal: a file is understood with those that it imports, and none of them needs it."""
    assert bool(circles(imports_inside(ROOT / package))) == (package in CIRCLES)


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
