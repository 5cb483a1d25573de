"""Producers whose transactions each have their own epoch, over the wire (KIP-890, part 2).

Nobody adds partitions for them: leaders do, for what is written, and group coordinators do, for
offsets. What happens inside the coordinator is in `core/coordination/transactions`.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from kit.producing import produce
from kit.raw_client import RawClient
from kit.transactional import TransactionalProducer, at_level, code_in, committed, once
from kit.waiting import until

from barnabas.broker.core.coordination.machine import Outcome
from barnabas.broker.core.coordination.transactions.ending import fence_and_abort
from barnabas.broker.core.coordination.transactions.transaction import LAST_GIVEN_EPOCH
from barnabas.broker.core.coordination.transactions.transaction_machine import TransactionMachine
from barnabas.broker.node import Node
from barnabas.broker.server.coordinators.marker_queue import MarkerQueue
from barnabas.broker.server.coordinators.verification import Verification
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.add_partitions_to_txn_request import AddPartitionsToTxnTransaction
from barnabas.protocol.messages.describe_transactions_request import DescribeTransactionsRequest
from barnabas.protocol.messages.end_txn_request import EndTxnRequest
from barnabas.protocol.messages.txn_offset_commit_request import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)
from barnabas.protocol.messages.update_features_request import (
    FeatureUpdateKey,
    UpdateFeaturesRequest,
)

from .groups import fetched, find, loaded
from .nodes import create, serving

Codes = Mapping[tuple[str, int], ErrorCode]


class One:
    """A node with a topic of two partitions, and a producer."""

    def __init__(self, node: Node, client: RawClient, topic_id: bytes) -> None:
        self.node = node
        self.client = client
        self.topic_id = topic_id
        self.address = ("127.0.0.1", node.port)
        self.producer = TransactionalProducer(lambda: [self.address], "p", bumps=True)

    async def write(self, *values: bytes, index: int = 0, version: int = 12) -> int:
        topic_id = self.topic_id if version >= 13 else None
        return await self.producer.write(
            self.address, "t", index, *values, version=version, topic_id=topic_id
        )

    def request(self, *values: bytes) -> Any:
        """The next batch, to be sent as often as a test likes."""
        request = produce(self.producer.records("t", 0, *values))
        request.transactional_id = "p"
        return request

    def offsets(self) -> TxnOffsetCommitRequest:
        """Offset 42 of partition 0 for a group."""
        row = TxnOffsetCommitRequestPartition(partition_index=0, committed_offset=42)
        return TxnOffsetCommitRequest(
            transactional_id="p",
            group_id="g",
            producer_id=self.producer.producer_id,
            producer_epoch=self.producer.epoch,
            topics=[TxnOffsetCommitRequestTopic(name="t", partitions=[row])],
        )

    async def commit_offset(self) -> int:
        """The code for it."""
        answer = await once(self.address, self.offsets(), 5)
        return int(answer.topics[0].partitions[0].error_code)

    async def end(self, *, commit: bool) -> None:
        assert await self.producer.end(commit=commit) == 0
        await self.complete()

    async def complete(self) -> None:
        """Wait until no markers are under way."""
        await until(lambda: not self.node.broker.transactions.markers.count)

    async def state(self) -> Any:
        answer = await self.client.ask(DescribeTransactionsRequest(transactional_ids=["p"]), 0)
        return answer.transaction_states[0]

    async def members(self) -> list[tuple[str, int]]:
        """The partitions of the transaction, as its coordinator has them."""
        return [
            (row.topic, index) for row in (await self.state()).topics for index in row.partitions
        ]

    async def read(self) -> list[bytes]:
        return await committed(self.address, "t")

    def end_offset(self, index: int = 0) -> int:
        partition = self.node.broker.replicas.get("t", index)
        assert partition is not None
        return partition.log.log_end_offset


@asynccontextmanager
async def one(directory: Path, level: int = 2, **settings: Any) -> AsyncIterator[One]:
    with at_level(level):
        async with serving(directory, **settings) as (node, client):
            on = One(node, client, await create(client, "t", 2))
            assert await on.producer.init() == 0
            yield on


@pytest.mark.parametrize("version", [12, 13])
async def test_what_is_written_is_added(tmp_path: Path, version: int) -> None:
    """The leader has the partition added, and each end gives the next epoch (TXN-50, TXN-13)."""
    async with one(tmp_path) as on:
        for number, commit in enumerate((True, False, True)):
            assert await on.write(b"%d" % number, version=version) == 0
            assert await on.write(b"also", index=1, version=version) == 0
            assert await on.members() == [("t", 0), ("t", 1)]
            assert await on.producer.end(commit=commit) == 0
            assert on.producer.epoch == number + 1
        await on.complete()
        assert await on.read() == [b"0", b"2"]


async def test_a_second_batch_asks_nobody(tmp_path: Path) -> None:
    """An open transaction of the same epoch is enough (TXN-50)."""
    asked: list[AddPartitionsToTxnTransaction] = []
    ask = Verification.ask

    async def noted(self: Verification, one: AddPartitionsToTxnTransaction) -> Codes:
        asked.append(one)
        return await ask(self, one)

    async with one(tmp_path) as on:
        with patch.object(Verification, "ask", noted):
            for number in range(3):
                assert await on.write(b"%d" % number) == 0
            assert [each.verify_only for each in asked] == [False]
            await on.end(commit=True)
            assert await on.write(b"3") == 0
            assert len(asked) == 2


async def test_older_versions_of_the_same_producer_are_not_added(tmp_path: Path) -> None:
    """Version 11 is only verified, at any level of the feature: 120 (98-07)."""
    async with one(tmp_path) as on:
        assert await on.write(b"never", version=11) == 120
        assert await on.members() == []
        assert on.end_offset() == 0


async def test_who_is_not_the_owner(tmp_path: Path) -> None:
    """49 for another producer id, 47 for any other epoch, and nothing is added (TXN-51)."""
    async with one(tmp_path) as on:
        for change, code in (({"producer_id": 99}, 49), ({"epoch": 1}, 47)):
            odd = TransactionalProducer(lambda: [on.address], "p", bumps=True)
            odd.producer_id, odd.epoch = on.producer.producer_id, on.producer.epoch
            vars(odd).update(change)
            assert await odd.write(on.address, "t", 0, b"never") == code
        assert await on.members() == []
        assert on.end_offset() == 0


async def test_the_first_sequence_is_0(tmp_path: Path) -> None:
    """45 where nothing is known of a producer that has a new epoch for its transaction (TXN-52)."""
    async with one(tmp_path) as on:
        first, second = on.request(b"first"), on.request(b"second")
        assert code_in(await once(on.address, second, 12)) == 45
        assert code_in(await once(on.address, first, 12)) == 0
        assert code_in(await once(on.address, second, 12)) == 0
        again = await once(on.address, first, 12)
        row = again.responses[0].partition_responses[0]
        assert (row.error_code, row.base_offset) == (0, 0)


@pytest.mark.parametrize(("times", "code"), [(3, 0), (1000, 51)])
async def test_leaders_ask_again_while_the_last_transaction_ends(
    tmp_path: Path, times: int, code: int
) -> None:
    """As long as the settings allow; then 51, and the batch can come again (TXN-53)."""
    ask = Verification.ask
    left = times

    async def ending(self: Verification, one: AddPartitionsToTxnTransaction) -> Codes:
        nonlocal left
        left -= 1
        if left < 0:
            return await ask(self, one)
        return {
            (topic.name, index): ErrorCode.CONCURRENT_TRANSACTIONS
            for topic in one.topics
            for index in topic.partitions
        }

    waits = {
        "add_partitions_to_txn_retry_backoff_ms": 1,
        "add_partitions_to_txn_retry_backoff_max_ms": 60_000 if code == 0 else 3,
    }
    async with one(tmp_path, **waits) as on:
        request = on.request(b"v")
        with patch.object(Verification, "ask", ending):
            assert code_in(await once(on.address, request, 12)) == code
        assert (left < 0) == (code == 0)
        assert on.end_offset() == (1 if code == 0 else 0)
        assert code_in(await once(on.address, request, 12)) == 0


@pytest.mark.parametrize("is_early", [True, False])
async def test_the_marker_that_is_waited_for_refuses_nothing(
    tmp_path: Path, is_early: bool
) -> None:
    """It comes to the partition while its leader asks for the next transaction: the question
    after it counts, for records and for offsets, also where the coordinator says yes to the one
    before it (TXN-50, TXN-53)."""
    held: list[tuple[MarkerQueue, Any, Any]] = []
    add = MarkerQueue.add
    ask = Verification.ask

    async def let_go() -> None:
        while held:
            add(*held.pop())
        await on.complete()

    async def until_told(self: Verification, one: AddPartitionsToTxnTransaction) -> Codes:
        if is_early:
            await let_go()
        codes = await ask(self, one)
        if ErrorCode.CONCURRENT_TRANSACTIONS in codes.values():
            await let_go()
        return codes

    waits = {"add_partitions_to_txn_retry_backoff_max_ms": 60_000}
    async with one(tmp_path, **waits) as on:
        await find(on.client)
        await loaded(on.node)
        for ask_for in (partial(on.write, b"next"), on.commit_offset):
            assert await on.write(b"first") == 0
            assert await on.commit_offset() == 0
            hold = lambda *what: held.append(what)  # noqa: E731
            with patch.object(MarkerQueue, "add", hold):
                assert await on.producer.end(commit=True) == 0
            assert held
            with patch.object(Verification, "ask", until_told):
                assert await ask_for() == 0
            assert not held
            await on.end(commit=True)


async def test_late_batches_of_a_transaction_that_is_over(tmp_path: Path) -> None:
    """The marker has the next epoch, so that 47 meets what comes after it (TXN-32)."""
    async with one(tmp_path) as on:
        assert await on.write(b"first") == 0
        late = on.request(b"late")
        late_elsewhere = produce(on.producer.records("t", 1, b"late"), index=1)
        late_elsewhere.transactional_id = "p"
        await on.end(commit=True)
        for request in (late, late_elsewhere):
            assert code_in(await once(on.address, request, 12)) == 47
        assert await on.write(b"second") == 0
        assert code_in(await once(on.address, late, 12)) == 47
        await on.end(commit=True)
        assert await on.read() == [b"first", b"second"]
        assert (on.end_offset(0), on.end_offset(1)) == (4, 0)


async def test_an_answer_that_was_lost_is_given_again(tmp_path: Path) -> None:
    """The same end again is told the same producer; the other end is 48 (TXN-13)."""
    async with one(tmp_path) as on:
        assert await on.write(b"v") == 0
        request = EndTxnRequest(
            transactional_id="p",
            producer_id=on.producer.producer_id,
            producer_epoch=on.producer.epoch,
            committed=True,
        )
        await on.end(commit=True)
        answer = await on.client.ask(request, 5)
        assert (answer.error_code, answer.producer_epoch) == (0, on.producer.epoch)
        request.committed = False
        answer = await on.client.ask(request, 5)
        assert (answer.error_code, answer.producer_id, answer.producer_epoch) == (48, -1, -1)
        assert await on.read() == [b"v"]


async def test_epochs_that_run_out_give_way_to_a_new_producer_id(tmp_path: Path) -> None:
    """Markers have the last epoch, and the next transaction is the new id's (TXN-13)."""
    async with one(tmp_path) as on:

        def grow_old(machine: TransactionMachine) -> Outcome[None]:
            table = machine.transactions
            return table.change("p", replace(table.by_id["p"], epoch=LAST_GIVEN_EPOCH), None)

        await on.node.broker.transactions.write("p", grow_old)
        on.producer.epoch = LAST_GIVEN_EPOCH
        before = on.producer.producer_id
        assert await on.write(b"last of the old id") == 0
        await on.end(commit=True)
        assert (on.producer.producer_id != before, on.producer.epoch) == (True, 0)
        assert await on.write(b"first of the new id") == 0
        await on.end(commit=True)
        assert await on.read() == [b"last of the old id", b"first of the new id"]


