"""A producer that was taken over goes on in each phase of its successor's transactions."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any
from unittest.mock import patch

import pytest
from kit.producing import produce
from kit.raw_client import RawClient
from kit.transactional import TransactionalProducer, at_level, code_in, committed, once
from kit.waiting import until

from barnabas.broker.node import Node
from barnabas.broker.server.coordinators.marker_queue import MarkerQueue
from barnabas.protocol.messages.add_offsets_to_txn_request import AddOffsetsToTxnRequest
from barnabas.protocol.messages.add_partitions_to_txn_request import (
    AddPartitionsToTxnRequest,
    AddPartitionsToTxnTopic,
)
from barnabas.protocol.messages.describe_transactions_request import DescribeTransactionsRequest
from barnabas.protocol.messages.end_txn_request import EndTxnRequest
from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.txn_offset_commit_request import (
    TxnOffsetCommitRequest,
    TxnOffsetCommitRequestPartition,
    TxnOffsetCommitRequestTopic,
)

from .groups import fetched, find, loaded
from .nodes import create, serving

OFFSET_OF_THE_DEAD = 666
PHASES = ("Empty", "Ongoing", "PrepareCommit", "PrepareAbort", "CompleteCommit", "CompleteAbort")
FENCED, OLD_EPOCH, NOT_YET = 90, 47, 51


class Scene:
    """A node, a producer that was taken over with a transaction open, and who took it over."""

    def __init__(self, node: Node, client: RawClient, level: int) -> None:
        self.node = node
        self.client = client
        self.address = ("127.0.0.1", node.port)
        made = (
            TransactionalProducer(lambda: [self.address], "p", bumps=level == 2) for _ in range(2)
        )
        self.zombie, self.successor = made
        self.level = level
        self.held: list[tuple[Any, ...]] = []
        """Markers that wait to be sent."""

    async def take_over(self) -> None:
        """With a record and an offset of the first producer undecided."""
        await find(self.client)
        await loaded(self.node)
        assert await self.zombie.init() == 0
        assert await self.zombie.add(("t", 0)) == 0
        assert await self.zombie.write(self.address, "t", 0, b"of the dead") == 0
        has = self.fields()
        assert (
            await self.client.ask(AddOffsetsToTxnRequest(group_id="g", **has), 3)
        ).error_code == 0
        assert await self.commit_offset(4) == 0
        assert await self.successor.init() == 0
        await self.markers_are_written()

    async def bring_to(self, phase: str) -> None:
        """The successor, to this state of its transaction."""
        if phase == "Empty":
            return
        assert await self.successor.add(("t", 0)) == 0
        assert await self.successor.write(self.address, "t", 0, b"successor's") == 0
        if phase == "Ongoing":
            return
        assert await self.successor.end(commit=phase.endswith("Commit")) == 0
        if phase.startswith("Complete"):
            self.let_markers_go()
            await self.markers_are_written()

    async def state(self) -> str:
        answer = await self.client.ask(DescribeTransactionsRequest(transactional_ids=["p"]), 0)
        return str(answer.transaction_states[0].transaction_state)

    async def markers_are_written(self) -> None:
        await until(lambda: not self.node.broker.transactions.markers.count)

    @contextmanager
    def markers_held(self) -> Iterator[None]:
        """What is decided stays so until `let_markers_go`."""
        hold = lambda *what: self.held.append(what)  # noqa: E731
        with patch.object(MarkerQueue, "add", hold):
            yield

    def let_markers_go(self) -> None:
        while self.held:
            ADD(*self.held.pop())

    def fields(self) -> dict[str, Any]:
        """How the zombie names itself."""
        return {
            "transactional_id": "p",
            "producer_id": self.zombie.producer_id,
            "producer_epoch": self.zombie.epoch,
        }

    def asks_for_an_epoch(self) -> InitProducerIdRequest:
        return InitProducerIdRequest(transaction_timeout_ms=60_000, **self.fields())

    async def commit_offset(self, version: int) -> int:
        row = TxnOffsetCommitRequestPartition(
            partition_index=0, committed_offset=OFFSET_OF_THE_DEAD
        )
        topic = TxnOffsetCommitRequestTopic(name="t", partitions=[row])
        request = TxnOffsetCommitRequest(group_id="g", topics=[topic], **self.fields())
        answer = await self.client.ask(request, version)
        return int(answer.topics[0].partitions[0].error_code)

    async def produce(self) -> int:
        """The next batch of the zombie, once."""
        request = produce(self.zombie.records("t", 0, b"of the dead"))
        request.transactional_id = "p"
        return code_in(await once(self.address, request, self.zombie.produce_version))

    async def code(self, request: Any, version: int) -> int:
        return code_in(await self.client.ask(request, version))


ADD = MarkerQueue.add


async def everything_it_can_ask(on: Scene) -> dict[str, int]:
    """What the zombie is told, by what it asks for."""
    has = on.fields()
    topic = AddPartitionsToTxnTopic(name="t", partitions=[0, 1])
    add = AddPartitionsToTxnRequest(
        v3_and_below_topics=[topic], **{f"v3_and_below_{name}": has[name] for name in has}
    )
    return {
        "produce": await on.produce(),
        "add partitions": await on.code(add, 3),
        "add offsets": await on.code(AddOffsetsToTxnRequest(group_id="g", **has), 3),
        "commit offsets": await on.commit_offset(5 if on.level == 2 else 4),
        "commit": await on.code(EndTxnRequest(committed=True, **has), on.zombie.end_version),
        "abort": await on.code(EndTxnRequest(committed=False, **has), on.zombie.end_version),
        "a new epoch": await on.code(on.asks_for_an_epoch(), 4),
    }


@asynccontextmanager
async def scene(directory: Path, level: int) -> AsyncIterator[Scene]:
    with at_level(level):
        async with serving(directory) as (node, client):
            await create(client, "t", 2)
            on = Scene(node, client, level)
            await on.take_over()
            yield on


@pytest.mark.parametrize("level", [1, 2])
@pytest.mark.parametrize("phase", PHASES)
async def test_is_refused_in_each_phase(tmp_path: Path, phase: str, level: int) -> None:
    """98-05, TXN-01, TXN-10 to TXN-13, TXN-51, TXN-54: whatever it asks for it is fenced, and the
    successor's transaction has its records and no others."""
    async with scene(tmp_path, level) as on:
        with on.markers_held():
            await on.bring_to(phase)
            assert await on.state() == phase
            told = await everything_it_can_ask(on)
            assert await on.state() == phase, "the zombie moved its successor's transaction"
        assert told == {
            "produce": OLD_EPOCH,
            "add partitions": FENCED,
            "add offsets": FENCED,
            "commit offsets": OLD_EPOCH,
            "commit": FENCED,
            "abort": FENCED,
            # As in Kafka, the state is looked at before the epoch: it may ask again, below.
            "a new epoch": NOT_YET if phase.startswith("Prepare") else FENCED,
        }
        on.let_markers_go()
        await on.markers_are_written()
        assert await on.code(on.asks_for_an_epoch(), 4) == FENCED
        if phase == "Ongoing":
            assert await on.successor.end(commit=True) == 0
            await on.markers_are_written()
        kept = [b"successor's"] if phase in ("Ongoing", "PrepareCommit", "CompleteCommit") else []
        assert await committed(on.address, "t") == kept
        assert (await fetched(on.client, [("t", 0)], is_stable=True))["t", 0][::2] == (-1, 0)
        assert await on.successor.add(("t", 0)) == 0, "the successor goes on"
