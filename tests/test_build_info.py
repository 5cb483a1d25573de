"""What an installation says of itself: compiled or pure, told from the files that lie there."""

from __future__ import annotations

import ast
import re
from importlib.machinery import EXTENSION_SUFFIXES
from pathlib import Path

import pytest
from build_script import ROOT, SOURCE, told

from barnabas import __version__, build_info

PURE_CALLS = {"len", "min", "max"}
SPEED_UP_MIN = 3.0
SEEN_BY_LEAVES = {
    "batch_errors", "buffer", "checksum", "compression", "errors", "record_batch", "structs",
}  # fmt: skip
"""Modules with nothing but bytes, numbers, names for them, and errors."""


def test_a_checkout_is_pure_python() -> None:
    """Goal: an editable install is never compiled, for the C would win over every later edit."""
    found = build_info.build_info()
    assert found.version == __version__
    assert not found.is_compiled, "remove the shared objects from the checkout"
    assert found.describe() == "pure Python"


@pytest.mark.parametrize(("count", "said"), [(1, "1 compiled module"), (2, "2 compiled modules")])
def test_compiled_modules_are_named(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, count: int, said: str
) -> None:
    """Goal: modules are counted, the library that holds their code is not. Method: a fake."""
    suffix = EXTENSION_SUFFIXES[0]
    folder = tmp_path / "protocol"
    folder.mkdir()
    names = ["records", "varints"][:count]
    for name in names:
        (folder / f"{name}{suffix}").touch()
    (tmp_path / f"leaves__mypyc{suffix}").touch()
    monkeypatch.setattr(build_info, "PACKAGE", tmp_path)
    found = build_info.build_info()
    assert found.compiled_modules == tuple(f"barnabas.protocol.{name}" for name in names)
    assert found.describe() == said


def leaves() -> list[Path]:
    return [SOURCE / path for path in told("LEAVES")]


@pytest.mark.parametrize(("path", "reason"), told("LEAVES").items())
def test_each_leaf_has_a_measured_reason(path: str, reason: str) -> None:
    """Goal: what is compiled is there, and is three times as fast for it, by its own figures."""
    assert (SOURCE / path).exists()
    figures = [float(one) for one in re.findall(r"(\d+\.\d) x", reason)]
    assert figures
    assert min(figures) >= SPEED_UP_MIN


@pytest.mark.parametrize("path", leaves(), ids=lambda path: path.name)
def test_leaves_see_bytes_and_numbers_only(path: Path) -> None:
    """Goal: no leaf of the broker, none that imports what is neither a leaf nor plain data."""
    assert "broker" not in path.relative_to(SOURCE).parts
    allowed = SEEN_BY_LEAVES | {leaf.stem for leaf in leaves()} | {"legacy_records"}
    imported = {
        (node.module or "").split(".")[-1]
        for node in ast.walk(ast.parse(path.read_text()))
        if isinstance(node, ast.ImportFrom)
        and (node.level or (node.module or "").startswith("barnabas"))
    }
    assert imported <= allowed


@pytest.mark.parametrize("path", leaves(), ids=lambda path: path.name)
def test_leaves_say_what_they_take(path: Path) -> None:
    """Goal: a compiled function checks what it says; nothing is waved through."""
    text = path.read_text()
    assert "type: ignore" not in text
    assert "cast(" not in text


@pytest.mark.parametrize("path", leaves(), ids=lambda path: path.name)
def test_leaves_slice_without_side_effects(path: Path) -> None:
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


def test_what_builds_a_wheel_is_pinned() -> None:
    """Goal: a build alone in its environment takes the versions that ours are tested with."""
    pinned = (ROOT / "constraints.txt").read_text().splitlines()
    assert set(told("COMPILER")) <= set(pinned)
    assert any(line.startswith("setuptools==") for line in pinned)
