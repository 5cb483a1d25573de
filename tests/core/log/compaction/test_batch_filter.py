"""What a filter keeps of single batches: records, empty batches, markers and their horizons."""

from __future__ import annotations

from collections.abc import Mapping

import pytest
from kit.compacting import keyed
from kit.log_batches import marker

from barnabas.broker.core.log.compaction.batch_filter import BatchFilter, LastWrite
from barnabas.broker.core.log.compaction.offset_map import OffsetMap
from barnabas.broker.core.log.compaction.transactions import AbortedRanges
from barnabas.broker.core.log.transaction_index import AbortedTransaction
from barnabas.protocol.record_batch import BatchHeader, iter_batch_headers
from barnabas.protocol.records import decode_batch

NOW_MS = 1_000_000
RETENTION_MS = 500
LIMIT = 1 << 20


def stored(data: bytearray, base_offset: int) -> memoryview:
    """A batch as the log has it."""
    data[:8] = base_offset.to_bytes(8, "big")
    return memoryview(data)


def filtering(
    latest: Mapping[bytes, int],
    upto: int,
    *,
    aborted: tuple[AbortedTransaction, ...] = (),
    producers: Mapping[int, LastWrite] | None = None,
    end: int = 1000,
    now_ms: int = NOW_MS,
) -> BatchFilter:
    """Of a round whose map has these last offsets and knows all up to `upto`."""
    offsets = OffsetMap(1 << 20, 1.0)
    for key, offset in latest.items():
        offsets.put(key, offset)
    offsets.latest_offset = upto
    return BatchFilter(
        offsets,
        AbortedRanges(aborted),
        producers or {},
        end=end,
        now_ms=now_ms,
        delete_retention_ms=RETENTION_MS,
        limit=LIMIT,
    )


def offsets_in(kept: object) -> list[int]:
    assert isinstance(kept, bytes | memoryview)
    return [record.offset for record in decode_batch(bytes(kept))]


def header_of(kept: object) -> BatchHeader:
    assert isinstance(kept, bytes | memoryview)
    ((_, header),) = iter_batch_headers(bytes(kept))
    return header


def test_what_lies_beyond_the_map_stays() -> None:
    """CMP-04: a batch that reaches over the map's end keeps all behind it, also without a key or
    a value, and what was superseded before it goes."""
    rounds = filtering({b"a": 11}, upto=11)
    batch = stored(keyed((b"a", b"1"), (b"a", b"2"), (b"a", b"3"), (b"b", None)), 10)
    assert offsets_in(rounds.keep(batch)) == [11, 12, 13]
    old = filtering({b"a": 30}, upto=9)
    assert offsets_in(old.keep(batch)) == [10, 11, 12, 13]


def test_a_marker_beyond_the_map_stays() -> None:
    """CMP-07: whole, without a horizon, and its transaction's entry with it."""
    rounds = filtering({}, upto=9)
    batch = stored(marker(7, 0, commit=False), 10)
    assert rounds.keep(batch) is batch
    assert rounds.keeps_abort


@pytest.mark.parametrize("commit", [True, False])
def test_a_marker_goes_in_three_rounds(commit: bool) -> None:
    """CMP-05, CMP-07: it stays while its transaction has a batch; without one it takes a horizon;
    it goes when that is reached, not before."""
    first = filtering({b"a": 20}, upto=30)
    data = stored(keyed((b"a", b"1"), producer=(7, 0, 0), transactional=True), 10)
    end = stored(marker(7, 0, commit=commit), 11)
    assert first.keep(data) is None
    assert first.keep(end) is end, "this round still met its batch"
    assert first.keeps_abort
    second = filtering({}, upto=30)
    waiting = second.keep(end)
    assert not second.keeps_abort
    assert header_of(waiting).delete_horizon_ms == NOW_MS + RETENTION_MS
    assert [one.timestamp for one in decode_batch(bytes(waiting or b""))] == [
        one.timestamp for one in decode_batch(bytes(end))
    ]
    for late_ms, is_kept in ((-1, True), (0, False)):
        third = filtering({}, upto=30, now_ms=NOW_MS + RETENTION_MS + late_ms)
        assert (third.keep(memoryview(bytes(waiting or b""))) is not None) is is_kept


def test_a_marker_that_alone_tells_an_epoch_stays() -> None:
    """CMP-09: it goes with its producer; one of an older epoch, or behind records, may go."""
    end = stored(marker(7, 3, commit=True), 11)
    waiting = memoryview(bytes(filtering({}, upto=30).keep(end) or b""))
    late_ms = NOW_MS + RETENTION_MS
    for known, is_kept in (((-1, 3), True), ((-1, 4), False), ((20, 3), False)):
        rounds = filtering({}, upto=30, now_ms=late_ms, producers={7: known})
        assert (rounds.keep(waiting) is not None) is is_kept
    assert filtering({}, upto=30, now_ms=late_ms, end=12).keep(waiting) is not None, "CMP-10"


def test_aborted_records_go_at_once() -> None:
    """CMP-07: also the last ones of their keys, and nothing of other producers or transactions."""
    aborted = AbortedTransaction(
        producer_id=7, first_offset=10, last_offset=12, last_stable_offset=10
    )
    rounds = filtering({}, upto=30, aborted=(aborted,), producers={7: (11, 0)})

    def batch(producer: int, base: int) -> memoryview:
        data = keyed((b"k%d" % base, b"1"), producer=(producer, 0, 0), transactional=True)
        return stored(data, base)

    assert rounds.keep(batch(7, 10)) is None
    assert header_of(rounds.keep(batch(7, 11))).record_count == 0, "CMP-09"
    assert offsets_in(rounds.keep(batch(8, 11))) == [11]
    assert offsets_in(rounds.keep(batch(7, 13))) == [13]
    assert offsets_in(rounds.keep(batch(7, 9))) == [9]
    plain = stored(keyed((b"x", b"1"), producer=(7, 0, 0)), 10)
    assert offsets_in(rounds.keep(plain)) == [10], "outside of a transaction"
