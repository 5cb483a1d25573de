"""Goal: a JSON record is what was meant or an error that names the field; addresses, knobs too."""

from __future__ import annotations

import json
from pathlib import Path

import click
import pytest
from click.testing import CliRunner

from barnabas.cli.bootstrap import default_bootstrap, with_port
from barnabas.cli.formats import unescaped
from barnabas.cli.json_records import record_of
from barnabas.cli.knobs import knobs_of
from barnabas.cli.main import command
from barnabas.cli.outgoing import Outgoing

COMMON = Outgoing(None, b"k", 3, headers=(("h", b"1"),))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ('{"value":"v"}', Outgoing(b"v", b"k", 3, None, (("h", b"1"),))),
        ('{"value":null,"key":null,"partition":0}', COMMON._replace(key=None, partition=0)),
        (
            '{"value":{"base64":"/wA="},"timestamp":5}',
            COMMON._replace(value=b"\xff\x00", timestamp_ms=5),
        ),
        ('{"value":{"a":1},"timestamp":-1}', COMMON._replace(value=b'{"a": 1}')),
        ('{"value":1,"topic":"t","offset":7,"partition":null}', COMMON._replace(value=b"1")),
        (
            '{"value":"","headers":[["a","1"],["a",null]]}',
            COMMON._replace(value=b"", headers=(("a", b"1"), ("a", None))),
        ),
        ('{"value":"","headers":{"a":"1"}}', COMMON._replace(value=b"", headers=(("a", b"1"),))),
    ],
)
def test_what_a_line_means(text: str, expected: Outgoing) -> None:
    """Goal: fields as `consume --json` prints them; what is left out comes from the options."""
    assert record_of(text.encode(), 1, COMMON) == expected


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "line 7: not JSON"),
        ("[1]", "line 7: not an object, but [1]"),
        ("{}", "line 7: value: missing"),
        ('{"vaule":1}', "no field is called 'vaule'; did you mean 'value'?"),
        ('{"value":1,"xyz":2}', "no field is called 'xyz'; there are value, key"),
        ('{"value":1,"timestamp":"2024-01-01"}', 'timestamp: "2024-01-01" is not a whole number'),
        ('{"value":1,"timestamp":1.5}', "timestamp: 1.5 is not"),
        ('{"value":1,"timestamp":true}', "timestamp: true is not"),
        ('{"value":1,"timestamp":-2}', "timestamp: -2 is not"),
        ('{"value":1,"timestamp":9223372036854775808}', "timestamp: 9223372036854775808 is not"),
        ('{"value":1,"partition":"0"}', 'partition: "0" is not a whole number'),
        ('{"value":1,"partition":-1}', "partition: -1 is not"),
        ('{"value":1,"headers":"h"}', 'headers: "h" is neither an object nor a list of pairs'),
        ('{"value":1,"headers":[["a"]]}', 'headers: ["a"] is not a pair'),
        ('{"value":1,"headers":[[1,"a"]]}', "is not a pair [name, value]"),
        ('{"value":{"base64":"?"}}', 'value: {"base64": "?"}'),
        ('{"value":{"base64":5}}', 'value: {"base64": 5}'),
        ('{"value":1,"key":"\\ud800"}', "key:"),
    ],
)
def test_what_is_refused(text: str, expected: str) -> None:
    """Goal: the line, the field, and what was found there."""
    with pytest.raises(click.ClickException) as caught:
        record_of(text.encode(), 7, COMMON)
    assert caught.value.message.startswith("line 7: ")
    assert expected in caught.value.message


@pytest.mark.parametrize(
    ("text", "meant"),
    [
        ("\\t", b"\t"),
        ("a\\n%", b"a\n%"),
        ("\\x01é", b"\x01\xc3\xa9"),
        ("\\\\", b"\\"),
        ("a\\", b"a\\"),
    ],
)
def test_escapes(text: str, meant: bytes) -> None:
    """Goal: what shells do not make of them; a per cent sign means itself."""
    assert unescaped(text) == meant


@pytest.mark.parametrize(
    ("typed", "meant"),
    [
        ("localhost", "localhost:9092"),
        ("localhost:1", "localhost:1"),
        ("PLAINTEXT://h", "PLAINTEXT://h:9092"),
        ("::1", "[::1]:9092"),
        ("[::1]", "[::1]:9092"),
        ("[::1]:5", "[::1]:5"),
    ],
)
def test_an_address_without_a_port_means_9092(typed: str, meant: str) -> None:
    """Goal: as for kcat."""
    assert with_port(typed) == meant


def test_without_a_cluster_here_it_is_localhost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: a folder with a cluster that does not run changes nothing."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv("BARNABAS_CLUSTER_DIR", raising=False)
    assert default_bootstrap() == "localhost:9092"
    folder = tmp_path / "barnabas-cluster"
    folder.mkdir()
    node = {"id": 1, "roles": ["broker", "controller"], "port": 5, "controller_port": 6}
    state = {"cluster_id": "x", "nodes": [node], "settings": {}, "host": "127.0.0.1", "pids": {}}
    (folder / "cluster.json").write_text(json.dumps(state))
    assert default_bootstrap() == "localhost:9092"


@pytest.mark.parametrize(
    ("knob", "expected"),
    [
        ("nope=1", "there is no knob 'nope'; --show-profile lists them all"),
        ("broker=1", "there is no knob 'broker'; did you mean brokers?"),
        ("brokers=many", "'many' is not a whole number"),
        ("brokers=1.5", "'1.5' is not a whole number"),
        ("kills=true", "'true' is not a number"),
        ("buggify=1", "'1' is not true or false"),
        ("brokers", "'brokers' is not KNOB=VALUE"),
    ],
)
def test_knobs_are_checked_by_name_and_kind(knob: str, expected: str) -> None:
    """Goal: no Python signature, but the knob and what it takes."""
    with pytest.raises(click.BadParameter) as caught:
        knobs_of([knob])
    assert expected in caught.value.message
    assert knobs_of(["brokers=4", "kills=1", "buggify=true"]) == {
        "brokers": 4,
        "kills": 1,
        "buggify": True,
    }


def test_the_letters_of_a_format_are_in_the_help() -> None:
    """Goal: nobody needs the source to use -f."""
    shown = CliRunner().invoke(command, ["consume", "--help"]).output
    for letter in "vskhtpoTSK":
        assert f"%{letter}" in shown
    assert r"\n \t" in shown


def test_version_as_an_option() -> None:
    """Goal: --version says what `version` says."""
    told = CliRunner().invoke(command, ["--version"])
    assert told.exit_code == 0
    assert told.output == CliRunner().invoke(command, ["version"]).output
