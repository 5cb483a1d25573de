"""The state machine of one shard of the group coordinator: its parts, and which record is whose."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from barnabas.protocol.messages.group_metadata_key import GroupMetadataKey
from barnabas.protocol.messages.group_metadata_value import GroupMetadataValue
from barnabas.protocol.messages.legacy_offset_commit_key import LegacyOffsetCommitKey
from barnabas.protocol.messages.legacy_offset_commit_value import LegacyOffsetCommitValue
from barnabas.protocol.messages.offset_commit_key import OffsetCommitKey
from barnabas.protocol.messages.offset_commit_value import OffsetCommitValue

from ..machine import Producer, Record
from .classic.classic_groups import ClassicGroups
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
        self.consumer = ConsumerGroups(around)
        self.offsets = GroupOffsets(around, self.classic.simple_group)

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
