"""Topics and partitions in the cluster's metadata: immutable values, replaced as a whole.

The rules of a change are Kafka's (`PartitionChangeRecord`): a change that names a leader, even the
same one, begins a new leader epoch; every change begins a new partition epoch.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.partition_record import PartitionRecord

NO_LEADER: Final = -1
NO_LEADER_CHANGE: Final = -2

RECOVERED: Final = 0
RECOVERING: Final = 1  # the leader was elected uncleanly and has not caught up with what it lacks

DIRECTORY_MIGRATING: Final = bytes(16)
DIRECTORY_UNASSIGNED: Final = bytes(15) + b"\x01"
DIRECTORY_LOST: Final = bytes(15) + b"\x02"

METADATA_TOPIC: Final = "__cluster_metadata"
METADATA_TOPIC_ID: Final = bytes(15) + b"\x01"
GROUPS_TOPIC: Final = "__consumer_offsets"
TRANSACTIONS_TOPIC: Final = "__transaction_state"
INTERNAL_TOPICS: Final = frozenset({GROUPS_TOPIC, TRANSACTIONS_TOPIC, "__share_group_state"})


class PartitionImage(NamedTuple):
    """One partition: who holds it, who is in sync, who leads."""

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    leader: int = NO_LEADER
    leader_epoch: int = 0
    partition_epoch: int = 0
    leader_recovery_state: int = RECOVERED
    removing_replicas: tuple[int, ...] = ()
    adding_replicas: tuple[int, ...] = ()
    directories: tuple[bytes, ...] = ()
    elr: tuple[int, ...] = ()  # eligible leader replicas (KIP-966): not in sync, but complete
    last_known_elr: tuple[int, ...] = ()

    @classmethod
    def from_record(cls, record: PartitionRecord) -> PartitionImage:
        """The partition that a `PartitionRecord` creates, or sets anew."""
        return cls(
            replicas=tuple(record.replicas),
            isr=tuple(record.isr),
            leader=record.leader,
            leader_epoch=record.leader_epoch,
            partition_epoch=record.partition_epoch,
            leader_recovery_state=record.leader_recovery_state,
            removing_replicas=tuple(record.removing_replicas),
            adding_replicas=tuple(record.adding_replicas),
            directories=tuple(record.directories) or (DIRECTORY_MIGRATING,) * len(record.replicas),
            elr=tuple(record.eligible_leader_replicas or ()),
            last_known_elr=tuple(record.last_known_elr or ()),
        )

    def changed_by(self, record: PartitionChangeRecord) -> PartitionImage:
        """The partition after a change by `record`; what the record leaves out stays as it is."""
        has_leader = record.leader != NO_LEADER_CHANGE
        state = record.leader_recovery_state
        return PartitionImage(
            replicas=_or(record.replicas, self.replicas),
            isr=_or(record.isr, self.isr),
            leader=record.leader if has_leader else self.leader,
            leader_epoch=self.leader_epoch + 1 if has_leader else self.leader_epoch,
            partition_epoch=self.partition_epoch + 1,
            leader_recovery_state=self.leader_recovery_state if state < 0 else state,
            removing_replicas=_or(record.removing_replicas, self.removing_replicas),
            adding_replicas=_or(record.adding_replicas, self.adding_replicas),
            directories=self._directories_after(record),
            elr=_or(record.eligible_leader_replicas, self.elr),
            last_known_elr=_or(record.last_known_elr, self.last_known_elr),
        )

    def _directories_after(self, record: PartitionChangeRecord) -> tuple[bytes, ...]:
        if record.directories is not None:
            return tuple(record.directories)
        if record.replicas is None:
            return self.directories
        known = dict(zip(self.replicas, self.directories, strict=False))
        return tuple(known.get(one, DIRECTORY_MIGRATING) for one in record.replicas)

    def record(self, topic_id: bytes, partition: int) -> PartitionRecord:
        """The record that describes this partition completely, as in a snapshot."""
        return PartitionRecord(
            partition_id=partition,
            topic_id=topic_id,
            replicas=list(self.replicas),
            isr=list(self.isr),
            removing_replicas=list(self.removing_replicas),
            adding_replicas=list(self.adding_replicas),
            leader=self.leader,
            leader_recovery_state=self.leader_recovery_state,
            leader_epoch=self.leader_epoch,
            partition_epoch=self.partition_epoch,
            directories=list(self.directories),
            eligible_leader_replicas=list(self.elr) or None,
            last_known_elr=list(self.last_known_elr) or None,
        )

    def directory_of(self, broker_id: int) -> bytes:
        """Id of the log directory that holds the replica of `broker_id`."""
        return self.directories[self.replicas.index(broker_id)]


def _or(new: list[int] | None, old: tuple[int, ...]) -> tuple[int, ...]:
    return old if new is None else tuple(new)


class TopicImage:
    """A topic: its name, its id, its partitions by number."""

    __slots__ = ("name", "partitions", "topic_id")

    def __init__(self, name: str, topic_id: bytes) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions: dict[int, PartitionImage] = {}

    @property
    def is_internal(self) -> bool:
        """Whether the cluster keeps groups, transactions or share states in this topic."""
        return self.name in INTERNAL_TOPICS

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, TopicImage):
            return NotImplemented
        return (self.name, self.topic_id, self.partitions) == (
            other.name,
            other.topic_id,
            other.partitions,
        )

    __hash__ = None  # type: ignore[assignment]  # partitions come and go

    def __repr__(self) -> str:
        return f"TopicImage({self.name!r}, {len(self.partitions)} partitions)"
