"""Replicas move to another log directory of their broker, and back (KIP-113, KIP-858)."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest

from barnabas.broker.core.replication.directories import id_of
from barnabas.broker.core.replication.partition import Partition
from barnabas.client import (
    Admin,
    AlterConfig,
    ConfigResource,
    ConfigResourceType,
    Consumer,
    NewTopic,
    Producer,
    TopicPartition,
)
from barnabas.client.errors import BrokerError
from barnabas.protocol.errors import ErrorCode
from barnabas.testing import Cluster

from .two_disks import TwoDisks, failing

HERE = TopicPartition("t", 0)
VALUE = b"x" * 2000
RECORDS = 300
SLOW = {"replica.alter.log.dirs.io.max.bytes.per.second": 1}
"""One piece is copied, and no other for ten seconds."""


@asynccontextmanager
async def running(
    tmp_path: Path, brokers: int, **options: Any
) -> AsyncIterator[tuple[Cluster, Admin]]:
    async with (
        TwoDisks(brokers, directory=tmp_path, **options) as cluster,
        Admin(bootstrap_servers=cluster.bootstrap) as admin,
    ):
        yield cluster, admin


def directories(tmp_path: Path, node: int = 1) -> tuple[str, str]:
    first = f"{tmp_path / f'node-{node}'}"
    return first, f"{first}-second"


def replica(cluster: Cluster, node: int = 1) -> Partition:
    return cluster.replica(node, "t", 0)


def path_of(cluster: Cluster, node: int = 1) -> str:
    return replica(cluster, node).log.directory.rpartition("/")[0]


def other(cluster: Cluster, tmp_path: Path, node: int = 1) -> str:
    """The directory that the replica is not in."""
    (there,) = {*directories(tmp_path, node)} - {path_of(cluster, node)}
    return there


def folders(path: str) -> list[str]:
    return sorted(one.name for one in Path(path).glob("t-0*") if "-delete" not in one.name)


async def moved(cluster: Cluster, path: str, node: int = 1) -> None:
    await cluster.wait_until(lambda: path_of(cluster, node) == path, "the replica is there")


async def made(cluster: Cluster, admin: Admin, replicas: int = 1, **configs: str) -> None:
    await admin.create_topics([NewTopic("t", 1, replicas, topic_configs=configs)])
    await produce(cluster, RECORDS)


async def half_way(cluster: Cluster, admin: Admin, tmp_path: Path) -> str:
    """A move that is held up in its midst; where it goes."""
    there = other(cluster, tmp_path)
    await admin.alter_replica_log_dirs(1, {HERE: there})
    moves = cluster.node(1).broker.replicas.moves
    await cluster.wait_until(
        lambda: any(move.log.log_end_offset for move in moves), "a part is copied"
    )
    (move,) = moves
    assert move.lag > 0
    return there


async def unthrottle(admin: Admin) -> None:
    change = AlterConfig("replica.alter.log.dirs.io.max.bytes.per.second", str(1 << 40))
    resource = ConfigResource(ConfigResourceType.BROKER, "1")
    await admin.incremental_alter_configs({resource: [change]})


async def refused(admin: Admin, what: TopicPartition, path: str) -> int:
    with pytest.raises(BrokerError) as caught:
        await admin.alter_replica_log_dirs(1, {what: path})
    return int(caught.value.code)


async def produce(cluster: Cluster, count: int) -> None:
    async with Producer(bootstrap_servers=cluster.bootstrap, acks="all") as producer:
        sent = [await producer.send("t", VALUE, partition=0) for _ in range(count)]
        await asyncio.gather(*sent)


async def consumed(cluster: Cluster, count: int) -> list[int]:
    async with Consumer(
        bootstrap_servers=cluster.bootstrap, auto_offset_reset="earliest"
    ) as consumer:
        consumer.assign([HERE])
        found: list[int] = []
        while len(found) < count:
            got = await consumer.getmany(timeout_ms=1000)
            found += [one.offset for one in got.get(HERE, ())]
        return found


async def test_a_leaders_replica_moves_and_back(tmp_path: Path) -> None:
    """KIP-113: all records are in the other directory, and the controller knows it."""
    async with running(tmp_path, 1) as (cluster, admin):
        await made(cluster, admin)
        for _ in range(2):
            there, before = other(cluster, tmp_path), path_of(cluster)
            await admin.alter_replica_log_dirs(1, {HERE: there})
            await moved(cluster, there)
            assert (folders(there), folders(before)) == (["t-0"], [])
            directory = cluster.node(1).broker.replicas.directory_of(replica(cluster))
            assigned = cluster.partition("t")
            assert assigned.directory_of(1) == id_of(directory)
            await produce(cluster, 10)
        assert len(await consumed(cluster, RECORDS + 20)) == RECORDS + 20


@pytest.mark.slow
async def test_a_followers_replica_moves_while_it_is_written_to(tmp_path: Path) -> None:
    """KIP-113: whatever the replica's role; nothing that was acknowledged is lost."""
    async with running(tmp_path, 2, controllers=1) as (cluster, admin):
        await made(cluster, admin, 2, **{"flush.messages": "1"})
        ends = {}
        for node in (1, 2):
            there = other(cluster, tmp_path, node)
            writing = asyncio.create_task(produce(cluster, 200))
            await admin.alter_replica_log_dirs(node, {HERE: there})
            await moved(cluster, there, node)
            await writing
            await produce(cluster, 5)
            ends[node] = replica(cluster, node).log.log_end_offset
        await cluster.wait_for_isr("t", 0, (1, 2))
        assert ends[2] == RECORDS + 410
        assert replica(cluster, 1).log.log_end_offset == RECORDS + 410
        assert await consumed(cluster, RECORDS + 410) == list(range(RECORDS + 410))


