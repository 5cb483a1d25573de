"""What goes into and comes out of the admin: topics to make, settings, descriptions."""

from __future__ import annotations

import dataclasses
import enum
from collections.abc import Mapping, Sequence

from ..wire.metadata import Node


class ConfigResourceType(enum.IntEnum):
    """What a setting belongs to; the numbers are those of the wire."""

    TOPIC = 2
    BROKER = 4
    BROKER_LOGGER = 8
    GROUP = 32


class AlterConfigOp(enum.IntEnum):
    """What to do with a setting; APPEND and SUBTRACT are for lists."""

    SET = 0
    DELETE = 1
    APPEND = 2
    SUBTRACT = 3


class ConfigSource(enum.IntEnum):
    """Where the value of a setting comes from."""

    UNKNOWN = -1
    TOPIC = 1
    DYNAMIC_BROKER = 2
    DYNAMIC_DEFAULT_BROKER = 3
    STATIC_BROKER = 4
    DEFAULT = 5
    DYNAMIC_BROKER_LOGGER = 6
    CLIENT_METRICS = 7
    GROUP = 8


@dataclasses.dataclass(frozen=True, slots=True)
class NewTopic:
    """A topic to create; -1 leaves partitions or replicas to the broker's defaults."""

    name: str
    num_partitions: int = -1
    replication_factor: int = -1
    replica_assignments: Mapping[int, Sequence[int]] = dataclasses.field(default_factory=dict)
    topic_configs: Mapping[str, str | None] = dataclasses.field(default_factory=dict)


@dataclasses.dataclass(frozen=True, slots=True)
class CreatedTopic:
    """A topic as it was created; numbers are -1 where the broker is too old to say them."""

    name: str
    topic_id: bytes
    num_partitions: int
    replication_factor: int


@dataclasses.dataclass(frozen=True, slots=True)
class NewPartitions:
    """How many partitions a topic shall have, and the replicas of the new ones if they matter."""

    total_count: int
    new_assignments: Sequence[Sequence[int]] | None = None


@dataclasses.dataclass(frozen=True, slots=True)
class ConfigResource:
    """Whose settings: a topic or a consumer group by name, a broker by its id as text ("" for all
    brokers)."""

    resource_type: ConfigResourceType
    name: str

    @classmethod
    def topic(cls, name: str) -> ConfigResource:
        return cls(ConfigResourceType.TOPIC, name)

    @classmethod
    def broker(cls, node_id: int | str) -> ConfigResource:
        return cls(ConfigResourceType.BROKER, str(node_id))

    @classmethod
    def group(cls, group_id: str) -> ConfigResource:
        return cls(ConfigResourceType.GROUP, group_id)


@dataclasses.dataclass(frozen=True, slots=True)
class ConfigEntry:
    """One setting and its value; None where it is secret."""

    name: str
    value: str | None
    source: int = ConfigSource.UNKNOWN
    is_read_only: bool = False
    is_sensitive: bool = False
    documentation: str | None = None
    synonyms: tuple[tuple[str, str | None, int], ...] = ()

    @property
    def is_default(self) -> bool:
        """Whether nobody set it."""
        return self.source == ConfigSource.DEFAULT


@dataclasses.dataclass(frozen=True, slots=True)
class AlterConfig:
    """A change of one setting; `value` is not needed to delete it."""

    name: str
    value: str | None = None
    operation: AlterConfigOp = AlterConfigOp.SET


@dataclasses.dataclass(frozen=True, slots=True)
class PartitionDescription:
    """One partition; `leader` is None when nobody leads it."""

    partition: int
    leader: int | None
    leader_epoch: int
    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    offline_replicas: tuple[int, ...] = ()
    eligible_leader_replicas: tuple[int, ...] = ()
    last_known_eligible_leader_replicas: tuple[int, ...] = ()


@dataclasses.dataclass(frozen=True, slots=True)
class TopicDescription:
    """A topic and its partitions in order."""

    name: str
    topic_id: bytes
    is_internal: bool
    partitions: tuple[PartitionDescription, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class ClusterDescription:
    """The cluster's name, who answers for its controller, and its brokers."""

    cluster_id: str | None
    controller_id: int
    brokers: tuple[Node, ...]
    fenced_brokers: frozenset[int] = frozenset()


@dataclasses.dataclass(frozen=True, slots=True)
class ReplicaLogDir:
    """One replica in a log directory."""

    topic: str
    partition: int
    size_bytes: int
    offset_lag: int
    is_future: bool


@dataclasses.dataclass(frozen=True, slots=True)
class LogDirDescription:
    """One log directory of one broker; sizes are -1 where the broker is too old to say them.

    One that is offline has an `error_code` (KAFKA_STORAGE_ERROR), and neither replicas nor sizes.
    """

    node_id: int
    path: str
    replicas: tuple[ReplicaLogDir, ...]
    total_bytes: int = -1
    usable_bytes: int = -1
    error_code: int = 0


class ElectionType(enum.IntEnum):
    """Who may be elected; the numbers are those of the wire."""

    PREFERRED = 0
    """The first replica of the assignment, if it is in sync."""
    UNCLEAN = 1
    """Any live replica of a partition without a leader: records may be lost."""


class UpgradeType(enum.IntEnum):
    """Which way the level of a feature may go; the numbers are those of the wire."""

    UPGRADE = 1
    SAFE_DOWNGRADE = 2
    UNSAFE_DOWNGRADE = 3


@dataclasses.dataclass(frozen=True, slots=True)
class FeatureUpdate:
    """The level that a feature shall have; 0 takes it away."""

    max_version_level: int
    upgrade_type: UpgradeType = UpgradeType.UPGRADE


@dataclasses.dataclass(frozen=True, slots=True)
class PartitionReassignment:
    """Replicas on the move: all of now, those that are added and those that are to go."""

    replicas: tuple[int, ...]
    adding_replicas: tuple[int, ...]
    removing_replicas: tuple[int, ...]


@dataclasses.dataclass(frozen=True, slots=True)
class QuorumReplica:
    """A voter or an observer of the metadata log; times are milliseconds since 1970, -1 when
    unknown."""

    replica_id: int
    directory_id: bytes
    log_end_offset: int
    last_fetch_timestamp_ms: int = -1
    last_caught_up_timestamp_ms: int = -1


@dataclasses.dataclass(frozen=True, slots=True)
class QuorumDescription:
    """The metadata quorum as its leader sees it.

    `nodes`: the controller listeners of each voter as (name, host, port), from brokers since 3.9.
    """

    leader_id: int
    leader_epoch: int
    high_watermark: int
    voters: tuple[QuorumReplica, ...]
    observers: tuple[QuorumReplica, ...]
    nodes: Mapping[int, tuple[tuple[str, str, int], ...]]

    def lag_of(self, replica: QuorumReplica) -> int:
        """How many records the leader has that this one does not."""
        ends = [each.log_end_offset for each in self.voters if each.replica_id == self.leader_id]
        return max(0, ends[0] - replica.log_end_offset) if ends else 0
