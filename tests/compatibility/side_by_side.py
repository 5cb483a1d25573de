"""A node of ours beside Apache Kafka, both asked the same.

Broker 2 of both clusters is nobody: it is registered by hand, and tests fetch in its name, so that
there are partitions with a follower and partitions that are led elsewhere.

What may differ, by decision: rows with an error tell offsets here (C8), and a leader already from
version 12 on (C20). A refused AlterPartition names no leader here, and broker 0 there.
"""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from kit.batches import batch
from kit.kafka_process import KafkaProcess
from kit.raw_client import RawClient
from kit.waiting import eventually

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node
from barnabas.protocol.json_form import to_json
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest
from barnabas.protocol.messages.broker_heartbeat_request import BrokerHeartbeatRequest
from barnabas.protocol.messages.broker_heartbeat_response import BrokerHeartbeatResponse
from barnabas.protocol.messages.broker_registration_request import (
    BrokerRegistrationRequest,
    Feature,
    Listener,
)
from barnabas.protocol.messages.create_topics_request import (
    CreatableReplicaAssignment,
    CreatableTopic,
    CreateTopicsRequest,
)
from barnabas.protocol.messages.metadata_request import MetadataRequest
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.cluster_layout import free_ports

SESSION_MS = 3_600_000
"""Broker 2 beats once and then no more."""

TOPICS = {"plain": [[1], [1]], "followed": [[1, 2]], "elsewhere": [[2, 1]], "away": [[2]]}
"""The replicas of each partition, the leader first."""

SETTINGS = {"broker.session.timeout.ms": str(SESSION_MS), "auto.create.topics.enable": "false"}
"""Of Kafka; the node of ours has them too."""

Build = Callable[["Side"], Message]


def always(request: Message) -> Build:
    """The same to both."""
    return lambda _: request


_LEADERS_SINCE = 16
_OFFSETS = ("highWatermark", "lastStableOffset", "logStartOffset", "abortedTransactions")


class Side:
    """One of the two clusters."""

    def __init__(self, client: RawClient, controller: RawClient, cluster_id: str) -> None:
        self.client, self.controller, self.cluster_id = client, controller, cluster_id
        self.topic_ids: dict[str, bytes] = {}
        self.epoch = -1
        """Of broker 2."""
        self.features: list[Feature] = []

    def registration(self, broker_id: int, **fields: Any) -> BrokerRegistrationRequest:
        """As a broker with this number would send it."""
        given: dict[str, Any] = {
            "broker_id": broker_id,
            "cluster_id": self.cluster_id,
            "incarnation_id": bytes([broker_id]) * 16,
            "listeners": [
                Listener(name="PLAINTEXT", host="127.0.0.1", port=9, security_protocol=0)
            ],
            "features": self.features,
            "log_dirs": [bytes([100 + broker_id]) * 16],
        }
        return BrokerRegistrationRequest(**given | fields)

    def normal(self, value: Any, version: int, without: tuple[str, ...] = ()) -> Any:
        """Without what is of this cluster only, and without what may differ."""
        if isinstance(value, list):
            return [self.normal(one, version, without) for one in value]
        if isinstance(value, dict):
            left = {name: self.normal(one, version, without) for name, one in value.items()}
            gone = ["throttleTimeMs", *without]
            if left.get("errorCode") and "highWatermark" in left:
                gone += _OFFSETS
            if left.get("errorCode") and "partitionEpoch" in left:
                gone.append("leaderId")
            if version < _LEADERS_SINCE:
                gone.append("currentLeader")
            if left.get("sessionId"):
                left["sessionId"] = "some"
            return {name: one for name, one in left.items() if name not in gone}
        names = {uuid_to_text(topic_id): name for name, topic_id in self.topic_ids.items()}
        return names.get(value, value) if isinstance(value, str) else value

    async def beat(self, *, wants_fence: bool = False) -> BrokerHeartbeatResponse:
        """A heartbeat of broker 2, which has applied all metadata that there can be."""
        beat = BrokerHeartbeatRequest(
            broker_id=2,
            broker_epoch=self.epoch,
            current_metadata_offset=1 << 40,
            want_fence=wants_fence,
        )
        answer: BrokerHeartbeatResponse = await self.controller.ask(beat, 0)
        return answer

    # --- before anything is compared ------------------------------------------------------------

    async def prepare(self) -> None:
        """Register broker 2, create the topics, write two batches to `plain`, one to `followed`."""
        asked = ApiVersionsRequest(client_software_name="test", client_software_version="1")
        told = await self.client.ask(asked, 4)
        self.features = [
            Feature(
                name=one.name,
                min_supported_version=one.min_version,
                max_supported_version=one.max_version,
            )
            for one in told.supported_features
        ]
        answer = await self.controller.ask(self.registration(2), 4)
        assert answer.error_code == 0, answer
        self.epoch = answer.broker_epoch
        await eventually(self._is_let_in, bool)
        for name, assigned in TOPICS.items():
            await self.create(name, assigned)
        await eventually(self._has_heard, bool)
        for name, count, time_ms in (("plain", 3, 1000), ("plain", 2, 5000), ("followed", 4, 1000)):
            records = batch(*[b"v" * 40] * count, timestamp=time_ms)
            row = TopicProduceData(
                name=name, partition_data=[PartitionProduceData(records=records)]
            )
            produced = await self.client.ask(
                ProduceRequest(acks=1, timeout_ms=5000, topic_data=[row]), 9
            )
            assert produced.responses[0].partition_responses[0].error_code == 0, produced

    async def _is_let_in(self) -> bool:
        answer = await self.beat()
        return answer.error_code == 0 and not answer.is_fenced

    async def create(self, name: str, assigned: list[list[int]]) -> None:
        topic = CreatableTopic(
            name=name,
            num_partitions=-1,
            replication_factor=-1,
            assignments=[
                CreatableReplicaAssignment(partition_index=number, broker_ids=replicas)
                for number, replicas in enumerate(assigned)
            ],
        )
        answer = await self.client.ask(CreateTopicsRequest(topics=[topic], timeout_ms=5000), 7)
        assert answer.topics[0].error_code == 0, answer
        self.topic_ids[name] = answer.topics[0].topic_id

    async def _has_heard(self) -> bool:
        known = await self.client.ask(MetadataRequest(topics=None), 12)
        return len(known.brokers) == 2 and len(known.topics) == len(TOPICS)