@pytest.mark.slow
async def test_it_is_told_of_and_cancelled(tmp_path: Path) -> None:
    """KIP-113: DescribeLogDirs has the future log; the directory that it is in ends the move."""
    async with running(tmp_path, 1, settings=SLOW) as (cluster, admin):
        await made(cluster, admin)
        here = path_of(cluster)
        there = await half_way(cluster, admin, tmp_path)
        assert [name.rpartition("-")[2] for name in folders(there)] == ["future"]
        (future,) = [
            one
            for found in await admin.describe_log_dirs([1], [HERE])
            if found.path == there
            for one in found.replicas
        ]
        assert future.is_future
        assert 0 < future.offset_lag < RECORDS
        await admin.alter_replica_log_dirs(1, {HERE: there})  # as it is already
        assert len(cluster.node(1).broker.replicas.moves) == 1
        await admin.alter_replica_log_dirs(1, {HERE: here})
        assert (folders(there), path_of(cluster)) == ([], here)
        assert not replica(cluster).log.compaction.is_paused


@pytest.mark.slow
async def test_its_topic_is_deleted_meanwhile(tmp_path: Path) -> None:
    """KIP-113: both folders go."""
    async with running(tmp_path, 1, settings=SLOW) as (cluster, admin):
        await made(cluster, admin)
        here = path_of(cluster)
        there = await half_way(cluster, admin, tmp_path)
        await admin.delete_topics(["t"])
        await cluster.wait_until(lambda: not folders(here), "the topic is gone")
        assert folders(there) == []
        assert len(cluster.node(1).broker.replicas.moves) == 0


@pytest.mark.slow
async def test_the_throttle_is_dynamic_and_a_restart_goes_on(tmp_path: Path) -> None:
    """KIP-113: a copy is still there after kill -9, and the move goes on when it may."""
    async with TwoDisks(1, directory=tmp_path, settings=SLOW) as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            await made(cluster, admin)
            there = await half_way(cluster, admin, tmp_path)
        names = folders(there)
        await cluster.kill(1)
        await cluster.start(1)
        assert folders(there) == names
        (move,) = cluster.node(1).broker.replicas.moves
        assert move.lag > 0
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            await unthrottle(admin)
            await moved(cluster, there)
        assert folders(there) == ["t-0"]
        assert await consumed(cluster, RECORDS) == list(range(RECORDS))


