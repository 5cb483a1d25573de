"""The admin: topics, settings, offsets and what the cluster looks like.

A call that fails for one of its names raises the typed error of that name; for several it raises
the first, whose `failures` holds them all. Nothing fails in silence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Unpack

from ..arguments import as_index, checked_names
from ..config import AdminConfig
from ..declared import chosen_config
from ..env import REAL_ENV, ClientEnv
from ..options import AdminOptions
from ..startable import Startable
from ..structs import OffsetAndTimestamp, TopicPartition
from ..wire.offsets import list_offsets
from . import cluster as cluster_calls
from . import configs as config_calls
from . import describe as describe_calls
from . import log_dirs as log_dir_calls
from . import topics as topic_calls
from .acl_admin import AclAdmin
from .group_admin import GroupAdmin
from .quota_admin import QuotaAdmin
from .transaction_admin import TransactionAdmin
from .user_admin import UserAdmin
from .values import (
    AlterConfig,
    ClusterDescription,
    ConfigEntry,
    ConfigResource,
    CreatedTopic,
    ElectionType,
    FeatureUpdate,
    LogDirDescription,
    NewPartitions,
    NewTopic,
    PartitionReassignment,
    QuorumDescription,
    TopicDescription,
)


class Admin(GroupAdmin, TransactionAdmin, AclAdmin, QuotaAdmin, UserAdmin, Startable):
    """Looks at a cluster and changes it."""

    def __init__(
        self,
        config: AdminConfig | None = None,
        *,
        env: ClientEnv = REAL_ENV,
        **options: Unpack[AdminOptions],
    ) -> None:
        super().__init__(chosen_config(AdminConfig, config, options), env)

    async def start(self) -> None:
        """Connect and learn the cluster.

        Raises:
            NotABrokerError, BootstrapError: no broker of the list answers.
        """
        await self._cluster.start()

    async def stop(self) -> None:
        """Disconnect."""
        await self._cluster.close()

    close = stop

    # ------------------------------------------------------------ topics

    async def create_topics(
        self,
        topics: Sequence[NewTopic],
        *,
        timeout_ms: int | None = None,
        validate_only: bool = False,
    ) -> dict[str, CreatedTopic]:
        """Create topics, or only check that they could be created.

        Raises:
            TopicAlreadyExistsError, InvalidTopicError, InvalidReplicationFactorError, …
        """
        limit_ms = self._limit_ms(timeout_ms)
        return await topic_calls.create_topics(self._cluster, topics, limit_ms, validate_only)

    async def delete_topics(self, topics: Sequence[str], *, timeout_ms: int | None = None) -> None:
        """Delete topics with all their records.

        Raises:
            UnknownTopicOrPartitionError: there is no such topic.
        """
        names = checked_names("delete_topics", topics)
        await topic_calls.delete_topics(self._cluster, names, self._limit_ms(timeout_ms))

    async def create_partitions(
        self,
        topic_partitions: Mapping[str, NewPartitions | int],
        *,
        timeout_ms: int | None = None,
        validate_only: bool = False,
    ) -> None:
        """Give topics more partitions: the new total by topic.

        Raises:
            InvalidPartitionsError: not more than there are.
        """
        wanted = {
            name: NewPartitions(each) if isinstance(each, int) else each
            for name, each in topic_partitions.items()
        }
        limit_ms = self._limit_ms(timeout_ms)
        await topic_calls.create_partitions(self._cluster, wanted, limit_ms, validate_only)

    async def delete_records(
        self, records_to_delete: Mapping[TopicPartition, int], *, timeout_ms: int | None = None
    ) -> dict[TopicPartition, int]:
        """Delete all records before an offset (-1: all there are); returns the first offsets left.

        Raises:
            OffsetOutOfRangeError: beyond the high watermark.
        """
        limit_ms = self._limit_ms(timeout_ms)
        return await topic_calls.delete_records(self._cluster, records_to_delete, limit_ms)

    async def list_topics(self, *, include_internal: bool = False) -> dict[str, bytes]:
        """Names of all topics, with their ids (16 zero bytes from brokers before 2.8)."""
        return await describe_calls.list_topics(self._cluster, include_internal)

    async def describe_topics(
        self, topics: Sequence[str] | None = None
    ) -> dict[str, TopicDescription]:
        """Partitions of topics with leader, replicas, ISR and ELR; None for all topics.

        Raises:
            UnknownTopicOrPartitionError: there is no such topic.
        """
        return await describe_calls.describe_topics(self._cluster, topics)

    async def list_offsets(
        self,
        topic_partition_times: Mapping[TopicPartition, int],
        *,
        isolation: int = 0,
        timeout_ms: int | None = None,
    ) -> dict[TopicPartition, OffsetAndTimestamp]:
        """Offsets by time in milliseconds, or by -1 (latest), -2 (earliest), -3 (the record with
        the greatest timestamp). Offset -1: there is no such record.

        With `isolation` 1 (read_committed) the latest is the last stable offset.

        Raises:
            TypeError: something that is no whole number.
            UnsupportedVersionError: a broker does not know this number below zero.
        """
        return await list_offsets(
            self._cluster,
            {key: as_index("a time", each) for key, each in topic_partition_times.items()},
            isolation=isolation,
            timeout_s=None if timeout_ms is None else timeout_ms / 1000,
        )

    # ------------------------------------------------------------ settings

    async def describe_configs(
        self,
        config_resources: Sequence[ConfigResource],
        *,
        names: Sequence[str] | None = None,
        include_synonyms: bool = False,
        include_documentation: bool = False,
    ) -> dict[ConfigResource, dict[str, ConfigEntry]]:
        """Settings of topics and brokers, all or some by name."""
        return await config_calls.describe_configs(
            self._cluster, config_resources, names, include_synonyms, include_documentation
        )

    async def incremental_alter_configs(
        self,
        changes: Mapping[ConfigResource, Sequence[AlterConfig]],
        *,
        validate_only: bool = False,
    ) -> None:
        """Change single settings; all others stay.

        Raises:
            InvalidConfigError: a name or a value is not accepted; of that resource nothing changes.
        """
        await config_calls.incremental_alter_configs(self._cluster, changes, validate_only)

    # ------------------------------------------------------------ the cluster

    async def describe_cluster(self, *, include_fenced: bool = False) -> ClusterDescription:
        """The cluster's id, controller and brokers."""
        return await describe_calls.describe_cluster(self._cluster, include_fenced)

    async def describe_log_dirs(
        self,
        brokers: Sequence[int] | None = None,
        partitions: Sequence[TopicPartition] | None = None,
    ) -> list[LogDirDescription]:
        """Log directories of brokers (None: all) and the replicas in them (None: all).

        One that is offline is among them, with its `error_code`.
        """
        return await describe_calls.describe_log_dirs(self._cluster, brokers, partitions)

    async def alter_replica_log_dirs(
        self, broker: int, directories: Mapping[TopicPartition, str]
    ) -> None:
        """Move replicas of a broker to others of its log directories; it goes on after the call.

        Until a replica has moved, `describe_log_dirs` shows its copy there as a future one. The
        directory that it is in ends its move. A replica that the broker does not have yet
        (REPLICA_NOT_AVAILABLE) will be made in the directory.

        Raises:
            BrokerError: LOG_DIR_NOT_FOUND, KAFKA_STORAGE_ERROR, REPLICA_NOT_AVAILABLE, …
        """
        await log_dir_calls.alter_replica_log_dirs(self._cluster, broker, directories)

    async def describe_quorum(self) -> QuorumDescription:
        """The metadata quorum: leader, voters, observers, and how far each of them is."""
        return await cluster_calls.describe_quorum(self._cluster)

    async def unregister_broker(self, node_id: int) -> None:
        """Take a broker that is down for good out of the cluster.

        Raises:
            BrokerError: there is no such broker, or it is alive.
        """
        await cluster_calls.unregister_broker(self._cluster, node_id)

    async def update_features(
        self,
        feature_updates: Mapping[str, FeatureUpdate],
        *,
        timeout_ms: int | None = None,
        validate_only: bool = False,
    ) -> None:
        """Change levels of features such as metadata.version; all of them or none.

        Raises:
            BrokerError: a level that some node does not support, or a forbidden downgrade.
        """
        limit_ms = self._limit_ms(timeout_ms)
        await cluster_calls.update_features(self._cluster, feature_updates, limit_ms, validate_only)

    # ------------------------------------------------------------ replicas

    async def elect_leaders(
        self,
        election_type: ElectionType = ElectionType.PREFERRED,
        partitions: Sequence[TopicPartition] | None = None,
        *,
        timeout_ms: int | None = None,
    ) -> list[TopicPartition]:
        """Elect leaders of partitions (None: of all); returns those that got another one.

        A partition whose leader is the right one already is left as it is.

        Raises:
            BrokerError: no replica can lead, or there is no such partition.
        """
        limit_ms = self._limit_ms(timeout_ms)
        return await cluster_calls.elect_leaders(self._cluster, election_type, partitions, limit_ms)

    async def alter_partition_reassignments(
        self,
        reassignments: Mapping[TopicPartition, Sequence[int] | None],
        *,
        timeout_ms: int | None = None,
    ) -> None:
        """Give partitions other replicas (None: cancel); it goes on after the call.

        Raises:
            InvalidReplicaAssignmentError: a broker that there is not, or one twice.
            BrokerError: nothing to cancel (NO_REASSIGNMENT_IN_PROGRESS), …
        """
        limit_ms = self._limit_ms(timeout_ms)
        await cluster_calls.alter_partition_reassignments(self._cluster, reassignments, limit_ms)

    async def list_partition_reassignments(
        self,
        partitions: Sequence[TopicPartition] | None = None,
        *,
        timeout_ms: int | None = None,
    ) -> dict[TopicPartition, PartitionReassignment]:
        """Partitions whose replicas are on the move, of these or of all."""
        limit_ms = self._limit_ms(timeout_ms)
        return await cluster_calls.list_partition_reassignments(self._cluster, partitions, limit_ms)

    def _limit_ms(self, timeout_ms: int | None) -> int:
        return self._config.request_timeout_ms if timeout_ms is None else timeout_ms
