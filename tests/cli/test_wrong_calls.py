"""Goal: commands that are called wrongly say what is missing, or what cannot be."""

from __future__ import annotations

import pytest
from click.testing import CliRunner

from barnabas.cli.main import command


@pytest.mark.parametrize(
    ("arguments", "expected"),
    [
        (["group", "reset", "g"], "give one of --to-earliest"),
        (["group", "reset", "g", "--to-latest", "--shift", "1"], "give one of --to-earliest"),
        (["group", "reset", "g", "--to-time", "-2"], "--to-time"),
        (["group", "reset", "g", "-t", "t:0", "--to-offset", str(2**63)], "--to-offset"),
        (["group", "delete-offsets", "g"], "--topic"),
        (["topic", "create", "t", "-p", str(2**31)], "--partitions"),
        (["topic", "create", "t", "-r", "40000"], "--replication-factor"),
        (["topic", "alter", "t", "-p", "0"], "--partitions"),
        (["txn", "list", "--producer-id", str(2**63)], "--producer-id"),
        (["txn", "list", "--open-longer-than", str(2**63)], "--open-longer-than"),
        (["consume", "t", "-g", "g", "-p", "0"], "no --partition"),
        (["consume", "t", "-g", "g", "-o", "17"], "beginning or end"),
        (["consume", "t", "-o", "s@-3"], "a time is 0 to"),
        (["consume", "t", "--until", f"e@{2**63}"], "a time is 0 to"),
    ],
)
def test_wrong_calls(arguments: list[str], expected: str) -> None:
    result = CliRunner().invoke(command, arguments)
    assert result.exit_code == 2
    assert expected in result.output
