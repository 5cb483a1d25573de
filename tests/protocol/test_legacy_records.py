"""Message sets of magic 0 and 1: entries, wrappers, relative offsets, damage."""

from __future__ import annotations

from random import Random
from struct import pack
from zlib import crc32

import pytest
from kit.message_sets import message, wrapper
from kit.raw_batches import NOW

from barnabas.protocol.batch_errors import BatchError, CorruptBatchError, InvalidBatchError
from barnabas.protocol.compression import Codec
from barnabas.protocol.record import CREATE_TIME, LOG_APPEND_TIME, NO_TIMESTAMP_TYPE
from barnabas.protocol.record_batch import iter_batch_headers
from barnabas.protocol.records import decode_batch, iter_records

from .mutations import BACKENDS, mutated, outcome

CODECS = [Codec.GZIP, Codec.SNAPPY, Codec.LZ4]


def inner(magic: int, offsets: list[int]) -> bytes:
    return b"".join(
        message(offset, b"v%d" % offset, key=b"k", magic=magic, timestamp=NOW + offset)
        for offset in offsets
    )


@pytest.mark.parametrize("magic", [0, 1])
@pytest.mark.parametrize("backend", BACKENDS)
def test_plain_messages(magic: int, backend: object) -> None:
    """Goal: key and value, either of them null; magic 0 has no timestamp (KIP-32)."""
    for key, value in ((b"k", b"v"), (None, b"v"), (b"k", None), (None, None), (b"", b"")):
        data = message(7, value, key=key, magic=magic)
        (found,) = backend.parse(data).records  # type: ignore[attr-defined]
        assert (found.offset, found.key, found.value) == (7, key, value)
        assert found.timestamp == (NOW if magic else -1)
        assert found.timestamp_type == (CREATE_TIME if magic else NO_TIMESTAMP_TYPE)


@pytest.mark.parametrize("codec", CODECS)
@pytest.mark.parametrize("backend", BACKENDS)
def test_wrappers(codec: Codec, backend: object) -> None:
    """KIP-31: inner offsets are absolute in magic 0, relative to the first in magic 1."""
    parse = backend.parse  # type: ignore[attr-defined]
    old = wrapper(codec, inner(0, [5, 6, 9]), 9, magic=0)
    assert [found.offset for found in parse(old).records] == [5, 6, 9]
    new = wrapper(codec, inner(1, [0, 1, 4]), 104)
    assert [found.offset for found in parse(new).records] == [100, 101, 104]
    assert [found.timestamp for found in parse(new).records] == [NOW, NOW + 1, NOW + 4]
    stamped = wrapper(codec, inner(1, [0, 1]), 1, attributes=8, timestamp=NOW + 50)
    assert {found.timestamp for found in parse(stamped).records} == {NOW + 50}
    assert {found.timestamp_type for found in parse(stamped).records} == {LOG_APPEND_TIME}


def test_any_negative_length_is_null() -> None:
    """Goal: as in Kafka's reader, -1 is not the only one."""
    plain = bytearray(message(7, b"", key=b""))
    plain[26:30] = plain[30:34] = b"\xff\xff\xff\x40"
    plain[12:16] = crc32(plain[16:]).to_bytes(4, "big")
    for backend in BACKENDS:
        (found,) = backend.parse(bytes(plain)).records
        assert (found.key, found.value) == (None, None)


def test_a_set_is_walked() -> None:
    """Goal: old entries and new batches in one log, as after an upgrade."""
    data = message(0, b"a") + wrapper(Codec.GZIP, inner(1, [0, 1]), 2) + message(3, b"b")[:-1]
    assert [header.base_offset for _, header in iter_batch_headers(data)] == [0, 2]
    assert [record.offset for record in iter_records(data)] == [0, 1, 2]


FAULTS = {
    "wrapper inside a wrapper": wrapper(Codec.GZIP, wrapper(Codec.GZIP, inner(1, [0]), 0), 0),
    "nothing inside": wrapper(Codec.GZIP, b"", 0),
    "no value": message(0, None, attributes=1),
    "zstd": wrapper(Codec.ZSTD, inner(1, [0]), 0),
    "another magic inside": wrapper(Codec.GZIP, inner(0, [0]), 0),
    "not compressed at all": message(0, b"value", attributes=1),
}


@pytest.mark.parametrize("name", FAULTS)
def test_faults_inside_are_invalid(name: str) -> None:
    """F-5: an entry with a right checksum whose contents cannot be: INVALID_RECORD(87)."""
    for backend in BACKENDS:
        with pytest.raises(InvalidBatchError):
            backend.parse(FAULTS[name])


def test_the_cap_counts_here_too() -> None:
    """ENV-13: a wrapper is decompressed up to the cap."""
    data = wrapper(Codec.GZIP, inner(1, list(range(500))), 499)
    assert len(decode_batch(data)) == 500
    with pytest.raises(InvalidBatchError, match="more than 5000 bytes"):
        decode_batch(data, limit=5000)


@pytest.mark.parametrize("magic", [0, 1])
def test_every_flipped_bit_is_named(magic: int) -> None:
    """Goal: CRC-32 covers all but the offset."""
    data = message(0, b"value", key=b"key", magic=magic)
    for position in range(len(data) * 8):
        changed = bytearray(data)
        changed[position // 8] ^= 1 << position % 8
        if position < 64:
            assert len(decode_batch(changed)) == 1
            continue
        with pytest.raises(CorruptBatchError):
            decode_batch(changed)


@pytest.mark.parametrize("magic", [0, 1])
def test_backends_agree_on_mutated_messages(magic: int) -> None:
    """Goal: with a right checksum around, both read the same or refuse alike."""
    random = Random(magic)
    plain = message(4, b"value", key=b"key", magic=magic)
    for _ in range(600):
        body = mutated(plain[16:], random)
        data = plain[:8] + pack(">iI", len(body) + 4, crc32(body)) + body
        first, second = (outcome(backend, data) for backend in BACKENDS)
        assert first == second, data.hex()
        assert isinstance(first, tuple) or first in (2, 87, 76)


def test_bytes_behind_an_entry_are_not_read_as_records() -> None:
    """Goal: an entry ends where its size says."""
    for backend in BACKENDS:
        with pytest.raises(BatchError):
            backend.parse(message(0, b"v") + b"\0")
