"""Members that are not heard of, or do not give up what they must: both go (848-21).

Timers are set by operations and never taken back. One that goes off in vain does no harm: it looks
whether its reason still holds.
"""

from __future__ import annotations

from functools import partial

from ...machine import Outcome
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .departures import Departures
from .group_settings import session_timeout_ms
from .member import MemberState
from .timer_keys import rebalance_key, session_key


class Sessions:
    """The timers of all members of a shard."""

    __slots__ = ("_around", "_departures")

    def __init__(self, around: GroupSurroundings, departures: Departures) -> None:
        self._around = around
        self._departures = departures

    def restart(self, group_id: str, member_id: str) -> None:
        """The member was heard of."""
        around = self._around
        around.timers.schedule(
            session_key(group_id, member_id),
            session_timeout_ms(group_id, around.config, around.image()),
            partial(self._on_session_end, group_id, member_id),
        )

    def await_revocation(self, group_id: str, member_id: str, epoch: int, timeout_ms: int) -> None:
        """The member must give partitions up within its rebalance timeout."""
        self._around.timers.schedule(
            rebalance_key(group_id, member_id),
            timeout_ms,
            partial(self._on_rebalance_end, group_id, member_id, epoch),
        )

    def begin_all(self, group: ConsumerGroup) -> None:
        """The shard was loaded: every member has all of its time again (CRT-17)."""
        for member_id, member in group.state.members.items():
            self.restart(group.group_id, member_id)
            current = group.state.current(member_id)
            if current.state is MemberState.UNREVOKED_PARTITIONS:
                self.await_revocation(
                    group.group_id, member_id, current.epoch, member.rebalance_timeout_ms
                )

    def _on_session_end(self, group_id: str, member_id: str) -> Outcome[None]:
        group = self._around.groups.get(group_id)
        if not isinstance(group, ConsumerGroup) or member_id not in group.state.members:
            return Outcome(None)
        return self._departures.fence(group, member_id, "its session ended")

    def _on_rebalance_end(self, group_id: str, member_id: str, epoch: int) -> Outcome[None]:
        group = self._around.groups.get(group_id)
        if not isinstance(group, ConsumerGroup) or member_id not in group.state.members:
            return Outcome(None)
        current = group.state.current(member_id)
        if current.state is not MemberState.UNREVOKED_PARTITIONS or current.epoch != epoch:
            return Outcome(None)
        return self._departures.fence(
            group, member_id, "it did not give its partitions up within its rebalance timeout"
        )
