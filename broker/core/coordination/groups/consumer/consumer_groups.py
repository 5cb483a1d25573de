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

from ....reads import Steps
from ...machine import Outcome, Record
from ..classic.classic_groups import ClassicGroups
from ..surroundings import GroupSurroundings
from .classic_joins import ClassicJoins
from .classic_members import ClassicMembers
from .consumer_group import ConsumerGroup
from .departures import Departures
from .describing import describing, not_described
from .downgrades import Downgrades
from .heartbeats import Heartbeats
from .member import Client
from .pattern_refresh import PatternRefresh
from .pattern_search import MaySee
from .replaying import apply_record
from .sessions import Sessions
from .targets import Targets
from .topic_changes import TopicChanges
from .upgrades import Upgrades


class ConsumerGroups:
    """Operations, replay and timers of the groups whose kind is `consumer`."""

    __slots__ = (
        "_around",
        "_changes",
        "_heartbeats",
        "_sessions",
        "classic_joins",
        "classic_members",
    )

    def __init__(self, around: GroupSurroundings, classic: ClassicGroups) -> None:
        """`classic`: the groups of the other protocol, from and to which groups may change."""
        self._around = around
        self._changes = changes = TopicChanges(around.image)
        downgrades = Downgrades(around, classic)
        departures = Departures(around, changes, downgrades)
        self._sessions = sessions = Sessions(around, departures)
        targets = Targets(around)
        self._heartbeats = Heartbeats(
            around,
            changes,
            departures,
            sessions,
            targets,
            PatternRefresh(around, changes),
            Upgrades(around, classic, sessions),
        )
        self.classic_joins = ClassicJoins(around, changes, downgrades, sessions, targets)
        self.classic_members = ClassicMembers(around, changes, departures, sessions, targets)

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

    def describing(self, group_id: str, offset: int) -> Steps[DescribedGroup]:
        """The group as it was when the log ended at `offset`, in steps (848-24).

        Raises KafkaError GROUP_ID_NOT_FOUND (69) if there was no such one.
        """
        group = self._around.groups.at(group_id, offset)
        if not isinstance(group, ConsumerGroup):
            raise not_described(group_id)
        return describing(group, offset, self._around.config, self._around.image())

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
