"""Who leads a partition by the metadata, and which refusals mean that it is somebody else, or that
its topic is another one."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode

from ..errors import LeaderNotAvailableError, error_of
from .metadata import MetadataCache, Node

LEADERSHIP_ERRORS = frozenset(
    {
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.LEADER_NOT_AVAILABLE,
        ErrorCode.NOT_LEADER_OR_FOLLOWER,
        ErrorCode.REPLICA_NOT_AVAILABLE,
        ErrorCode.KAFKA_STORAGE_ERROR,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.UNKNOWN_LEADER_EPOCH,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.INCONSISTENT_TOPIC_ID,
        ErrorCode.OFFSET_NOT_AVAILABLE,
    }
)
"""Error codes that suggest another leader, or another id of the topic, than the one known here."""


def leader_in(metadata: MetadataCache, topic: str, partition: int) -> Node:
    """The node that leads a partition, as far as is known.

    Raises:
        LeaderNotAvailableError: the partition has no leader at the moment (retriable).
        UnknownTopicOrPartitionError: there is no such partition.
        BrokerError: what a broker answered for the topic.
    """
    node = metadata.leader(topic, partition)
    if node is not None:
        return node
    if metadata.partition(topic, partition) is not None:
        raise LeaderNotAvailableError(f"{topic}-{partition} has no leader")
    known = metadata.topics.get(topic)
    if known is None:
        code = metadata.errors.get(topic, ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
        raise error_of(code, f"{topic}-{partition}")
    raise error_of(
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        f"{topic}-{partition}: the topic has {len(known.partitions)} partitions",
    )
