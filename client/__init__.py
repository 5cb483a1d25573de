"""Producer, consumer and admin for asyncio programs."""

from __future__ import annotations

from .admin import Admin
from .admin_values import (
    AlterConfig,
    AlterConfigOp,
    ClusterDescription,
    ConfigEntry,
    ConfigResource,
    ConfigResourceType,
    ConfigSource,
    CreatedTopic,
    ElectionType,
    FeatureUpdate,
    LogDirDescription,
    NewPartitions,
    NewTopic,
    PartitionDescription,
    PartitionReassignment,
    QuorumDescription,
    QuorumReplica,
    ReplicaLogDir,
    TopicDescription,
    UpgradeType,
)
from .columns import RecordColumns
from .config import AdminConfig, ConsumerConfig, ProducerConfig
from .consumer import Consumer
from .many import SentRange
from .metadata import Node
from .producer import Producer
from .structs import (
    ConsumerRecord,
    LogTruncation,
    OffsetAndTimestamp,
    PositionKept,
    PositionReset,
    ProducerRecord,
    RecordMetadata,
    ReplicaBytes,
    TopicPartition,
)

__all__ = [
    "Admin",
    "AdminConfig",
    "AlterConfig",
    "AlterConfigOp",
    "ClusterDescription",
    "ConfigEntry",
    "ConfigResource",
    "ConfigResourceType",
    "ConfigSource",
    "Consumer",
    "ConsumerConfig",
    "ConsumerRecord",
    "CreatedTopic",
    "ElectionType",
    "FeatureUpdate",
    "LogDirDescription",
    "LogTruncation",
    "NewPartitions",
    "NewTopic",
    "Node",
    "OffsetAndTimestamp",
    "PartitionDescription",
    "PartitionReassignment",
    "PositionKept",
    "PositionReset",
    "Producer",
    "ProducerConfig",
    "ProducerRecord",
    "QuorumDescription",
    "QuorumReplica",
    "RecordColumns",
    "RecordMetadata",
    "ReplicaBytes",
    "ReplicaLogDir",
    "SentRange",
    "TopicDescription",
    "TopicPartition",
    "UpgradeType",
]
