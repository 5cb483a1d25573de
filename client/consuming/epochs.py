"""Where leader epochs end in the leaders' logs: OffsetForLeaderEpoch (KIP-320, 392-15)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)
from barnabas.protocol.messages.offset_for_leader_epoch_response import (
    OffsetForLeaderEpochResponse,
)

from ..errors import BrokerError, UnsupportedVersionError, error_of
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.metadata import Node

CONSUMER = -1
VERSION_MIN = 3
"""Before, brokers (Kafka 2.1 and 2.2) want the rights of a broker for this."""


class EpochEnd(NamedTuple):
    """The largest epoch up to the one that was asked for and the offset after it, -1 and -1 when
    the leader has none; `asked_under` is the leader's own epoch as we knew it."""

    leader_epoch: int
    end_offset: int
    asked_under: int

    @property
    def is_known(self) -> bool:
        return self.leader_epoch >= 0 and self.end_offset >= 0


async def ask_epoch_ends(
    cluster: Cluster, node: Node, wanted: Mapping[TopicPartition, int]
) -> tuple[dict[TopicPartition, EpochEnd], dict[TopicPartition, BrokerError]]:
    """One request to one leader; errors of partitions come back beside what was found.

    Raises:
        UnsupportedVersionError: the broker is too old to say it.
    """
    topics: dict[str, OffsetForLeaderTopic] = {}
    under = {each: cluster.metadata.leader_epoch(*each) for each in wanted}
    for key, epoch in wanted.items():
        topic = topics.setdefault(key.topic, OffsetForLeaderTopic(topic=key.topic, partitions=[]))
        topic.partitions.append(
            OffsetForLeaderPartition(
                partition=key.partition, current_leader_epoch=under[key], leader_epoch=epoch
            )
        )
    request = OffsetForLeaderEpochRequest(replica_id=CONSUMER, topics=list(topics.values()))
    version = (await cluster.connection(node)).version_of(request)
    if version < VERSION_MIN:
        raise UnsupportedVersionError(f"{node} compares leader epochs for brokers only")
    response = await cluster.call_node(node, request, OffsetForLeaderEpochResponse)
    found: dict[TopicPartition, EpochEnd] = {}
    failures: dict[TopicPartition, BrokerError] = {}
    for answer in response.topics:
        for each in answer.partitions:
            key = TopicPartition(answer.topic, each.partition)
            if key not in wanted:
                continue
            if each.error_code:
                failures[key] = error_of(each.error_code, f"{key}: comparing leader epochs")
            else:
                found[key] = EpochEnd(each.leader_epoch, each.end_offset, under[key])
    for key in wanted:
        if key not in found and key not in failures:
            failures[key] = error_of(
                ErrorCode.UNKNOWN_SERVER_ERROR, f"{key}: {node} did not answer for it"
            )
    return found, failures
