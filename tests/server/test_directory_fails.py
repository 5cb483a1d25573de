"""One log directory of a broker fails: its leaderships move, the others stay (KIP-858)."""

from __future__ import annotations

from pathlib import Path

from barnabas.broker.core.cluster.topic_image import TopicImage
from barnabas.client import Admin, NewTopic, Producer
from barnabas.testing import Cluster

from .two_disks import TwoDisks, failing

PARTITIONS = 4


def topic(cluster: Cluster) -> TopicImage:
    return cluster.image.topics_by_name["t"]


async def test_leaderships_of_a_failed_directory_move(tmp_path: Path) -> None:
    """Goal: one refused write, and all that the directory holds is led by the other broker."""
    async with TwoDisks(2, controllers=1, directory=tmp_path) as cluster:
        async with Admin(bootstrap_servers=cluster.bootstrap) as admin:
            assignments = {number: [1, 2] for number in range(PARTITIONS)}
            await admin.create_topics([NewTopic("t", replica_assignments=assignments)])
        second, lost = cluster.in_second(1, "t", PARTITIONS)
        assert 0 < len(lost) < PARTITIONS
        with failing(second):
            async with Producer(bootstrap_servers=cluster.bootstrap, acks="all") as producer:
                await (await producer.send("t", b"kept", partition=min(lost)))
            await cluster.wait_until(
                lambda: all(topic(cluster).partitions[one].leader == 2 for one in lost), "moved"
            )
            for number, partition in topic(cluster).partitions.items():
                assert partition.isr == ((2,) if number in lost else (1, 2))
                assert partition.leader == (2 if number in lost else 1)
            assert len(cluster.image.brokers[1].log_dirs) == 1
            assert not cluster.image.brokers[1].fenced
