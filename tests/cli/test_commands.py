"""Subcommands against a node: what goes in comes out, errors are one line that names the cause."""

from __future__ import annotations

import asyncio
import json
import socket
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from barnabas.cli.consume import starts_of
from barnabas.client import Consumer, TopicPartition
from barnabas.testing.process import NodeProcess

pytestmark = pytest.mark.slow

Barnabas = Callable[..., "subprocess.CompletedProcess[str]"]


def test_topics_come_and_go(barnabas: Barnabas) -> None:
    """Goal: create, list, describe, alter, delete; each is done when the command ends."""
    barnabas("topic", "create", "things", "-p", "2", "-c", "retention.ms=3600000")
    listed = json.loads(barnabas("topic", "list", "--json").stdout)
    assert [(t["topic"], t["partitions"]) for t in listed] == [("things", 2)]
    assert "things" in barnabas("topic", "list").stdout
    barnabas(
        "topic", "alter", "things", "-p", "4", "-d", "retention.ms", "-c", "segment.ms=99999999"
    )
    described = json.loads(barnabas("topic", "describe", "things", "--json").stdout)[0]
    assert len(described["partitions"]) == 4
    assert described["configs"] == {"segment.ms": "99999999"}
    assert "ISR" in barnabas("topic", "describe", "things").stdout
    barnabas("topic", "create", "things", "--if-not-exists")
    barnabas("topic", "delete", "things")
    assert json.loads(barnabas("topic", "list", "--json").stdout) == []


def test_produce_and_consume_lines(barnabas: Barnabas) -> None:
    """Goal: lines, keys and headers arrive; -o, -e, -c and -f do what kcat's do."""
    barnabas("topic", "create", "lines", "-p", "1")
    barnabas("produce", "lines", "-K", ":", "-H", "h=1", stdin="a:one\nb:two\nc:three\n")
    shown = barnabas("consume", "lines", "-o", "beginning", "-e", "-f", r"%o %k=%v %h\n").stdout
    assert shown == "0 a=one h=1\n1 b=two h=1\n2 c=three h=1\n"
    assert barnabas("consume", "lines", "-o", "-1", "-e").stdout == "three\n"
    assert barnabas("consume", "lines", "-o", "1", "-c", "1").stdout == "two\n"
    assert barnabas("consume", "lines", "-o", "s@0", "-e", "-f", "%p").stdout == "000"


def test_what_is_typed_arrives_as_it_was_meant(barnabas: Barnabas) -> None:
    """Goal: a header twice is two headers; an escape in the delimiter is one character."""
    headers = ("-H", "a=1", "-H", "a=2", "-H", "b=x=y")
    barnabas("produce", "meant", "-K", r"\t", *headers, stdin="k\tv\n")
    line = barnabas("consume", "meant", "-e", "--json").stdout
    read = json.loads(line)
    assert (read["key"], read["value"]) == ("k", "v")
    assert read["headers"] == [["a", "1"], ["a", "2"], ["b", "x=y"]]
    refused = barnabas("produce", "meant", "-K", r"\q", "x", status=2)
    assert r"\q" in refused.stderr
    assert "empty" in barnabas("produce", "meant", "-K", "", "x", status=2).stderr


def test_an_offset_beyond_the_end_stands_for_what_comes_next(
    barnabas: Barnabas, node: NodeProcess
) -> None:
    """Goal: no partition is printed from its beginning for that; and bytes that are no text, as a
    shell passes them on, are sent as they are."""
    barnabas("topic", "create", "beyond")
    barnabas("produce", "beyond", "first", "\udcff")
    printed = barnabas("consume", "beyond", "-o", "1", "-e", "--json").stdout
    assert json.loads(printed)["value"] == {"base64": "/w=="}

    async def starts(number: int) -> dict[TopicPartition, int]:
        async with Consumer(bootstrap_servers=node.bootstrap) as consumer:
            return await starts_of(consumer, [where], ("at", number))

    where = TopicPartition("beyond", 0)
    assert [asyncio.run(starts(number)) for number in (1, 5)] == [{where: 1}, {where: 2}]


def test_a_wrong_record_ends_the_command(barnabas: Barnabas) -> None:
    """Goal: the line and the field are named at once, what came before it is sent."""
    lines = ['{"value":"good"}', '{"value":"x","timestamp":"2024-01-01"}']
    told = barnabas("produce", "wrong", "--records", stdin="\n".join(lines), status=1)
    assert 'line 2: timestamp: "2024-01-01" is not a whole number of milliseconds' in told.stderr
    lines[1] = '{"vaule":"x"}'
    told = barnabas("produce", "wrong", "--records", stdin="\n".join(lines), status=1)
    assert "line 2: no field is called 'vaule'; did you mean 'value'?" in told.stderr
    assert barnabas("consume", "wrong", "-e").stdout == "good\ngood\n"


@pytest.mark.parametrize("codec", ["none", "gzip", "snappy", "lz4", "zstd"])
def test_json_round_trip(barnabas: Barnabas, codec: str) -> None:
    """Goal: what `consume --json` prints, `produce --records` sends again, byte for byte."""
    topic = f"json-{codec}"
    record = {
        "key": "k",
        "value": {"base64": "/wA="},
        "timestamp": 1_700_000_000_000,
        "headers": [["h", "x"], ["none", None]],
    }
    barnabas("produce", topic, "--records", "-z", codec, stdin=json.dumps(record) + "\n")
    line = barnabas("consume", topic, "-o", "beginning", "-e", "--json").stdout
    read = json.loads(line)
    assert {name: read[name] for name in record} == record
    barnabas("produce", topic, "--records", stdin=line)
    lines = barnabas("consume", topic, "-o", "beginning", "-e", "--json").stdout.splitlines()
    assert len(lines) == 2


