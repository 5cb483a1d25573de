"""Tables as people see them on a terminal."""

from __future__ import annotations

import sys

import pytest

from barnabas.cli.output import print_table


@pytest.mark.parametrize(
    "cell", ["PLAINTEXT://[fe80::1]:9092", "[/x]", "[bold]b[/bold]", ":warning:", r"a\[b]"]
)
def test_no_text_is_a_mark_of_the_table(
    cell: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: names and values stand there as they are, whatever they look like."""
    monkeypatch.setattr(sys.stdout, "isatty", lambda: True, raising=False)
    print_table(f"title {cell}", ("value",), [(f"{cell}-and-more-text-than-the-title-has",)])
    shown = capsys.readouterr().out
    assert f"title {cell}" in shown
    assert f" {cell}-and-more" in shown
