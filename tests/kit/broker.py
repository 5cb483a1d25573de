"""A broker on a free port, without a metadata log, and what a test wants to do to it."""

from __future__ import annotations

import itertools
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from barnabas.broker.core.cluster.commands import AllocateProducerIds, ProducerIdBlock
from barnabas.broker.core.cluster.image import RESOURCE_TOPIC, ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.ports import Env
from barnabas.broker.core.replication.log_loading import LogLoader
from barnabas.broker.observe.metrics import Metrics
from barnabas.broker.server.broker import Broker
from barnabas.broker.server.connections import LiveLimits
from barnabas.broker.storage.files import real_env
from barnabas.protocol.message import Message
from barnabas.protocol.messages.client_quota_record import ClientQuotaRecord, EntityData
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord
from barnabas.protocol.messages.topic_record import TopicRecord

from .list_logger import ListLogger
from .raw_client import RawClient

NODE_ID = 1


class LocalMetadata:
    """Applies records at once; hands out producer ids."""

    def __init__(self) -> None:
        self.image = ClusterImage("a-cluster")
        self.next_producer_id = 1000

    async def submit(self, command: Any) -> Any:
        assert isinstance(command, AllocateProducerIds)
        first = self.next_producer_id
        self.next_producer_id += 1000
        return ProducerIdBlock(first, 1000)


class LocalMembership:
    """A broker that is its own cluster: nothing is sent on, and what it knows is fresh."""

    quorum: Any = SimpleNamespace(kraft_version=1)
    controllers: Any = None
    broker_epoch = 1
    is_here = True

    def __init__(self, metadata: LocalMetadata, env: Env) -> None:
        self.metadata = metadata
        self._env = env
        self.staleness_ms = 0.0

    @property
    def image(self) -> ClusterImage:
        return self.metadata.image

    @property
    def metadata_fresh_since_ms(self) -> float:
        return self._env.clock.monotonic_ms() - self.staleness_ms

    def forward(self, request: Any, context: Any) -> Any:
        raise AssertionError("nothing is sent on")


class Bench:
    """A running broker, and what a test wants to do to it."""

    def __init__(self, broker: Broker, metadata: LocalMetadata, log: ListLogger) -> None:
        self.broker = broker
        self.metadata = metadata
        self.log = log
        self._ids = itertools.count(1)

    @property
    def port(self) -> int:
        return self.broker.listeners[0].port

    def apply(self, *records: Message) -> None:
        """Take records into the image, and tell the replica store."""
        image = self.metadata.image
        for record in records:
            image.apply(record, image.last_offset + 1)
        changes = image.take_changes()
        self.broker.lost_brokers.on_image(image, changes)
        self.broker.replicas.on_image(image, changes)
        self.broker.groups.on_image(image, changes)
        self.broker.quotas.on_image(image, changes)
        self.broker.replication_quotas.on_image(image, changes)
        live = LiveLimits(self.broker.config, NODE_ID, self.broker.connections)
        live.on_image(image, changes)

    def create_topic(self, name: str, partitions: int = 1, **configs: object) -> bytes:
        """A topic whose partitions live here; configs with _ for . in their names."""
        topic_id = next(self._ids).to_bytes(16, "big")
        records: list[Message] = [TopicRecord(name=name, topic_id=topic_id)]
        records += [
            ConfigRecord(
                resource_type=RESOURCE_TOPIC,
                resource_name=name,
                name=key.replace("_", "."),
                value=str(value),
            )
            for key, value in configs.items()
        ]
        records += [
            PartitionRecord(
                partition_id=index,
                topic_id=topic_id,
                replicas=[NODE_ID],
                isr=[NODE_ID],
                leader=NODE_ID,
                leader_epoch=0,
                partition_epoch=0,
            )
            for index in range(partitions)
        ]
        self.apply(*records)
        return topic_id

    def limit(self, entity: dict[str, str | None], **limits: float | None) -> None:
        """Set quotas of an entity by key; None removes one."""
        parts = [EntityData(entity_type=kind, entity_name=name) for kind, name in entity.items()]
        self.apply(
            *(
                ClientQuotaRecord(entity=parts, key=key, value=value or 0.0, remove=value is None)
                for key, value in limits.items()
            )
        )

    def new_epoch(self, topic_id: bytes, index: int = 0, leader: int = NODE_ID) -> None:
        """Begin a new leader epoch of a partition."""
        self.apply(PartitionChangeRecord(partition_id=index, topic_id=topic_id, leader=leader))

    def delete_topic(self, topic_id: bytes) -> None:
        self.apply(RemoveTopicRecord(topic_id=topic_id))

    def connect(self) -> RawClient:
        return RawClient("127.0.0.1", self.port)


@asynccontextmanager
async def running(directory: Path, env: Env | None = None, **settings: Any) -> AsyncIterator[Bench]:
    """A broker on a free port, stopped at the end; settings by field name."""
    config = BrokerConfig(log_dirs=(str(directory),), offsets_topic_replication_factor=1)
    config = replace(config, **settings)
    env = env or real_env()
    logs = LogDirectory(str(directory), env)
    logs.open()
    metadata = LocalMetadata()
    log = ListLogger()
    broker = Broker(
        NODE_ID,
        config,
        env,
        membership=LocalMembership(metadata, env),
        directories=[logs],
        log=log,
        metrics=Metrics(),
    )
    LogLoader(broker.replicas).load(metadata.image)
    await broker.bind("PLAINTEXT", "127.0.0.1", 0)
    await broker.serve()
    bench = Bench(broker, metadata, log)
    try:
        yield bench
    finally:
        await broker.stop()
        logs.close()
    bugs = [line for line in log.lines if line[0] == "error"]
    assert not bugs, bugs
