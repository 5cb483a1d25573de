"""Single cases of compaction: tombstones, merged segments, look-ups by time, followers, memory."""

from __future__ import annotations

import tracemalloc
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.compacting import COMPACTED, compact, dirty, headers_of, keyed, limits, records_of
from kit.log_batches import BASE_TIME, Batch, marker
from kit.logs import (
    ManualClock,
    append,
    apply_retention,
    config_of,
    env_of,
    max_timestamp,
    offset_for_timestamp,
    open_log,
    read_all,
)

from barnabas.broker.core.log.compaction.batch_filter import BatchFilter
from barnabas.broker.core.log.compaction.grouping import Extent, groups_of
from barnabas.broker.core.log.compaction.offset_map import ENTRY_BYTES, TABLES, OffsetMap
from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.log.rules import LogRules

DAY_MS = 86_400_000


def log_with(path: Path, clock: ManualClock | None = None, **settings: object) -> PartitionLog:
    names = ("cleanup_policy", "internal_segment_bytes", "index_interval_bytes")
    wanted = {name: getattr(COMPACTED, name) for name in names} | settings
    config = config_of(min_cleanable_dirty_ratio=0.0, **wanted)
    return open_log(path / "t-0", config, env_of(clock=clock))


def test_tombstones_go_in_a_later_round(tmp_path: Path) -> None:
    """CMP-05, CMP-06: the first round sets the horizon, and only another round looks at it."""
    clock = ManualClock()
    log = log_with(tmp_path, clock)
    append(log, keyed((b"a", b"1"), (b"a", None), (b"b", b"2")))
    log.roll()
    assert compact(log)
    (header,) = headers_of(log)
    assert header.delete_horizon_ms == clock.wall_ms() + DAY_MS
    assert [(one.offset, one.timestamp) for one in records_of(log)] == [
        (1, BASE_TIME + 1),
        (2, BASE_TIME + 2),
    ]
    clock.now_ms += DAY_MS
    assert not compact(log), "nothing is dirty: the tombstone stays"
    append(log, keyed((b"c", b"3")))
    log.roll()
    assert compact(log)
    assert [one.offset for one in records_of(log)] == [2, 3]
    assert log.log_start_offset == 0


def test_records_without_a_key_go(tmp_path: Path) -> None:
    """CMP-03, CMP-04: also behind the last record that has one, for the round's end lies there.
    CMP-10: the last batch stays, without records."""
    log = log_with(tmp_path, cleanup_policy=("delete",))
    append(log, keyed((b"a", b"1")))
    append(log, Batch(values=(b"2", b"3"), key=None).encoded)
    append(log, Batch(key=None).encoded)
    log.roll()
    log.update_config(config_of(cleanup_policy=("compact",)))
    assert compact(log)
    assert [one.offset for one in records_of(log)] == [0]
    assert log.compaction.keyless == 3
    assert [header.record_count for header in headers_of(log)] == [1, 0]


def test_a_marker_behind_all_keys_goes(tmp_path: Path) -> None:
    """CMP-03, CMP-07: what the map has seen reaches to the round's end, not to the last key."""
    clock = ManualClock()
    log = log_with(tmp_path, clock)
    append(log, keyed((b"a", b"1")))
    for number in range(2):
        append(log, marker(7, number, commit=True), origin=Origin.COORDINATOR)
    log.roll()
    assert compact(log)
    assert [header.delete_horizon_ms is not None for header in headers_of(log)] == [
        False,
        True,
        True,
    ]


@pytest.mark.parametrize("padding", [1, 100], ids=["in one segment", "in two segments"])
def test_aborted_transactions_are_believed_in_a_hole(tmp_path: Path, padding: int) -> None:
    """CMP-07: the first batch of a transaction is gone, its entry in the index stays as it was."""
    log = log_with(tmp_path)
    inside = [keyed((b"k", b"1"), producer=(7, 0, one), transactional=True) for one in range(2)]
    append(log, keyed((b"b", b"1"), padding=padding))
    append(log, keyed((b"b", b"2"), padding=padding))
    append(log, inside[0])
    log.roll()
    append(log, keyed((b"c", b"1"), padding=padding))
    append(log, inside[1])
    append(log, marker(7, 0, commit=False), origin=Origin.COORDINATOR)
    append(log, keyed((b"b", b"3"), padding=padding))
    log.roll()
    assert compact(log)
    assert [header.base_offset for header in headers_of(log)] == [3, 4, 5, 6]
    assert log.aborted_transactions(0, 7) == [(7, 2)]
    log.close()
    opened = open_log(log.directory, env=env_of(), clean=True)
    assert opened.aborted_transactions(0, 7) == [(7, 2)]
    assert opened.report.notes == [], "nothing was made again"


def test_small_segments_are_merged() -> None:
    """CMP-12: up to the size of one segment, its indexes, and the reach of an int32."""
    rules = LogRules(config_of(internal_segment_bytes=1000, index_interval_bytes=100))
    extents = [Extent(base, base + 10, 400) for base in range(0, 50, 10)]
    assert [list(one) for one in groups_of(extents, rules)] == [[0, 1], [2, 3], [4]]
    far = [Extent(0, 10, 1), Extent(10, 1 << 31, 1), Extent(1 << 31, (1 << 31) + 5, 1)]
    assert [list(one) for one in groups_of(far, rules)] == [[0], [1, 2]]
    assert [list(one) for one in groups_of([Extent(0, 9, 9000)], rules)] == [[0]]
    assert list(groups_of([], rules)) == []


