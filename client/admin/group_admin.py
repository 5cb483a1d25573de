"""The part of the admin that is about groups and their committed offsets."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from ..arguments import checked_names
from ..config import AdminConfig
from ..env import ClientEnv
from ..groups.values import OffsetAndMetadata
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from . import group_offsets as offset_calls
from . import groups as group_calls
from .group_values import GroupDescription, GroupListing, OffsetReset


class GroupAdmin:
    """Looks at groups and changes them; each call goes to the coordinators by itself."""

    def __init__(self, config: AdminConfig, env: ClientEnv) -> None:
        self._config = config
        self._env = env
        self._cluster = Cluster(config, env)

    async def list_groups(
        self, *, states: Sequence[str] = (), types: Sequence[str] = ()
    ) -> list[GroupListing]:
        """All groups, or those in one of these states and of one of these types, by name.

        Raises:
            UnsupportedVersionError: a broker is too old to look for states, or for types.
        """
        return await group_calls.list_groups(self._cluster, states, types)

    async def describe_groups(self, group_ids: Sequence[str]) -> dict[str, GroupDescription]:
        """Members of groups and what they have, classic groups and those of the consumer protocol.

        Raises:
            GroupIdNotFoundError: there is no such group.
        """
        return await group_calls.describe_groups(self._cluster, group_ids)

    async def delete_groups(self, group_ids: Sequence[str]) -> None:
        """Delete groups with all their committed offsets.

        Raises:
            NonEmptyGroupError: a group has members; the text names them.
            GroupIdNotFoundError: there is no such group.
        """
        names = checked_names("delete_groups", group_ids)
        await group_calls.delete_groups(self._cluster, names)

    async def list_group_offsets(
        self,
        group_id: str,
        partitions: Iterable[TopicPartition] | None = None,
        *,
        require_stable: bool = False,
    ) -> dict[TopicPartition, OffsetAndMetadata]:
        """Committed offsets of these partitions, or of all that have one. With `require_stable`
        this waits until no transaction may change them."""
        return await offset_calls.list_group_offsets(
            self._cluster, group_id, partitions, require_stable=require_stable
        )

    async def alter_group_offsets(
        self, group_id: str, offsets: Mapping[TopicPartition, int | OffsetAndMetadata]
    ) -> None:
        """Commit offsets for a group without members; a group that is not there is made.

        Raises:
            NonEmptyGroupError: it has members; the text names them.
        """
        await offset_calls.alter_group_offsets(self._cluster, group_id, offsets)

    async def reset_group_offsets(
        self,
        group_id: str,
        reset: OffsetReset,
        partitions: Iterable[TopicPartition] | None = None,
        *,
        dry_run: bool = False,
    ) -> dict[TopicPartition, int]:
        """Commit where the log begins or ends, a time, an offset, or a shift of what is committed,
        for these partitions or for all that have an offset. Returns the new offsets; with `dry_run`
        they are not committed.

        Raises:
            NonEmptyGroupError: the group has members; the text names them.
            ConfigurationError: nothing to reset, or no offset to shift.
        """
        return await offset_calls.reset_group_offsets(
            self._cluster, group_id, reset, partitions, dry_run=dry_run
        )

    async def delete_group_offsets(
        self, group_id: str, partitions: Iterable[TopicPartition]
    ) -> None:
        """Forget the committed offsets of partitions.

        Raises:
            GroupSubscribedError: members are subscribed to the topic.
            GroupIdNotFoundError: there is no such group.
        """
        await offset_calls.delete_group_offsets(self._cluster, group_id, partitions)
