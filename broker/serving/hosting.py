"""Which local replica a request means, or the code that says why there is none (392-02)."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..core.replication.partition import Partition
from .context import BrokerServices


def hosted_replica(node: BrokerServices, topic: str, partition: int) -> Partition:
    """The local replica of a topic's partition, leader or not.

    Raises KafkaError: 3 no such partition, 6 it is elsewhere, 56 its disk failed.
    """
    found = node.replicas.get(topic, partition)
    if found is not None:
        return found
    if node.image.partition(topic, partition) is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    raise _absent(node, topic, partition)


def hosted_leader(node: BrokerServices, topic: str | bytes, partition: int) -> Partition:
    """The same by the topic's name or id, and this broker leads it.

    Raises KafkaError: 6 if it does not; 100 for an unknown id (516-01); 3 and 56 as above.
    """
    if isinstance(topic, str):
        found = hosted_replica(node, topic, partition)
    else:
        found = hosted_replica_by_id(node, topic, partition)
    if not found.is_leader:
        node.replicas.catch_up(found)
        found.as_leader()
    return found


def hosted_replica_by_id(node: BrokerServices, topic_id: bytes, partition: int) -> Partition:
    """The local replica by topic id (516-01).

    Raises KafkaError: 100 unknown id, 3, 6 and 56 as above.
    """
    found = node.replicas.get_by_id(topic_id, partition)
    if found is not None:
        return found
    topic = node.image.topics_by_id.get(topic_id)
    if topic is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
    if partition not in topic.partitions:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    raise _absent(node, topic.name, partition)


def _absent(node: BrokerServices, topic: str, partition: int) -> KafkaError:
    reason = node.replicas.unavailable.get((topic, partition))
    if reason is not None:
        return KafkaError(ErrorCode.KAFKA_STORAGE_ERROR, reason)
    return KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
