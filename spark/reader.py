"""Reading: the plan is made once, on the driver; each task then reads its range of offsets."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyspark.sql.datasource import DataSourceReader, InputPartition

from barnabas.client.structs import TopicPartition

from .options import ReadOptions
from .planning import OffsetRange, plan_batch

if TYPE_CHECKING:
    import pyarrow as pa


class OffsetSplit(InputPartition):
    """What one task reads."""

    def __init__(self, planned: OffsetRange) -> None:
        super().__init__((*planned.at, planned.start, planned.end))

    @property
    def planned(self) -> OffsetRange:
        topic, partition, start, end = self.value
        return OffsetRange(TopicPartition(topic, partition), start, end)


class BatchReader(DataSourceReader):
    """A batch query: everything between two offsets of each partition."""

    def __init__(self, options: ReadOptions) -> None:
        self._options = options

    def partitions(self) -> list[InputPartition]:
        """One split a partition, or finer.

        Raises:
            PlanError: the cluster has not what the options name.
            DataLossError: records that were asked for are gone.
        """
        from .cluster import Cluster

        with Cluster(self._options.client) as cluster:
            return [OffsetSplit(planned) for planned in plan_batch(self._options, cluster)]

    def read(self, partition: InputPartition) -> Iterator[pa.RecordBatch]:
        """The records of one split as Arrow batches; runs on an executor."""
        yield from read_split(partition, self._options)


def read_split(partition: InputPartition, options: ReadOptions) -> Iterator[pa.RecordBatch]:
    """Read exactly what was planned.

    Raises:
        DataLossError: a part of the range is no longer in the log.
    """
    if not isinstance(partition, OffsetSplit):
        return  # Spark runs one task with an empty partition where a plan has none.
    from .fetching import fetch_batches

    yield from fetch_batches(partition.planned, options)
