"""A Spark program that copies a topic exactly once, and breaks on purpose.

    python exactly_once_program.py BOOTSTRAP SOURCE SINK CHECKPOINT FAULT

`driver`: everything of the driver is killed in batch 1, after the first transaction was committed.
`task`: in each batch the first attempt of task 1 fails after it has prepared its transaction, and
that of task 2 while it writes. `none`: nothing happens.
"""

# Names in camel case are those of Spark's interface.
# ruff: noqa: N802, N803

from __future__ import annotations

import asyncio
import os
import signal
import sys
from collections.abc import Iterator, Sequence
from itertools import chain, repeat
from typing import TYPE_CHECKING

from pyspark import TaskContext
from pyspark.sql import SparkSession
from pyspark.sql.datasource import WriterCommitMessage

from barnabas.client import Admin
from barnabas.spark import BarnabasDataSource
from barnabas.spark.exactly_once import ExactlyOnce, PreparedRows
from barnabas.spark.options import WriteOptions, parse_write_options
from barnabas.spark.writer import StreamWriter

if TYPE_CHECKING:
    import pyarrow as pa
    from pyspark.sql.types import StructType

FAULT, DRIVER = "TEST_FAULT", "TEST_DRIVER"
DIES_IN_BATCH = 1


class BreakingWriter(StreamWriter):
    """Writes and commits as ever, but for what the fault is."""

    def write(self, iterator: Iterator[pa.RecordBatch]) -> WriterCommitMessage:
        """Fails in two of the tasks."""
        task = TaskContext.get()
        assert task is not None
        breaks = os.environ[FAULT] == "task" and task.attemptNumber() == 0
        if breaks and task.partitionId() == 2:
            iterator = chain(iterator, map(_fail, repeat("while it writes")))
        message = super().write(iterator)
        if breaks and task.partitionId() == 1:
            _fail("when all is written")
        return message

    def commit(self, messages: list[WriterCommitMessage | None], batchId: int) -> None:
        """Commits one task's rows, and dies."""
        if os.environ[FAULT] == "driver" and batchId == DIES_IN_BATCH:
            asyncio.run(_commit_first(self._options, messages))
            os.killpg(int(os.environ[DRIVER]), signal.SIGKILL)
            signal.pause()
        super().commit(messages, batchId)


async def _commit_first(
    options: WriteOptions, messages: Sequence[WriterCommitMessage | None]
) -> None:
    """As the commit does it, and no further than to the first transaction."""
    parts = [each for each in messages if isinstance(each, PreparedRows)]
    async with Admin(bootstrap_servers=options.client["bootstrap_servers"]) as admin:
        await ExactlyOnce(options).note_tasks(admin, parts)
        assert parts[0].transaction is not None
        await admin.commit_prepared_transaction(parts[0].transaction)


class Breaking(BarnabasDataSource):
    """The data source, with that writer."""

    @classmethod
    def name(cls) -> str:
        return "breaking"

    def streamWriter(self, schema: StructType, overwrite: bool) -> StreamWriter:
        del overwrite
        return BreakingWriter(parse_write_options(self.options), schema)


def _fail(when: str) -> pa.RecordBatch:
    raise RuntimeError(f"a task fails {when}")


def main(bootstrap: str, source: str, sink: str, checkpoint: str, fault: str) -> None:
    """Copy all that is there."""
    os.environ.update({FAULT: fault, DRIVER: str(os.getpgrp()), "PYSPARK_PYTHON": sys.executable})
    spark = (
        SparkSession.builder.master("local[2,4]")
        .config("spark.ui.enabled", "false")
        .config("spark.driver.host", "127.0.0.1")
        .getOrCreate()
    )
    spark.dataSource.register(BarnabasDataSource)
    spark.dataSource.register(Breaking)
    reader = (
        spark.readStream.format("barnabas")
        .option("kafka.bootstrap.servers", bootstrap)
        .option("kafka.isolation.level", "read_committed")
        .option("subscribe", source)
        .option("startingOffsets", "earliest")
        .option("maxOffsetsPerTrigger", 100)
        .option("minPartitions", 4)
    )
    query = (
        reader.load()
        .select("key", "value")
        .writeStream.format("breaking")
        .option("kafka.bootstrap.servers", bootstrap)
        .option("topic", sink)
        .option("deliveryGuarantee", "exactly-once")
        .option("checkpointLocation", checkpoint)
        .trigger(availableNow=True)
        .start()
    )
    query.awaitTermination()
    spark.stop()


if __name__ == "__main__":
    main(*sys.argv[1:])
