"""What the client knows about the cluster: nodes, topics by name and id, leaders and their
epochs."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from barnabas.protocol.messages.fetch_response import FetchResponse
from barnabas.protocol.messages.metadata_request import MetadataRequest, MetadataRequestTopic
from barnabas.protocol.messages.metadata_response import (
    MetadataResponse,
    MetadataResponsePartition,
    MetadataResponseTopic,
)
from barnabas.protocol.messages.produce_response import ProduceResponse
from barnabas.protocol.primitives import ZERO_UUID

NO_LEADER = -1
NO_EPOCH = -1

RELIABLE_EPOCHS_SINCE = 9
"""Leader epochs in older versions of Metadata (before Kafka 2.4) may be too old (KAFKA-9212)."""


class Node(NamedTuple):
    """One broker and the address at which it is reached."""

    node_id: int
    host: str
    port: int
    rack: str | None = None

    def __str__(self) -> str:
        return f"node {self.node_id} ({self.host}:{self.port})"


class PartitionMetadata(NamedTuple):
    """One partition as metadata describes it; `leader` is -1 when it has none."""

    partition: int
    leader: int
    leader_epoch: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    offline_replicas: tuple[int, ...]
    error_code: int


class TopicMetadata:
    """One topic: its id (zero from old brokers) and its partitions by number."""

    __slots__ = ("available", "error_code", "is_internal", "name", "partitions", "topic_id")

    def __init__(
        self,
        name: str,
        topic_id: bytes,
        partitions: dict[int, PartitionMetadata],
        *,
        is_internal: bool = False,
        error_code: int = 0,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = partitions
        self.is_internal = is_internal
        self.error_code = error_code
        self.available: list[int] = []
        self.note_leaders()

    def note_leaders(self) -> None:
        """Recompute which partitions have a leader."""
        self.available = [
            number for number, each in self.partitions.items() if each.leader != NO_LEADER
        ]


class MetadataCache:
    """The last known state of the cluster. Leaders change by metadata or by hints, and never go
    back.

    A partition ignores an answer with an older leader epoch (it comes from a broker that lags
    behind), unless the topic was created anew and has another id.
    """

    def __init__(self) -> None:
        self.cluster_id: str | None = None
        self.controller_id = -1
        self.nodes: dict[int, Node] = {}
        self.topics: dict[str, TopicMetadata] = {}
        self.names_by_id: dict[bytes, str] = {}
        self.errors: dict[str, int] = {}
        self.version = 0
        self._forgotten: dict[str, TopicMetadata] = {}
        """Topics as they were when a broker last said that they do not exist: that broker may have
        lagged behind, and so may the next one that does know them."""

    def apply(self, response: MetadataResponse) -> bool:
        """Adopt an answer: all nodes, and the topics that are in it. Returns whether any node or
        leader is now a different one."""
        before = self.nodes
        self.cluster_id = response.cluster_id
        self.controller_id = response.controller_id
        self.nodes = {
            each.node_id: Node(each.node_id, each.host, each.port, each.rack)
            for each in response.brokers
        }
        are_news = [self._apply_topic(topic) for topic in response.topics]
        self.version += 1
        return any(are_news) or self.nodes != before

    def _apply_topic(self, topic: MetadataResponseTopic) -> bool:
        name = topic.name
        if name is None:
            return False
        if topic.error_code:
            self.errors[name] = topic.error_code
            gone = self.topics.get(name)
            self.forget(name)
            if gone is not None and gone.topic_id != ZERO_UUID:
                self._forgotten[name] = gone
            return gone is not None
        self.errors.pop(name, None)
        known = self.topics.get(name) or self._forgotten.pop(name, None)
        if known is not None and known.topic_id != topic.topic_id:
            self.names_by_id.pop(known.topic_id, None)
            known = None
        partitions = {}
        for each in sorted(topic.partitions, key=lambda one: one.partition_index):
            before = known.partitions.get(each.partition_index) if known else None
            partitions[each.partition_index] = newer(before, each)
        if known is not None and topic.topic_id != ZERO_UUID:
            # A topic never gets fewer: this broker has not heard of the last ones yet.
            for number in sorted(known.partitions.keys() - partitions.keys()):
                partitions[number] = known.partitions[number]
            partitions = dict(sorted(partitions.items()))
        self.topics[name] = TopicMetadata(
            name, topic.topic_id, partitions, is_internal=topic.is_internal
        )
        if topic.topic_id != ZERO_UUID:
            self.names_by_id[topic.topic_id] = name
        return known is None or known.partitions != partitions

    def forget(self, name: str) -> None:
        """Forget a topic."""
        known = self.topics.pop(name, None)
        if known is not None:
            self.names_by_id.pop(known.topic_id, None)

    def partition(self, topic: str, partition: int) -> PartitionMetadata | None:
        """The metadata of a partition; None if it is not known."""
        known = self.topics.get(topic)
        return None if known is None else known.partitions.get(partition)

    def leader(self, topic: str, partition: int) -> Node | None:
        """The node that leads a partition; None if there is no leader, or none is known."""
        found = self.topics.get(topic)
        known = None if found is None else found.partitions.get(partition)
        return None if known is None else self.nodes.get(known.leader)

    def leader_id(self, topic: str, partition: int) -> int:
        """The id of the node that leads a partition; -1 if it is not known."""
        known = self.partition(topic, partition)
        return NO_LEADER if known is None else known.leader

    def leader_epoch(self, topic: str, partition: int) -> int:
        """The epoch of the partition's leader; -1 if it is not known."""
        known = self.partition(topic, partition)
        return NO_EPOCH if known is None else known.leader_epoch

    def apply_leader_hint(
        self, topic: str, partition: int, leader: int, leader_epoch: int, node: Node | None
    ) -> bool:
        """Adopt a leader that a Produce or Fetch answer named (KIP-951, rule 951-06).

        It is adopted only for a known partition, with a newer epoch, and if the leader's address is
        known. Returns whether anything changed.
        """
        info = self.topics.get(topic)
        known = None if info is None else info.partitions.get(partition)
        if info is None or known is None or leader < 0 or leader_epoch <= known.leader_epoch:
            return False
        if node is not None and node.node_id == leader:
            self.nodes[leader] = node
        if leader not in self.nodes:
            return False
        info.partitions[partition] = known._replace(leader=leader, leader_epoch=leader_epoch)
        info.note_leaders()
        self.version += 1
        return True


