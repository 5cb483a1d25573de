"""What an installation says of itself: compiled or pure, told from the files that lie there."""

from __future__ import annotations

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
