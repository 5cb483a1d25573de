"""Writing: what Spark calls, on executors and on the driver."""

# Names in camel case are those of Spark's interface.
# ruff: noqa: N803

from __future__ import annotations

import asyncio
import uuid
from collections.abc import Iterator
from typing import TYPE_CHECKING

from pyspark.sql.datasource import (
    DataSourceArrowWriter,
    DataSourceStreamArrowWriter,
    WriterCommitMessage,
)
from pyspark.sql.types import ArrayType, BinaryType, DataType, IntegerType, StringType, StructType

from barnabas.client import Producer
from barnabas.client.config import ProducerConfig
from barnabas.client.declared import make_config

from .errors import OptionError
from .exactly_once import ExactlyOnce
from .options import WriteOptions
from .part import part_of_batch, part_of_stream
from .sending import send_all

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


class WrittenRecords(WriterCommitMessage):
    """What one task tells the driver: how many records the brokers have confirmed."""

    def __init__(self, count: int) -> None:
        self.count = count


class BatchWriter(DataSourceArrowWriter):
    """`df.write.format("barnabas")`; travels to the executors."""

    def __init__(self, options: WriteOptions, schema: StructType) -> None:
        check_columns(schema, options.topic)
        self._options = options
        self._name = uuid.uuid4().hex

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Write all rows of one task; runs on an executor."""
        if self._options.is_exactly_once:
            return ExactlyOnce(self._options).write(part_of_batch(self._name), iterator)
        return write_at_least_once(self._options, iterator)

    def commit(self, messages: list[WriterCommitMessage | None]) -> None:
        """Let the rows be seen, if they are not."""
        if self._options.is_exactly_once:
            ExactlyOnce(self._options).commit(messages)

    def abort(self, messages: list[WriterCommitMessage | None]) -> None:
        """Undo what can be undone: what was sent at least once stays."""
        if self._options.is_exactly_once:
            ExactlyOnce(self._options).abort(messages, self._name)


class StreamWriter(DataSourceStreamArrowWriter):
    """`df.writeStream.format("barnabas")`; travels to the executors."""

    def __init__(self, options: WriteOptions, schema: StructType) -> None:
        check_columns(schema, options.topic)
        self._options = options

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Write all rows of one task; runs on an executor."""
        if self._options.is_exactly_once:
            return ExactlyOnce(self._options).write(part_of_stream(), iterator)
        return write_at_least_once(self._options, iterator)

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Let the rows be seen, if they are not."""
        if self._options.is_exactly_once:
            ExactlyOnce(self._options).commit(messages)

    def abort(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Undo what can be undone: what was sent at least once stays, and will be sent again."""
        if self._options.is_exactly_once:
            ExactlyOnce(self._options).abort(messages)


def write_at_least_once(options: WriteOptions, batches: Iterator[pa.RecordBatch]) -> WrittenRecords:
    """Send all rows of one task and wait until each is confirmed; readers see them at once."""

    async def work() -> int:
        async with Producer(make_config(ProducerConfig, options.client)) as producer:
            return await send_all(producer, batches, options.topic)

    return WrittenRecords(asyncio.run(work()))


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
