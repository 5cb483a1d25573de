"""The walk over a batch's records against the decoder: both take the same, and see the same."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from barnabas.protocol.batch_errors import BatchError
from barnabas.protocol.record import Record
from barnabas.protocol.record_batch import read_batch_header
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.record_walk import INT64_MAX, RecordsWalk
from barnabas.protocol.records import decode_records

BASE_TIME = 1_700_000_000_000
DELTAS = st.one_of(st.integers(-70, 70), st.integers(-(2**40), 2**40))
BYTES = st.one_of(st.none(), st.binary(max_size=5), st.binary(min_size=60, max_size=200))
HEADERS = st.lists(st.tuples(st.text(max_size=70), BYTES), max_size=3)
RECORDS = st.lists(st.tuples(DELTAS, BYTES, BYTES, HEADERS), min_size=1, max_size=90)


Fields = tuple[int, bytes | None, bytes | None, list[tuple[str, bytes | None]]]
"""Timestamp delta, key, value, headers."""


def built(records: list[Fields]) -> bytes:
    builder = RecordBatchBuilder()
    for delta, key, value, headers in records:
        builder.append(BASE_TIME + delta, key, value, tuple(headers))
    return bytes(builder.build())


def walked(data: bytes, count: int, base: int, step: int = 10_000) -> RecordsWalk | None:
    try:
        walk = RecordsWalk(data, count, base)
        while not walk.step(step):
            pass
    except BatchError:
        return None
    return walk


def decoded(data: bytes, batch: bytes) -> list[Record] | None:
    """Records whose offsets count up from nought; None for anything else."""
    try:
        records = decode_records(data, read_batch_header(batch))
    except BatchError:
        return None
    deltas = [record.offset for record in records]
    return records if deltas == list(range(len(deltas))) else None


@given(RECORDS, st.integers(1, 40))
def test_sees_what_the_decoder_sees(records: list[Fields], step: int) -> None:
    """Goal: extremes of the timestamps and the first record without a key, in steps of any size."""
    batch = built(records)
    header = read_batch_header(batch)
    data = batch[61:]
    walk = walked(data, header.record_count, header.base_timestamp, step)
    assert walk is not None
    times = [record.timestamp for record in decode_records(data, header)]
    assert header.base_timestamp + walk.largest == max(times)
    assert header.base_timestamp + walk.smallest == min(times)
    keyless = [n for n, (_, key, _, _) in enumerate(records) if key is None]
    assert walk.first_keyless == (keyless[0] if keyless else -1)


@given(RECORDS, st.data())
def test_takes_what_the_decoder_takes(records: list[Fields], data: st.DataObject) -> None:
    """Goal: with bytes changed, cut or added, a batch is taken exactly when it can be read."""
    batch = built(records)
    header = read_batch_header(batch)
    body = bytearray(batch[61:])
    for _ in range(data.draw(st.integers(0, 3))):
        at = data.draw(st.integers(0, len(body) - 1))
        body[at] = data.draw(st.integers(0, 255))
    end = data.draw(st.sampled_from((len(body), len(body), len(body) - 1, len(body) // 2)))
    changed = bytes(body[:end]) + data.draw(st.sampled_from((b"", b"", b"\0", b"\x80")))
    walk = walked(changed, header.record_count, header.base_timestamp)
    assert (walk is None) == (decoded(changed, batch) is None)


def test_records_without_a_timestamp_are_not_the_smallest() -> None:
    """Goal: -1 says that there is none; where none has one, nothing is the smallest."""
    for times, smallest in (([-1, 5], 5), ([5, -1], 5), ([-1], None), ([-1, -7], -7)):
        builder = RecordBatchBuilder()
        for time in times:
            builder.append(time, b"", b"")
        batch = bytes(builder.build())
        header = read_batch_header(batch)
        walk = walked(batch[61:], len(times), header.base_timestamp)
        assert walk is not None
        if smallest is None:
            assert walk.smallest == INT64_MAX
        else:
            assert header.base_timestamp + walk.smallest == smallest


def test_counts_that_cannot_be() -> None:
    """Goal: refused before anything is walked over."""
    for count in (-1, 0, 3, 1_000_001):
        assert walked(b"\0\0", count, 0) is None
    assert walked(bytes(2_000_000), 1_000_001, 0) is None
