"""Members that go: for good, for a while, or because they were given up (848-09, 848-21)."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from functools import partial

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)

from ...machine import Outcome
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .downgrades import Downgrades
from .draft import Draft
from .group_epochs import renew_epoch
from .member import LEAVES_FOR_A_WHILE, MemberState
from .refusals import fenced_instance, unknown_group, unknown_instance, unknown_member
from .timer_keys import keys_of
from .topic_changes import TopicChanges


class Departures:
    """How members leave the groups of a shard."""

    __slots__ = ("_around", "_changes", "_downgrades")

    def __init__(
        self, around: GroupSurroundings, changes: TopicChanges, downgrades: Downgrades
    ) -> None:
        self._around = around
        self._changes = changes
        self._downgrades = downgrades

    def leave(
        self, request: ConsumerGroupHeartbeatRequest
    ) -> Outcome[ConsumerGroupHeartbeatResponse]:
        """The member says that it goes. Only group, member and instance are looked at (848-03)."""
        group = self._around.groups.get(request.group_id)
        if not isinstance(group, ConsumerGroup):
            raise unknown_group(request.group_id)
        self._check(group, request)
        answer = ConsumerGroupHeartbeatResponse(
            member_id=request.member_id, member_epoch=request.member_epoch
        )
        if request.member_epoch == LEAVES_FOR_A_WHILE:
            return self._pause(group, request.member_id, answer)
        gone = self.fence(group, request.member_id, "it left")
        return replace_answer(gone, answer)

    def fence(self, group: ConsumerGroup, member_id: str, reason: str) -> Outcome[None]:
        """The member is none any more; what it had is free, and the group's epoch rises."""
        self._around.report(
            "a member of a consumer group goes",
            {"group": group.group_id, "member": member_id, "reason": reason},
        )
        forget = partial(self.forget, group.group_id, (member_id,))
        if self._downgrades.is_due(group, member_id):
            return self._downgrades.without(group, member_id, forget)
        draft = Draft(group.group_id, group.state)
        draft.remove_member(member_id)
        renew_epoch(draft, group, self._changes, must_rise=True)
        return Outcome(None, draft.records, on_appended=forget)

    def _check(self, group: ConsumerGroup, request: ConsumerGroupHeartbeatRequest) -> None:
        if request.instance_id is not None:
            holder = group.state.instances.get(request.instance_id)
            if holder is None:
                raise unknown_instance(request.instance_id, request.group_id)
            if holder != request.member_id:
                raise fenced_instance(request.instance_id, request.member_id)
        if request.member_id not in group.state.members:
            raise unknown_member(request.member_id, request.group_id)

    def _pause(
        self, group: ConsumerGroup, member_id: str, answer: ConsumerGroupHeartbeatResponse
    ) -> Outcome[ConsumerGroupHeartbeatResponse]:
        """A static member keeps what it has until it is back or its session ends (848-09)."""
        draft = Draft(group.group_id, group.state)
        current = draft.current(member_id)
        draft.put_current(
            member_id,
            replace(
                current,
                epoch=LEAVES_FOR_A_WHILE,
                state=MemberState.STABLE,
                assigned=dict.fromkeys(current.assigned, 0),
                revoking={},
            ),
        )
        return Outcome(answer, draft.records)

    def forget(self, group_id: str, member_ids: Iterable[str], code: ErrorCode) -> None:
        """Drop the timers of members that went, once that is in the log.

        Until then it may be taken back, and the members be here.
        """
        if code is not ErrorCode.NONE:
            return
        group = self._around.groups.get(group_id)
        for member_id in member_ids:
            if isinstance(group, ConsumerGroup) and member_id in group.state.members:
                continue
            for key in keys_of(group_id, member_id):
                self._around.timers.cancel(key)


def replace_answer(
    outcome: Outcome[None], answer: ConsumerGroupHeartbeatResponse
) -> Outcome[ConsumerGroupHeartbeatResponse]:
    """The same decision with an answer for the client."""
    return Outcome(answer, outcome.records, on_appended=outcome.on_appended)
