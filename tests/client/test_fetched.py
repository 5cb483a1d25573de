"""Goal: what a fetch brought is handed out whole, in order, and only what may be seen."""

from __future__ import annotations

import contextlib

import pytest
from hypothesis import given
from hypothesis import strategies as st
from kit.batches import around, record

from barnabas.client.consuming.fetched import FetchedRecords, end_offset_of, whole_batches
from barnabas.client.errors import CorruptMessageError
from barnabas.client.structs import TopicPartition
from barnabas.protocol.batch_errors import InvalidBatchError
from barnabas.protocol.compression import Codec, compress
from barnabas.protocol.construct_backend.batches import ConstructBatches
from barnabas.protocol.record_batch import TIMESTAMP_TYPE_MASK, TRANSACTIONAL_MASK
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.record_columns import decode_columns

HERE = TopicPartition("t", 3)
Row = tuple[int, bytes | None, bytes | None, tuple[tuple[str, bytes | None], ...]]


def batch(
    base: int,
    count: int = 3,
    *,
    codec: Codec = Codec.NONE,
    producer: int = -1,
    transactional: bool = False,
    append_time: int | None = None,
) -> bytes:
    records = b"".join(record(n, b"v%d" % (base + n), b"k", n) for n in range(count))
    return around(
        compress(codec, records),
        count=count,
        timestamp=1000 + base,
        max_timestamp=1000 + base + count - 1 if append_time is None else append_time,
        attributes=codec
        | (0 if append_time is None else TIMESTAMP_TYPE_MASK)
        | (TRANSACTIONAL_MASK if transactional else 0),
        base_offset=base,
        producer_id=producer,
        producer_epoch=0 if producer >= 0 else -1,
        base_sequence=0 if producer >= 0 else -1,
    )


def marker(base: int, producer: int, *, commit: bool, codec: Codec = Codec.NONE) -> bytes:
    builder = RecordBatchBuilder(
        codec=codec,
        base_offset=base,
        producer_id=producer,
        producer_epoch=0,
        is_transactional=True,
        is_control=True,
    )
    builder.append(5, (0).to_bytes(2, "big") + int(commit).to_bytes(2, "big"), b"\0" * 6, ())
    return builder.build()


def fetched(
    data: bytes,
    offset: int = 0,
    aborted: list[tuple[int, int]] | None = None,
    *,
    check_crcs: bool = True,
    limit: int = 1 << 20,
) -> FetchedRecords:
    return FetchedRecords(
        HERE,
        data,
        offset,
        aborted=aborted,
        check_crcs=check_crcs,
        decompressed_bytes_max=limit,
    )


def offsets_of(records: FetchedRecords) -> list[int]:
    found = []
    while (columns := records.next_columns()) is not None:
        found += columns.offsets
    return found


@pytest.mark.parametrize("codec", list(Codec))
def test_every_codec(codec: Codec) -> None:
    columns = fetched(batch(10, 100, codec=codec), 10).next_columns()
    assert columns is not None
    assert columns.offsets == list(range(10, 110))
    assert columns.values[7] == b"v17"
    row = columns.rows("t", 3)[7]
    assert (row.topic, row.partition, row.offset, row.timestamp) == ("t", 3, 17, 1017)
    assert (row.key, row.serialized_key_size, row.serialized_value_size) == (b"k", 1, 3)


def test_a_fetch_in_the_middle_of_a_batch() -> None:
    records = fetched(batch(10, 5) + batch(15, 2), 13)
    assert offsets_of(records) == [13, 14, 15, 16]
    assert records.next_offset == 17


def test_a_cut_end_is_left_for_the_next_fetch() -> None:
    data = batch(0) + batch(3)[:-1]
    assert end_offset_of(data, 0) == 3
    assert offsets_of(fetched(data)) == [0, 1, 2]
    assert whole_batches(data) == batch(0)
    assert end_offset_of(batch(0)[:-1], 0) == 0


def test_append_time_is_that_of_the_batch() -> None:
    columns = fetched(batch(0, append_time=777)).next_columns()
    assert columns is not None
    assert columns.timestamps == [777] * 3
    assert columns.timestamp_type == 1


def test_control_batches_are_never_seen_but_passed() -> None:
    """98-06."""
    data = batch(0, producer=5, transactional=True) + marker(3, 5, commit=True)
    records = fetched(data)
    assert offsets_of(records) == [0, 1, 2]
    assert records.next_offset == 4