def test_settings(barnabas: Barnabas, node: NodeProcess) -> None:
    """Goal: describe and alter; a bad value is refused by name and changes nothing."""
    barnabas("topic", "create", "set")
    barnabas("config", "alter", "-t", "set", "retention.ms=1234567")
    shown = json.loads(barnabas("config", "describe", "-t", "set", "--json").stdout)
    assert {s["name"]: s["value"] for s in shown}["retention.ms"] == "1234567"
    refused = barnabas("config", "alter", "-t", "set", "segment.bytes=many", status=1)
    assert "segment.bytes" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    misspelt = barnabas("config", "alter", "--broker", "1", "log.retention.mss=5", status=1)
    assert "did you mean log.retention.ms?" in misspelt.stderr
    barnabas("config", "alter", "--broker", "1", "other.thing=5", "--unknown")
    barnabas("topic", "create", "kept", "-c", "cleanup.policy=compact")
    broker = barnabas("config", "describe", "--broker", "1", "--all", "--json")
    assert any(setting["name"] == "num.partitions" for setting in json.loads(broker.stdout))


def test_settings_of_a_group(barnabas: Barnabas, node: NodeProcess) -> None:
    """Goal: as those of topics; exactly one kind of thing has settings."""
    of_group = ("-g", "readers")
    barnabas("config", "alter", *of_group, "consumer.session.timeout.ms=50000")
    shown = json.loads(barnabas("config", "describe", *of_group, "--json").stdout)
    assert [(one["name"], one["value"], one["source"]) for one in shown] == [
        ("consumer.session.timeout.ms", "50000", "group")
    ]
    refused = barnabas("config", "alter", *of_group, "consumer.sesion.timeout.ms=1", status=1)
    assert "consumer.sesion.timeout.ms" in refused.stderr
    both = barnabas("config", "describe", *of_group, "-t", "readers", status=2)
    assert "give one of --topic NAME, --broker ID and --group NAME" in both.stderr


def test_log_dump_and_dissect(barnabas: Barnabas, node: NodeProcess) -> None:
    """Goal: the files of a partition can be looked into, by batch and by byte."""
    barnabas("topic", "create", "dumped", "-p", "1")
    barnabas("produce", "dumped", "hello")
    directory = next(Path(node.directory).rglob("dumped-0"))
    batches = json.loads(barnabas("log", "dump", str(directory), "-r", "--json").stdout)
    assert batches[0]["records"][0]["value"] == "hello"
    segment = str(next(directory.glob("*.log")))
    assert "batch[0].record[0].value" in barnabas("dissect", segment).stdout
    sizes = json.loads(barnabas("log", "dirs", "--json").stdout)
    assert any(row["topic"] == "dumped" and row["bytes"] > 0 for row in sizes)


def test_log_move(barnabas: Barnabas, node: NodeProcess) -> None:
    """KIP-113: to the directory that a replica is in, which is no move; to none of the broker's."""
    barnabas("topic", "create", "stays", "-p", "2")
    (path,) = {row["path"] for row in json.loads(barnabas("log", "dirs", "--json").stdout)}
    there = ("--broker", "1", "--to", path)
    assert barnabas("log", "move", "stays:0", *there).stdout == f"stays:0 moves to {path}\n"
    moved = json.loads(barnabas("log", "move", "stays", *there, "--wait", "--json").stdout)
    assert moved == [{"topic": "stays", "partition": n, "to": path} for n in (0, 1)]
    refused = barnabas("log", "move", "stays:1", "--broker", "1", "--to", "/nowhere", status=1)
    assert "LOG_DIR_NOT_FOUND" in refused.stderr
    assert len(refused.stderr.splitlines()) == 1
    assert "9" in barnabas("log", "move", "stays", "--broker", "9", "--to", path, status=1).stderr


def test_errors_name_what_was_wrong(barnabas: Barnabas) -> None:
    """Goal: one line on standard error, exit status 1, no traceback."""
    missing = barnabas("topic", "describe", "nothing", status=1)
    assert "nothing" in missing.stderr
    assert "Traceback" not in missing.stderr
    again = barnabas("produce", "ok-topic", "--records", stdin="{\n", status=1)
    assert "line 1" in again.stderr


def test_a_port_that_is_no_broker_says_so(barnabas: Barnabas) -> None:
    """Goal: a closed port and one that answers something else are told apart from a broker."""
    with socket.socket() as closed:
        closed.bind(("127.0.0.1", 0))
        address = f"127.0.0.1:{closed.getsockname()[1]}"
        result = barnabas("topic", "list", status=1, bootstrap=address)
    assert address in result.stderr


def test_exit_holds_beside_until(barnabas: Barnabas) -> None:
    """Goal: with --exit the end of the topic ends the command, wherever --until is."""
    barnabas("produce", "both", "one", "two")
    assert barnabas("consume", "both", "-e", "--until", "1000").stdout == "one\ntwo\n"
    assert barnabas("consume", "both", "-e", "--until", "1").stdout == "one\n"
