"""Planning: which offsets each Spark task reads."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from barnabas.client.structs import TopicPartition
from barnabas.spark.errors import DataLossError, PlanError
from barnabas.spark.options import parse_read_options
from barnabas.spark.planning import OffsetRange, limit_records, plan_batch, split

from .logs import A0, A1, B0, Logs

LOGS = Logs({A0: (0, 100), A1: (20, 50), B0: (7, 7)})


def plan(logs: Logs = LOGS, /, **options: str) -> list[OffsetRange]:
    base = {"barnabas.bootstrap.servers": "x:1", "subscribe": "a,b"}
    return plan_batch(parse_read_options({**base, **options}, streaming=False), logs)


def test_one_range_a_partition_and_none_for_an_empty_one() -> None:
    """Goal: without options the plan is everything that is there."""
    assert plan() == [OffsetRange(A0, 0, 100), OffsetRange(A1, 20, 50)]


def test_offsets_as_given() -> None:
    """Goal: the numbers of the options, with -2 and -1 looked up."""
    assert plan(
        subscribe="a",
        startingOffsets='{"a":{"0":10,"1":-2}}',
        endingOffsets='{"a":{"0":-1,"1":30}}',
    ) == [OffsetRange(A0, 10, 100), OffsetRange(A1, 20, 30)]


def test_times_become_offsets() -> None:
    """Goal: from the first record of a time on; an end that is not reached is the end."""
    assert plan(subscribe="a", startingTimestamp="30", endingTimestamp="60") == [
        OffsetRange(A0, 30, 60),
        OffsetRange(A1, 30, 50),
    ]


def test_a_start_time_that_no_record_has() -> None:
    """Goal: an error by default, the end of the log on request."""
    with pytest.raises(PlanError, match="a-1 has no record of that time or later"):
        plan(subscribe="a", startingTimestamp="60")
    assert plan(
        subscribe="a", startingTimestamp="60", startingOffsetsByTimestampStrategy="latest"
    ) == [OffsetRange(A0, 60, 100)]


def test_positions_must_name_what_is_read() -> None:
    """Goal: a forgotten or surplus partition is an error that names it."""
    with pytest.raises(PlanError, match="missing: a-1"):
        plan(subscribe="a", startingOffsets='{"a":{"0":10}}')
    with pytest.raises(PlanError, match="not read: c-0"):
        plan(subscribe="a", endingOffsets='{"a":{"0":10,"1":20},"c":{"0":1}}')


def test_lost_records_are_an_error() -> None:
    """Goal: asked for what retention has deleted, or for what was never there: say so."""
    with pytest.raises(DataLossError, match="a-1: offsets 5 to 49 were asked for, but the log sta"):
        plan(subscribe="a", startingOffsets='{"a":{"0":10,"1":5}}')
    with pytest.raises(DataLossError, match="but the log ends at offset 100"):
        plan(subscribe="a", endingOffsets='{"a":{"0":101,"1":50}}')


def test_lost_records_can_be_left_out() -> None:
    """Goal: with failOnDataLoss off, read what is left."""
    assert plan(
        subscribe="a",
        failOnDataLoss="false",
        startingOffsets='{"a":{"0":10,"1":5}}',
        endingOffsets='{"a":{"0":101,"1":50}}',
    ) == [OffsetRange(A0, 10, 100), OffsetRange(A1, 20, 50)]
    assert (
        plan(
            subscribe="b",
            failOnDataLoss="false",
            startingOffsets='{"b":{"0":1}}',
            endingOffsets='{"b":{"0":5}}',
        )
        == []
    )


def test_a_start_after_the_end() -> None:
    """Goal: a range that runs backwards is an error, not an empty result."""
    with pytest.raises(PlanError, match="a-0: starts at offset 60, which is after its end, 50"):
        plan(
            subscribe="a",
            startingOffsets='{"a":{"0":60,"1":20}}',
            endingOffsets='{"a":{"0":50,"1":50}}',
        )


def test_more_tasks_than_partitions() -> None:
    """Goal: minPartitions cuts the large partitions, maxRecordsPerPartition all that need it."""
    assert plan(subscribe="a", minPartitions="4") == [
        OffsetRange(A0, 0, 33),
        OffsetRange(A0, 33, 66),
        OffsetRange(A0, 66, 100),
        OffsetRange(A1, 20, 50),
    ]
    assert [each.size for each in plan(subscribe="a", maxRecordsPerPartition="40")] == [
        33,
        33,
        34,
        30,
    ]


SIZES = st.lists(st.integers(0, 1000), max_size=6)


@given(
    sizes=SIZES,
    min_parts=st.none() | st.integers(1, 50),
    max_records=st.none() | st.integers(20, 500),
)
def test_pieces_cover_each_range_once(
    sizes: list[int], min_parts: int | None, max_records: int | None
) -> None:
    """Goal: whatever the options, every record is in exactly one piece, and the limits hold."""
    whole = [OffsetRange(TopicPartition("t", n), 5 * n, 5 * n + s) for n, s in enumerate(sizes)]
    pieces = split(whole, min_parts, max_records)
    for each in whole:
        mine = [piece for piece in pieces if piece.at == each.at]
        assert all(piece.size > 0 for piece in mine)
        edges = [each.start, *(piece.end for piece in mine)]
        assert [piece.start for piece in mine] == edges[:-1]
        assert edges[-1] == each.end
    if max_records is not None:
        assert all(piece.size <= max_records for piece in pieces)
    if min_parts is not None:
        assert len(pieces) >= min(min_parts, sum(sizes))


@given(sizes=st.lists(st.integers(0, 1000), min_size=1, max_size=6), limit=st.integers(1, 3000))
def test_a_micro_batch_has_its_limit(sizes: list[int], limit: int) -> None:
    """Goal: maxOffsetsPerTrigger is met exactly, and no partition runs past its end."""
    start = {TopicPartition("t", n): 10 for n in range(len(sizes))}
    end = {TopicPartition("t", n): 10 + size for n, size in enumerate(sizes)}
    limited = limit_records(start, end, limit)
    assert sum(limited[at] - start[at] for at in start) == min(limit, sum(sizes))
    assert all(start[at] <= limited[at] <= end[at] for at in start)
    if limit >= len(sizes):
        assert all(limited[at] > start[at] for at in start if end[at] > start[at])


@given(
    loads=st.lists(st.integers(0, 5), min_size=1, max_size=5),
    backlogs=st.lists(st.integers(1, 1000), min_size=5, max_size=5),
    limit=st.integers(1, 8),
)
def test_no_partition_is_starved(loads: list[int], backlogs: list[int], limit: int) -> None:
    """Goal: each that waits gets on, however much comes to the others with every batch."""
    at = {TopicPartition("t", n): 0 for n in range(len(loads))}
    end = {key: backlogs[key.partition] for key in at}
    seen: set[TopicPartition] = set()
    for _ in range(len(loads)):
        limited = limit_records(at, end, limit)
        seen |= {key for key in at if limited[key] > at[key] or at[key] == end[key]}
        at = limited
        end = {key: end[key] + load for key, load in zip(end, loads, strict=True)}
    assert seen == set(at)
