"""What is no frame, or no request, at the front door of a real node.

F-7; ENV-01, ENV-05, ENV-06, ENV-11, ENV-12 and the parser's CVEs.
"""

from __future__ import annotations

import random
import struct
import time

import pytest
from kit.frames import framed
from kit.varints import uvarint

from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.testing.process import NodeProcess

from .wire import MIB, Wire, forget_peak, is_served, memory, peak_memory

pytestmark = pytest.mark.slow

PRODUCE, FETCH, METADATA, API_VERSIONS = 0, 1, 3, 18
CLOSED_WITHIN_S = 30.0
"""Far below `connections.max.idle.ms`, after which it would be closed anyway."""

TLS_HELLO = bytes.fromhex(
    "16030100c5010000c103034a1f0e0d3c5e1d2f0b9a8776655443322110ffeeddccbbaa99887766554433"
    "20000102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f0004130113020100"
)

NOT_KAFKA = {
    "a TLS hello": TLS_HELLO,
    "a TLS alert": bytes.fromhex("15030300020228"),
    "HTTP": b"GET / HTTP/1.1\r\nHost: localhost\r\n\r\n",
    "HTTP/2": b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    "SSH": b"SSH-2.0-OpenSSH_9.6\r\n",
    "Redis": b"*1\r\n$4\r\nPING\r\n",
    "PostgreSQL": struct.pack(">ii", 8, 80877103),
    "SOCKS": b"\5\1\0\0\0\0\0\0\0\0\0\0\0\0",
    "ZooKeeper's ruok": b"ruok",
    "a line of spaces": b" " * 64,
}

LENGTHS = (-(2**31), -2, -1, 0, 1, 4, 7, 9, 104_857_601, 2**31 - 1, 0x15030300)


@pytest.mark.parametrize("name", NOT_KAFKA)
def test_other_protocols_are_closed_at_once(node: NodeProcess, name: str) -> None:
    """ENV-01: read as a length, these are too long or too short."""
    with Wire(node) as wire:
        began = time.monotonic()
        wire.send(NOT_KAFKA[name])
        assert wire.is_closed()
        assert time.monotonic() - began < CLOSED_WITHIN_S


def test_the_reason_is_logged_without_their_bytes(node: NodeProcess) -> None:
    """Goal: the log says why, and nothing of what was sent."""
    with Wire(node) as wire:
        wire.send(b"GET /my-secret HTTP/1.1\r\n\r\n")
        assert wire.is_closed()
    # The line is on its way through a pipe.
    deadline = time.monotonic() + 10
    while not any(b"connection closed" in line for line in list(node.output)):
        assert time.monotonic() < deadline
        with Wire(node) as wire:
            assert is_served(wire)
    assert not any(b"my-secret" in line for line in list(node.output))


@pytest.mark.parametrize("length", LENGTHS)
def test_impossible_lengths(node: NodeProcess, length: int) -> None:
    """ENV-01: by the length alone, and in halves as well."""
    data = struct.pack(">i", length)
    for parts in ((data,), (data[:2], data[2:]), (data + bytes(100),)):
        with Wire(node) as wire:
            if all(wire.try_to_send(part) for part in parts):
                assert wire.is_closed()


def test_what_is_announced_costs_nothing(node: NodeProcess) -> None:
    """ENV-12, CVE-2022-34917: 200 connections announce 100 MiB each and send a little of it."""
    before = memory(node)
    wires = [Wire(node) for _ in range(200)]
    for wire in wires:
        wire.send(struct.pack(">ihhih", 100 * MIB, PRODUCE, 9, 1, 5) + b"abuse" + bytes(1000))
    with Wire(node) as honest:
        assert is_served(honest)
    assert memory(node) - before < 30 * MIB
    for wire in wires:
        wire.reset()


def test_three_thousand_connections_with_garbage(node: NodeProcess) -> None:
    """F-7, F-9: closed or left waiting, never answered with anything but a response."""
    rng = random.Random(7)
    before = memory(node)
    with Wire(node) as honest:
        for number in range(3000):
            with Wire(node) as wire:
                data = rng.randbytes(rng.randrange(1, 200))
                if number % 3 == 0:  # a frame that fits, with a known key
                    key = rng.choice((0, 1, 2, 3, 18, 19, 20, 22, 23, 32, 37, 44, 60, 75))
                    data = struct.pack(">hhi", key, rng.randrange(12), 7) + data
                    data = struct.pack(">i", len(data)) + data
                wire.try_to_send(data)
                wire.reset()
            if number % 500 == 0:
                assert is_served(honest)
        assert is_served(honest)
    assert memory(node) - before < 30 * MIB


# --- inside a frame -------------------------------------------------------------------------------


def header(key: int, version: int, tags: bytes) -> bytes:
    return struct.pack(">hhih", key, version, 7, 5) + b"abuse" + tags


def empty_tags(count: int) -> bytes:
    """Unknown tagged fields in ascending order, each of no bytes."""
    return uvarint(count) + b"".join(uvarint(100 + tag) + b"\0" for tag in range(count))


def metadata_with(tags: bytes) -> bytes:
    return framed(header(METADATA, 9, tags) + MetadataRequest().encode(9))


def test_unknown_tags_are_skipped_up_to_64(node: NodeProcess) -> None:
    """ENV-07, ENV-11: 64 of a later version's tags are fine, 65 are not."""
    with Wire(node) as wire:
        wire.send(metadata_with(empty_tags(64)))
        assert wire.receive(METADATA, 9).brokers
        wire.send(metadata_with(empty_tags(65)))
        assert wire.is_closed()


