"""A controller over brokers that are there, for tests that decide and apply."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from barnabas.broker.core.cluster.broker_image import Endpoint
from barnabas.broker.core.cluster.commands import (
    Bootstrap,
    CreateTopics,
    FenceBroker,
    NewTopic,
    RegisterBroker,
    UnfenceBroker,
)
from barnabas.broker.core.cluster.controller import Controller
from barnabas.broker.core.cluster.features import FINALISED_AT_FIRST, SUPPORTED
from barnabas.broker.core.cluster.image import ClusterImage
from barnabas.broker.core.cluster.record_versions import record_version
from barnabas.broker.core.cluster.topic_image import PartitionImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.ports import Env
from barnabas.broker.storage.files import RealClock, RealDisk
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.stored import decode_metadata_record, encode_metadata_record

CLUSTER_ID = "a-cluster"


class Cluster:
    """Decides, applies, and keeps what a log would hold."""

    def __init__(self, brokers: int = 1, *, seed: int = 1, elr: bool = True, **settings: Any):
        self.image = ClusterImage(CLUSTER_ID)
        self.env = Env(RealClock(), RealDisk(), Random(seed))
        self.config = BrokerConfig(**settings)
        self.controller = Controller(self.image, self.config, self.env, 1)
        self.log: list[bytes] = []
        self.now_ms = 0.0
        features = FINALISED_AT_FIRST
        if not elr:
            features = tuple(one for one in features if not one[0].startswith("eligible"))
        self.do(Bootstrap(features))
        for broker in range(1, brokers + 1):
            self.add(broker)

    def decide(self, command: Any) -> tuple[list[Message], Any]:
        """Decide, and change nothing."""
        return self.controller.decide(command, self.now_ms)[:2]

    def do(self, command: Any) -> Any:
        """Decide, write down as bytes, read back, apply; the answer."""
        records, answer = self.decide(command)
        for record in records:
            version = record_version(record, self.image.metadata_version)
            data = encode_metadata_record(record, version)
            self.controller.apply(decode_metadata_record(data), len(self.log))
            self.log.append(data)
        return answer

    def add(self, broker: int, *, rack: str | None = None, fenced: bool = False) -> int:
        """Register a broker and, if it is not to stay fenced, let it serve; its epoch."""
        registered = self.do(register(broker, rack=rack))
        if not fenced:
            self.do(UnfenceBroker(broker, registered.broker_epoch))
        epoch: int = registered.broker_epoch
        return epoch

    def create(self, name: str = "t", **fields: Any) -> bytes:
        """Create a topic; its id."""
        (answer,) = self.do(CreateTopics((NewTopic(name, **fields),)))
        assert answer.code == 0, answer
        topic_id: bytes = answer.topic_id
        return topic_id

    def epoch(self, broker: int) -> int:
        return self.image.brokers[broker].epoch

    def fence(self, *brokers: int) -> None:
        for broker in brokers:
            self.do(FenceBroker(broker, self.epoch(broker)))

    def unfence(self, *brokers: int) -> None:
        for broker in brokers:
            self.do(UnfenceBroker(broker, self.epoch(broker)))

    def refusal(self, command: Any) -> ErrorCode:
        """The code with which the whole command is refused."""
        with pytest.raises(KafkaError) as caught:
            self.decide(command)
        return caught.value.code

    def partition(self, name: str = "t", number: int = 0) -> PartitionImage:
        found = self.image.partition(name, number)
        assert found is not None
        return found

    def replayed(self) -> ClusterImage:
        """The image that another node builds from the log."""
        image = ClusterImage(CLUSTER_ID)
        for offset, data in enumerate(self.log):
            image.apply(decode_metadata_record(data), offset)
        return image


def register(
    broker: int, *, rack: str | None = None, incarnation: int = 0, previous_epoch: int = -1
) -> RegisterBroker:
    return RegisterBroker(
        broker_id=broker,
        incarnation_id=bytes([broker, incarnation]) * 8,
        cluster_id=CLUSTER_ID,
        endpoints=(Endpoint("PLAINTEXT", "localhost", 9000 + broker),),
        features=SUPPORTED,
        log_dirs=(bytes([broker]) * 16,),
        rack=rack,
        previous_epoch=previous_epoch,
    )
