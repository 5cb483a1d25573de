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
    LogDirDescription,
    NewPartitions,
    NewTopic,
    PartitionDescription,
    ReplicaLogDir,
    TopicDescription,
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
    "LogDirDescription",
    "LogTruncation",
    "NewPartitions",
    "NewTopic",
    "Node",
    "OffsetAndTimestamp",
    "PartitionDescription",
    "PositionKept",
    "PositionReset",
    "Producer",
    "ProducerConfig",
    "ProducerRecord",
    "RecordColumns",
    "RecordMetadata",
    "ReplicaBytes",
    "ReplicaLogDir",
    "SentRange",
    "TopicDescription",
    "TopicPartition",
]
