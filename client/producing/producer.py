"""The producer: takes records one by one, sends them in batches, tells where each was stored.

    async with Producer(bootstrap_servers="localhost:9092") as producer:
        sent = await producer.send("flights", b"value", key=b"UA")   # waits only for room
        print((await sent).offset)                                   # waits for the broker

For many records there are `send_nowait`, which never waits, and `send_many`. With a
`transactional_id`, records are sent inside of `async with producer.transaction()`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Unpack  # Any: what the serializers take

from ..config import ProducerConfig
from ..declared import chosen_config
from ..env import REAL_ENV, ClientEnv
from ..errors import (
    BufferFullError,
    ClientClosedError,
    ClientTimeoutError,
    ConfigurationError,
    TopicNotLoadedError,
)
from ..groups.given_offsets import GivenOffset, checked_offsets
from ..groups.values import GroupMetadata
from ..options import ProducerOptions
from ..startable import Startable
from ..structs import Header, ProducerRecord, RecordMetadata, TopicPartition
from ..transactions.offsets import HasOffsets, source_of
from ..transactions.prepared import PreparedTransaction
from ..wire.cluster import Cluster
from .accumulator import Accumulator
from .identity import ProducerIdentity
from .many import ManyReport, SentRange
from .sender import Sender
from .transaction import Transaction
from .transactions import Transactions

log = logging.getLogger("barnabas.client")

YIELD_BYTES = 256 * 1024
"""After so much, send() gives the event loop a turn even if there is room, so that answers and
other tasks are not held up by a loop that only sends."""


class Producer(Startable):
    """Sends records; idempotent and acknowledged by all in-sync replicas unless told otherwise."""

    def __init__(
        self,
        config: ProducerConfig | None = None,
        *,
        env: ClientEnv = REAL_ENV,
        **options: Unpack[ProducerOptions],
    ) -> None:
        self._config = chosen_config(ProducerConfig, config, options)
        self._cluster = Cluster(self._config, env, may_create_topics=True)
        self._accumulator = Accumulator(self._cluster, self._config, env)
        self._transactions: Transactions | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    # ------------------------------------------------------------ start and stop

    async def start(self) -> None:
        """Connect and learn the cluster. With a `transactional_id` this fences every other producer
        that has it, and waits until what that one left open is aborted.

        Raises:
            NotABrokerError, BootstrapError: no broker of the list answers.
            TransactionalIdAuthorizationError, InvalidTransactionTimeoutError: as the broker says.
            TransactionsNotSupportedError: the brokers have no transactions.
        """
        self._loop = asyncio.get_running_loop()
        await self._cluster.start()
        try:
            self._accumulator.open(await self._new_sender())
        except BaseException:
            await self._cluster.close()
            raise

    async def _new_sender(self) -> Sender:
        if self._config.transactional_id is None:
            identity = ProducerIdentity(self._cluster, self._config)
            return Sender(self._cluster, self._config, identity)
        transactions = Transactions(self._cluster, self._config)
        await transactions.start()
        sender = Sender(self._cluster, self._config, transactions.numbering)
        transactions.attach(sender, self._accumulator.flush)
        self._accumulator.transaction = transactions.machine
        self._transactions = transactions
        return sender

    async def stop(self, timeout_ms: int | None = None) -> None:
        """Send what is waiting, then disconnect; a transaction that is open is aborted.

        What is not acknowledged in `timeout_ms` fails with ClientClosedError; without a limit of
        its own, `delivery_timeout_ms` bounds it, and `default_api_timeout_ms` the abort.
        A transaction that is prepared stays open, for whoever ends it.
        """
        try:
            if self._transactions is not None:
                await self._transactions.close(timeout_ms)
            else:
                await self.flush(timeout_ms)
                if self._accumulator.sender is not None and self._config.required_acks == 0:
                    # No answer says that they have arrived: they count as sent when handed over.
                    limit_ms = self._config.request_timeout_ms
                    limit_ms = limit_ms if timeout_ms is None else min(limit_ms, timeout_ms)
                    await self._cluster.pool.written(limit_ms / 1000)
        except ClientTimeoutError as error:
            log.warning("stopping with records unsent: %s", error)
        finally:
            self._transactions = None
            sender = self._accumulator.sender
            if sender is not None:
                await sender.close()
            self._accumulator.close()
            await self._cluster.close()

    # ------------------------------------------------------------ sending

    async def send(
        self,
        topic: str,
        value: Any = None,
        key: Any = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[Header] = (),
    ) -> asyncio.Future[RecordMetadata]:
        """Hand over one record; waits for metadata of a new topic and for room in the buffer only.

        The future that it returns gets the record's metadata when the record is stored, or the
        error why it is not.

        Raises:
            ClientTimeoutError: no room, or no metadata, within `max_block_ms`.
            MessageTooLargeError: larger than `max_request_size`.
            UnknownTopicOrPartitionError: there is no such partition.
            TypeError, ValueError: an argument that no record can hold, named; nothing is sent.
            TransactionStateError: a producer with a `transactional_id` has no transaction open.
            AbortableTransactionError: it has one that failed.
        """
        if self._accumulator.since_yield > YIELD_BYTES:
            # Before the record is taken: who is cancelled here has sent nothing.
            await self._accumulator.turn()
        deadline: float | None = None
        while True:
            try:
                return self.send_nowait(topic, value, key, partition, timestamp_ms, headers)
            except (BufferFullError, TopicNotLoadedError):
                # One for all its waits: others may take the room for which it was woken.
                deadline = await self._accumulator.ready(topic, deadline)

    async def send_and_wait(
        self,
        topic: str,
        value: Any = None,
        key: Any = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[Header] = (),
    ) -> RecordMetadata:
        """Send one record and wait until it is stored."""
        return await (await self.send(topic, value, key, partition, timestamp_ms, headers))

    def send_nowait(
        self,
        topic: str,
        value: Any = None,
        key: Any = None,
        partition: int | None = None,
        timestamp_ms: int | None = None,
        headers: Sequence[Header] = (),
    ) -> asyncio.Future[RecordMetadata]:
        """Hand over one record without ever waiting; the future is that of `send`.

        Raises:
            TopicNotLoadedError: `await producer.ready(topic)` first.
            BufferFullError: `await producer.ready()`, then again.
            MessageTooLargeError, UnknownTopicOrPartitionError, TypeError, ValueError,
            TransactionStateError, AbortableTransactionError: as `send`.
        """
        loop = self._loop
        if loop is None:
            raise ClientClosedError("await producer.start() first")
        future: asyncio.Future[RecordMetadata] = loop.create_future()
        self._accumulator.append(topic, value, key, partition, timestamp_ms, headers, future)
        return future

    async def send_many(
        self,
        topic: str,
        records: Iterable[bytes | ProducerRecord],
        partition: int | None = None,
    ) -> asyncio.Future[list[SentRange]]:
        """Hand over many records at once, which is faster than one by one; waits for room.

        Records are values, or `ProducerRecord` with key, headers and timestamp. The future gets
        the offsets that they were stored at, or the first error; then some may be stored. So may
        be some when this is cancelled, but never all of them.

        Raises:
            ClientTimeoutError: no room for a record, or no metadata, within `max_block_ms`.
            TypeError, ValueError: a record that cannot be sent; those before it are.
        """
        report = ManyReport(asyncio.get_running_loop())
        for each in records:
            record = each if isinstance(each, ProducerRecord) else ProducerRecord(each)
            if self._accumulator.since_yield > YIELD_BYTES:
                await self._accumulator.turn()
            deadline: float | None = None
            while True:
                try:
                    batch = self._accumulator.append(
                        topic,
                        record.value,
                        record.key,
                        partition,
                        record.timestamp_ms,
                        record.headers,
                        None,
                    )
                    break
                except (BufferFullError, TopicNotLoadedError):
                    deadline = await self._accumulator.ready(topic, deadline)
            report.note(batch)
        report.close()
        return report.future

    # ------------------------------------------------------------ waiting

    async def ready(self, topic: str | None = None) -> None:
        """Wait until the topic is known, if one is given, and until there is room in the buffer.

        Raises:
            ClientTimeoutError: not within `max_block_ms`.
        """
        await self._accumulator.ready(topic)

    async def flush(self, timeout_ms: int | None = None) -> None:
        """Wait until every record handed over so far is stored or has failed; nothing lingers.

        Raises:
            ClientTimeoutError: not within `timeout_ms`; the records go on being sent.
        """
        await self._accumulator.flush(timeout_ms)

    async def partitions_for(self, topic: str) -> set[int]:
        """The partitions of a topic, asked for if not known."""
        info = await self._cluster.topic(topic, self._config.max_block_ms / 1000)
        return set(info.partitions)

    # ------------------------------------------------------------ transactions

    def transaction(self) -> Transaction:
        """A transaction, begun and ended by `async with`: committed at the end of the block,
        aborted if an exception leaves it (also a cancellation), before that goes on.

        Raises, at the end of the block:
            AbortableTransactionError: it could not be committed, and is aborted; do it again.
            FatalTransactionError: this producer is of no use any more, ProducerFencedError since
                another one has its `transactional_id`.
            CommitUnknownError: no coordinator answered within `default_api_timeout_ms`.
        """
        return Transaction(self._transacting())

    async def begin_transaction(self) -> None:
        """Begin a transaction; rather use `transaction()`.

        Raises:
            TransactionStateError: one is open, or not decided.
            FatalTransactionError: this producer is of no use any more.
        """
        await self._transacting().begin()

    async def send_offsets_to_transaction(
        self,
        group: HasOffsets | GroupMetadata,
        offsets: Mapping[TopicPartition, GivenOffset] | None = None,
    ) -> None:
        """Commit offsets of a consumer's group with the open transaction: those after all records
        that the consumer handed out, or these, each that of the next record to read.

        `group` is the consumer, which must not commit by itself, or its `group_metadata()`.

        Raises:
            AbortableTransactionError: the group has gone on without this consumer, or refuses it.
            TransactionStateError: no transaction is open.
        """
        transactions = self._transacting()
        wanted = None if offsets is None else checked_offsets(offsets)
        await transactions.send_offsets(source_of(group), wanted)

    async def commit_transaction(self, timeout_ms: int | None = None) -> None:
        """Wait until every record of the open transaction is stored, and commit it.

        `timeout_ms` bounds all of it; without, `delivery_timeout_ms` bounds the records, and
        `default_api_timeout_ms` the commit. If this is cancelled before the coordinator is told,
        the transaction is open as before.

        Raises:
            AbortableTransactionError: abort it, then do it again.
            CommitUnknownError: the coordinator did not answer in time; call this again.
            ClientTimeoutError: the records were not stored in time; the transaction is open still.
            FatalTransactionError: this producer is of no use any more.
        """
        await self._transacting().commit(timeout_ms)

    async def prepare_transaction(self, timeout_ms: int | None = None) -> PreparedTransaction:
        """Wait until every record of the open transaction is stored, and hand its end over.

        Whoever gets what this returns, in whatever process, ends the transaction by
        `Admin.commit_prepared_transaction` or `Admin.abort_prepared_transaction`. This producer
        takes nothing more: it may be stopped, which leaves the transaction open, or may end it
        itself by `commit_transaction()` or `abort_transaction()`. The coordinator does not know
        that it is prepared: it aborts what is open for longer than `transaction_timeout_ms`,
        and so does the start of another producer with this `transactional_id`.

        Raises:
            AbortableTransactionError: abort it, then do it again.
            ClientTimeoutError: the records were not stored in time; the transaction is open still.
            TransactionStateError: none is open.
            FatalTransactionError: this producer is of no use any more.
        """
        return await self._transacting().prepare(timeout_ms)

    async def abort_transaction(self, timeout_ms: int | None = None) -> None:
        """Abort the open transaction: what waits is not sent, what is stored will not be seen.

        Raises:
            AbortTimedOutError: not confirmed in time; this again, or the next begin, goes on.
            TransactionStateError: there is none, or the coordinator was told to commit it.
            FatalTransactionError: this producer is of no use any more.
        """
        await self._transacting().abort(timeout_ms)

    def _transacting(self) -> Transactions:
        if self._config.transactional_id is None:
            raise ConfigurationError("a producer without a transactional_id has no transactions")
        if self._transactions is None:
            raise ClientClosedError("the producer is not running: await producer.start() first")
        return self._transactions
