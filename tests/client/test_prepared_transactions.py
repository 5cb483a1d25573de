"""Goal: one process fills a transaction, another one ends it, and no way through it is half."""

from __future__ import annotations

import asyncio
import pickle

import pytest
from kit.kafka_process import KafkaProcess
from kit.markers import until_markers_are_written
from kit.transactional import at_level

from barnabas.client import (
    Admin,
    Consumer,
    GroupMetadata,
    Outcome,
    PreparedTransaction,
    Producer,
    TopicPartition,
)
from barnabas.client.errors import (
    AbortableTransactionError,
    AbortTimedOutError,
    CommitUnknownError,
    FatalTransactionError,
    MessageTooLargeError,
    ProducerFencedError,
    TransactionStateError,
)
from barnabas.protocol.errors import ErrorCode
from barnabas.testing import Cluster

from .admins import admin_of
from .brokers import create
from .fake_cluster import Action
from .producing import producing
from .transacting import ID, LEVELS, Stage, outcome_of, stage

both = pytest.mark.parametrize("level", LEVELS)


async def prepare(s: Stage) -> PreparedTransaction:
    """Two records in two partitions."""
    await s.producer.begin_transaction()
    for number in range(2):
        await s.producer.send("t", b"%d" % number, partition=number)
    return await s.producer.prepare_transaction()


def seen(s: Stage) -> list[bytes | None]:
    """Of both partitions."""
    return s.seen(0) + s.seen(1)


@both
@pytest.mark.parametrize("is_commit", [True, False])
async def test_another_process_ends_it(level: int, is_commit: bool) -> None:
    """KIP-98: the end belongs to who knows id and epoch; the producer may be gone by then."""
    async with stage(level) as s:
        handed_over = pickle.dumps(await prepare(s))
        await s.producer.stop()
        assert s.transactions.of[ID].state == "Ongoing", "stopping leaves it open"
        assert seen(s) == []
        prepared = pickle.loads(handed_over)
        async with admin_of(s.cluster) as admin:
            end = (
                admin.commit_prepared_transaction if is_commit else admin.abort_prepared_transaction
            )
            await end(prepared)
            await end(prepared)
        assert seen(s) == ([b"0", b"1"] if is_commit else [])
        assert s.transactions.ends == ["commit" if is_commit else "abort"], "once"


@both
async def test_everything_is_stored_before_it_is_handed_over(level: int) -> None:
    """Records that linger are sent, and offsets are with the group."""
    async with stage(level, linger_ms=60_000) as s:
        async with s.producer.transaction() as txn:
            await s.producer.send("t", b"0", partition=0)
            offsets = {TopicPartition("t", 0): 7}
            await txn.send_offsets(GroupMetadata("g"), offsets)
            prepared = await txn.prepare()
            assert s.asked("Produce") == 1
            with pytest.raises(TransactionStateError, match="handed to"):
                await s.producer.send("t", b"late", partition=0)
            assert await txn.prepare() == prepared, "the same again"
        assert outcome_of(txn) is Outcome.OPEN, "the end of the block leaves it"
        with pytest.raises(TransactionStateError, match="handed to"):
            await s.producer.begin_transaction()
        assert s.transactions.offsets == {}
        async with admin_of(s.cluster) as admin:
            await admin.commit_prepared_transaction(prepared)
        assert seen(s) == [b"0"]
        assert s.transactions.offsets == {("g", "t", 0): 7}


@both
@pytest.mark.parametrize("is_commit", [True, False])
async def test_its_own_producer_can_end_it_still(level: int, is_commit: bool) -> None:
    """If there is nobody to hand it to; and then the producer goes on."""
    async with stage(level) as s:
        await prepare(s)
        if is_commit:
            await s.producer.commit_transaction()
        else:
            await s.producer.abort_transaction()
        async with s.producer.transaction():
            await s.producer.send("t", b"next", partition=1)
        assert seen(s) == ([b"0", b"1", b"next"] if is_commit else [b"next"])


@both
async def test_an_exception_in_the_block_aborts_what_is_prepared(level: int) -> None:
    """It was not handed over, as far as the block can say."""
    async with stage(level) as s:
        txn = s.producer.transaction()
        with pytest.raises(LookupError):
            async with txn:
                await s.producer.send("t", b"0", partition=0)
                await txn.prepare()
                raise LookupError("nobody to hand it to")
        assert outcome_of(txn) is Outcome.ABORTED
        assert s.transactions.ends == ["abort"]


@both
async def test_an_empty_one_asks_nobody(level: int) -> None:
    """A coordinator that knows of no transaction would refuse to end it."""
    async with stage(level) as s:
        async with s.producer.transaction() as txn:
            prepared = await txn.prepare()
        assert prepared.is_empty
        async with admin_of(s.cluster) as admin:
            await admin.commit_prepared_transaction(prepared)
            await admin.abort_prepared_transaction(prepared)
        assert s.asked("EndTxn") == 0


@both
async def test_what_failed_is_not_handed_over(level: int) -> None:
    """A record that a leader refused is missing: the transaction is to be aborted."""
    async with stage(level) as s:
        s.transactions.fail("Produce", ErrorCode.MESSAGE_TOO_LARGE)
        txn = s.producer.transaction()
        sent = []
        with pytest.raises(AbortableTransactionError) as caught:
            async with txn:
                sent.append(await s.producer.send("t", b"0", partition=0))
                await txn.prepare()
        with pytest.raises(MessageTooLargeError):
            await sent[0]
        assert "record was not stored" in str(caught.value)
        assert outcome_of(txn) is Outcome.ABORTED
        with pytest.raises(TransactionStateError):
            await s.producer.prepare_transaction()