def test_young_records_wait(tmp_path: Path) -> None:
    """CMP-01, CMP-02: `min.compaction.lag.ms` holds segments back, the largest lag overrules."""
    clock = ManualClock()
    log = log_with(tmp_path, clock, min_compaction_lag_ms=1000)
    append(log, keyed((b"a", b"1")))
    log.roll()
    log.flush()
    assert dirty(log).dirty_bytes == 0
    clock.now_ms += 1001
    assert dirty(log).ratio == 1.0
    settings = {"min_cleanable_dirty_ratio": 1.0, "max_compaction_lag_ms": 2000}
    log.update_config(config_of(cleanup_policy=("compact",), **settings))
    assert not dirty(log).is_due(log.rules)
    clock.now_ms += 1000
    assert dirty(log).is_due(log.rules)


def test_both_policies(tmp_path: Path) -> None:
    """CMP-18, CMP-19: retention takes whole segments at the front; what is below the start goes."""
    policy = ("compact", "delete")
    log = log_with(tmp_path, cleanup_policy=policy, retention_bytes=-1, retention_ms=-1)
    for number in range(60):
        append(log, keyed((b"%d" % (number % 25), b"v" * 30), time=BASE_TIME + number))
    assert compact(log)
    assert log.log_start_offset == 0
    log.advance_log_start(40)
    apply_retention(log, BASE_TIME)
    assert log.first_segment_offset <= 40
    assert log.compaction.first_dirty(log.log_end_offset) >= 40
    log.roll()
    compact(log)
    assert {one.offset for one in records_of(log)} >= set(range(41, 60))


def test_look_ups_by_time_pass_over_what_is_gone(tmp_path: Path) -> None:
    """CMP-21: also over batches without records, whose headers still name a time."""
    log = log_with(tmp_path)
    append(log, keyed((b"a", b"1"), time=BASE_TIME + 900, producer=(7, 0, 0)))
    append(log, keyed((b"a", b"2"), time=BASE_TIME + 5))
    append(log, keyed((b"b", b"3"), time=BASE_TIME + 7))
    log.roll()
    assert compact(log)
    empty, *_ = headers_of(log)
    assert (empty.record_count, empty.last_sequence) == (0, 0)
    assert empty.max_timestamp == BASE_TIME + 900
    assert offset_for_timestamp(log, 0) == (BASE_TIME + 5, 1, 0)
    assert max_timestamp(log) == (BASE_TIME + 7, 2, 0)
    log.segments[0].rebuild_indexes("so that they are made from the batches")
    assert max_timestamp(log) == (BASE_TIME + 7, 2, 0)


def test_a_follower_takes_what_is_left(tmp_path: Path) -> None:
    """CMP-23: gaps, empty batches; and it knows the producers that its leader knows."""
    log = log_with(tmp_path / "leader")
    for number in range(30):
        append(log, keyed((b"k%d" % (number % 3), b"v"), producer=(number % 5, 0, number // 5)))
    log.roll()
    assert compact(log)
    follower = log_with(tmp_path / "follower")
    for raw in read_all(log):
        follower.append_as_follower(raw)
    assert follower.log_end_offset == log.log_end_offset
    follower.high_watermark = log.high_watermark
    assert read_all(follower) == read_all(log)
    known = {pid: entry.next_sequence for pid, entry in log.producers.by_id.items()}
    assert {pid: one.next_sequence for pid, one in follower.producers.by_id.items()} == known
    for offset in range(follower.log_end_offset):
        assert follower.read(offset, 10, follower.log_end_offset)


def test_a_map_takes_the_memory_that_it_says() -> None:
    """CMP-03: so that `log.cleaner.dedupe.buffer.size` is a bound."""
    count = 100_000
    tracemalloc.start()
    offsets = OffsetMap(count * ENTRY_BYTES, 1.0)
    for number in range(count + 10):
        assert offsets.put(b"a key of more than 16 bytes %d" % number, 1 << 40 | number) is (
            number < count
        )
    used, _ = tracemalloc.get_traced_memory()
    tracemalloc.stop()
    assert used < count * ENTRY_BYTES
    assert offsets.capacity == count
    assert limits(5).map_bytes == 5 * ENTRY_BYTES


def test_a_map_is_many_small_tables() -> None:
    """Growing or freeing one holds the interpreter for no longer than half a millisecond."""
    count = 64_000
    offsets = OffsetMap(count * ENTRY_BYTES, 1.0)
    keys = [b"key %d" % number for number in range(count)]
    for number, key in enumerate(keys):
        assert offsets.put(key, number)
    assert max(map(len, offsets._tables)) < 3 * count / TABLES
    assert not offsets.put(b"one more", count)
    assert offsets.put(keys[0], count), "a key that is there needs no room"
    assert (offsets.get(keys[0]), offsets.get(keys[1]), offsets.get(b"other")) == (count, 1, -1)
    assert sum(1 for _ in offsets.clear()) == TABLES
    assert (offsets.size, offsets.get(keys[1])) == (0, -1)


@pytest.mark.parametrize("fails", [False, True])
def test_the_map_is_freed_in_pieces_of_work(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, fails: bool
) -> None:
    """At the end of a round, however it ends: at once, and on the loop, it would hold all others
    up (CMP-17)."""
    log = log_with(tmp_path)
    append(log, keyed((b"a", b"1"), (b"b", b"2")))
    append(log, keyed((b"a", b"3")))
    log.roll()
    freed = []
    clear = OffsetMap.clear

    def watched(offsets: OffsetMap) -> Iterator[None]:
        freed.append(offsets.size)
        yield from clear(offsets)
        freed.append(offsets.size)

    def breaks(*_: object) -> None:
        raise RuntimeError("a bug")

    monkeypatch.setattr(OffsetMap, "clear", watched)
    if fails:
        monkeypatch.setattr(BatchFilter, "keep", breaks)
        with pytest.raises(RuntimeError, match="a bug"):
            compact(log)
    else:
        assert compact(log)
    assert freed == [2, 0]
