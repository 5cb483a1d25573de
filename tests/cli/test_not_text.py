"""Arguments with bytes that are no text."""

from __future__ import annotations

import pytest

from .conftest import Barnabas

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    "arguments",
    [
        ["topic", "create", "\udcff"],
        ["group", "describe", "\udcff"],
        ["produce", "t", "-H", "\udcff=1", "v"],
        ["produce", "t", "-K", "\udcff"],
        ["consume", "t", "-f", "\udcff"],
    ],
)
def test_bytes_that_are_no_text(barnabas: Barnabas, arguments: list[str]) -> None:
    """Goal: a name that is not UTF-8 ends in one line."""
    shown = barnabas(*arguments, status=1).stderr
    assert shown.startswith("barnabas: what was given is not UTF-8: ")
    assert shown.count("\n") == 1
