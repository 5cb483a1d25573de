"""Writing: each task sends its rows with a producer of its own, and counts what was confirmed."""

# Names in camel case are those of Spark's interface.
# ruff: noqa: N803

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Iterator
from typing import TYPE_CHECKING, Any

from pyspark.sql.datasource import (
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)
from pyspark.sql.types import ArrayType, BinaryType, DataType, IntegerType, StringType, StructType

from barnabas.client import Producer
from barnabas.client.config import ProducerConfig
from barnabas.client.declared import make_config
from barnabas.client.structs import Header, ProducerRecord

from .errors import OptionError
from .options import WriteOptions

if TYPE_CHECKING:
    import pyarrow as pa

ALLOWED_TYPES: dict[str, tuple[type[DataType], ...]] = {
    "key": (BinaryType, StringType),
    "value": (BinaryType, StringType),
    "topic": (StringType,),
    "partition": (IntegerType,),
    "headers": (ArrayType,),
}
"""Columns that a written frame may have; `value` must be there."""

UNCONFIRMED_MAX = 20_000
"""Records that one task may have sent without having seen their confirmation."""


class WrittenRecords(WriterCommitMessage):
    """What one task tells the driver: how many records the brokers have confirmed."""

    def __init__(self, count: int) -> None:
        self.count = count


class _Writer:
    """What batch and streaming writes have in common; travels to the executors."""

    def __init__(self, options: WriteOptions, schema: StructType) -> None:
        self._options = options
        check_columns(schema, options.topic)

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Send all rows of one task and wait until each is confirmed; runs on an executor."""
        return WrittenRecords(asyncio.run(self._send_all(iterator)))

    async def _send_all(self, batches: Iterator[pa.RecordBatch]) -> int:
        config = make_config(ProducerConfig, self._options.client)
        unconfirmed: deque[tuple[int, asyncio.Future[Any]]] = deque()
        waiting = written = 0
        async with Producer(config) as producer:
            for batch in batches:
                for count, future in await self._send(producer, batch):
                    unconfirmed.append((count, future))
                    waiting += count
                while waiting > UNCONFIRMED_MAX:
                    count, future = unconfirmed.popleft()
                    await future
                    waiting -= count
                written += batch.num_rows
            await producer.flush()
            for _, future in unconfirmed:
                await future
        return written

    async def _send(
        self, producer: Producer, batch: pa.RecordBatch
    ) -> list[tuple[int, asyncio.Future[Any]]]:
        """Hand over the rows; returns how many records each future stands for."""
        columns = {name: batch.column(name).to_pylist() for name in batch.schema.names}
        rows = range(batch.num_rows)
        keys, values = (
            [_bytes(each) for each in columns[name]] if name in columns else [None] * len(rows)
            for name in ("key", "value")
        )
        headers = [_headers(each) for each in columns.get("headers", [None] * len(rows))]
        topics = [self._options.topic] * len(rows) if self._options.topic else columns["topic"]
        if None in topics:
            raise OptionError("a row has no topic, and the option 'topic' is not set")
        partitions = columns.get("partition", [None] * len(rows))
        if self._options.topic and "partition" not in columns:
            records = map(ProducerRecord, values, keys, headers)
            return [(len(rows), await producer.send_many(self._options.topic, records))]
        return [
            (
                1,
                await producer.send(
                    topics[row], values[row], keys[row], partitions[row], headers=headers[row]
                ),
            )
            for row in rows
        ]


class BatchWriter(_Writer, DataSourceArrowWriter):
    """`df.write.format("barnabas")`: at least once, for Spark may run a task a second time."""


class StreamWriter(_Writer, DataSourceStreamArrowWriter):
    """`df.writeStream.format("barnabas")`: at least once, as Spark's own Kafka sink."""

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Nothing to do: what was confirmed is visible already."""

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Nothing to do: what was sent stays; the batch will be sent again."""


def check_columns(schema: StructType, topic: str | None) -> None:
    """Refuse a frame that has no value column, a column that would be lost, or a wrong type.

    Raises:
        OptionError: names the column and what is allowed.
    """
    allowed = ", ".join(ALLOWED_TYPES)
    if "value" not in schema.names:
        raise OptionError(f"a column 'value' is needed; columns are {allowed}")
    if topic is None and "topic" not in schema.names:
        raise OptionError("a column 'topic' or the option 'topic' is needed")
    for field in schema.fields:
        types = ALLOWED_TYPES.get(field.name)
        if types is None:
            raise OptionError(f"column {field.name!r} cannot be written; columns are {allowed}")
        if not isinstance(field.dataType, types):
            names = " or ".join(each.typeName() for each in types)
            raise OptionError(
                f"column {field.name!r} has type {field.dataType.simpleString()}, not {names}"
            )


def _bytes(value: bytes | str | None) -> bytes | None:
    return value.encode() if isinstance(value, str) else value


def _headers(value: list[dict[str, Any]] | None) -> tuple[Header, ...]:
    return tuple((each["key"], each["value"]) for each in value or ())
