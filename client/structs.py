"""The plain values that a program hands to the client and gets back from it."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple  # Any: keys and values may be of the program's kinds

Header = tuple[str, bytes | None]
"""One record header: its key and its value, which may be absent."""

TIMESTAMP_CREATE = 0
"""`timestamp_type`: the producer set the time."""

TIMESTAMP_LOG_APPEND = 1
"""`timestamp_type`: the broker set the time when it appended the record."""


class TopicPartition(NamedTuple):
    """One partition of a topic."""

    topic: str
    partition: int

    def __str__(self) -> str:
        return f"{self.topic}-{self.partition}"


class RecordMetadata(NamedTuple):
    """Where a record was stored.

    `offset` is -1 when the broker did not say it (acks=0, or a duplicate that it no longer
    remembers). `timestamp` is in milliseconds since 1970: the broker's append time where the topic
    has `message.timestamp.type=LogAppendTime`, else the record's own.
    """

    topic: str
    partition: int
    offset: int
    timestamp: int
    timestamp_type: int
    log_start_offset: int

    @property
    def topic_partition(self) -> TopicPartition:
        return TopicPartition(self.topic, self.partition)


class ConsumerRecord(NamedTuple):
    """One record as it was read; `timestamp` is in milliseconds since 1970."""

    topic: str
    partition: int
    offset: int
    timestamp: int
    timestamp_type: int
    key: Any  # bytes | None, or what `key_deserializer` made of it
    value: Any  # bytes | None, or what `value_deserializer` made of it
    headers: tuple[Header, ...]
    leader_epoch: int

    @property
    def topic_partition(self) -> TopicPartition:
        return TopicPartition(self.topic, self.partition)

    @property
    def serialized_key_size(self) -> int:
        """Bytes of the key, -1 for none, and for what a deserializer made."""
        return len(self.key) if isinstance(self.key, bytes) else -1

    @property
    def serialized_value_size(self) -> int:
        """Bytes of the value, -1 for none (a tombstone), and for what a deserializer made."""
        return len(self.value) if isinstance(self.value, bytes) else -1


class OffsetAndTimestamp(NamedTuple):
    """Answer of a search by time; `leader_epoch` is -1 when the broker is too old to say it."""

    offset: int
    timestamp: int
    leader_epoch: int = -1


class PositionReset(NamedTuple):
    """The consumer moved a position by itself: from where, to where, and why."""

    topic_partition: TopicPartition
    from_offset: int
    to_offset: int
    reason: str


class LogTruncation(PositionReset):
    """Records that were read already are not in the log any more (KIP-320): an unclean election
    lost them. Reading goes on at `to_offset`, where the log parted from what was read."""

    __slots__ = ()


class PositionKept(NamedTuple):
    """A replica said that a position is out of range; the leader has it, so it stays (I-19)."""

    topic_partition: TopicPartition
    offset: int
    refused_by: int


PositionEvent = PositionReset | PositionKept
"""What became of a position that a broker did not accept; `LogTruncation` is a `PositionReset`."""


class ReplicaBytes(NamedTuple):
    """Bytes of records that a consumer fetched from one node, by what the node was for them.

    `is_local`: the node is in the consumer's own rack.
    """

    node_id: int
    rack: str | None
    is_local: bool
    from_leader_bytes: int
    from_follower_bytes: int

    @property
    def total_bytes(self) -> int:
        return self.from_leader_bytes + self.from_follower_bytes


class ProducerRecord(NamedTuple):
    """One record to send, for the calls that take many at once."""

    value: Any  # bytes | None, or what `value_serializer` takes
    key: Any = None  # bytes | None, or what `key_serializer` takes
    headers: Sequence[Header] = ()
    timestamp_ms: int | None = None
