"""Small requests that would become large: 87, nothing appended, and memory that stays bounded.

F-6; ENV-13. The limit is 64 MiB a batch.
"""

from __future__ import annotations

import gzip
import struct
import threading
from collections.abc import Callable

import cramjam
import pytest
from kit.batches import batch

from barnabas.protocol.compression import Codec, compress
from barnabas.testing.process import NodeProcess

from .wire import (
    MIB,
    Wire,
    create_topic,
    fingerprint,
    forget_peak,
    is_served,
    peak_memory,
    produce,
)

pytestmark = pytest.mark.slow

INVALID = 87
TOPIC = "bombs"
LIMIT = 64 * MIB
ROOM = 64 * MIB
"""What a peak may be above the limit: two copies of requests, and the allocator's own."""

ZEROS = bytes(160 * MIB)
XERIAL = b"\x82SNAPPY\x00\0\0\0\1\0\0\0\1"


def snappy_blocks() -> bytes:
    """Each block of the framing is below the limit, all of them together are not."""
    block = bytes(cramjam.snappy.compress_raw(ZEROS[: 4 * MIB]))
    return XERIAL + (struct.pack(">i", len(block)) + block) * 40


def zstd_window(exponent: int) -> bytes:
    """A frame that asks for a window of 2^(10 + exponent) bytes, with one run-length block."""
    block = (1 << 3 | 1 << 1 | 1).to_bytes(3, "little") + b"\0"
    return b"\x28\xb5\x2f\xfd\0" + bytes([exponent << 3]) + block


def zstd_size(size: int) -> bytes:
    """A frame that says how much it holds, and holds one byte."""
    block = (1 << 3 | 1 << 1 | 1).to_bytes(3, "little") + b"\0"
    return b"\x28\xb5\x2f\xfd\xe0" + size.to_bytes(8, "little") + block


def zstd_runs(count: int) -> bytes:
    """Run-length blocks of 128 KiB in four bytes each: 32,768 to 1."""
    blocks = [(131_072 << 3 | 1 << 1).to_bytes(3, "little") + b"\0"] * count
    last = (131_072 << 3 | 1 << 1 | 1).to_bytes(3, "little") + b"\0"
    return b"\x28\xb5\x2f\xfd\0\x58" + b"".join(blocks) + last


def lz4_size(size: int) -> bytes:
    """A frame with a content size in its header, and nothing in it."""
    return b"\x04\x22\x4d\x18\x68\x70" + size.to_bytes(8, "little") + b"\0" + bytes(4)


Make = Callable[[], bytes]

BOMBS: dict[str, tuple[Codec, Make]] = {
    "gzip of zeros": (Codec.GZIP, lambda: compress(Codec.GZIP, ZEROS)),
    "gzip in many members": (Codec.GZIP, lambda: gzip.compress(ZEROS[: 8 * MIB]) * 20),
    "gzip twice": (Codec.GZIP, lambda: gzip.compress(gzip.compress(ZEROS)) + gzip.compress(ZEROS)),
    "snappy blocks": (Codec.SNAPPY, snappy_blocks),
    "lz4 of zeros": (Codec.LZ4, lambda: compress(Codec.LZ4, ZEROS)),
    "zstd of zeros": (Codec.ZSTD, lambda: compress(Codec.ZSTD, ZEROS)),
    "zstd runs": (Codec.ZSTD, lambda: zstd_runs(20_000)),
    "zstd in two frames": (
        Codec.ZSTD,
        lambda: compress(Codec.ZSTD, b"x") + compress(Codec.ZSTD, ZEROS),
    ),
}

LIES: dict[str, tuple[Codec, Make]] = {
    "snappy of zeros that says 2^31": (
        Codec.SNAPPY,
        lambda: b"\xff\xff\xff\xff\x07" + bytes(1_000_000),
    ),
    "zstd with a window of 2 GiB": (Codec.ZSTD, lambda: zstd_window(21)),
    "zstd with the largest window": (Codec.ZSTD, lambda: zstd_window(31)),
    "zstd that says 2^31-9": (Codec.ZSTD, lambda: zstd_size(2**31 - 9)),
    "zstd that says 2^63": (Codec.ZSTD, lambda: zstd_size(2**63)),
    "lz4 that says 2^31-9": (Codec.LZ4, lambda: lz4_size(2**31 - 9)),
    "snappy that says 2^31-9": (Codec.SNAPPY, lambda: b"\xf7\xff\xff\xff\x07" + bytes(40)),
}


@pytest.fixture(scope="module", autouse=True)
def topic(abused_node: NodeProcess) -> None:
    create_topic(abused_node, TOPIC)


@pytest.mark.parametrize("name", BOMBS)
def test_a_bomb_is_refused(node: NodeProcess, name: str) -> None:
    """Goal: 87, the log as it was, and no more memory than the limit and some."""
    codec, make = BOMBS[name]
    records = batch(records=make(), count=1, attributes=codec)
    before = fingerprint(node, TOPIC)
    with Wire(node) as wire:
        resident = forget_peak(node)
        row = produce(wire, TOPIC, records)
        assert row.error_code == INVALID, row
        assert peak_memory(node) - resident < LIMIT + ROOM
        assert is_served(wire)
    assert fingerprint(node, TOPIC) == before


@pytest.mark.parametrize("name", LIES)
def test_a_declared_size_is_not_believed(node: NodeProcess, name: str) -> None:
    """Goal: a few bytes that announce gigabytes cost nothing, whether they are taken or not."""
    codec, make = LIES[name]
    records = batch(records=make(), count=1, attributes=codec)
    with Wire(node) as wire:
        resident = forget_peak(node)
        row = produce(wire, TOPIC, records)
        assert row.error_code in (0, INVALID), row
        assert peak_memory(node) - resident < ROOM
        assert is_served(wire)


def test_many_bombs_at_once(node: NodeProcess) -> None:
    """Goal: eight at the same time stay below eight limits, and others are served meanwhile."""
    records = batch(records=zstd_runs(2_000), count=1, attributes=Codec.ZSTD)
    codes: list[int] = []

    def throw() -> None:
        with Wire(node) as wire:
            codes.append(produce(wire, TOPIC, records).error_code)

    resident = forget_peak(node)
    threads = [threading.Thread(target=throw) for _ in range(8)]
    for thread in threads:
        thread.start()
    with Wire(node) as honest:
        while any(thread.is_alive() for thread in threads):
            assert is_served(honest)
    assert codes == [INVALID] * 8
    assert peak_memory(node) - resident < 8 * LIMIT + ROOM
