"""A broker's replica store over real directories, without a broker."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.ports import Env
from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.core.replication.replica_store import ReplicaStore
from barnabas.broker.core.replication.surroundings import NoController
from barnabas.protocol.message import Message
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.topic_record import TopicRecord

from .logs import env_of
from .replicas import OWN_ID, Fetchers, Flushes

FIRST_ID = b"\x01" * 16


class Local:
    """Broker 1's store on one or more directories, and the image that it is told of."""

    def __init__(self, *directories: Path, env: Env | None = None) -> None:
        env = env or env_of()
        self.directories = [LogDirectory(str(path), env) for path in directories]
        for directory in self.directories:
            directory.open()
        self.reports: list[tuple[str, dict[str, object]]] = []
        self.store = ReplicaStore(
            OWN_ID,
            BrokerConfig(),
            self.directories,
            flushes=Flushes(),
            report=lambda event, fields: self.reports.append((event, fields)),
        )
        self.fetchers = Fetchers()
        self.told_offline: list[str] = []
        self.store.connect(
            self.fetchers,
            NoController(),
            lambda partition, failure: self.told_offline.append(partition.topic),
        )
        self.image = ClusterImage("a-cluster")

    def apply(self, *records: Message) -> None:
        """Take the records into the image, and tell the store once."""
        for record in records:
            self.image.apply(record, self.image.last_offset + 1)
        self.store.on_image(self.image, self.image.take_changes())

    def partition(self, index: int = 0) -> Partition:
        found = self.store.get("t", index)
        assert found is not None
        return found


def topic(topic_id: bytes = FIRST_ID, partitions: int = 1, **fields: Any) -> list[Message]:
    """Topic t, led by broker 1 unless it is said who leads."""
    fields = {"replicas": [1, 2, 3], "isr": [1, 2, 3], "leader": 1, "leader_epoch": 0, **fields}
    records: list[Message] = [TopicRecord(name="t", topic_id=topic_id)]
    records += [
        PartitionRecord(partition_id=index, topic_id=topic_id, partition_epoch=0, **fields)
        for index in range(partitions)
    ]
    return records