async def test_a_transaction_that_took_too_long(tmp_path: Path) -> None:
    """Its producer is told 47, may not commit, and goes on after an abort (TXN-22)."""
    async with one(tmp_path) as on:
        assert await on.write(b"too slow") == 0

        def time_is_up(machine: TransactionMachine) -> Outcome[None]:
            return fence_and_abort(machine.transactions, "p", None)

        await on.node.broker.transactions.write("p", time_is_up)
        await on.complete()
        late = on.request(b"late")
        assert code_in(await once(on.address, late, 12)) == 47
        assert await on.producer.end(commit=True) == 48
        assert await on.producer.end(commit=False) == 0
        assert on.producer.epoch == 1
        assert await on.write(b"kept") == 0
        await on.end(commit=True)
        assert await on.read() == [b"kept"]


@pytest.mark.parametrize("is_commit", [True, False])
async def test_offsets_are_added_with_what_commits_them(tmp_path: Path, is_commit: bool) -> None:
    """TxnOffsetCommit 5 needs no AddOffsetsToTxn (TXN-54); version 4 does: 120."""
    async with one(tmp_path) as on:
        await find(on.client)
        await loaded(on.node)
        request = on.offsets()
        for version, code in ((4, 120), (5, 0)):
            answer = await on.client.ask(request, version)
            assert [row.error_code for row in answer.topics[0].partitions] == [code]
        assert [topic for topic, _ in await on.members()] == ["__consumer_offsets"]
        assert (await fetched(on.client, [("t", 0)]))["t", 0][0] == -1
        await on.end(commit=is_commit)
        assert (await fetched(on.client, [("t", 0)]))["t", 0][0] == (42 if is_commit else -1)
        answer = await on.client.ask(request, 5)  # it comes late, with the epoch that is over
        assert [row.error_code for row in answer.topics[0].partitions] == [47]


@pytest.mark.parametrize("level", [0, 1])
async def test_a_downgrade_strands_no_producer(tmp_path: Path, level: int) -> None:
    """Who began with epochs of its own may go on; who begins now does as the level says."""
    async with one(tmp_path) as on:
        assert await on.write(b"before") == 0
        update = FeatureUpdateKey(
            feature="transaction.version", max_version_level=level, upgrade_type=2
        )
        answer = await on.client.ask(UpdateFeaturesRequest(feature_updates=[update]), 2)
        assert answer.error_code == 0
        await on.end(commit=True)
        assert await on.write(b"after") == 0
        await on.end(commit=True)
        older = TransactionalProducer(lambda: [on.address], "p")
        assert await older.init() == 0
        assert await older.add(("t", 0)) == 0
        assert await older.write(on.address, "t", 0, b"older") == 0
        assert await older.end(commit=True) == 0
        await on.complete()
        assert await on.read() == [b"before", b"after", b"older"]
        assert await on.write(b"never") == 47