@pytest.mark.parametrize("codec", Codec)
def test_aborted_transactions_are_dropped(codec: Codec) -> None:
    """98-06: producer 5 aborts, then commits; producer 6 commits; 7 has no transaction.

    Control batches may be compressed like any other.
    """
    data = b"".join(
        [
            batch(0, producer=5, transactional=True),
            batch(3, producer=6, transactional=True),
            batch(6, producer=7),
            marker(9, 5, commit=False, codec=codec),
            batch(10, producer=5, transactional=True),
            marker(13, 6, commit=True),
            marker(14, 5, commit=True),
        ]
    )
    assert offsets_of(fetched(data, aborted=[(5, 0)])) == [3, 4, 5, 6, 7, 8, 10, 11, 12]
    assert offsets_of(fetched(data)) == [*range(9), 10, 11, 12]


def test_two_aborted_transactions_of_one_producer() -> None:
    data = b"".join(
        [
            batch(0, 1, producer=5, transactional=True),
            marker(1, 5, commit=False),
            batch(2, 1, producer=5, transactional=True),
            marker(3, 5, commit=True),
            batch(4, 1, producer=5, transactional=True),
            marker(5, 5, commit=False),
        ]
    )
    assert offsets_of(fetched(data, aborted=[(5, 4), (5, 0)])) == [2]


def test_a_flipped_bit_is_found_and_named() -> None:
    data = bytearray(batch(0) + batch(3))
    data[-2] ^= 1  # the last byte of the last value
    records = fetched(bytes(data))
    assert records.next_columns() is not None
    with pytest.raises(CorruptMessageError, match=r"t-3, batch at offset 3.*checksum"):
        records.next_columns()
    assert records.next_offset == 3
    unchecked = fetched(bytes(data), check_crcs=False)
    assert offsets_of(unchecked) == [0, 1, 2, 3, 4, 5]


def test_a_bomb_is_refused() -> None:
    """ENV-13, F-6: what comes out of a codec is capped."""
    builder = RecordBatchBuilder(codec=Codec.ZSTD)
    builder.append(0, None, bytes(10_000_000), ())
    with pytest.raises(CorruptMessageError):
        fetched(builder.build(), limit=1 << 20).next_columns()


@pytest.mark.parametrize("length", [-1, 0, 13, 40])
def test_a_length_that_no_batch_has(length: int) -> None:
    data = bytearray(batch(0))
    data[8:12] = length.to_bytes(4, "big", signed=True)
    with pytest.raises(CorruptMessageError, match="length"):
        end_offset_of(bytes(data), 0)


HEADERS = st.lists(st.tuples(st.text(max_size=5), st.none() | st.binary(max_size=200)), max_size=3)
ROWS = st.lists(
    st.tuples(
        st.integers(0, 2**40), st.none() | st.binary(max_size=200), st.none() | st.binary(), HEADERS
    ),
    min_size=1,
    max_size=20,
)


@given(ROWS)
def test_columns_say_what_the_second_codec_says(rows: list[Row]) -> None:
    """Goal: the decoder and the construct backend, which share no code, read the same."""
    builder = RecordBatchBuilder(base_offset=50)
    for timestamp, key, value, headers in rows:
        builder.append(timestamp, key, value, tuple(headers))
    data = builder.build()
    columns = fetched(data, 50).next_columns()
    assert columns is not None
    expected = ConstructBatches().parse(data).records
    assert columns.offsets == [each.offset for each in expected]
    assert columns.timestamps == [each.timestamp for each in expected]
    assert columns.keys == [each.key for each in expected]
    assert columns.values == [each.value for each in expected]
    assert columns.headers == [tuple(each.headers) for each in expected]


@given(st.binary(max_size=300), st.integers(0, 5))
def test_garbage_is_an_error_and_nothing_else(data: bytes, count: int) -> None:
    """F-5: no input raises anything but the typed error, or loops."""
    with contextlib.suppress(InvalidBatchError):
        decode_columns(data, count, 0, 0, 1000)


@given(st.data())
def test_mutated_batches_are_an_error_and_nothing_else(data: st.DataObject) -> None:
    good = bytearray(batch(0) + batch(3, codec=Codec.GZIP))
    for _ in range(data.draw(st.integers(1, 4))):
        at = data.draw(st.integers(0, len(good) - 1))
        good[at] = data.draw(st.integers(0, 255))
    records = fetched(bytes(good), check_crcs=data.draw(st.booleans()))
    with contextlib.suppress(CorruptMessageError):
        end_offset_of(bytes(good), 0)
        offsets_of(records)
