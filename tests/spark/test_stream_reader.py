"""The stream reader's decisions, with logs that exist only here."""

from __future__ import annotations

from typing import cast

import pytest
from pyspark.sql.streaming.datasource import ReadAllAvailable, ReadMaxRows

from barnabas.spark.cluster import Cluster
from barnabas.spark.errors import DataLossError
from barnabas.spark.options import parse_read_options
from barnabas.spark.reader import OffsetSplit
from barnabas.spark.stream import StreamReader

from .logs import A0, A1, Logs


def reader(logs: Logs, **options: str) -> StreamReader:
    base = {"barnabas.bootstrap.servers": "x:1", "subscribe": "a"}
    made = StreamReader(parse_read_options({**base, **options}, streaming=True))
    made._cluster = cast(Cluster, logs)
    return made


def ranges(source: StreamReader, start: dict[str, int], end: dict[str, int]) -> list[str]:
    splits = source.partitions({"a": start}, {"a": end})
    planned = [split.planned for split in splits if isinstance(split, OffsetSplit)]
    return [f"{each.at} {each.start}..{each.end}" for each in planned]


LOGS = Logs({A0: (0, 100), A1: (20, 50)})


def test_where_a_stream_starts() -> None:
    """Goal: at the end by default; where the options say; in the JSON of Spark's checkpoints."""
    assert reader(LOGS).initialOffset() == {"a": {"0": 100, "1": 50}}
    assert reader(LOGS, startingOffsets="earliest").initialOffset() == {"a": {"0": 0, "1": 20}}


def test_limits() -> None:
    """Goal: maxOffsetsPerTrigger is the default; a trigger that wants all gets all."""
    assert isinstance(reader(LOGS).getDefaultReadLimit(), ReadAllAvailable)
    source = reader(LOGS, maxOffsetsPerTrigger="13")
    limit = source.getDefaultReadLimit()
    assert limit == ReadMaxRows(13)
    start = {"a": {"0": 0, "1": 20}}
    assert source.latestOffset(start, limit) == {"a": {"0": 10, "1": 23}}
    assert source.latestOffset(start, ReadAllAvailable()) == {"a": {"0": 100, "1": 50}}
    assert source.reportLatestOffset() == {"a": {"0": 100, "1": 50}}


def test_available_now_stops_at_what_was_there() -> None:
    """Goal: records that come after the start of the query belong to the next one."""
    source = reader(LOGS)
    source.prepareForTriggerAvailableNow()
    source._cluster = cast(Cluster, Logs({A0: (0, 500), A1: (20, 50)}))
    start = {"a": {"0": 0, "1": 20}}
    assert source.latestOffset(start, ReadAllAvailable()) == {"a": {"0": 100, "1": 50}}


def test_splits_of_a_micro_batch() -> None:
    """Goal: between two offsets; a partition that is new from its first record."""
    assert ranges(reader(LOGS), {"0": 10}, {"0": 15, "1": 30}) == ["a-0 10..15", "a-1 20..30"]
    assert ranges(reader(LOGS), {"0": 10, "1": 30}, {"0": 10, "1": 30}) == []
    fine = ranges(reader(LOGS, minPartitions="2"), {"0": 0, "1": 50}, {"0": 10, "1": 50})
    assert fine == ["a-0 0..5", "a-0 5..10"]


@pytest.mark.parametrize(
    ("start", "end", "text", "left"),
    [
        ({"0": 0, "1": 5}, {"0": 0, "1": 30}, "the log starts at offset 20", ["a-1 20..30"]),
        ({"0": 90, "1": 20}, {"0": 80, "1": 21}, "ended at 90 and now ends at 80", ["a-1 20..21"]),
        ({"0": 0, "1": 20}, {"1": 21}, "is no longer there", ["a-1 20..21"]),
    ],
)
def test_what_was_lost(
    start: dict[str, int], end: dict[str, int], text: str, left: list[str]
) -> None:
    """Goal: retention, truncation and deletion are noticed, or passed over on request."""
    with pytest.raises(DataLossError, match=text):
        ranges(reader(LOGS), start, end)
    assert ranges(reader(LOGS, failOnDataLoss="false"), start, end) == left