class Both:
    """Asks both, and keeps what differs."""

    def __init__(self, ours: Side, kafka: Side) -> None:
        self.sides = (ours, kafka)
        self.asked = 0
        self.differences: list[str] = []

    async def ask(
        self,
        what: str,
        version: int,
        build: Build,
        *,
        ask_controller: bool = False,
        without: tuple[str, ...] = (),
        with_texts: bool = False,
    ) -> Any:
        """Both answers, ours first, after a look whether they are the same but for `without`.

        Texts of errors are compared only if `with_texts`.
        """
        if not with_texts:
            without = ("errorMessage", *without)
        found, told = [], []
        for side in self.sides:
            client = side.controller if ask_controller else side.client
            answer = await client.ask(build(side), version)
            found.append(answer)
            told.append(side.normal(to_json(answer, version), version, without))
        self.asked += 1
        if told[0] != told[1]:
            name = f"{found[0].NAME} {version}, {what}"
            self.differences.append(f"{name}\n  ours:  {told[0]}\n  Kafka: {told[1]}")
        return found


@asynccontextmanager
async def side_by_side(kafka: KafkaProcess, directory: Path) -> AsyncIterator[Both]:
    """A node of ours beside Kafka's, which was started with `SETTINGS`; both are prepared."""
    (port,) = free_ports(1)
    config = replace(
        BrokerConfig(),
        node_id=1,
        log_dirs=(str(directory),),
        listeners=("PLAINTEXT://127.0.0.1:0", f"CONTROLLER://127.0.0.1:{port}"),
        controller_listener_names=("CONTROLLER",),
        broker_session_timeout_ms=SESSION_MS,
        auto_create_topics_enable=False,
        admin_answers_wait_enable=False,  # broker 2 applies nothing
        logging_level="error",
    )
    node = await Node.start(config)
    try:
        async with AsyncExitStack() as stack:
            theirs = (kafka.address, kafka.controller_address)
            ports = [node.port, port, *(int(one.rpartition(":")[2]) for one in theirs)]
            clients = [
                await stack.enter_async_context(RawClient("127.0.0.1", one)) for one in ports
            ]
            both = Both(
                Side(clients[0], clients[1], node.publisher.image.cluster_id),
                Side(clients[2], clients[3], kafka.cluster_id),
            )
            for side in both.sides:
                await side.prepare()
            try:
                yield both
            finally:
                for side in both.sides:  # else a clean stop waits for what broker 2 has applied
                    await side.beat(wants_fence=True)
    finally:
        await node.stop()
