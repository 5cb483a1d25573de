"""One task's reading: a range of offsets through the client, as Arrow batches of a good size."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Iterator
from typing import TYPE_CHECKING, Any

from barnabas.client import Consumer
from barnabas.client.config import ConsumerConfig
from barnabas.client.consuming.columns import RecordColumns
from barnabas.client.declared import make_config
from barnabas.client.errors import OffsetOutOfRangeError, RangeNotAvailableError
from barnabas.client.structs import TopicPartition

from .columns import record_batch
from .errors import DataLossError
from .options import ReadOptions
from .planning import OffsetRange

if TYPE_CHECKING:
    import pyarrow as pa

ROWS_MAX = 10_000
BYTES_MAX = 8 * 1024 * 1024
"""An Arrow batch is handed to Spark when it has so many rows, or so many bytes of values. Batches
of the log are smaller as a rule, and each hand-over has its price."""

log = logging.getLogger(__name__)


class Gathered:
    """Columns of several batches of the log, until they are enough for one Arrow batch."""

    def __init__(self, at: TopicPartition, *, include_headers: bool) -> None:
        self._at = at
        self._include_headers = include_headers
        self._clear()

    def _clear(self) -> None:
        self._bytes = 0
        self._offsets: list[int] = []
        self._timestamps: list[int] = []
        self._timestamp_types: list[int] = []
        self._keys: list[bytes | None] = []
        self._values: list[bytes | None] = []
        self._headers: list[Any] = []

    def add(self, columns: RecordColumns) -> None:
        """Put the records behind those that are here."""
        self._offsets += columns.offsets
        self._timestamps += columns.timestamps
        self._timestamp_types += [columns.timestamp_type] * len(columns)
        self._keys += columns.keys
        self._values += columns.values
        self._bytes += sum(map(len, filter(None, columns.values)))
        if self._include_headers:
            self._headers += columns.headers

    @property
    def is_enough(self) -> bool:
        return len(self._offsets) >= ROWS_MAX or self._bytes >= BYTES_MAX

    def __len__(self) -> int:
        return len(self._offsets)

    def take(self) -> pa.RecordBatch:
        """All records as an Arrow batch; then it is empty."""
        batch = record_batch(
            self._at,
            offsets=self._offsets,
            timestamps_ms=self._timestamps,
            timestamp_types=self._timestamp_types,
            keys=self._keys,
            values=self._values,
            headers=self._headers if self._include_headers else None,
        )
        self._clear()
        return batch


def fetch_batches(planned: OffsetRange, options: ReadOptions) -> Iterator[pa.RecordBatch]:
    """Read exactly the planned range.

    Raises:
        DataLossError: a part of the range is no longer there, with `failOnDataLoss`.
    """
    gathered = Gathered(planned.at, include_headers=options.include_headers)
    # Spark pulls from a plain iterator, so the loop turns only while a batch is awaited.
    with asyncio.Runner() as runner:
        consumer = Consumer(config=make_config(ConsumerConfig, options.client))
        runner.run(consumer.start())
        chunks = read_range(consumer, planned, strict=options.fail_on_data_loss)
        try:
            while (columns := runner.run(_next(chunks))) is not None:
                gathered.add(columns)
                if gathered.is_enough:
                    yield gathered.take()
            if len(gathered):
                yield gathered.take()
        finally:
            runner.run(chunks.aclose())
            runner.run(consumer.stop())


async def _next(chunks: AsyncGenerator[RecordColumns, None]) -> RecordColumns | None:
    return await anext(chunks, None)


async def read_range(
    consumer: Consumer, planned: OffsetRange, *, strict: bool
) -> AsyncGenerator[RecordColumns, None]:
    """The records of the range; between planning and now retention may have taken some.

    Raises:
        DataLossError: it has, or the log was cut, and `strict` is set.
    """
    at, start = planned.at, planned.start
    while start < planned.end:
        try:
            async for columns in consumer.fetch_range(*at, start, planned.end):
                start = columns.offsets[-1] + 1
                yield columns
            return
        except OffsetOutOfRangeError as error:
            first = (await consumer.beginning_offsets([at]))[at]
            lost = DataLossError(*at, f"offset {start} is gone, the log starts at {first}")
            if strict or first <= start:
                raise lost from error
            log.warning("%s; going on there", lost.detail)
            start = first
        except RangeNotAvailableError as error:
            lost = DataLossError(*at, f"offsets up to {planned.end - 1} were planned; {error}")
            if strict:
                raise lost from error
            log.warning("%s; nothing more is read", lost.detail)
            return
