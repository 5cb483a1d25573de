"""The consumer groups of one shard: what other parts of the coordinator call (KIP-848)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from barnabas.protocol.messages.consumer_group_describe_response import DescribedGroup
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)
from barnabas.protocol.messages.consumer_group_metadata_key import ConsumerGroupMetadataKey

from ...machine import Outcome, Record
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .departures import Departures
from .describing import describe, not_found
from .heartbeats import Heartbeats
from .member import Client
from .pattern_refresh import PatternRefresh
from .pattern_search import MaySee
from .replaying import apply_record
from .sessions import Sessions
from .topic_changes import TopicChanges


class ConsumerGroups:
    """Operations, replay and timers of the groups whose kind is `consumer`."""

    __slots__ = ("_around", "_changes", "_heartbeats", "_sessions")

    def __init__(self, around: GroupSurroundings) -> None:
        self._around = around
        self._changes = TopicChanges(around.image)
        departures = Departures(around, self._changes)
        self._sessions = Sessions(around, departures)
        self._heartbeats = Heartbeats(
            around,
            self._changes,
            departures,
            self._sessions,
            PatternRefresh(around, self._changes),
        )

    def heartbeat(
        self,
        request: ConsumerGroupHeartbeatRequest,
        client: Client,
        may_see: MaySee | None = None,
    ) -> Outcome[ConsumerGroupHeartbeatResponse]:
        """What a heartbeat comes to; the request has passed `check_heartbeat` (848-02).

        `may_see`: which topics a pattern may stand for, as far as its member is concerned.

        Raises KafkaError 25, 69, 81, 82, 110, 111 or 128; then nothing changes.
        """
        return self._heartbeats.decide(request, client, may_see)

    def describe(self, group_ids: Iterable[str], offset: int) -> list[DescribedGroup]:
        """The groups as they were when the log ended at `offset`; 69 for others (848-24)."""
        described = []
        for group_id in group_ids:
            group = self._around.groups.at(group_id, offset)
            if isinstance(group, ConsumerGroup):
                image, config = self._around.image(), self._around.config
                described.append(describe(group, offset, config, image))
            else:
                described.append(not_found(group_id))
        return described

    def replay(self, record: Record) -> None:
        """Apply one record whose key is one of `replaying.KEYS`."""
        groups, key, value = self._around.groups, record.key, record.value
        group_id: str = key.group_id  # type: ignore[attr-defined]  # all of these keys have it
        group = groups.get(group_id)
        if value is None and not isinstance(group, ConsumerGroup):
            return
        if not isinstance(group, ConsumerGroup):
            # None, or offsets of the group came first, as those of a classic one.
            group = ConsumerGroup(group_id, self._around)
            groups[group_id] = group
        if value is None and isinstance(key, ConsumerGroupMetadataKey):
            groups.pop(group_id)
        else:
            apply_record(group.state, key, value)

    def on_loaded(self) -> None:
        """Every member has all of its time again (CRT-17)."""
        for group in self._all():
            self._sessions.begin_all(group)

    def on_unloaded(self) -> None:
        """Nobody waits in a consumer group; the timers go with the shard (CRT-18)."""

    def on_metadata_changed(self, names: Iterable[str]) -> None:
        """These topics were made, removed or altered: groups see it at their next heartbeat."""
        self._changes.note(names)

    def _all(self) -> Sequence[ConsumerGroup]:
        return [one for one in self._around.groups.values() if isinstance(one, ConsumerGroup)]
