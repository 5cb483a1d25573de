"""What an installation says of itself: compiled or pure, told from the files that lie there."""

from __future__ import annotations

import ast
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest

from barnabas import __version__, build_info


def test_a_checkout_is_pure_python() -> None:
    """Goal: an editable install is never compiled, for the C would win over every later edit."""
    found = build_info.build_info()
    assert found.version == __version__
    assert not found.is_compiled, "remove the shared objects from the checkout"
    assert found.describe() == "pure Python"


def test_compiled_modules_are_named(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: modules are counted, the library that holds a group's code is not. Method: a fake."""
    suffix = EXTENSION_SUFFIXES[0]
    folder = tmp_path / "protocol" / "messages"
    folder.mkdir(parents=True)
    (folder / f"fetch_request{suffix}").touch()
    (folder / f"fetch_request__mypyc{suffix}").touch()
    monkeypatch.setattr(build_info, "PACKAGE", tmp_path)
    found = build_info.build_info()
    assert found.compiled_modules == ("barnabas.protocol.messages.fetch_request",)
    assert found.describe() == "compiled, 1 modules"


ROOT = Path(__file__).resolve().parent.parent
SOURCE = ROOT / "src" / "barnabas"
PURE_CALLS = {"len", "min", "max"}


def hot_files() -> list[Path]:
    """The files that `setup.py` compiles, read out of it without running it."""
    for node in ast.walk(ast.parse((ROOT / "setup.py").read_text())):
        if isinstance(node, ast.Assign) and ast.unparse(node.targets[0]) == "HOT":
            found = {one: list(SOURCE.glob(one)) for one in ast.literal_eval(node.value)}
            assert all(found.values()), "a pattern of HOT finds nothing: was a module renamed?"
            return [path for paths in found.values() for path in paths]
    raise AssertionError("setup.py has no HOT")


@pytest.mark.parametrize("path", hot_files(), ids=lambda path: path.name)
def test_compiled_modules_slice_without_side_effects(path: Path) -> None:
    """Goal: no call in a slice's bounds, since mypyc may evaluate it twice."""
    found = [
        ast.unparse(node)
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.Subscript) and isinstance(node.slice, ast.Slice)
        for bound in (node.slice.lower, node.slice.upper)
        if bound is not None
        for call in ast.walk(bound)
        if isinstance(call, ast.Call) and ast.unparse(call.func) not in PURE_CALLS
    ]
    assert not found
