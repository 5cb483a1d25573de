"""Goal: nobody but a follower itself says what it has, although there are no passwords yet."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from kit.authorization import acl_for
from kit.batches import batch
from kit.broker import Bench, running
from kit.producing import produce
from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.broker.core.cluster.security_image import acl_record
from barnabas.broker.core.config.authorization import STANDARD_AUTHORIZER
from barnabas.broker.core.replication.resting_session import FETCHER_SILENCE_MS
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.fetch_request import FetchRequest
from barnabas.protocol.messages.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from barnabas.protocol.messages.register_broker_record import RegisterBrokerRecord

from .clusters import Follower, create_replicated, epoch_of, partition_of, register
from .offsets import ask_offset

NOT_LEADER = int(ErrorCode.NOT_LEADER_OR_FOLLOWER)


@asynccontextmanager
async def leading(directory: Path) -> AsyncIterator[Bench]:
    """A leader of t-0 with the followers 2 and 3."""
    named = "CLIENTS:PLAINTEXT,PLAINTEXT:PLAINTEXT"
    async with running(directory, listener_security_protocol_map=named) as bench:
        register(bench)
        create_replicated(bench)
        yield bench


async def write(bench: Bench, writer: RawClient) -> None:
    """Two records that wait for all in sync."""
    partition = partition_of(bench)
    before = partition.log.log_end_offset
    writer.send(produce(batch(b"a", b"b")), 9)
    await until(lambda: partition.log.log_end_offset == before + 2)


@pytest.mark.parametrize("broker_epoch", [-1, epoch_of(2) + 1, 1 << 62])
async def test_without_the_brokers_epoch_a_fetch_is_no_acknowledgement(
    tmp_path: Path, broker_epoch: int
) -> None:
    """903-01: of no epoch, or of one that the cluster has not told yet, it only reads."""
    async with leading(tmp_path) as bench, bench.connect() as writer, bench.connect() as other:
        await write(bench, writer)
        for number in (2, 3):
            row = await Follower(other, number).fetch(2, broker_epoch=broker_epoch)
            assert (row.error_code, row.high_watermark) == (0, 0)
        assert partition_of(bench).high_watermark == 0


async def test_an_epoch_that_the_cluster_tells_later_counts_then(tmp_path: Path) -> None:
    """903-01: a leader may hear later than the follower that it was registered anew."""
    async with leading(tmp_path) as bench, bench.connect() as writer, bench.connect() as other:
        await write(bench, writer)
        await Follower(other, 3).fetch(2)
        two = Follower(other, 2)
        await two.fetch_in_session(2, broker_epoch=500)
        assert partition_of(bench).high_watermark == 0
        bench.apply(RegisterBrokerRecord(broker_id=2, broker_epoch=500, fenced=False))
        await two.fetch_in_session(2, broker_epoch=500)
        assert partition_of(bench).high_watermark == 2


@pytest.mark.parametrize("in_session", [False, True])
async def test_a_stranger_with_the_right_epoch_acknowledges_nothing(
    tmp_path: Path, in_session: bool
) -> None:
    """903-01: an epoch can be guessed; the session of the follower that lives cannot."""
    async with (
        leading(tmp_path) as bench,
        bench.connect() as writer,
        bench.connect() as reader,
        bench.connect() as stranger,
    ):
        two, three = Follower(reader, 2), Follower(reader, 3)
        await two.fetch_in_session(0)
        await three.fetch_in_session(0)
        await write(bench, writer)
        for number in (2, 3):
            forged = Follower(stranger, number)
            if in_session:
                (row,) = await forged.fetch_in_session(2)
            else:
                row = await forged.fetch(2)
            assert row.error_code == NOT_LEADER
        partition = partition_of(bench)
        assert partition.high_watermark == 0
        await two.fetch_in_session(2)
        await three.fetch_in_session(2)
        assert partition.high_watermark == 2


async def test_a_follower_that_begins_anew_is_heard_at_once(tmp_path: Path) -> None:
    """227-01: over another connection it names the session that it had, which ends that one."""
    async with leading(tmp_path) as bench, bench.connect() as writer, bench.connect() as reader:
        two, three = Follower(reader, 2), Follower(reader, 3)
        await two.fetch_in_session(0)
        await three.fetch_in_session(0)
        await write(bench, writer)
        async with bench.connect() as again:
            for one in (two, three):
                one.client, one.session_epoch = again, 0
                await one.fetch_in_session(2)
        assert partition_of(bench).high_watermark == 2


async def test_a_follower_that_forgot_a_partition_may_ask_elsewhere(tmp_path: Path) -> None:
    """227-01: another fetcher of the same broker takes over what the first one has forgotten."""
    async with leading(tmp_path) as bench, bench.connect() as reader, bench.connect() as second:
        partition = partition_of(bench)
        first = Follower(reader, 2)
        await first.fetch_in_session(0)
        source = partition.as_leader().followers[2].source
        assert source is not None
        now_ms = bench.broker.env.clock.monotonic_ms()
        assert source.is_open(now_ms)
        assert not source.is_open(now_ms + FETCHER_SILENCE_MS + 1000)
        closing = first.request(None)
        closing.session_epoch = -1
        await reader.ask(closing, 17)
        assert not source.is_open(now_ms)
        (row,) = await Follower(second, 2).fetch_in_session(0)
        assert row.error_code == 0


@asynccontextmanager
async def by_the_clients_door(bench: Bench) -> AsyncIterator[RawClient]:
    """A connection to a listener that is not the one of brokers."""
    listener = await bench.broker.bind("CLIENTS", "127.0.0.1", 0)
    await listener.start_serving()
    async with RawClient("127.0.0.1", listener.port) as client:
        yield client


async def test_clients_are_no_replicas(tmp_path: Path) -> None:
    """903-01: on another listener than that of brokers no replica id is heard, in any version."""
    async with (
        leading(tmp_path) as bench,
        bench.connect() as writer,
        by_the_clients_door(bench) as client,
    ):
        await write(bench, writer)
        answer = await client.ask(Follower(client, 2).request(2), 17)
        assert answer.error_code == int(ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
        old = Follower(client, 2).request(2)
        request = FetchRequest(replica_id=2, session_epoch=-1, topics=old.topics)
        request.topics[0].topic = "t"
        answer = await client.ask(request, 12)
        assert answer.error_code == int(ErrorCode.CLUSTER_AUTHORIZATION_FAILED)
        assert partition_of(bench).high_watermark == 0


async def test_clients_are_not_told_what_replicas_are(tmp_path: Path) -> None:
    """279-04, 392-15: nor do they hear of what is not committed by giving a replica's number."""
    async with (
        leading(tmp_path) as bench,
        bench.connect() as writer,
        bench.connect() as broker,
        by_the_clients_door(bench) as client,
    ):
        await write(bench, writer)
        assert (await ask_offset(broker, -1, replica_id=2)).offset == 2
        assert (await ask_offset(client, -1, replica_id=2)).offset != 2
        asked = OffsetForLeaderPartition(partition=0, current_leader_epoch=-1, leader_epoch=0)
        request = OffsetForLeaderEpochRequest(
            replica_id=2, topics=[OffsetForLeaderTopic(topic="t", partitions=[asked])]
        )
        answer = await client.ask(request, 4)
        assert answer.topics[0].partitions[0].end_offset == 0


async def test_with_an_authorizer_the_right_says_who_is_a_broker(tmp_path: Path) -> None:
    """ATK-35: a client that may describe sees what is committed, whatever id it claims."""
    settings: dict[str, Any] = {"authorizer_class_name": STANDARD_AUTHORIZER, "audit_enable": False}
    async with running(tmp_path, **settings) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)

        def grant(number: int, right: str) -> None:
            entry = acl_for(right, "User:ANONYMOUS")
            bench.apply(acl_record(number.to_bytes(16, "big"), entry))

        grant(1, "TOPIC:t:WRITE")
        async with bench.connect() as writer:
            await write(bench, writer)
            assert (await ask_offset(client, -1, replica_id=2)).offset != 2
            grant(2, "CLUSTER:kafka-cluster:CLUSTER_ACTION")
            assert (await ask_offset(client, -1, replica_id=2)).offset == 2
