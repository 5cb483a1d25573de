"""Goal: `group` and `consume -g` that are called wrongly say what is missing."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from barnabas.cli.main import command


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["group", "reset", "g"], "give one of --to-earliest"),
        (["group", "reset", "g", "--to-latest", "--shift", "1"], "give one of --to-earliest"),
        (["group", "delete-offsets", "g"], "--topic"),
        (["consume", "t", "-g", "g", "-p", "0"], "no --partition"),
        (["consume", "t", "-g", "g", "-o", "17"], "beginning or end"),
    ],
)
def test_wrong_calls(arguments: list[str], expected: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert expected in result.output
