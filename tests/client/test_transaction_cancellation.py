"""Goal: a program that is cancelled, at whichever request of a transaction, leaves it whole."""

from __future__ import annotations

import asyncio

import pytest

from barnabas.client import Outcome, Transaction
from barnabas.client.errors import CommitUnknownError
from barnabas.protocol.message import Message

from .fake_cluster import Action, FakeNode
from .transacting import LEVELS, Stage, outcome_of, stage

both = pytest.mark.parametrize("level", LEVELS)
REQUESTS = {1: 7, 2: 6}
"""Requests of the work below, by level: none of the later numbers is ever reached."""


async def work(s: Stage, made: list[Transaction]) -> None:
    """Two partitions, a flush in between."""
    async with s.producer.transaction() as txn:
        made.append(txn)
        await s.producer.send("t", b"0", partition=0)
        await s.producer.flush()
        await s.producer.send("t", b"1", partition=1)


def cancelling_at(s: Stage, task: asyncio.Task[None], number: int, action: Action | None) -> None:
    """Cancel the task when so many more requests have come; that one is served by `action`."""
    left = [number]

    def script(node: FakeNode, request: Message) -> Action | None:
        del node, request
        left[0] -= 1
        if left[0] == 0:
            task.cancel()
            return action
        return None

    s.cluster.script = script


def check_whole(s: Stage, made: list[Transaction], *, was_cancelled: bool) -> None:
    """All of it is seen, or nothing, and the outcome says which."""
    seen = s.seen(0) + s.seen(1)
    assert seen in ([], [b"0", b"1"]), "half a transaction"
    if made:
        expected = Outcome.COMMITTED if seen else Outcome.ABORTED
        assert outcome_of(made[0]) is expected
    assert seen or was_cancelled


@pytest.mark.parametrize("action", [None, Action.DROP, Action.DROP_AFTER])
@pytest.mark.parametrize(
    ("level", "number"),
    [(level, number) for level in LEVELS for number in range(1, REQUESTS[level] + 1)],
)
async def test_cancelled_at_each_request(level: int, number: int, action: Action | None) -> None:
    """Committed or aborted, never half, and the same producer goes on."""
    async with stage(level) as s:
        made: list[Transaction] = []
        task = asyncio.create_task(work(s, made))
        cancelling_at(s, task, number, action)
        (result,) = await asyncio.gather(task, return_exceptions=True)
        s.cluster.script = None
        check_whole(s, made, was_cancelled=isinstance(result, asyncio.CancelledError))
        before = len(s.seen(0))
        async with s.producer.transaction():
            await s.producer.send("t", b"next", partition=0)
        assert s.seen(0)[before:] == [b"next"]
        if s.transactions.of["x"].state == "Ongoing":
            pytest.fail("a transaction was left open")


@both
async def test_the_numbers_above_reach_the_end(level: int) -> None:
    """Otherwise later steps would not be covered."""
    async with stage(level) as s:
        before = len(s.cluster.node.requests)
        await work(s, [])
        sent = [
            type(each).__name__
            for _, each in s.cluster.node.requests[before:]
            if type(each).__name__ != "ApiVersionsRequest"
        ]
        assert sent[-1] == "EndTxnRequest"
        assert len(s.cluster.node.requests) - before >= REQUESTS[level] - 1


@both
async def test_a_time_limit_around_a_transaction_aborts_it(level: int) -> None:
    """`asyncio.timeout` is a cancellation, too."""
    async with stage(level, request_timeout_ms=200) as s:
        s.cluster.script = lambda node, request: (
            Action.HANG if type(request).__name__ == "ProduceRequest" else None
        )
        txn = s.producer.transaction()
        with pytest.raises(TimeoutError):
            async with asyncio.timeout(0.03), txn:
                await s.producer.send_and_wait("t", b"0", partition=0)
        assert outcome_of(txn) is Outcome.ABORTED
        s.cluster.script = None
        async with s.producer.transaction():
            await s.producer.send("t", b"1", partition=0)
        assert s.seen() == [b"1"]


@both
async def test_several_cancellations_do_not_cut_an_abort_short(level: int) -> None:
    """Who cancels twice waits for the same end; it is bounded."""
    async with stage(level, request_timeout_ms=100, default_api_timeout_ms=400) as s:
        made: list[Transaction] = []

        async def hold() -> None:
            async with s.producer.transaction() as txn:
                made.append(txn)
                await s.producer.send_and_wait("t", b"0", partition=0)
                await asyncio.Event().wait()

        task = asyncio.create_task(hold())
        await s.cluster.node.until("Produce", 1)
        s.transactions.hangs.add("EndTxn")
        task.cancel()
        await s.cluster.node.until("EndTxn", 1)
        for _ in range(3):
            task.cancel()
            await asyncio.sleep(0)
        assert not task.done(), "it waits for the coordinator"
        s.transactions.hangs.clear()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert outcome_of(made[0]) is Outcome.ABORTED
        assert s.transactions.ends == ["abort"]


@both
async def test_a_commit_that_is_cancelled_and_never_answered_is_unknown(level: int) -> None:
    """The cancellation goes on after the bound; nobody claims more than is known."""
    async with stage(level, request_timeout_ms=40, default_api_timeout_ms=80) as s:
        made: list[Transaction] = []
        s.transactions.hangs.add("EndTxn")
        task = asyncio.create_task(work(s, made))
        await s.cluster.node.until("EndTxn", 1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert outcome_of(made[0]) is Outcome.UNKNOWN
        with pytest.raises(CommitUnknownError):
            await s.producer.commit_transaction()
        s.transactions.hangs.clear()
        await s.producer.commit_transaction()
        assert outcome_of(made[0]) is Outcome.COMMITTED
        assert s.seen(0) + s.seen(1) == [b"0", b"1"]
