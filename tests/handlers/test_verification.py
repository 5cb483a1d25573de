"""Leaders ask for transactions before they append to one (98-07, TXN-50, TXN-51)."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from kit.log_batches import batch
from kit.producing import produce
from kit.raw_client import RawClient
from kit.transactional import TransactionalProducer, code_in, committed, once
from kit.waiting import until

from barnabas.broker.node import Node
from barnabas.broker.server.coordinators.verification import Verification
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.add_partitions_to_txn_request import AddPartitionsToTxnTransaction
from barnabas.protocol.messages.produce_request import PartitionProduceData

from .configs import BROKER, SET, alter, resource
from .nodes import create, serving

Codes = Mapping[tuple[str, int], ErrorCode]


class One:
    """A node with two partitions, and a producer with a transactional id."""

    def __init__(self, node: Node) -> None:
        self.node = node
        self.address = ("127.0.0.1", node.port)
        self.producer = TransactionalProducer(lambda: [self.address], "p")

    def end_offset(self, index: int = 0) -> int:
        partition = self.node.broker.replicas.get("t", index)
        assert partition is not None
        return partition.log.log_end_offset

    async def write(self, *values: bytes, version: int = 9) -> int:
        return await self.producer.write(self.address, "t", 0, *values, version=version)

    async def end(self, *, commit: bool) -> None:
        assert await self.producer.end(commit=commit) == 0
        await until(lambda: not self.node.broker.transactions.markers.count)


@asynccontextmanager
async def one(directory: Path, **settings: Any) -> AsyncIterator[One]:
    async with serving(directory, **settings) as (node, client):
        await create(client, "t", 2)
        on = One(node)
        assert await on.producer.init() == 0
        yield on


@pytest.mark.parametrize(("version", "code"), [(3, 48), (9, 48), (10, 48), (11, 120)])
async def test_a_partition_that_was_not_added(tmp_path: Path, version: int, code: int) -> None:
    """48, and 120 for those that know it; also with another partition in the transaction, and
    after it has ended (98-07)."""
    async with one(tmp_path) as on:
        assert await on.write(b"never", version=version) == code
        await on.producer.add(("t", 1))
        assert await on.write(b"never", version=version) == code
        await on.end(commit=True)
        assert await on.write(b"never", version=version) == code
        assert on.end_offset() == 0


async def test_who_is_not_the_owner(tmp_path: Path) -> None:
    """49 for another id or producer id, 47 for any other epoch."""
    async with one(tmp_path) as on:
        await on.producer.add(("t", 0))
        for producer_id, epoch, code in ((99, 0, 49), (-1, -1, 49), (None, 1, 47)):
            odd = TransactionalProducer(lambda: [on.address], "p")
            odd.producer_id = on.producer.producer_id if producer_id is None else producer_id
            odd.epoch = epoch
            found = await odd.write(on.address, "t", 0, b"never")
            assert found in (code, 87 if producer_id == -1 else code)
        unknown = TransactionalProducer(lambda: [on.address], "nobody")
        unknown.producer_id, unknown.epoch = on.producer.producer_id, 0
        assert await unknown.write(on.address, "t", 0, b"never") == 49
        assert on.end_offset() == 0


async def test_requests_that_are_refused_as_a_whole(tmp_path: Path) -> None:
    """53 without transactional id, 49 for two producers in one request (TXN-51)."""
    async with one(tmp_path) as on:
        await on.producer.add(("t", 0), ("t", 1))
        request = produce(on.producer.records("t", 0, b"never"))
        assert code_in(await once(on.address, request, 9)) == 53
        other = TransactionalProducer(lambda: [on.address], "q")
        assert await other.init() == 0
        request.transactional_id = "p"
        request.topic_data[0].partition_data.append(
            PartitionProduceData(index=1, records=other.records("t", 1, b"never"))
        )
        answer = await once(on.address, request, 9)
        assert [row.error_code for row in answer.responses[0].partition_responses] == [49, 49]
        assert (on.end_offset(0), on.end_offset(1)) == (0, 0)


async def test_plain_batches_inside_a_transaction(tmp_path: Path) -> None:
    """48 for a batch without the bit while the producer's transaction is open."""
    async with one(tmp_path) as on:
        await on.producer.add(("t", 0))
        assert await on.write(b"first") == 0
        plain = batch(b"plain", producer_id=on.producer.producer_id, epoch=0, sequence=1)
        request = produce(bytes(plain))
        assert code_in(await once(on.address, request, 9)) == 48
        assert on.end_offset() == 1


