"""Producer, consumer and admin for asyncio programs."""

from __future__ import annotations

from .admin.acl_values import (
    AclBinding,
    AclBindingFilter,
    AclOperation,
    AclPatternType,
    AclPermission,
    AclResourceType,
)
from .admin.admin import Admin
from .admin.group_values import (
    GroupDescription,
    GroupListing,
    GroupMember,
    OffsetReset,
    ResetTo,
)
from .admin.quota_values import ANY_NAME, QuotaEntity
from .admin.transaction_values import (
    HangingTransaction,
    ProducerState,
    TransactionDescription,
    TransactionListing,
)
from .admin.user_values import ScramAlteration, ScramDeletion, ScramUpsertion
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
from .groups.values import (
    CloseOption,
    ConsumerRebalanceListener,
    ConsumerState,
    GroupMetadata,
    GroupState,
    OffsetAndMetadata,
    RebalanceListener,
)
from .producing.many import SentRange
from .producing.producer import Producer
from .producing.transaction import Transaction
from .serializing import Deserializer, Serializer
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
from .transactions.machine import Outcome, ProducerIdAndEpoch
from .transactions.prepared import PreparedTransaction
from .wire.metadata import Node
from .wire.throttle import ThrottleTimes

__all__ = [
    "ANY_NAME",
    "AclBinding",
    "AclBindingFilter",
    "AclOperation",
    "AclPatternType",
    "AclPermission",
    "AclResourceType",
    "Admin",
    "AdminConfig",
    "AlterConfig",
    "AlterConfigOp",
    "CloseOption",
    "ClusterDescription",
    "ConfigEntry",
    "ConfigResource",
    "ConfigResourceType",
    "ConfigSource",
    "Consumer",
    "ConsumerConfig",
    "ConsumerRebalanceListener",
    "ConsumerRecord",
    "ConsumerState",
    "CreatedTopic",
    "Deserializer",
    "ElectionType",
    "FeatureUpdate",
    "GroupDescription",
    "GroupListing",
    "GroupMember",
    "GroupMetadata",
    "GroupState",
    "HangingTransaction",
    "LogDirDescription",
    "LogTruncation",
    "NewPartitions",
    "NewTopic",
    "Node",
    "OffsetAndMetadata",
    "OffsetAndTimestamp",
    "OffsetReset",
    "Outcome",
    "PartitionDescription",
    "PartitionReassignment",
    "PositionKept",
    "PositionReset",
    "PreparedTransaction",
    "Producer",
    "ProducerConfig",
    "ProducerIdAndEpoch",
    "ProducerRecord",
    "ProducerState",
    "QuorumDescription",
    "QuorumReplica",
    "QuotaEntity",
    "RebalanceListener",
    "RecordColumns",
    "RecordMetadata",
    "ReplicaBytes",
    "ReplicaLogDir",
    "ResetTo",
    "ScramAlteration",
    "ScramDeletion",
    "ScramUpsertion",
    "SentRange",
    "Serializer",
    "ThrottleTimes",
    "TopicDescription",
    "TopicPartition",
    "Transaction",
    "TransactionDescription",
    "TransactionListing",
    "UpgradeType",
]