@pytest.mark.parametrize(
    "tags",
    [
        pytest.param(empty_tags(1_000_000), id="a million"),
        pytest.param(uvarint(2**31) + bytes(1000), id="2^31, none there"),
        pytest.param(b"\xff" * 12, id="a count that never ends"),
        pytest.param(uvarint(1) + uvarint(0) + uvarint(2**31 - 1), id="2 GiB in one"),
        pytest.param(uvarint(1) + uvarint(0) + uvarint(131_073) + bytes(131_073), id="128 KiB + 1"),
        pytest.param(uvarint(2) + b"\5\0\5\0", id="one tag twice"),
        pytest.param(uvarint(2) + b"\5\0\4\0", id="descending"),
    ],
)
@pytest.mark.parametrize("key", [PRODUCE, METADATA])
def test_hostile_tags_in_a_header(node: NodeProcess, key: int, tags: bytes) -> None:
    """CVE-2026-111115: closed, cheaply, and nobody else waits for it."""
    before = memory(node)
    with Wire(node) as wire, Wire(node) as honest:
        began = time.monotonic()
        wire.try_to_send(framed(header(key, 9, tags) + bytes(20)))
        assert is_served(honest)
        assert wire.is_closed()
        assert time.monotonic() - began < CLOSED_WITHIN_S
    assert memory(node) - before < 16 * MIB


@pytest.mark.parametrize("count", [-2, 2**31 - 1, 2**28, 1_000_001])
@pytest.mark.parametrize("key", [PRODUCE, FETCH, METADATA])
def test_hostile_counts(node: NodeProcess, key: int, count: int) -> None:
    """CVE-2022-34917, CVE-2026-111108: a count is not believed, and elements are counted."""
    fronts = {
        PRODUCE: (8, struct.pack(">hhi", -1, -1, 1000)),
        FETCH: (4, struct.pack(">iiiib", -1, 0, 0, 1 << 20, 0)),
        METADATA: (4, b""),
    }
    version, front = fronts[key]
    content = struct.pack(">hhih", key, version, 7, 5) + b"abuse" + front
    before = memory(node)
    for rest in (0, 100, 6 * MIB):
        with Wire(node) as wire, Wire(node) as honest:
            wire.try_to_send(framed(content + struct.pack(">i", count) + bytes(rest)))
            assert is_served(honest)
            assert wire.is_closed()
    assert memory(node) - before < 40 * MIB


def test_a_hundred_mebibytes_of_elements(node: NodeProcess) -> None:
    """CVE-2026-111108: as many elements as bytes allow are refused by their number."""
    size = 100 * MIB - 64
    content = header(PRODUCE, 9, b"\0") + b"\0" + struct.pack(">hi", -1, 1000)
    content += uvarint(size // 3 + 1) + bytes(size - len(content) - 8)
    with Wire(node) as wire, Wire(node) as honest:
        wire.try_to_send(framed(content))
        assert is_served(honest)
        assert wire.is_closed()


def test_long_requests_take_turns(node: NodeProcess) -> None:
    """Rule 4 of the parser: 8 requests of 50,000 topics each; one is decoded after the other."""
    count = 50_000
    content = header(PRODUCE, 9, b"\0") + b"\0" + struct.pack(">hi", -1, 1000)
    content += uvarint(count + 1) + b"\2a\1\0" * count + b"\0"
    resident = forget_peak(node)
    wires = [Wire(node) for _ in range(8)]
    with Wire(node) as honest:
        for wire in wires:
            wire.send(framed(content))
            assert is_served(honest)
        for wire in wires:
            assert wire.receive(PRODUCE, 9).responses == []
            wire.socket.close()
        assert is_served(honest)
    # Decoded all at once they were 70 MB.
    assert peak_memory(node) - resident < 50 * MIB


SMALL: list[tuple[Message, int]] = [
    (ApiVersionsRequest(), 0),
    (ApiVersionsRequest(client_software_name="a", client_software_version="1"), 3),
    (MetadataRequest(), 9),
]


@pytest.mark.parametrize(("request_", "version"), SMALL)
def test_a_request_of_one_byte_a_packet(node: NodeProcess, request_: Message, version: int) -> None:
    """Goal: the slowest honest client is served."""
    with Wire(node) as wire:
        for byte in wire.frame(request_, version):
            wire.send(bytes([byte]))
        assert request_.API_KEY is not None
        assert wire.receive(request_.API_KEY, version)


@pytest.mark.parametrize(("key", "version"), [(999, 0), (-1, 0), (7, 0), (0, 2), (1, 99), (3, -1)])
def test_unknown_keys_and_versions(node: NodeProcess, key: int, version: int) -> None:
    """ENV-05: closed without an answer."""
    with Wire(node) as wire:
        wire.send(framed(struct.pack(">hhih", key, version, 7, -1) + bytes(20)))
        with pytest.raises(ConnectionError):
            wire.read_frame()


@pytest.mark.parametrize("version", [-1, 5, 99, 32767])
def test_unknown_versions_of_api_versions_are_answered(node: NodeProcess, version: int) -> None:
    """ENV-03: with 35, in version 0, whatever the body is; the connection lives on."""
    with Wire(node) as wire:
        wire.send(framed(struct.pack(">hhih", API_VERSIONS, version, 7, -1) + b"\xff" * 20))
        answer = wire.receive(API_VERSIONS, 0)
        assert answer.error_code == 35
        assert [row.api_key for row in answer.api_keys] == [API_VERSIONS]
        assert is_served(wire)


def test_ill_formed_client_software(node: NodeProcess) -> None:
    """ENV-04: INVALID_REQUEST(42)."""
    with Wire(node) as wire:
        for name in ("", "with space", "ünïcode", "-dash", "x" * 10_000 + "!"):
            request = ApiVersionsRequest(client_software_name=name, client_software_version="1")
            assert wire.ask(request, 3).error_code == 42, name
