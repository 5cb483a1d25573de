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
from .member import Member, MemberState
from .timer_keys import join_key, rebalance_key, session_key, sync_key


class Sessions:
    """The timers of all members of a shard."""

    __slots__ = ("_around", "_departures")

    def __init__(self, around: GroupSurroundings, departures: Departures) -> None:
        self._around = around
        self._departures = departures

    def restart(self, group_id: str, member: Member) -> None:
        """The member was heard of; one of the classic protocol has a timeout of its own."""
        around = self._around
        if member.classic is not None:
            self.restart_classic(group_id, member.member_id, member.classic.session_timeout_ms)
        else:
            timeout_ms = session_timeout_ms(group_id, around.config, around.image())
            self._begin(group_id, member.member_id, timeout_ms)

    def restart_classic(self, group_id: str, member_id: str, timeout_ms: int) -> None:
        """The same for a member of the classic protocol that is about to be one of this group."""
        self._begin(group_id, member_id, max(timeout_ms, 0))

    def _begin(self, group_id: str, member_id: str, timeout_ms: int) -> None:
        self._around.timers.schedule(
            session_key(group_id, member_id),
            timeout_ms,
            partial(self._on_session_end, group_id, member_id),
        )

    def await_revocation(self, group_id: str, member: Member, epoch: int) -> None:
        """The member must give partitions up within its rebalance timeout."""
        self._around.timers.schedule(
            rebalance_key(group_id, member.member_id),
            member.rebalance_timeout_ms,
            partial(self._on_rebalance_end, group_id, member.member_id, epoch),
        )

    def begin_all(self, group: ConsumerGroup) -> None:
        """The shard was loaded: every member has all of its time again (CRT-17)."""
        for member_id, member in group.state.members.items():
            self.restart(group.group_id, member)
            current = group.state.current(member_id)
            is_revoking = current.state is MemberState.UNREVOKED_PARTITIONS
            if is_revoking and member.classic is None:
                self.await_revocation(group.group_id, member, current.epoch)

    # --- members of the classic protocol (848-41) -------------------------------------------------

    def await_join(self, group_id: str, member: Member) -> None:
        """The member was told to join again; it has its rebalance timeout from the first time."""
        key = join_key(group_id, member.member_id)
        if not self._around.timers.is_set(key):
            self._around.timers.schedule(
                key,
                member.rebalance_timeout_ms,
                partial(self._on_silence, group_id, member.member_id, "join again"),
            )

    def joined(self, group_id: str, member: Member) -> None:
        """The member joined: it must ask for its assignment within its rebalance timeout."""
        self._around.timers.cancel(join_key(group_id, member.member_id))
        self.restart(group_id, member)
        self._around.timers.schedule(
            sync_key(group_id, member.member_id),
            member.rebalance_timeout_ms,
            partial(self._on_silence, group_id, member.member_id, "ask for its assignment"),
        )

    def synced(self, group_id: str, member: Member) -> None:
        """The member asked for its assignment."""
        self._around.timers.cancel(sync_key(group_id, member.member_id))
        self.restart(group_id, member)

    def _on_silence(self, group_id: str, member_id: str, what: str) -> Outcome[None]:
        group = self._around.groups.get(group_id)
        member = group.state.members.get(member_id) if isinstance(group, ConsumerGroup) else None
        if member is None or member.classic is None:
            return Outcome(None)
        assert isinstance(group, ConsumerGroup), "it has a member"
        return self._departures.fence(
            group, member_id, f"it did not {what} within its rebalance timeout"
        )

    # --- members of the consumer protocol -------------------------------------------------------

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