def metadata_request(topics: Iterable[str], may_create: bool) -> MetadataRequest:
    """The question for these topics; brokers that are set so make those that are missing."""
    return MetadataRequest(
        topics=[MetadataRequestTopic(name=name) for name in topics],
        allow_auto_topic_creation=may_create,
    )


def reliable(response: MetadataResponse, version: int) -> MetadataResponse:
    """The answer without leader epochs that mean nothing in this version."""
    if version < RELIABLE_EPOCHS_SINCE:
        for topic in response.topics:
            for each in topic.partitions:
                each.leader_epoch = NO_EPOCH
    return response


def endpoints_of(response: ProduceResponse | FetchResponse) -> dict[int, Node]:
    """The addresses of the leaders that a Produce or Fetch answer names (KIP-951), by node id."""
    return {
        each.node_id: Node(each.node_id, each.host, each.port, each.rack)
        for each in response.node_endpoints
    }


def newer(before: PartitionMetadata | None, answer: MetadataResponsePartition) -> PartitionMetadata:
    """The newer by leader epoch: what is known already, or what an answer says."""
    if before is not None and NO_EPOCH < answer.leader_epoch < before.leader_epoch:
        return before
    return PartitionMetadata(
        answer.partition_index,
        answer.leader_id,
        answer.leader_epoch,
        tuple(answer.replica_nodes),
        tuple(answer.isr_nodes),
        tuple(answer.offline_replicas),
        answer.error_code,
    )
