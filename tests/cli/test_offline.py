"""Subcommands that need no broker."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest
from click.testing import CliRunner

from barnabas.cli import dissect as dissect_command
from barnabas.cli.consume import parse_offset
from barnabas.cli.main import SUBCOMMANDS, command
from barnabas.protocol import dissect as engine
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.stored import encode_metadata_record

ROOT = Path(__file__).resolve().parents[1]


def test_help_lists_every_subcommand_and_each_has_help() -> None:
    """Goal: `barnabas`, `barnabas -h` and `barnabas X -h` all explain themselves."""
    listed = CliRunner().invoke(command, ["-h"]).output
    for name in SUBCOMMANDS:
        assert name in listed
        assert CliRunner().invoke(command, [name, "--help"]).exit_code == 0


def test_a_misspelt_subcommand_gets_a_hint() -> None:
    """Goal: the error names what was meant."""
    result = CliRunner().invoke(command, ["topics"])
    assert result.exit_code == 2
    assert "Did you mean 'topic'" in result.output


def test_runs_as_a_module() -> None:
    """Goal: `python -m barnabas` is the command, where its script is not on the path."""
    command_line = [sys.executable, "-m", "barnabas", "-h"]
    told = subprocess.run(command_line, capture_output=True, text=True, timeout=60, check=True)
    assert "Run a broker node." in told.stdout


def test_version() -> None:
    """Goal: version and build are told, for machines too."""
    found = json.loads(CliRunner().invoke(command, ["version", "--json"]).output)
    assert found["compiled"] is False
    assert found["compiled_modules"] == []


def test_codec_check_counts(tmp_path: Path) -> None:
    """Goal: the closing line counts, failures name file, line and reason, status tells."""
    golden = ROOT / "protocol/golden/FetchRequest.jsonl.gz"
    for backend in ("python", "construct"):
        result = CliRunner().invoke(command, ["codec", "check", str(golden), "--backend", backend])
        assert result.exit_code == 0
        assert result.output.splitlines()[-1].endswith(" passed, 0 failed")
    bad = tmp_path / "bad.jsonl"
    bad.write_text('{"message":"FetchRequest","version":12,"hex":"00","json":{}}\n')
    result = CliRunner().invoke(command, ["codec", "check", str(bad)])
    assert result.exit_code == 1
    assert "0 passed, 1 failed" in result.output
    assert f"{bad}:1:" in result.output


def test_codec_decode() -> None:
    """Goal: the JSON of one body."""
    arguments = ["codec", "decode", "--message", "ApiVersionsRequest", "--version", "3"]
    result = CliRunner().invoke(command, [*arguments, "--hex", "02 61 02 62 00"])
    assert json.loads(result.output) == {"clientSoftwareName": "a", "clientSoftwareVersion": "b"}


@pytest.mark.parametrize(
    ("text", "parsed"),
    [
        ("beginning", ("beginning", 0)),
        ("end", ("end", 0)),
        ("-10", ("end", -10)),
        ("42", ("at", 42)),
        ("s@1700000000000", ("time", 1_700_000_000_000)),
    ],
)
def test_offsets(text: str, parsed: tuple[str, int]) -> None:
    """Goal: kcat's ways to say an offset."""
    assert parse_offset(text) == parsed


def test_dissect_offers_every_kind_that_there_is() -> None:
    """Goal: the command's list, kept apart so that its help imports little, cannot drift."""
    assert dissect_command.KINDS == engine.KINDS


def test_a_dump_of_the_metadata_log(tmp_path: Path) -> None:
    """SEC-02, ATK-38: what nobody is shown is hidden there, unless asked for; nothing else is."""
    shown = (
        ConfigRecord(resource_type=2, resource_name="t", name="ssl.key.password", value="a"),
        ConfigRecord(resource_type=4, resource_name="1", name="log.retention.ms", value="5"),
    )
    secret = (
        UserScramCredentialRecord(name="eve", mechanism=1, stored_key=b"s", iterations=4096),
        ConfigRecord(resource_type=4, resource_name="1", name="ssl.key.password", value="a"),
        ConfigRecord(resource_type=4, resource_name="1", name="a.b", value="a"),
    )
    builder = RecordBatchBuilder()
    for one in (*shown, *secret):
        builder.append(0, None, encode_metadata_record(one, 0))
    builder.append(0, None, b"\1\x7fno record")
    data = builder.build()
    path = tmp_path / "__cluster_metadata-0" / "00000000000000000000.log"
    path.parent.mkdir()
    path.write_bytes(data)

    def values(*options: str) -> list[bool]:
        told = CliRunner().invoke(command, ["log", "dump", str(path), "-r", "--json", *options])
        return [one["value"] != "[hidden]" for one in json.loads(told.output)[0]["records"]]

    assert values() == [True] * 2 + [False] * 4
    assert values("--secrets") == [True] * 6
