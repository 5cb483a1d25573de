"""Streaming reads: micro-batches between the offsets that Spark keeps in its checkpoint."""

# Names in camel case are those of Spark's interface.
# ruff: noqa: N802

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import DataSourceStreamReader, InputPartition

from .cluster import Cluster
from .errors import DataLossError
from .offsets import positions_from_json, positions_to_json
from .options import ReadOptions
from .planning import OffsetRange, Positions, check_available, limit_records, resolve_start, split
from .reader import OffsetSplit, read_split

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.streaming.datasource import ReadLimit

try:
    from pyspark.sql.streaming.datasource import (
        ReadAllAvailable,
        ReadMaxRows,
        SupportsTriggerAvailableNow,
    )
except ImportError as error:  # before Spark 4.2
    raise ImportError(
        "readStream.format('barnabas') needs PySpark 4.2 or newer; read.format('barnabas') does not"
    ) from error

Offsets = dict[str, dict[str, int]]
"""topic -> partition -> next offset, as Spark's Kafka source writes it into checkpoints."""


class StreamReader(DataSourceStreamReader, SupportsTriggerAvailableNow):
    """A streaming query over the selected partitions; new ones are read from their start."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options
        self._cluster: Cluster | None = None
        self._newest: Positions | None = None
        self._target: Positions | None = None

    def _connected(self) -> Cluster:
        """One connection for the life of the query; it is not made before it is needed."""
        if self._cluster is None:
            self._cluster = Cluster(self._options.client)
        return self._cluster

    def initialOffset(self) -> Offsets:
        """Where a query without a checkpoint starts."""
        cluster = self._connected()
        selected = cluster.partitions(self._options.selection)
        return positions_to_json(resolve_start(self._options, selected, cluster))

    def latestOffset(self, start: Offsets, limit: ReadLimit) -> Offsets:
        """Where the next micro-batch ends."""
        known = positions_from_json(start)
        end = self._latest() if self._target is None else dict(self._target)
        if isinstance(limit, ReadMaxRows):
            end = limit_records(self._started(known, end), end, limit.max_rows)
        return positions_to_json(end)

    def getDefaultReadLimit(self) -> ReadLimit:
        """`maxOffsetsPerTrigger`, or no limit."""
        limit = self._options.max_offsets_per_trigger
        return ReadAllAvailable() if limit is None else ReadMaxRows(limit)

    def reportLatestOffset(self) -> Offsets | None:
        """The end of the logs when this was last asked, for the progress of the query."""
        return None if self._newest is None else positions_to_json(self._newest)

    def prepareForTriggerAvailableNow(self) -> None:
        """Records that come later than now are left to the next run."""
        self._target = self._latest()

    def partitions(self, start: dict[str, Any], end: dict[str, Any]) -> list[InputPartition]:
        """The splits of one micro-batch.

        Raises:
            DataLossError: records between the two offsets are gone.
        """
        ends = positions_from_json(end)
        starts = positions_from_json(start)
        strict = self._options.fail_on_data_loss
        gone = sorted(starts.keys() - ends.keys())
        if gone and strict:
            raise DataLossError(*gone[0], "the partition was read before and is no longer there")
        ranges = []
        for at, first in sorted(self._started(starts, ends).items()):
            if first > ends[at] and strict:
                raise DataLossError(*at, f"the log ended at {first} and now ends at {ends[at]}")
            ranges.append(OffsetRange(at, min(first, ends[at]), ends[at]))
        checked = check_available(ranges, self._connected(), fail_on_data_loss=strict)
        options = self._options
        pieces = split(checked, options.min_partitions, options.max_records_per_partition)
        return [OffsetSplit(piece) for piece in pieces]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The records of one split as Arrow batches; runs on an executor."""
        return read_split(partition, self._options)

    def stop(self) -> None:
        """The query has ended."""
        if self._cluster is not None:
            self._cluster.close()
            self._cluster = None

    def _latest(self) -> Positions:
        cluster = self._connected()
        self._newest = cluster.latest(cluster.partitions(self._options.selection))
        return dict(self._newest)

    def _started(self, known: Positions, end: Positions) -> Positions:
        """The start of every partition in `end`; one that is new starts at its first record."""
        new = [at for at in end if at not in known]
        found = self._connected().earliest(new) if new else {}
        return {at: found[at] if at in found else known[at] for at in end}
