"""Goal: answers that are lost, or that do not come in time, make no half transaction, and stop()
ends in its time."""

from __future__ import annotations

import asyncio

import pytest

from barnabas.client import Outcome, Producer
from barnabas.client.errors import (
    AbortableTransactionError,
    AbortTimedOutError,
    CommitUnknownError,
    TransactionStateError,
)
from barnabas.protocol.errors import ErrorCode

from .fake_cluster import Action, FakeCluster
from .fake_transactions import FakeTransactions
from .producing import producing
from .transacting import ID, LEVELS, outcome_of, stage

both = pytest.mark.parametrize("level", LEVELS)


@pytest.mark.parametrize("action", [Action.DROP, Action.DROP_AFTER])
@pytest.mark.parametrize("name", ["InitProducerId", "AddPartitionsToTxn", "Produce", "EndTxn"])
@both
async def test_a_lost_connection_is_no_half_transaction(
    level: int, name: str, action: Action
) -> None:
    """CLI-14: the same request again is answered alike, was the first carried out or not."""
    async with stage(level) as s:
        left = [1]

        def script(node: object, request: object) -> Action | None:
            del node
            if type(request).__name__ == f"{name}Request" and left:
                left.pop()
                return action
            return None

        s.cluster.script = script
        if name == "InitProducerId":
            async with (
                producing(s.cluster, transactional_id="other") as other,
                other.transaction(),
            ):
                await other.send("t", b"0", partition=0)
        else:
            async with s.producer.transaction():
                await s.producer.send("t", b"0", partition=0)
        assert s.seen() == [b"0"]
        assert s.transactions.ends == ["commit"]


@both
async def test_a_commit_that_nobody_answers_can_be_asked_for_again(level: int) -> None:
    """CLI-14: it is not known, which is neither committed nor aborted; nothing else may be done
    meanwhile."""
    async with stage(level, request_timeout_ms=50, default_api_timeout_ms=600) as s:
        s.transactions.hangs.add("EndTxn")
        txn = s.producer.transaction()
        with pytest.raises(CommitUnknownError):
            async with txn:
                await s.producer.send("t", b"0", partition=0)
        assert outcome_of(txn) is Outcome.UNKNOWN
        for call in (s.producer.begin_transaction, s.producer.abort_transaction):
            with pytest.raises(TransactionStateError, match="asks again"):
                await call()
        s.transactions.hangs.clear()
        await s.producer.commit_transaction()
        assert outcome_of(txn) is Outcome.COMMITTED
        assert s.seen() == [b"0"]


@both
async def test_an_abort_that_nobody_answers_is_finished_by_the_next_begin(level: int) -> None:
    """The program need not care: nothing of it will be seen."""
    async with stage(level, request_timeout_ms=50, default_api_timeout_ms=600) as s:
        s.transactions.hangs.add("EndTxn")
        await s.producer.begin_transaction()
        await s.producer.send("t", b"no", partition=0)
        await s.producer.flush()
        with pytest.raises(AbortTimedOutError):
            await s.producer.abort_transaction()
        with pytest.raises(AbortTimedOutError):
            await s.producer.begin_transaction()
        s.transactions.hangs.clear()
        async with s.producer.transaction():
            await s.producer.send("t", b"yes", partition=0)
        assert s.seen() == [b"yes"]


@both
async def test_records_that_are_not_stored_in_time_are_told_from_a_commit_that_is_not(
    level: int,
) -> None:
    """The transaction is open still, and can be committed or aborted."""
    async with stage(level) as s:
        s.transactions.fail("Produce", *[ErrorCode.NOT_LEADER_OR_FOLLOWER] * 3)
        s.cluster.script = lambda node, request: (
            Action.HANG if type(request).__name__ == "ProduceRequest" else None
        )
        await s.producer.begin_transaction()
        await s.producer.send("t", b"0", partition=0)
        with pytest.raises(TimeoutError) as caught:
            await s.producer.commit_transaction(timeout_ms=30)
        assert not isinstance(caught.value, CommitUnknownError)
        s.cluster.script = None
        for node in s.cluster.nodes.values():
            await node.stop()
            await node.start()
        await s.producer.commit_transaction()
        assert s.seen() == [b"0"]


@both
async def test_a_record_whose_time_is_over_fails_the_transaction(level: int) -> None:
    """KIP-360: it may be stored or not, so the next transaction has another epoch."""
    async with stage(level, delivery_timeout_ms=60, request_timeout_ms=40) as s:
        s.cluster.script = lambda node, request: (
            Action.HANG if type(request).__name__ == "ProduceRequest" else None
        )
        with pytest.raises(AbortableTransactionError, match="60 ms"):
            async with s.producer.transaction():
                await s.producer.send("t", b"no", partition=0)
        s.cluster.script = None
        epoch = s.transactions.of[ID].epoch
        assert epoch >= 1
        async with s.producer.transaction():
            sent = await s.producer.send("t", b"yes", partition=0)
            await sent
        assert s.seen() == [b"yes"]


# ---------------------------------------------------------------- stop


@both
async def test_stop_aborts_what_is_open(level: int) -> None:
    """Within its bound; nothing of it is seen."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        transactions = FakeTransactions(cluster, level=level)
        async with producing(cluster, transactional_id=ID) as producer:
            await producer.begin_transaction()
            await producer.send("t", b"0")
            await producer.flush()
        assert transactions.ends == ["abort"]


@both
async def test_stop_ends_in_its_time_when_nobody_answers(level: int) -> None:
    """The coordinator aborts it later, by `transaction_timeout_ms`."""
    async with FakeCluster() as cluster:
        cluster.add_topic("t")
        transactions = FakeTransactions(cluster, level=level)
        producer = Producer(bootstrap_servers=cluster.bootstrap, transactional_id=ID)
        await producer.start()
        await producer.begin_transaction()
        await producer.send("t", b"0")
        await producer.flush()
        transactions.hangs.add("EndTxn")
        async with asyncio.timeout(5):
            await producer.stop(timeout_ms=50)
        assert transactions.visible == {}
