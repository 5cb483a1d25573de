"""Replicas move to another log directory of their broker, and back (KIP-113, KIP-858)."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest

from barnabas.broker.core.replication.partition import Partition
from barnabas.client import Admin, Consumer, NewTopic, Producer, TopicPartition
from barnabas.client.errors import BrokerError
from barnabas.testing import Cluster

from .two_disks import TwoDisks, failing

HERE = TopicPartition("t", 0)
VALUE = b"x" * 2000


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


async def produce(cluster: Cluster, count: int, acks: str = "all") -> None:
    async with Producer(bootstrap_servers=cluster.bootstrap, acks=acks) as producer:  # type: ignore[arg-type]  # a text
        sent = [await producer.send("t", VALUE, partition=0) for _ in range(count)]
        await asyncio.gather(*sent)


async def consumed(cluster: Cluster, count: int) -> list[int]:
    async with Consumer(
        bootstrap_servers=cluster.bootstrap, auto_offset_reset="earliest"
    ) as consumer:
        await consumer.assign([HERE])
        found: list[int] = []
        while len(found) < count:
            found += [one.offset for one in await consumer.getmany(timeout_ms=1000)]
        return found


async def test_a_leaders_replica_moves_and_back(tmp_path: Path) -> None:
    """KIP-113: all records are in the other directory, and the controller knows it."""
    async with TwoDisks(1, directory=tmp_path) as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            await admin.create_topics([NewTopic("t", 1, 1)])
            await produce(cluster, 300)
            for _ in range(2):
                there = other(cluster, tmp_path)
                before = path_of(cluster)
                await admin.alter_replica_log_dirs(1, {HERE: there})
                await moved(cluster, there)
                assert folders(there) == ["t-0"]
                assert folders(before) == []
                await produce(cluster, 10)
            assert len(await consumed(cluster, 320)) == 320