@both
async def test_a_new_producer_fences_it(level: int) -> None:
    """KIP-98: what was handed over is aborted, and says why."""
    async with stage(level) as s:
        prepared = await prepare(s)
        async with producing(s.cluster, transactional_id=ID):
            pass
        async with admin_of(s.cluster) as admin:
            with pytest.raises(ProducerFencedError, match="transaction_timeout_ms"):
                await admin.commit_prepared_transaction(prepared)
            with pytest.raises(ProducerFencedError):
                await admin.abort_prepared_transaction(prepared)
        assert seen(s) == []


@both
async def test_what_was_ended_one_way_is_not_ended_the_other(level: int) -> None:
    """Who is told that it is aborted knows that it is."""
    async with stage(level) as s:
        prepared = await prepare(s)
        async with admin_of(s.cluster) as admin:
            await admin.commit_prepared_transaction(prepared)
            with pytest.raises(FatalTransactionError, match="INVALID_TXN_STATE"):
                await admin.abort_prepared_transaction(prepared)
        assert seen(s) == [b"0", b"1"]


@both
async def test_an_answer_that_is_lost_is_asked_for_again(level: int) -> None:
    """CLI-14: the coordinator has done it, and says so once more."""
    async with stage(level) as s:
        prepared = await prepare(s)
        lost = [Action.DROP_AFTER]
        s.cluster.script = lambda node, request: (
            lost.pop() if lost and type(request).__name__ == "EndTxnRequest" else None
        )
        async with admin_of(s.cluster) as admin:
            await admin.commit_prepared_transaction(prepared)
        assert s.asked("EndTxn") == 2
        assert s.transactions.ends == ["commit"]


@both
async def test_without_an_answer_nobody_knows(level: int) -> None:
    """Bounded, and the same call asks again."""
    async with stage(level) as s:
        prepared = await prepare(s)
        s.transactions.hangs.add("EndTxn")
        limits = Admin(
            bootstrap_servers=s.cluster.bootstrap,
            request_timeout_ms=40,
            default_api_timeout_ms=80,
            retry_backoff_ms=1,
        )
        async with limits as admin:
            with pytest.raises(CommitUnknownError):
                await admin.commit_prepared_transaction(prepared)
            with pytest.raises(AbortTimedOutError):
                await admin.abort_prepared_transaction(prepared)
            s.transactions.hangs.clear()
            await admin.commit_prepared_transaction(prepared)
        assert seen(s) == [b"0", b"1"]


@both
async def test_a_cancelled_prepare_leaves_it_open(level: int) -> None:
    """It was not handed over: the block aborts it."""
    async with stage(level, request_timeout_ms=200) as s:
        s.cluster.script = lambda node, request: (
            Action.HANG if type(request).__name__ == "ProduceRequest" else None
        )

        async def work() -> None:
            async with s.producer.transaction() as txn:
                await s.producer.send("t", b"0", partition=0)
                await txn.prepare()

        task = asyncio.create_task(work())
        await s.cluster.node.until("Produce", 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert seen(s) == []
        assert s.transactions.of[ID].state != "Ongoing"


@both
async def test_a_broker_has_others_end_it(level: int) -> None:
    """TXN-54, 98-06: readers see records and offsets once somebody else has ended it."""
    settings = {
        "offsets.topic.num.partitions": 3,
        "transaction.state.log.num.partitions": 3,
    }
    with at_level(level):
        planned = Cluster(1, settings=settings)
        await planned.start()
    async with planned as cluster:
        await check_ends(cluster.bootstrap, "t")


@pytest.mark.kafka
@pytest.mark.slow
async def test_apache_kafka_has_others_end_it(kafka_broker: KafkaProcess) -> None:
    """KIP-98: the same with Kafka's coordinators."""
    await check_ends(kafka_broker.address, "prepared")


async def check_ends(address: str, topic: str) -> None:
    """Two transactions, one committed and one aborted by an admin."""
    await create(address, topic, 2)
    where = TopicPartition(topic, 0)
    handed_over = []
    for number in range(2):
        async with (
            Producer(bootstrap_servers=address, transactional_id=f"{topic}-{number}") as producer,
            producer.transaction() as txn,
        ):
            await producer.send(topic, b"%d" % number, partition=number)
            await txn.send_offsets(GroupMetadata(f"{topic}-{number}"), {where: 7})
            handed_over.append(await txn.prepare())
    async with Admin(bootstrap_servers=address) as admin:
        assert await admin.list_group_offsets(f"{topic}-0") == {}
        await admin.commit_prepared_transaction(handed_over[0])
        await admin.abort_prepared_transaction(handed_over[1])
        for number, expected in enumerate([{where: 7}, {}]):
            group = f"{topic}-{number}"
            # By name: Kafka tells of an offset that is about to change only who asks for it.
            found = await admin.list_group_offsets(group, [where], require_stable=True)
            assert {key: each.offset for key, each in found.items()} == expected
        await until_markers_are_written(address)
        ends = {TopicPartition(topic, number): -1 for number in range(2)}
        stable = await admin.list_offsets(ends, isolation=1)
        assert [each.offset for _, each in sorted(stable.items())] == [2, 2]
    consumer = Consumer(
        bootstrap_servers=address,
        auto_offset_reset="earliest",
        isolation_level="read_committed",
    )
    async with consumer, asyncio.timeout(20):
        consumer.assign(await consumer.all_partitions(topic))
        assert (await consumer.getone()).value == b"0"
        assert await consumer.getmany(timeout_ms=50) == {}
