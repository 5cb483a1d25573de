"""Exactly-once writing: a task prepares its transaction, and the driver commits those of all tasks.

With its rows each task of a micro-batch commits an offset, the number of the next batch, to a group
of its own. Whoever runs the batch again asks for that offset first: a task that finds its part
committed writes nothing. It asks after its producer has started, which fences whatever wrote this
part before and waits until its transaction is over: then the offset cannot change any more.

Before the driver ends the first transaction it notes the number of tasks in a group of the query.
A batch that is run again with another number of tasks has its rows spread differently, so nothing
that is committed in part could be completed: that is an error, and nothing is written.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from typing import TYPE_CHECKING

from pyspark.sql.datasource import WriterCommitMessage

from barnabas.client import (
    Admin,
    GroupMetadata,
    OffsetAndMetadata,
    PreparedTransaction,
    Producer,
    TopicPartition,
)
from barnabas.client.config import AdminConfig, ProducerConfig
from barnabas.client.declared import make_config
from barnabas.client.errors import ClientError, ProducerFencedError

from .client_settings import only_for
from .errors import WriteError
from .options import WriteOptions
from .part import Part
from .sending import send_all
from .transaction_ends import check_not_aborted, mark_aborted, until_seen

if TYPE_CHECKING:
    import pyarrow as pa

log = logging.getLogger("barnabas.spark")

ROWS, TASKS = "rows=", "tasks="
"""What the metadata of committed offsets say, in front of a number."""

SAME_SETTINGS = (
    "A batch that runs again must give the same rows to the same tasks: start the query with the"
    " settings that it had, of Spark's parallelism, minPartitions and maxRecordsPerPartition."
)


class PreparedRows(WriterCommitMessage):
    """What a task tells the driver: its transaction, or that there is none to end."""

    def __init__(
        self,
        part: Part,
        rows: int,
        topic: str | None = None,
        transaction: PreparedTransaction | None = None,
    ) -> None:
        self.part = part
        self.count = rows
        self.topic = topic
        self.transaction = transaction

    @property
    def is_skipped(self) -> bool:
        """Whether the rows were committed before."""
        return self.count > 0 and self.transaction is None


@dataclass(frozen=True, slots=True)
class ExactlyOnce:
    """A write of which every row is seen once; travels to the executors."""

    options: WriteOptions

    def write(self, part: Part, batches: Iterator[pa.RecordBatch]) -> PreparedRows:
        """Write the rows of one task, which nobody sees yet; runs on an executor.

        Raises:
            WriteError: this part is committed already, with other rows.
        """
        filled = (each for each in batches if each.num_rows)
        first = next(filled, None)
        if first is None:
            return PreparedRows(part, 0)
        topic = self.options.topic or first.column("topic")[0].as_py()
        return asyncio.run(self._prepare(part, topic, chain((first,), filled)))

    async def _prepare(
        self, part: Part, topic: str | None, batches: Iterator[pa.RecordBatch]
    ) -> PreparedRows:
        name = part.transactional_id(self.options.id_prefix)
        config = make_config(ProducerConfig, {**self.options.client, "transactional_id": name})
        async with Producer(config) as producer:
            if part.batch_id is not None:
                rows = await self._rows_committed(part, name)
                if rows is not None:
                    _check_rows(part, rows, sum(each.num_rows for each in batches))
                    return PreparedRows(part, rows, topic)
            else:
                async with self._admin() as admin:
                    await check_not_aborted(admin, part.name_of_write(self.options.id_prefix))
            async with producer.transaction() as transaction:
                rows = await send_all(producer, batches, self.options.topic)
                if part.batch_id is not None:
                    assert topic is not None, "send_all refuses rows without"
                    done = OffsetAndMetadata(part.batch_id + 1, f"{ROWS}{rows}")
                    at = {TopicPartition(topic, 0): done}
                    await transaction.send_offsets(GroupMetadata(name), at)
                return PreparedRows(part, rows, topic, await transaction.prepare())

    async def _rows_committed(self, part: Part, group: str) -> int | None:
        """How many rows of this part are committed already; None when it is to be written.

        Raises:
            WriteError: a later batch is committed.
        """
        assert part.batch_id is not None
        async with self._admin() as admin:
            found = await self._last(admin, group)
        if found is None or found.offset <= part.batch_id:
            return None
        if found.offset > part.batch_id + 1:
            raise WriteError(
                f"query {part.write} has written batch {found.offset - 1} already, and runs batch"
                f" {part.batch_id} now: its checkpoint is older than what it has written. Start it"
                " with a new checkpoint."
            )
        return _number(found.metadata, ROWS)

    async def _last(self, admin: Admin, group: str) -> OffsetAndMetadata | None:
        """The last offset that the group committed; with a column `topic` it may have committed
        for several topics, of which some are gone."""
        topic = self.options.topic
        wanted = None if topic is None else [TopicPartition(topic, 0)]
        found = await admin.list_group_offsets(group, wanted, require_stable=True)
        return max(found.values(), key=lambda each: each.offset, default=None)

    def _admin(self) -> Admin:
        return Admin(make_config(AdminConfig, only_for(AdminConfig, self.options.client)))

    # ------------------------------------------------------------ on the driver

    def commit(self, messages: Sequence[WriterCommitMessage | None]) -> None:
        """Commit the transactions of all tasks, and wait until readers see them.

        Raises:
            WriteError: a part of this micro-batch was committed by another number of tasks.
            TransactionError: a transaction is not committed, or not known to be; others may be.
        """
        parts = [each for each in messages if isinstance(each, PreparedRows)]
        if any(each.count for each in parts):
            asyncio.run(self._commit(parts))

    async def _commit(self, parts: Sequence[PreparedRows]) -> None:
        async with self._admin() as admin:
            await self.note_tasks(admin, parts)
            transactions = _transactions(parts)
            ended = await asyncio.gather(
                *(admin.commit_prepared_transaction(each) for each in transactions),
                return_exceptions=True,
            )
            for error in ended:
                if error is not None:
                    raise error
            await until_seen(admin, [each.transactional_id for each in transactions])

    async def note_tasks(self, admin: Admin, parts: Sequence[PreparedRows]) -> None:
        """See that no other tasks have committed parts of this batch, and note how many it has."""
        batch_id, tasks = parts[0].part.batch_id, len(parts)
        if batch_id is None:
            return
        group = parts[0].part.name_of_write(self.options.id_prefix)
        found = await self._last(admin, group)
        if found is not None and found.offset == batch_id + 1:
            before = _number(found.metadata, TASKS)
            await self._check_again(admin, parts, before)
            if before == tasks:
                return
        topic = next(each.topic for each in parts if each.topic is not None)
        noted = OffsetAndMetadata(batch_id + 1, f"{TASKS}{tasks}")
        await admin.alter_group_offsets(group, {TopicPartition(topic, 0): noted})

    async def _check_again(self, admin: Admin, parts: Sequence[PreparedRows], before: int) -> None:
        """Parts of this batch may have been committed by so many tasks: see that these are among
        those that were skipped now, and that each of those was to be.

        Raises WriteError.
        """
        one, now = parts[0].part, len(parts)
        assert one.batch_id is not None
        committed = {each.part.number for each in parts if each.is_skipped}
        to_do = {each.part.number for each in parts if each.transaction is not None}
        # These have no rows now. Whatever wrote them before is fenced, so that it is decided.
        silent = [number for number in range(before) if number not in committed | to_do]
        names = [
            Part(one.write, each, None).transactional_id(self.options.id_prefix) for each in silent
        ]
        await admin.fence_producers(names)
        for number, name in zip(silent, names, strict=True):
            found = await self._last(admin, name)
            if found is not None and found.offset == one.batch_id + 1:
                raise WriteError(
                    f"task {number} of batch {one.batch_id} of query {one.write} is committed, and"
                    f" has no rows now. {SAME_SETTINGS}"
                )
        if committed and before != now:
            raise WriteError(
                f"batch {one.batch_id} of query {one.write} is committed in part, by {before}"
                f" tasks, and now it has {now}. {SAME_SETTINGS}"
            )

    def abort(
        self, messages: Sequence[WriterCommitMessage | None], write: str | None = None
    ) -> None:
        """Abort what the tasks have prepared, and fence those that told nothing: Spark may have
        killed them with a transaction open. They can be named only where `write` is given, or one
        of the others has told it. What cannot be aborted is told to the log only: it is over
        already, or is aborted by the next run or by its timeout."""
        parts = [each for each in messages if isinstance(each, PreparedRows)]
        if parts:
            write = parts[0].part.write
        silent = [number for number, each in enumerate(messages) if each is None and write]
        names = [
            Part(write or "", number, None).transactional_id(self.options.id_prefix)
            for number in silent
        ]
        is_batch = write is not None and all(each.part.batch_id is None for each in parts)
        over = f"{self.options.id_prefix}-{write}" if is_batch else None
        if over or names or _transactions(parts):
            asyncio.run(self._abort(_transactions(parts), names, over))

    async def _abort(
        self, transactions: Sequence[PreparedTransaction], names: Sequence[str], over: str | None
    ) -> None:
        """`over`: the name of a batch write, which never runs again."""
        try:
            async with self._admin() as admin:
                if over is not None:
                    await mark_aborted(admin, over)
                ended = await asyncio.gather(
                    *(admin.abort_prepared_transaction(each) for each in transactions),
                    *(admin.fence_producers([each]) for each in names),
                    return_exceptions=True,
                )
                if over is not None:
                    # Another run of the task has begun a transaction of its own, and told nothing.
                    await admin.fence_producers(
                        [
                            each.transactional_id
                            for each, error in zip(transactions, ended, strict=False)
                            if isinstance(error, ProducerFencedError)
                        ]
                    )
        except ClientError as error:
            log.warning("%d transactions are not aborted: %s", len(transactions), error)
            return
        for each in ended:
            if isinstance(each, ClientError):
                log.warning("not aborted: %s", each)
            elif isinstance(each, BaseException):
                raise each


def _transactions(parts: Sequence[PreparedRows]) -> list[PreparedTransaction]:
    return [each.transaction for each in parts if each.transaction is not None]


def _check_rows(part: Part, before: int, now: int) -> None:
    """Raise WriteError unless a part that runs again has as many rows as when it was committed."""
    if before != now:
        raise WriteError(
            f"task {part.number} of batch {part.batch_id} of query {part.write} is committed with"
            f" {before} rows, and now has {now}. {SAME_SETTINGS}"
        )


def _number(metadata: str, name: str) -> int:
    """The number in the metadata of an offset that this module committed."""
    text = metadata.removeprefix(name)
    if text == metadata or not text.isdigit():
        raise WriteError(f"a committed offset has metadata {metadata!r}, not {name}N")
    return int(text)