@pytest.mark.slow
@pytest.mark.parametrize("is_target", [True, False])
async def test_a_directory_fails_meanwhile(tmp_path: Path, is_target: bool) -> None:
    """KIP-113, 858: the move ends; the replica is offline only if it was in that directory."""
    async with running(tmp_path, 1, settings=SLOW) as (cluster, admin):
        first, second = directories(tmp_path)  # the first has the metadata log too
        with pytest.raises(BrokerError):
            await admin.alter_replica_log_dirs(1, {HERE: first if is_target else second})
        await made(cluster, admin)
        here = path_of(cluster)
        there = await half_way(cluster, admin, tmp_path)
        moves = cluster.node(1).broker.replicas.moves
        with failing(second):
            if is_target:
                await unthrottle(admin)
            else:
                mine = replica(cluster)
                mine.on_disk_failure(mine.log.fail("reading", OSError(errno.EIO, "planted")))
            await cluster.wait_until(lambda: not len(moves), "the move has ended")
        assert path_of(cluster) == here
        assert replica(cluster).is_offline is not is_target
        if is_target:
            await produce(cluster, 1)
            assert await refused(admin, HERE, there) == ErrorCode.KAFKA_STORAGE_ERROR


async def test_a_directory_that_failed_is_described_as_offline(tmp_path: Path) -> None:
    """KIP-113: 56, without partitions, as in Kafka: by that tools find failed disks."""
    async with running(tmp_path, 1) as (cluster, admin):
        await admin.create_topics([NewTopic("t", 4, 1)])
        replicas = cluster.node(1).broker.replicas
        first, second = directories(tmp_path)
        lost = next(one for one in replicas if replicas.directory_of(one).path == second)
        lost.on_disk_failure(lost.log.fail("reading", OSError(errno.EIO, "planted")))
        here, there = sorted(await admin.describe_log_dirs([1]), key=lambda one: one.path)
        assert (here.path, here.error_code) == (first, 0)
        assert here.replicas
        assert (there.path, there.error_code) == (second, ErrorCode.KAFKA_STORAGE_ERROR)
        assert (there.replicas, there.total_bytes) == ((), -1)


async def test_what_is_refused(tmp_path: Path) -> None:
    """KIP-113: no such directory, no such partition, the metadata log, a name that is too long."""
    async with running(tmp_path, 2, controllers=1) as (_, admin):
        await admin.create_topics([NewTopic("t", replica_assignments={0: [2]})])
        there = directories(tmp_path)[1]
        assert await refused(admin, HERE, "/nowhere") == ErrorCode.LOG_DIR_NOT_FOUND
        assert await refused(admin, HERE, there) == ErrorCode.REPLICA_NOT_AVAILABLE
        for name, code in (
            ("none", ErrorCode.UNKNOWN_TOPIC_OR_PARTITION),
            ("__cluster_metadata", ErrorCode.INVALID_TOPIC_EXCEPTION),
            ("n" * 249, ErrorCode.INVALID_TOPIC_EXCEPTION),
        ):
            assert await refused(admin, TopicPartition(name, 0), there) == code


@pytest.mark.slow
async def test_a_replica_is_created_where_it_was_asked_for(tmp_path: Path) -> None:
    """KIP-113: the choice is remembered until there is a replica, and the controller is told."""
    async with running(tmp_path, 1) as (cluster, admin):
        there = directories(tmp_path)[1]
        wanted = {TopicPartition("t", number): there for number in range(4)}
        with pytest.raises(BrokerError):
            await admin.alter_replica_log_dirs(1, wanted)
        await admin.create_topics([NewTopic("t", 4, 1)])
        for number in range(4):
            found = cluster.replica(1, "t", number).log.directory
            assert found == f"{there}/t-{number}"