async def test_only_the_first_batch_is_asked_about(tmp_path: Path) -> None:
    """Later ones, and a repeated one after the end, are answered without the coordinator."""
    asked: list[AddPartitionsToTxnTransaction] = []
    ask = Verification.ask

    async def noted(self: Verification, one: AddPartitionsToTxnTransaction) -> Codes:
        asked.append(one)
        return await ask(self, one)

    async with one(tmp_path) as on:
        with patch.object(Verification, "ask", noted):
            await on.producer.add(("t", 0))
            request = produce(on.producer.records("t", 0, b"0"))
            request.transactional_id = "p"
            assert code_in(await once(on.address, request, 9)) == 0
            assert await on.write(b"1") == 0
            assert len(asked) == 1
            await on.end(commit=True)
            answer = await once(on.address, request, 9)
            row = answer.responses[0].partition_responses[0]
            assert (row.error_code, row.base_offset) == (0, 0)
            assert len(asked) == 1
            await on.producer.add(("t", 0))
            assert await on.write(b"2") == 0
            assert len(asked) == 2
            await on.end(commit=True)
        assert await committed(on.address, "t") == [b"0", b"1", b"2"]


@pytest.mark.parametrize("commit", [True, False])
async def test_an_end_in_between_voids_the_answer(tmp_path: Path, commit: bool) -> None:
    """The coordinator has said yes, and the marker is there before the batch: 48 (TXN-50)."""
    ask = Verification.ask
    has_answered, may_go_on = asyncio.Event(), asyncio.Event()

    async def late(self: Verification, one: AddPartitionsToTxnTransaction) -> Codes:
        codes = await ask(self, one)
        assert set(codes.values()) == {ErrorCode.NONE}
        has_answered.set()
        await may_go_on.wait()
        return codes

    async with one(tmp_path) as on:
        await on.producer.add(("t", 0))
        with patch.object(Verification, "ask", late):
            writing = asyncio.create_task(on.write(b"hangs"))
            await has_answered.wait()
            await on.end(commit=commit)
            await on.producer.add(("t", 0))  # a next transaction does not make up for it
            may_go_on.set()
            assert await writing == 48
        assert on.end_offset() == 1  # the marker
        await on.end(commit=True)
        assert await committed(on.address, "t") == []


@pytest.mark.parametrize("code", [13, 14, 15, 16, 51])
async def test_later_is_19(tmp_path: Path, code: int) -> None:
    """What makes producers of any age try again, and nothing is appended (TXN-51)."""

    async def refused(self: Verification, one: AddPartitionsToTxnTransaction) -> Codes:
        del self
        return {
            (topic.name, index): ErrorCode(code)
            for topic in one.topics
            for index in topic.partitions
        }

    async with one(tmp_path) as on:
        await on.producer.add(("t", 0))
        request = produce(on.producer.records("t", 0, b"later"))
        request.transactional_id = "p"
        with patch.object(Verification, "ask", refused):
            assert code_in(await once(on.address, request, 9)) == 19
        assert on.end_offset() == 0
        following = produce(on.producer.records("t", 0, b"after"))
        following.transactional_id = "p"
        assert code_in(await once(on.address, following, 9)) == 45  # TXN-52
        assert code_in(await once(on.address, request, 9)) == 0
        assert code_in(await once(on.address, following, 9)) == 0


async def test_without_verification(tmp_path: Path) -> None:
    """TXN-50: what was not added is stored if the setting says so; from Produce 12 on partitions
    are added as ever."""
    off = {"transaction_partition_verification_enable": False}
    async with one(tmp_path, **off) as on:
        assert await on.write(b"unverified", version=11) == 0
        assert on.end_offset() == 1
    async with one(tmp_path / "b", **off) as on:
        assert await on.write(b"added", version=12) == 0
        await on.end(commit=True)
        assert on.end_offset() == 2, "the marker comes, since the coordinator knows of it"


async def test_verification_is_set_while_the_broker_runs(tmp_path: Path) -> None:
    """TXN-50: the setting is a dynamic one, of all brokers or of one."""
    setting = "transaction.partition.verification.enable"
    async with one(tmp_path) as on, RawClient(*on.address) as client:
        assert await on.write(b"never", version=11) == 120
        assert await alter(client, resource(BROKER, "", (setting, SET, "false"))) == [(0, None)]
        assert await on.write(b"unverified", version=11) == 0
        own = str(on.node.node_id)
        assert await alter(client, resource(BROKER, own, (setting, SET, "true"))) == [(0, None)]
        on.producer = TransactionalProducer(lambda: [on.address], "q")
        assert await on.producer.init() == 0
        assert await on.write(b"never", version=11) == 120
        assert on.end_offset() == 1
