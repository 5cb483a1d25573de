"""Records inside batches: built, decoded, and refused when they are not what they should be."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from kit.raw_batches import COMPRESSED, NOW, batch, record, small_batch
from kit.varints import uvarint, varint

from barnabas.protocol.batch_errors import BatchError, CorruptBatchError, InvalidBatchError
from barnabas.protocol.compression import Codec, compress
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.record import CREATE_TIME, ELEMENTS_MAX, LOG_APPEND_TIME, Record
from barnabas.protocol.record_batch import check_batch, read_batch_header
from barnabas.protocol.record_builder import (
    RecordBatchBuilder,
    batch_size_max,
    record_size_max,
    varint_size,
)
from barnabas.protocol.records import decode_batch, decode_records, iter_records

from .mutations import BACKENDS, HUGE, mutated, outcome

INT64 = st.integers(-(2**63), 2**63 - 1)
TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=4)
OCTETS = st.none() | st.binary(max_size=70)
HEADERS = st.lists(st.tuples(TEXT, OCTETS), max_size=3).map(tuple)
RECORDS = st.lists(
    st.tuples(st.integers(-1, 2**42), OCTETS, OCTETS, HEADERS), min_size=1, max_size=5
)


# ---------------------------------------------------------------------------- round trip


@settings(deadline=None)
@given(
    records=RECORDS,
    codec=st.sampled_from(Codec),
    base_offset=st.integers(0, 2**62),
    sequence=st.integers(-1, 2**31 - 1),
    kind=st.sampled_from([CREATE_TIME, LOG_APPEND_TIME]),
    horizon=st.none() | st.integers(0, 2**42),
    is_transactional=st.booleans(),
)
def test_what_is_built_is_read(
    records: list[tuple[int, bytes | None, bytes | None, Any]],
    codec: Codec,
    base_offset: int,
    sequence: int,
    kind: int,
    horizon: int | None,
    is_transactional: bool,
) -> None:
    """Goal: any records, any codec, all fields of the header; both backends read the same."""
    builder = RecordBatchBuilder(
        codec=codec,
        base_offset=base_offset,
        leader_epoch=3,
        producer_id=9 if sequence >= 0 else -1,
        producer_epoch=1 if sequence >= 0 else -1,
        base_sequence=sequence,
        is_transactional=is_transactional,
        timestamp_type=kind,
        append_time=NOW,
        delete_horizon_ms=horizon,
    )
    for number, (timestamp, key, value, headers) in enumerate(records):
        assert builder.append(timestamp, key, value, headers) == number
    size = builder.size
    data = builder.build()
    header = check_batch(data, 0, len(data))
    assert codec != Codec.NONE or size == len(data)
    assert (header.codec, header.record_count) == (codec, len(records))
    assert (header.is_transactional, header.delete_horizon_ms) == (is_transactional, horizon)
    expected = [
        Record(
            base_offset + number,
            timestamp if kind == CREATE_TIME else NOW,
            key,
            value,
            headers,
            kind,
            3,
            (sequence + number) % 2**31 if sequence >= 0 else -1,
        )
        for number, (timestamp, key, value, headers) in enumerate(records)
    ]
    assert decode_batch(data) == expected
    parsed = BACKENDS[1].parse(data)
    assert parsed.records == expected
    if codec == Codec.NONE:
        assert BACKENDS[0].build(parsed) == BACKENDS[1].build(parsed) == data


def test_gaps_and_a_lost_end() -> None:
    """Goal: what compaction leaves: offsets with gaps, and the last offset of what is gone."""
    builder = RecordBatchBuilder(base_offset=100)
    assert builder.append(NOW, b"a", b"1", offset=103) == 3
    assert builder.append(NOW + 5, b"b", None, offset=110) == 10
    with pytest.raises(ValueError, match="offset delta 10 after 10"):
        builder.append(NOW, b"c", None, offset=110)
    data = builder.build(last_offset_delta=19, max_timestamp=NOW + 77)
    header = check_batch(data, 0, len(data))
    assert (header.last_offset, header.max_timestamp, header.record_count) == (119, NOW + 77, 2)
    assert [record.offset for record in decode_batch(data)] == [103, 110]


def test_a_batch_fills_up() -> None:
    """Goal: a builder never makes more than its limit, but takes the first record in any case."""
    builder = RecordBatchBuilder(max_bytes=500)
    taken = 0
    while builder.append(NOW, b"key", b"v" * 20, (("h", b"x"),)) is not None:
        taken += 1
    assert taken == builder.record_count
    assert 350 < len(builder.build()) <= 500
    large = RecordBatchBuilder(max_bytes=10)
    assert large.append(NOW, None, b"v" * 5000) == 0
    assert large.append(NOW, None, None) is None


@given(key=OCTETS, value=OCTETS, headers=HEADERS, timestamp=st.integers(0, 2**62))
def test_size_estimates_are_upper_bounds(
    key: bytes | None, value: bytes | None, headers: Any, timestamp: int
) -> None:
    """Goal: a producer can judge from the estimate whether a record fits its request."""
    builder = RecordBatchBuilder()
    builder.append(0, None, None)
    before = builder.size
    builder.append(timestamp, key, value, headers)
    assert builder.size - before <= record_size_max(key, value, headers)
    assert batch_size_max(key, value, headers) == 61 + record_size_max(key, value, headers)


@given(value=st.integers(-(2**63), 2**63 - 1))
def test_varint_sizes(value: int) -> None:
    """Goal: the size of a varint without writing it."""
    assert varint_size(value) == len(varint(value))


# ---------------------------------------------------------------------------- hostile records

HOSTILE = {
    "no records in the body": batch(b""),
    "count above the records": batch(record() + record(offset_delta=b"\2"), count=3),
    "count below the records": batch(record() + record(offset_delta=b"\2"), count=1),
    "huge count": batch(record(), count=2**31 - 1, last_delta=2**31 - 1),
    "bytes behind the records": batch(record() + b"\0"),
    "record length too small": batch(record(size=b"\x06")),
    "record length too large": batch(record(size=varint(9)) + b"\0" * 20),
    "record length zero": batch(b"\0" + record()),
    "record length negative": batch(record(size=b"\1")),
    "record length huge": batch(record(size=HUGE)),
    "record length of six bytes": batch(record(size=b"\x80\x80\x80\x80\x80\x01")),
    "record length above 32 bits": batch(record(size=b"\xff\xff\xff\xff\x7f")),
    "key length huge": batch(record(key=HUGE + b"k")),
    "value length huge": batch(record(value=HUGE + b"v")),
    "value reaches beyond the record": batch(record(value=b"\x0av", headers=b"")),
    "header count negative": batch(record(headers=b"\1")),
    "header count huge": batch(record(headers=HUGE)),
    "header count above the bytes": batch(record(headers=b"\4\0\1")),
    "header key null": batch(record(headers=b"\2\1\1")),
    "header key huge": batch(record(headers=b"\2" + HUGE + b"\1")),
    "header value huge": batch(record(headers=b"\2\0" + HUGE)),
    "header reaches into the next record": batch(
        record(headers=b"\2\0\x10abc") + record(offset_delta=b"\2"), count=2
    ),
    "timestamp delta of eleven bytes": batch(record(timestamp_delta=b"\x80" * 10 + b"\1")),
    "timestamp delta above 64 bits": batch(record(timestamp_delta=b"\xff" * 9 + b"\x7f")),
    "timestamp beyond an int64": batch(record(timestamp_delta=varint(2**63 - 1))),
    "timestamp a little beyond an int64": batch(
        record(timestamp_delta=b"\2"), base_timestamp=2**63 - 1
    ),
    "timestamp a little before an int64": batch(
        record(timestamp_delta=b"\xff\x01"), base_timestamp=-(2**63)
    ),
    "offset delta negative": batch(record(offset_delta=b"\1")),
    "offset delta beyond the batch": batch(record(offset_delta=b"\2")),
    "offset beyond an int64": batch(record(), base_offset=2**63 - 1, last_delta=1),
}


@pytest.mark.parametrize("codec", Codec)
@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_records_are_invalid(name: str, codec: Codec) -> None:
    """F-5: a right checksum around wrong records is INVALID_RECORD(87), in every codec."""
    plain = HOSTILE[name]
    header = read_batch_header(plain)
    data = batch(
        compress(codec, plain[61:]),
        count=header.record_count,
        last_delta=header.last_offset_delta,
        codec=codec,
        base_offset=header.base_offset,
        base_timestamp=header.base_timestamp,
    )
    check_batch(data, 0, len(data))
    for backend in BACKENDS:
        with pytest.raises(InvalidBatchError) as caught:
            backend.parse(data)
        assert caught.value.code == ErrorCode.INVALID_RECORD


@pytest.mark.parametrize("codec", [5, 6, 7])
def test_codecs_that_do_not_exist(codec: int) -> None:
    """F-5: UNSUPPORTED_COMPRESSION_TYPE(76)."""
    for backend in BACKENDS:
        with pytest.raises(BatchError) as caught:
            backend.parse(batch(record(), codec=codec))
        assert caught.value.code == ErrorCode.UNSUPPORTED_COMPRESSION_TYPE


def test_more_elements_than_real_batches_have() -> None:
    """Goal: a few wire bytes an element must not become gigabytes of objects."""
    headers = uvarint(2 * 600_000) + b"\0\1" * 600_000
    two = record(headers=headers) + record(headers=headers, offset_delta=b"\2")
    with pytest.raises(InvalidBatchError, match="more than 1000000 headers"):
        decode_batch(batch(two, count=2))
    header = read_batch_header(small_batch())
    header.record_count = ELEMENTS_MAX + 1
    with pytest.raises(InvalidBatchError, match="more than 1000000 records"):
        decode_records(bytes(ELEMENTS_MAX * 7), header)


def test_the_last_timestamp_there_is() -> None:
    """Goal: the largest int64 is a timestamp like any other."""
    for backend in BACKENDS:
        (found,) = backend.parse(batch(record(), base_timestamp=2**63 - 1)).records
        assert found.timestamp == 2**63 - 1


def test_what_kafka_takes_is_taken() -> None:
    """Goal: no stricter than Kafka where its reader is lenient: other clients' logs are read.

    Lengths below -1 mean null, header keys that are not UTF-8 are patched, reserved bits ignored.
    """
    odd = record(key=b"\3", value=b"\x03", headers=b"\2\2\xff\3")
    for backend in BACKENDS:
        (found,) = backend.parse(batch(odd, attributes=0x4780)).records
        assert (found.key, found.value) == (None, None)
        assert found.headers == (("\ufffd", None),)


def test_the_checksum_is_checked_unless_it_was() -> None:
    """Goal: a client checks; whoever did so already need not pay twice."""
    data = bytearray(small_batch())
    data[61] ^= 2  # length of the first record
    with pytest.raises(CorruptBatchError):
        decode_batch(data)
    with pytest.raises(InvalidBatchError):
        decode_batch(data, check_crc=False)
    good = small_batch()
    assert decode_batch(b"xx" + good, 2, check_crc=False) == decode_batch(good)
    with pytest.raises(CorruptBatchError):
        decode_batch(good[:-1], check_crc=False)


def test_iterating_over_records_leaves_out_control_batches() -> None:
    """98-06: control records never reach an application."""
    control = bytearray(batch(record(key=b"\x08\0\0\0\1"), attributes=0x20))
    data = small_batch() + bytes(control) + small_batch(base_offset=4) + small_batch()[:-3]
    assert [found.offset for found in iter_records(data)] == [0, 1, 2, 4, 5, 6]
    assert len(list(iter_records(data, with_control=True))) == 7


# ---------------------------------------------------------------------------- two backends


@pytest.mark.parametrize("seed", range(8))
def test_backends_agree_on_mutated_records(seed: int) -> None:
    """Goal: with a right checksum around, both read the same or refuse alike."""
    random = Random(seed)
    plain = small_batch()[61:]
    taken = 0
    for _ in range(250):
        codec = random.choice(list(Codec))
        count = random.choice([3, 3, 3, 3, 2, 4])
        body = compress(codec, mutated(plain, random))
        data = batch(body, count=count, codec=codec, attributes=random.choice([0, 8]))
        first, second = (outcome(backend, data) for backend in BACKENDS)
        assert first == second, data.hex()
        taken += not isinstance(first, int)
    assert taken > 5


@pytest.mark.parametrize("codec", COMPRESSED)
def test_backends_agree_on_mutated_batches(codec: Codec) -> None:
    """Goal: damage without a right checksum: nobody takes it, both say the same code."""
    random = Random(codec)
    data = small_batch(codec)
    for _ in range(300):
        damaged = mutated(data, random)
        if damaged == data:
            continue
        first, second = (outcome(backend, damaged) for backend in BACKENDS)
        if damaged[16:] != data[16 : len(damaged)] or len(damaged) != len(data):
            assert isinstance(first, int)
        assert first == second, damaged.hex()
