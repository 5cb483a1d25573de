"""What administrators find of producers in partitions, and how they end what hangs (KIP-664)."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import running
from kit.producing import send
from kit.raw_client import RawClient
from kit.transactional import TransactionalProducer, committed
from kit.waiting import until

from barnabas.broker.server.long_answers import is_long
from barnabas.protocol.messages.describe_producers_request import (
    DescribeProducersRequest,
    TopicRequest,
)
from barnabas.protocol.messages.write_txn_markers_request import (
    WritableTxnMarker,
    WritableTxnMarkerTopic,
    WriteTxnMarkersRequest,
)

from .clusters import create_replicated, elect, register
from .nodes import create, serving


async def described(client: RawClient, *indexes: int, topic: str = "t") -> list[Any]:
    """The row of each partition."""
    request = DescribeProducersRequest(
        topics=[TopicRequest(name=topic, partition_indexes=list(indexes))]
    )
    rows: list[Any] = (await client.ask(request, 0)).topics[0].partitions
    assert [row.partition_index for row in rows] == [*indexes]
    return rows


def facts(state: Any) -> tuple[int, ...]:
    """Id, epoch, last sequence, coordinator epoch, and where its open transaction begins."""
    return (
        state.producer_id,
        state.producer_epoch,
        state.last_sequence,
        state.coordinator_epoch,
        state.current_txn_start_offset,
    )


@pytest.mark.parametrize("bumps", [False, True])
async def test_what_a_partition_knows(tmp_path: Path, bumps: bool) -> None:
    """-1 for what there is not: coordinator, transaction, sequence behind a marker (TXN-24)."""
    async with serving(tmp_path) as (node, client):
        await create(client, "t", 2)
        address = ("127.0.0.1", node.port)
        producer = TransactionalProducer(lambda: [address], "p", bumps=bumps)
        await producer.init()
        before = node.broker.env.clock.wall_ms()
        if not bumps:
            await producer.add(("t", 0))
        assert await producer.write(address, "t", 0, b"a", b"b") == 0
        ((one,), other) = [row.active_producers for row in await described(client, 0, 1)]
        assert facts(one) == (producer.producer_id, 0, 1, -1, 0)
        assert one.last_timestamp > 0
        assert other == []
        await producer.end(commit=False)
        await until(lambda: not node.broker.transactions.markers.count)
        (row,) = await described(client, 0)
        (one,) = row.active_producers
        last = (1, -1, 0, -1) if bumps else (0, 1, 0, -1)
        assert facts(one) == (producer.producer_id, *last)
        assert one.last_timestamp >= before


async def test_partitions_that_are_not_here(tmp_path: Path) -> None:
    """3 where there is none, 6 where it is elsewhere; a follower answers for itself (TXN-24)."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)
        data = batch(b"v", producer_id=7, producer_epoch=0, base_sequence=0)
        assert (await send(client, data, acks=1)).error_code == 0
        elect(bench, 2)
        here, missing, again = await described(client, 0, 7, 0)
        assert (here.error_code, facts(here.active_producers[0])) == (0, (7, 0, 0, -1, -1))
        assert (missing.error_code, missing.active_producers) == (3, [])
        assert (again.error_code, again.active_producers) == (42, [])
        (unknown,) = await described(client, 0, topic="nope")
        assert unknown.error_code == 3
        (odd,) = await described(client, 0, topic="no/such")
        assert odd.error_code == 17


async def test_many_producers_hold_nobody_up(tmp_path: Path) -> None:
    """Others have their turn meanwhile, and the answer is encoded elsewhere."""
    async with running(tmp_path) as bench, bench.connect() as client, bench.connect() as other:
        bench.create_topic("t")
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        for number in range(5000):
            partition.log.producers.add_batch(number, 0, 0, number, number, 1, txn=False)
        turns: list[str] = []

        async def ask(one: RawClient, topic: str) -> Any:
            rows = await described(one, 0, topic=topic)
            turns.append(topic)
            return rows[0]

        found, _ = await asyncio.gather(ask(client, "t"), ask(other, "nope"))
        assert turns == ["nope", "t"]
        assert [state.producer_id for state in found.active_producers] == list(range(5000))
        request = DescribeProducersRequest(topics=[TopicRequest(name="t", partition_indexes=[0])])
        assert is_long(61, await client.ask(request, 0))


@pytest.mark.parametrize("bumps", [False, True])
async def test_a_hanging_transaction_is_aborted_by_what_was_described(
    tmp_path: Path, bumps: bool
) -> None:
    """As `kafka-transactions abort` does: the coordinator forgot it, the partition did not, and a
    marker of the epochs that it knows lets readers go on (TXN-42)."""
    async with serving(tmp_path) as (node, client):
        await create(client, "t")
        address = ("127.0.0.1", node.port)
        producer = TransactionalProducer(lambda: [address], "p", bumps=bumps)
        await producer.init()
        if not bumps:
            await producer.add(("t", 0))
        assert await producer.write(address, "t", 0, b"hangs") == 0
        assert (await send(client, batch(b"plain"))).error_code == 0
        assert await committed(address, "t") == []
        (row,) = await described(client, 0)
        (state,) = row.active_producers
        assert state.current_txn_start_offset == 0
        marker = WritableTxnMarker(
            producer_id=state.producer_id,
            producer_epoch=state.producer_epoch,
            transaction_result=False,
            topics=[WritableTxnMarkerTopic(name="t", partition_indexes=[0])],
            coordinator_epoch=max(state.coordinator_epoch, 0),
        )
        answer = await client.ask(WriteTxnMarkersRequest(markers=[marker]), 2)
        assert answer.markers[0].topics[0].partitions[0].error_code == 0
        assert await committed(address, "t") == [b"plain"]
        (row,) = await described(client, 0)
        assert row.active_producers[0].current_txn_start_offset == -1


@pytest.mark.parametrize(("expiration_ms", "known"), [(2**31 - 1, 1), (1000, 0)])
async def test_silent_producers_are_forgotten(
    tmp_path: Path, expiration_ms: int, known: int
) -> None:
    """98-04: after `producer.id.expiration.ms`; whoever is in a transaction stays (TXN-43)."""
    settings = {
        "producer_id_expiration_ms": expiration_ms,
        "producer_id_expiration_check_interval_ms": 3_600_000,
    }
    async with serving(tmp_path, **settings) as (node, client):
        await create(client, "t")
        address = ("127.0.0.1", node.port)
        writer = TransactionalProducer(lambda: [address], "p", bumps=True)
        await writer.init()
        assert await writer.write(address, "t", 0, b"an old timestamp") == 0
        before_ms = node.broker.env.clock.wall_ms() - 3_600_000
        old = batch(b"v", timestamp=before_ms, producer_id=99, producer_epoch=0, base_sequence=0)
        assert (await send(client, old)).error_code == 0
        await node.broker.background.expire_producers()
        (row,) = await described(client, 0)
        assert [state.producer_id for state in row.active_producers] == [
            writer.producer_id,
            *[99] * known,
        ]
