"""Goal: offsets are committed with the records made of them, and only by who may (KIP-447)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

import pytest

from barnabas.client import Consumer, GroupMetadata, OffsetAndMetadata, Outcome, TopicPartition
from barnabas.client.errors import (
    AbortableTransactionError,
    ClientTimeoutError,
    CommitFailedError,
    ConfigurationError,
    FatalTransactionError,
    ProducerFencedError,
    TransactionStateError,
)
from barnabas.protocol.errors import ErrorCode

from .consuming import T0, T1
from .fake_groups import FakeGroups
from .fake_transactions import FakeTransactions
from .grouping import becomes, grouping, numbers, take, topic_of
from .producing import producing
from .transacting import ID, LEVELS, Stage

both = pytest.mark.parametrize("level", LEVELS)


@asynccontextmanager
async def group_stage(
    level: int, partitions: int = 1, **options: int
) -> AsyncIterator[tuple[Stage, FakeGroups]]:
    async with topic_of(partitions) as (cluster, groups):
        cluster.add_topic("out", 1)
        transactions = FakeTransactions(cluster, level=level)
        limits = {"default_api_timeout_ms": 5_000, **options}
        async with producing(
            cluster,
            transactional_id=ID,
            default_api_timeout_ms=limits["default_api_timeout_ms"],
            request_timeout_ms=limits.get("request_timeout_ms", 5_000),
        ) as producer:
            yield Stage(cluster, transactions, producer), groups


async def transform(s: Stage, consumer: Consumer, count: int) -> Outcome:
    """One round: read, send, commit."""
    records = await take(consumer, count)
    async with s.producer.transaction() as txn:
        for _ in records:
            await s.producer.send("out", b"made", partition=0)
        await txn.send_offsets(consumer)
    return txn.outcome


@both
async def test_offsets_are_committed_with_the_transaction(level: int) -> None:
    """CLI-15, KIP-447: with generation and member of the consumer; nothing before the end."""
    async with group_stage(level) as (s, groups), grouping(s.cluster, "t") as consumer:
        assert await transform(s, consumer, 10) is Outcome.COMMITTED
        assert s.transactions.offsets == {("g", "t", 0): 10}
        (commit,) = s.transactions.commits
        (member,) = groups["g"].members
        assert (commit.generation_id, commit.member_id) == (groups["g"].generation, member)
        assert commit.group_instance_id is None
        assert s.asked("AddOffsetsToTxn") == (1 if level == 1 else 0)
        assert {v for v, each in s.cluster.node.requests if each.API_KEY == 28} == {level + 3}


@both
async def test_a_static_member_says_its_name(level: int) -> None:
    """KIP-345: a twin is found out by it."""
    async with (
        group_stage(level) as (s, _),
        grouping(s.cluster, "t", group_instance_id="one") as consumer,
    ):
        await transform(s, consumer, 10)
        assert s.transactions.commits[0].group_instance_id == "one"


@both
async def test_offsets_of_an_aborted_transaction_are_not_committed(level: int) -> None:
    """And the program goes back to those that are."""
    async with group_stage(level) as (s, _), grouping(s.cluster, "t") as consumer:
        records = await take(consumer, 10)
        with pytest.raises(LookupError):
            async with s.producer.transaction() as txn:
                await txn.send_offsets(consumer)
                raise LookupError("the program")
        assert len(records) == 10
        assert s.transactions.offsets == {}
        assert s.transactions.ends == ["abort"]


@both
async def test_given_offsets_with_given_metadata(level: int) -> None:
    """For programs that keep offsets by themselves."""
    async with group_stage(level) as (s, _), grouping(s.cluster, "t") as consumer:
        await take(consumer, 10)
        metadata = consumer.group_metadata()
        assert metadata.group_id == "g"
        async with s.producer.transaction() as txn:
            await txn.send_offsets(metadata, {T0: OffsetAndMetadata(4, "why", 0)})
        async with s.producer.transaction():
            await s.producer.send_offsets_to_transaction(consumer, {T0: 5})
        assert s.transactions.offsets == {("g", "t", 0): 5}
        with pytest.raises(TypeError, match="offsets are needed"):
            async with s.producer.transaction() as txn:
                await txn.send_offsets(metadata)


async def test_a_consumer_that_commits_by_itself_is_refused() -> None:
    """It would commit what the transaction may abort."""
    async with (
        group_stage(1) as (s, _),
        grouping(s.cluster, "t", enable_auto_commit=True) as consumer,
    ):
        with pytest.raises(ConfigurationError, match="enable_auto_commit=False"):
            async with s.producer.transaction() as txn:
                await txn.send_offsets(consumer)
        with pytest.raises(TransactionStateError):
            await s.producer.send_offsets_to_transaction(GroupMetadata("g"), {T0: 1})


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.ILLEGAL_GENERATION,
        ErrorCode.UNKNOWN_MEMBER_ID,
        ErrorCode.FENCED_INSTANCE_ID,
        ErrorCode.GROUP_AUTHORIZATION_FAILED,
        ErrorCode.TOPIC_AUTHORIZATION_FAILED,
        ErrorCode.TRANSACTION_ABORTABLE,
    ],
)
@both
async def test_who_is_no_member_any_more_must_abort(level: int, code: ErrorCode) -> None:
    """CLI-12: the transaction is aborted, the producer goes on."""
    async with group_stage(level) as (s, _), grouping(s.cluster, "t") as consumer:
        s.transactions.fail("TxnOffsetCommit", code)
        await take(consumer, 10)
        with pytest.raises(AbortableTransactionError, match=code.name):
            async with s.producer.transaction() as txn:
                await s.producer.send("out", b"no", partition=0)
                await txn.send_offsets(consumer)
        assert s.transactions.visible == {}
        async with s.producer.transaction() as txn:
            await s.producer.send("out", b"yes", partition=0)
            await txn.send_offsets(consumer)
        assert s.transactions.visible == {("out", 0): [b"yes"]}
        assert s.transactions.offsets == {("g", "t", 0): 10}


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.PRODUCER_FENCED,
        ErrorCode.INVALID_PRODUCER_EPOCH,
        ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED,
    ],
)
@pytest.mark.parametrize(
    ("level", "name"),
    [(1, "AddOffsetsToTxn"), (1, "TxnOffsetCommit"), (2, "TxnOffsetCommit")],
)
async def test_a_fenced_producer_commits_no_offsets(level: int, name: str, code: ErrorCode) -> None:
    """CLI-12: fatal, whichever coordinator says so."""
    async with group_stage(level) as (s, _), grouping(s.cluster, "t") as consumer:
        s.transactions.fail(name, code)
        await take(consumer, 10)
        with pytest.raises(FatalTransactionError) as caught:
            async with s.producer.transaction() as txn:
                await txn.send_offsets(consumer)
        is_fenced = code is not ErrorCode.TRANSACTIONAL_ID_AUTHORIZATION_FAILED
        assert isinstance(caught.value, ProducerFencedError) is is_fenced


@pytest.mark.parametrize(
    "code",
    [
        ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
        ErrorCode.NOT_COORDINATOR,
        ErrorCode.COORDINATOR_NOT_AVAILABLE,
        ErrorCode.REQUEST_TIMED_OUT,
        ErrorCode.CONCURRENT_TRANSACTIONS,
    ],
)
@pytest.mark.parametrize(
    ("level", "name"),
    [(1, "AddOffsetsToTxn"), (1, "TxnOffsetCommit"), (2, "TxnOffsetCommit")],
)
async def test_coordinators_that_move_are_followed(level: int, name: str, code: ErrorCode) -> None:
    """CLI-12: nobody hears of it."""
    async with group_stage(level) as (s, _), grouping(s.cluster, "t") as consumer:
        s.transactions.fail(name, code, code)
        assert await transform(s, consumer, 10) is Outcome.COMMITTED
        assert s.transactions.offsets == {("g", "t", 0): 10}


@both
async def test_offsets_that_nobody_takes_in_time_fail_the_transaction(level: int) -> None:
    """The cause tells that it was time, and not a refusal."""
    async with (
        group_stage(level, request_timeout_ms=40, default_api_timeout_ms=80) as (s, _),
        grouping(s.cluster, "t") as consumer,
    ):
        s.transactions.hangs.add("TxnOffsetCommit")
        await take(consumer, 10)
        with pytest.raises(AbortableTransactionError, match="too long") as caught:
            async with s.producer.transaction() as txn:
                await txn.send_offsets(consumer)
        assert isinstance(caught.value.__cause__, TimeoutError | ClientTimeoutError)
        s.transactions.hangs.clear()
        async with s.producer.transaction() as txn:
            await txn.send_offsets(consumer)
        assert s.transactions.offsets == {("g", "t", 0): 10}


@both
async def test_records_of_a_partition_that_was_lost_fail_the_transaction(level: int) -> None:
    """What was made of them would be seen, and made again by who has the partition now."""
    async with group_stage(level, 2) as (s, groups), grouping(s.cluster, "t") as consumer:
        await take(consumer, 20)
        (member,) = groups["g"].members
        groups["g"].expel(member)
        await becomes(lambda: len(groups["g"].members) == 1 and groups["g"].state == "Stable")
        with pytest.raises(AbortableTransactionError) as caught:
            async with s.producer.transaction() as txn:
                await s.producer.send("out", b"no", partition=0)
                await txn.send_offsets(consumer)
        assert isinstance(caught.value.__cause__, AbortableTransactionError | CommitFailedError)
        assert s.transactions.commits == []
        with pytest.raises(AbortableTransactionError):
            async with s.producer.transaction() as txn:
                await txn.send_offsets(consumer, {TopicPartition("t", 9): 1, T1: 1})
        assert s.transactions.ends.count("commit") == 0


@both
async def test_a_partition_that_was_lost_and_came_back_fails_the_transaction(level: int) -> None:
    """KIP-447: another member may have gone on from there meanwhile; what is tried again would take
    its offsets back, though nothing of this partition was in hand."""
    async with (
        group_stage(level, 2, request_timeout_ms=500) as (s, groups),
        grouping(s.cluster, "t") as consumer,
    ):
        assert await transform(s, consumer, 20) is Outcome.COMMITTED
        assert not await consumer.getmany(timeout_ms=0)
        s.transactions.hangs.add("TxnOffsetCommit")
        await s.producer.begin_transaction()
        sending = asyncio.create_task(s.producer.send_offsets_to_transaction(consumer))
        await s.cluster.node.until("TxnOffsetCommit", 2)
        (member,) = groups["g"].members
        groups["g"].expel(member)
        await becomes(lambda: groups["g"].members and member not in groups["g"].members)
        await becomes(lambda: groups["g"].state == "Stable" and numbers(consumer) == [0, 1])
        s.transactions.hangs.clear()
        with pytest.raises(AbortableTransactionError, match="went to another member"):
            await sending
        await s.producer.abort_transaction()
        await s.producer.begin_transaction()
        await s.producer.send_offsets_to_transaction(consumer)
        await s.producer.commit_transaction()


@both
async def test_a_cancelled_call_leaves_nothing_on_its_way(level: int) -> None:
    """An abort waits for the request that was cancelled over: after the end of the transaction it
    would begin another."""
    async with group_stage(level) as (s, _), grouping(s.cluster, "t") as consumer:
        await take(consumer, 10)
        await s.producer.begin_transaction()
        sending = asyncio.create_task(s.producer.send_offsets_to_transaction(consumer))
        await s.cluster.node.until("AddOffsetsToTxn" if level == 1 else "TxnOffsetCommit", 1)
        sending.cancel()
        await asyncio.gather(sending, return_exceptions=True)
        await s.producer.abort_transaction()
        order = [type(each).__name__ for _, each in s.cluster.node.requests]
        assert order.index("TxnOffsetCommitRequest" if level == 2 else "AddOffsetsToTxnRequest") < (
            order.index("EndTxnRequest")
        )
        assert order[-1] != "TxnOffsetCommitRequest"
        assert s.transactions.offsets == {}
