"""Goal: with read_committed a consumer sees each committed record once, and no other, wherever it
begins and however the log is cut into answers (98-06, I-23)."""

from __future__ import annotations

import asyncio
from typing import NamedTuple

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barnabas.client.consuming.fetched import FetchedRecords
from barnabas.protocol.record_builder import RecordBatchBuilder

from .consuming import T0, consuming
from .fake_cluster import FakeCluster

PRODUCERS = (5, 6)


class Log(NamedTuple):
    """A log of batches and markers, and what a reader may see of it."""

    batches: list[tuple[int, int, bytes]]
    """First offset, offset after the last, bytes."""
    visible: list[int]
    aborted: list[tuple[int, int, int]]
    """Producer, first offset, offset of the marker."""


def batch(base: int, count: int, producer: int, *, is_transactional: bool) -> bytes:
    builder = RecordBatchBuilder(
        base_offset=base,
        producer_id=producer,
        producer_epoch=0,
        base_sequence=0,
        is_transactional=is_transactional,
    )
    for _ in range(count):
        builder.append(1, None, b"v", ())
    return builder.build()


def marker(base: int, producer: int, *, is_commit: bool) -> bytes:
    builder = RecordBatchBuilder(
        base_offset=base,
        producer_id=producer,
        producer_epoch=1,
        is_transactional=True,
        is_control=True,
    )
    key = (0).to_bytes(2, "big") + int(is_commit).to_bytes(2, "big")
    builder.append(1, key, b"\0" * 6, ())
    return builder.build()


STEPS = st.lists(
    st.tuples(
        st.sampled_from(PRODUCERS),
        st.sampled_from(["records", "records", "plain", "commit", "abort"]),
        st.integers(1, 3),
    ),
    min_size=1,
    max_size=24,
)


def log_of(steps: list[tuple[int, str, int]]) -> Log:
    """The log that these steps write; what is open at the end is committed."""
    log = Log([], [], [])
    opened: dict[int, list[int]] = {}
    end = 0
    for producer, kind, count in [*steps, *((each, "commit", 1) for each in PRODUCERS)]:
        if kind in ("commit", "abort"):
            log.batches.append((end, end + 1, marker(end, producer, is_commit=kind == "commit")))
            offsets = opened.pop(producer, [])
            if kind == "commit":
                log.visible.extend(offsets)
            elif offsets:
                log.aborted.append((producer, offsets[0], end))
            end += 1
            continue
        is_transactional = kind == "records"
        writer = producer if is_transactional else producer + 10
        data = batch(end, count, writer, is_transactional=is_transactional)
        log.batches.append((end, end + count, data))
        where = opened.setdefault(producer, []) if is_transactional else log.visible
        where.extend(range(end, end + count))
        end += count
    log.visible.sort()
    return log


@given(STEPS, st.integers(0, 60), st.integers(1, 4))
def test_any_log_from_any_offset_in_any_pieces(
    steps: list[tuple[int, str, int]], start: int, batches_at_once: int
) -> None:
    """TXN-41: each answer has the transactions that were aborted in what it covers."""
    log = log_of(steps)
    seen: list[int] = []
    offset = start
    while rest := [each for each in log.batches if each[1] > offset]:
        part = rest[:batches_at_once]
        reach = part[-1][1]
        aborted = [(who, first) for who, first, at in log.aborted if first < reach and at >= offset]
        fetched = FetchedRecords(
            T0,
            b"".join(each[2] for each in part),
            offset,
            aborted=aborted,
            decompressed_bytes_max=1 << 20,
        )
        while (columns := fetched.next_columns()) is not None:
            seen += columns.offsets
        assert fetched.next_offset == reach, "markers and what was aborted are passed"
        offset = reach
    assert seen == [each for each in log.visible if each >= start]


@pytest.mark.parametrize(
    ("isolation", "seen", "lag_first"),
    [("read_committed", [0, 6], 8), ("read_uncommitted", [0, 1, 2, 6, 8], 9)],
)
async def test_positions_go_behind_markers(isolation: str, seen: list[int], lag_first: int) -> None:
    """98-06: at the end nothing is left, though the last offsets are of no record; what is open
    counts for readers of everything only."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 1)
        partition = cluster.partition("t")
        partition.add(batch(0, 1, 15, is_transactional=False), 1)
        partition.add(batch(1, 2, 5, is_transactional=True), 2)
        partition.add(marker(3, 5, is_commit=False), 1)
        partition.add(marker(4, 6, is_commit=True), 1)
        partition.add(marker(5, 6, is_commit=False), 1)
        partition.add(batch(6, 1, 6, is_transactional=True), 1)
        partition.add(marker(7, 6, is_commit=True), 1)
        partition.aborted = [(5, 1)]
        partition.last_stable_offset = 8
        if isolation == "read_uncommitted":
            partition.add(batch(8, 1, 6, is_transactional=True), 1)
        async with consuming(cluster, T0, isolation_level=isolation) as consumer:
            found: list[int] = []
            async with asyncio.timeout(10):
                while await consumer.position(T0) < lag_first:
                    for records in (await consumer.getmany(timeout_ms=50)).values():
                        found += [each.offset for each in records]
            assert found == seen
            assert await consumer.position(T0) == lag_first
            assert consumer.lag(T0) == 0
            assert consumer.last_stable_offset(T0) == 8


async def test_nothing_but_markers_moves_the_position() -> None:
    """A partition that has only what was aborted is read to its end, and not for ever."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t", 1)
        partition = cluster.partition("t")
        for base in (0, 3, 6):
            partition.add(batch(base, 2, 5, is_transactional=True), 2)
            partition.add(marker(base + 2, 5, is_commit=False), 1)
        partition.aborted = [(5, 0), (5, 3), (5, 6)]
        async with consuming(cluster, T0, isolation_level="read_committed") as consumer:
            async with asyncio.timeout(10):
                while await consumer.position(T0) < 9:
                    assert await consumer.getmany(timeout_ms=50) == {}
            assert consumer.lag(T0) == 0
