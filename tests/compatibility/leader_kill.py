"""Three brokers in three racks as processes, a topic on them, and a leader that is killed."""

from __future__ import annotations

import asyncio
import itertools
from collections import Counter
from collections.abc import Iterable
from pathlib import Path

from kit.raw_client import RawClient

from barnabas.broker.core.cluster.ids import random_uuid
from barnabas.broker.storage.files import real_env
from barnabas.client import Admin, NewTopic
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.cluster_layout import plan_cluster
from barnabas.testing.process_cluster import ProcessCluster

RACKS = ("a", "b", "c")
PARTITIONS = 3
RECORDS = 3000
PATIENCE_S = 90.0
"""A client that is not done by then hangs."""

_TOPICS = itertools.count()


def new_cluster(folder: Path) -> ProcessCluster:
    """Started by `with`; two of three replicas have every acknowledged record."""
    layout = plan_cluster(
        cluster_id=uuid_to_text(random_uuid(real_env())),
        brokers=3,
        racks=RACKS,
        settings={"min.insync.replicas": "2"},
    )
    return ProcessCluster.create(folder, layout)


async def known_everywhere(bootstrap: str, topic: str) -> None:
    """Wait until each broker has the topic, with leaders, in its metadata.

    kafka-python's assignor gives nobody anything if its broker has not heard of the topic yet, and
    looks again only after `metadata_max_age_ms`.
    """
    asked = MetadataRequest(topics=[MetadataRequestTopic(name=topic)])
    async with asyncio.timeout(PATIENCE_S):
        for address in bootstrap.split(","):
            host, _, port = address.rpartition(":")
            async with RawClient(host, int(port)) as client:
                while True:
                    (found,) = (await client.ask(asked, 9)).topics
                    if found.partitions and not any(
                        each.error_code for each in (found, *found.partitions)
                    ):
                        break
                    await asyncio.sleep(0.02)  # another process: there is nothing to wait on


class Accident:
    """One topic, and the death of the broker that leads its partition 0."""

    def __init__(self, cluster: ProcessCluster) -> None:
        self.cluster = cluster
        self.topic = f"accident-{next(_TOPICS)}"
        self.victim = asyncio.run(self._create())
        self.has_happened = False

    @property
    def bootstrap(self) -> str:
        return self.cluster.bootstrap

    async def _create(self) -> int:
        async with Admin(bootstrap_servers=self.bootstrap) as admin:
            await admin.create_topics([NewTopic(self.topic, PARTITIONS, len(RACKS))])
            described = await admin.describe_topics([self.topic])
        await known_everywhere(self.bootstrap, self.topic)
        leader = described[self.topic].partitions[0].leader
        assert leader is not None
        return leader

    def rack(self, *, near: bool) -> str:
        """The victim's rack, or that of another broker."""
        number = self.victim if near else self.victim % len(RACKS) + 1
        found = self.cluster.layout.node(number).rack
        assert found is not None
        return found

    def happen(self) -> None:
        """SIGKILL; returns when the process is gone."""
        self.cluster.kill(self.victim)
        self.has_happened = True

    def clear_up(self) -> None:
        """Have all brokers again, for the next test."""
        if self.has_happened:
            self.cluster.spawn([self.victim])
            asyncio.run(self.cluster.wait_until_ready())


def values() -> list[bytes]:
    """What is written: all different."""
    return [b"value-%06d" % number for number in range(RECORDS)]


def check_read_once(acknowledged: Iterable[bytes], read: Iterable[bytes]) -> None:
    """Every acknowledged record was read, and none twice."""
    counts = Counter(read)
    missing = [value for value in acknowledged if value not in counts]
    assert not missing, f"{len(missing)} acknowledged records were not read: {missing[:5]}"
    twice = [value for value, count in counts.items() if count > 1]
    assert not twice, f"{len(twice)} records were read twice: {twice[:5]}"
