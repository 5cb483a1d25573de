"""One committed offset, as the records of `__consumer_offsets` say it."""

from __future__ import annotations

from dataclasses import dataclass

from barnabas.protocol.coordinator_records import (
    OFFSET_COMMIT_VERSION,
    OFFSET_COMMIT_WITH_EXPIRY_VERSION,
)
from barnabas.protocol.messages.legacy_offset_commit_value import LegacyOffsetCommitValue
from barnabas.protocol.messages.offset_commit_key import OffsetCommitKey
from barnabas.protocol.messages.offset_commit_value import OffsetCommitValue
from barnabas.protocol.primitives import ZERO_UUID

from ...machine import Record

TopicPartition = tuple[str, int]


@dataclass(frozen=True, slots=True)
class Committed:
    """Where a group goes on reading a partition."""

    offset: int
    leader_epoch: int = -1
    """Of the last record that was read; -1 if nobody said."""
    metadata: str = ""
    commit_ms: int = 0
    """Wall clock of the commit."""
    expire_ms: int | None = None
    """Wall clock at which it expires whatever the retention; None: the retention decides."""
    topic_id: bytes = ZERO_UUID
    """All zeros if it was not known."""
    record_offset: int = -1
    """Offset of the record that says so: of two commits the later one counts (OFF-09)."""

    def record(self, group_id: str, partition: TopicPartition) -> Record:
        """As it is written: version 1 where the request said how long to keep it (REC)."""
        topic, number = partition
        value = OffsetCommitValue(
            offset=self.offset,
            leader_epoch=self.leader_epoch,
            metadata=self.metadata,
            commit_timestamp=self.commit_ms,
            expire_timestamp=-1 if self.expire_ms is None else self.expire_ms,
            topic_id=self.topic_id,
        )
        version = OFFSET_COMMIT_VERSION
        if self.expire_ms is not None:
            version = OFFSET_COMMIT_WITH_EXPIRY_VERSION
        key = OffsetCommitKey(group=group_id, topic=topic, partition=number)
        return Record(key, value, version)

    @classmethod
    def of(
        cls, value: OffsetCommitValue | LegacyOffsetCommitValue, record_offset: int
    ) -> Committed:
        """What a record says. An expiry of -1 is none (OFF-31)."""
        if isinstance(value, LegacyOffsetCommitValue):
            return cls(
                value.offset,
                metadata=value.metadata,
                commit_ms=value.commit_timestamp,
                record_offset=record_offset,
            )
        expire_ms = None if value.expire_timestamp < 0 else value.expire_timestamp
        return cls(
            value.offset,
            value.leader_epoch,
            value.metadata,
            value.commit_timestamp,
            expire_ms,
            value.topic_id,
            record_offset,
        )


def tombstone(group_id: str, partition: TopicPartition) -> Record:
    """The record that removes an offset, and what transactions would have made of it (OFF-10)."""
    topic, number = partition
    return Record(OffsetCommitKey(group=group_id, topic=topic, partition=number), None)
