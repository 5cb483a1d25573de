"""A task's reading: the size of its batches, and what happens when records vanish under it."""

from __future__ import annotations

import logging
from collections.abc import AsyncIterator
from typing import cast

import pytest

from barnabas.client import Consumer, RecordColumns, TopicPartition
from barnabas.client.errors import OffsetOutOfRangeError, RangeNotAvailableError
from barnabas.spark import fetching
from barnabas.spark.errors import DataLossError
from barnabas.spark.fetching import Gathered, read_range
from barnabas.spark.planning import OffsetRange

AT = TopicPartition("t", 0)


def columns(first: int, count: int, size: int = 1) -> RecordColumns:
    made = RecordColumns()
    made.offsets = list(range(first, first + count))
    made.timestamps = [0] * count
    made.keys = [None] * count
    made.values = [b"x" * size] * count
    made.headers = [()] * count
    return made


def test_batches_of_the_log_are_put_together() -> None:
    """Goal: an Arrow batch ends at so many rows or bytes, whichever comes first."""
    gathered = Gathered(AT, include_headers=False)
    gathered.add(columns(0, fetching.ROWS_MAX - 1))
    assert not gathered.is_enough
    gathered.add(columns(fetching.ROWS_MAX - 1, 1))
    assert gathered.is_enough
    assert gathered.take().num_rows == fetching.ROWS_MAX
    assert len(gathered) == 0
    gathered.add(columns(0, 2, size=fetching.BYTES_MAX // 2))
    assert gathered.is_enough


class ShrinkingLog:
    """A consumer whose log starts at `first` and ends at `end`, in batches of ten."""

    def __init__(self, first: int, end: int) -> None:
        self._first, self._end = first, end

    async def fetch_range(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncIterator[RecordColumns]:
        if start < self._first:
            raise OffsetOutOfRangeError(f"{topic}-{partition}: {start}")
        while start < min(end, self._end):
            count = min(10, min(end, self._end) - start)
            yield columns(start, count)
            start += count
        if start < end:
            raise RangeNotAvailableError(f"stopped at {start}")

    async def beginning_offsets(
        self, partitions: list[TopicPartition]
    ) -> dict[TopicPartition, int]:
        return dict.fromkeys(partitions, self._first)


async def offsets(log: ShrinkingLog, start: int, end: int, *, strict: bool) -> list[int]:
    read = read_range(cast(Consumer, log), OffsetRange(AT, start, end), strict=strict)
    return [offset async for chunk in read for offset in chunk.offsets]


async def test_all_there() -> None:
    """Goal: the range, the whole range and nothing but the range."""
    assert await offsets(ShrinkingLog(0, 100), 5, 42, strict=True) == list(range(5, 42))


async def test_the_start_is_gone(caplog: pytest.LogCaptureFixture) -> None:
    """Goal: retention between planning and reading is an error, or a warning and what is left."""
    log = ShrinkingLog(20, 100)
    with pytest.raises(DataLossError, match="offset 5 is gone, the log starts at 20"):
        await offsets(log, 5, 42, strict=True)
    with caplog.at_level(logging.WARNING):
        assert await offsets(log, 5, 42, strict=False) == list(range(20, 42))
        assert await offsets(log, 5, 10, strict=False) == []
    assert "offset 5 is gone" in caplog.text


async def test_the_end_is_gone(caplog: pytest.LogCaptureFixture) -> None:
    """Goal: a log that was cut is an error that says where it stopped, or a warning."""
    log = ShrinkingLog(0, 30)
    with pytest.raises(DataLossError, match="offsets up to 41 were planned; stopped at 30"):
        await offsets(log, 5, 42, strict=True)
    with caplog.at_level(logging.WARNING):
        assert await offsets(log, 5, 42, strict=False) == list(range(5, 30))
    assert "stopped at 30" in caplog.text
