"""Producer, consumer and admin for asyncio programs."""

from __future__ import annotations

from .admin.admin import Admin
from .admin.values import (
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
from .config import AdminConfig, ConsumerConfig, ProducerConfig
from .consuming.columns import RecordColumns
from .consuming.consumer import Consumer
from .producing.many import SentRange
from .producing.producer import Producer
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
from .wire.metadata import Node

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
