"""The admin: topics, settings, offsets and what the cluster looks like.

A call that fails for one of its names raises the typed error of that name; for several it raises
the first, whose `failures` holds them all. Nothing fails in silence.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import TracebackType
from typing import Self, Unpack

from . import admin_configs, admin_describe, admin_topics
from .admin_values import (
    AlterConfig,
    ClusterDescription,
    ConfigEntry,
    ConfigResource,
    CreatedTopic,
    LogDirDescription,
    NewPartitions,
    NewTopic,
    TopicDescription,
)
from .cluster import Cluster
from .config import AdminConfig, make_config
from .offsets import list_offsets
from .options import AdminOptions
from .structs import OffsetAndTimestamp, TopicPartition


class Admin:
    """Looks at a cluster and changes it."""

    def __init__(self, config: AdminConfig | None = None, **options: Unpack[AdminOptions]) -> None:
        self._config = config or make_config(AdminConfig, options)
        self._cluster = Cluster(self._config)

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

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

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
        return await admin_topics.create_topics(self._cluster, topics, limit_ms, validate_only)

    async def delete_topics(self, topics: Sequence[str], *, timeout_ms: int | None = None) -> None:
        """Delete topics with all their records.

        Raises:
            UnknownTopicOrPartitionError: there is no such topic.
        """
        await admin_topics.delete_topics(self._cluster, topics, self._limit_ms(timeout_ms))

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
        await admin_topics.create_partitions(self._cluster, wanted, limit_ms, validate_only)

    async def delete_records(
        self, records_to_delete: Mapping[TopicPartition, int], *, timeout_ms: int | None = None
    ) -> dict[TopicPartition, int]:
        """Delete all records before an offset (-1: all there are); returns the first offsets left.

        Raises:
            OffsetOutOfRangeError: beyond the high watermark.
        """
        limit_ms = self._limit_ms(timeout_ms)
        return await admin_topics.delete_records(self._cluster, records_to_delete, limit_ms)

    async def list_topics(self, *, include_internal: bool = False) -> dict[str, bytes]:
        """Names of all topics, with their ids (16 zero bytes from brokers before 2.8)."""
        return await admin_describe.list_topics(self._cluster, include_internal)

    async def describe_topics(
        self, topics: Sequence[str] | None = None
    ) -> dict[str, TopicDescription]:
        """Partitions of topics with leader, replicas, ISR and ELR; None for all topics.

        Raises:
            UnknownTopicOrPartitionError: there is no such topic.
        """
        return await admin_describe.describe_topics(self._cluster, topics)

    async def list_offsets(
        self, topic_partition_times: Mapping[TopicPartition, int], *, isolation: int = 0
    ) -> dict[TopicPartition, OffsetAndTimestamp]:
        """Offsets by time in milliseconds, or by -1 (latest), -2 (earliest), -3 (the record with
        the greatest timestamp). Offset -1: there is no such record."""
        return await list_offsets(self._cluster, topic_partition_times, isolation=isolation)

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
        return await admin_configs.describe_configs(
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
        await admin_configs.incremental_alter_configs(self._cluster, changes, validate_only)

    # ------------------------------------------------------------ the cluster

    async def describe_cluster(self, *, include_fenced: bool = False) -> ClusterDescription:
        """The cluster's id, controller and brokers."""
        return await admin_describe.describe_cluster(self._cluster, include_fenced)

    async def describe_log_dirs(
        self,
        brokers: Sequence[int] | None = None,
        partitions: Sequence[TopicPartition] | None = None,
    ) -> list[LogDirDescription]:
        """Log directories of brokers (None: all) and the replicas in them (None: all)."""
        return await admin_describe.describe_log_dirs(self._cluster, brokers, partitions)

    def _limit_ms(self, timeout_ms: int | None) -> int:
        return self._config.request_timeout_ms if timeout_ms is None else timeout_ms
