"""The state machine of one shard of the group coordinator: its parts, and which record is whose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue
from barnabas.protocol.messages.heartbeat_request import HeartbeatRequest
from barnabas.protocol.messages.heartbeat_response import HeartbeatResponse
from barnabas.protocol.messages.join_group_request import JoinGroupRequest
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.leave_group_request import LeaveGroupRequest
from barnabas.protocol.messages.leave_group_response import LeaveGroupResponse
from barnabas.protocol.messages.legacy_offset_commit_key import LegacyOffsetCommitKey
from barnabas.protocol.messages.legacy_offset_commit_value import LegacyOffsetCommitValue
from barnabas.protocol.messages.offset_commit_key import OffsetCommitKey
from barnabas.protocol.messages.offset_commit_value import OffsetCommitValue
from barnabas.protocol.messages.sync_group_request import SyncGroupRequest
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from ..machine import Outcome, Producer, Record, Reply
from .classic.admission import terms_of
from .classic.classic_groups import ClassicGroups
from .classic.joining import Joiner
from .classic.member import Client
from .consumer.consumer_group import ConsumerGroup
from .consumer.consumer_groups import ConsumerGroups
from .consumer.replaying import KEYS as CONSUMER_KEYS
from .offsets.group_offsets import GroupOffsets
from .surroundings import GroupSurroundings


class GroupMachine:
    """Groups of both protocols and their offsets, as one partition of `__consumer_offsets` says."""

    __slots__ = ("around", "classic", "consumer", "offsets")

    def __init__(self, around: GroupSurroundings) -> None:
        self.around = around
        self.classic = ClassicGroups(around)
        self.consumer = ConsumerGroups(around, self.classic)
        self.offsets = GroupOffsets(around, self.classic.simple_group)

    # --- requests of members of the classic protocol, whatever kind of group they are in ----------

    def join(
        self, request: JoinGroupRequest, client: Client, reply: Reply[JoinGroupResponse]
    ) -> Outcome[None]:
        """Answer a JoinGroup that `check_join` let pass, by `reply`. Raises KafkaError."""
        group = self._consumer_group(request.group_id)
        if group is None or group.is_empty:
            return self.classic.join(request, client, reply)
        joiner = Joiner(request, client, terms_of(request, client), reply)
        return self.consumer.classic_joins.join(group, joiner)

    def sync(self, request: SyncGroupRequest, reply: Reply[SyncGroupResponse]) -> Outcome[None]:
        """Answer a SyncGroup that `check_sync` let pass, by `reply`. Raises KafkaError."""
        group = self._consumer_group(request.group_id)
        if group is None:
            return self.classic.sync(request, reply)
        return self.consumer.classic_members.sync(group, request, reply)

    def heartbeat(self, request: HeartbeatRequest) -> Outcome[HeartbeatResponse]:
        """Answer a Heartbeat. Raises KafkaError."""
        group = self._consumer_group(request.group_id)
        if group is None:
            return self.classic.heartbeat(request)
        return self.consumer.classic_members.heartbeat(group, request)

    def leave(self, request: LeaveGroupRequest) -> Outcome[LeaveGroupResponse]:
        """Answer a LeaveGroup, of any number of members (GRP-22). Raises KafkaError."""
        group = self._consumer_group(request.group_id)
        if group is None:
            return self.classic.leave(request)
        return self.consumer.classic_members.leave(group, request)

    def _consumer_group(self, group_id: str) -> ConsumerGroup | None:
        found = self.around.groups.get(group_id)
        return found if isinstance(found, ConsumerGroup) else None

    # --- records --------------------------------------------------------------------------------

    def replay(self, record: Record, offset: int, producer: Producer | None) -> None:
        """Hand the record to the part that it belongs to."""
        key, value = record.key, record.value
        if isinstance(key, OffsetCommitKey | LegacyOffsetCommitKey):
            assert value is None or isinstance(value, OffsetCommitValue | LegacyOffsetCommitValue)
            self.offsets.replay(key, value, offset, producer)
        elif isinstance(key, GroupMetadataKey):
            assert value is None or isinstance(value, GroupMetadataValue)
            self.classic.replay_group(key, value, offset)
        elif type(key) in CONSUMER_KEYS:
            self.consumer.replay(record)

    def replay_end(self, producer: Producer, *, is_commit: bool) -> None:
        """A transaction ended: only offsets are part of any."""
        self.offsets.replay_end(producer, is_commit=is_commit)

    def on_loaded(self) -> None:
        """Set the timers of all groups and of the offsets (CRT-17)."""
        for group in list(self.around.groups.values()):
            group.on_loaded()
        self.consumer.on_loaded()
        self.offsets.on_loaded()

    def on_unloaded(self) -> None:
        """Refuse all who wait in groups (CRT-18)."""
        for group in list(self.around.groups.values()):
            group.on_unloaded()
        self.consumer.on_unloaded()

    def on_metadata(self, changed: Iterable[str], deleted: Mapping[str, bytes]) -> None:
        """Topics of the cluster were made or changed, or are gone: names, and ids of the latter.

        Their offsets go (OFF-22), and groups look at their topics again (848-11).
        """
        self.consumer.on_metadata_changed((*changed, *deleted))
        if deleted:
            self.offsets.on_topics_deleted(deleted)
