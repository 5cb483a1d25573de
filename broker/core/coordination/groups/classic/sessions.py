"""How long members of classic groups may be silent, and how long unused ids are kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

from ...machine import Outcome
from ..surroundings import GroupSurroundings
from .classic_group import ClassicGroup
from .member import Member

NEW_MEMBER_TIMEOUT_MS: Final = 300_000
"""Longest wait of a new member for its first answer (GRP-07): it has no id to send heartbeats by,
and whoever gave up would otherwise stay in the group for as long as the rebalance takes."""

NOTHING: Final[Outcome[None]] = Outcome(None)

OnEnd = Callable[[ClassicGroup, Member], Outcome[None]]
OnVoid = Callable[[ClassicGroup, str], Outcome[None]]


class Sessions:
    """One timer a member. A heartbeat only notes until when the session lasts; the timer looks at
    that when it goes off, so that it is set about once a session timeout."""

    __slots__ = ("_around", "_on_end", "_on_void")

    def __init__(self, around: GroupSurroundings, on_end: OnEnd, on_void: OnVoid) -> None:
        """`on_end` is asked when a session is over, `on_void` when an id was not used in time."""
        self._around = around
        self._on_end = on_end
        self._on_void = on_void

    def restart(self, group: ClassicGroup, member: Member) -> None:
        """The member was heard of, or was answered (GRP-18)."""
        self._last(group, member, max(member.terms.session_timeout_ms, 0))

    def start_new(self, group: ClassicGroup, member: Member) -> None:
        """A new member waits for its first answer (GRP-07)."""
        self._last(group, member, NEW_MEMBER_TIMEOUT_MS)

    def forget(self, group: ClassicGroup, member_id: str) -> None:
        """A member is gone, or an id is not pending any more."""
        self._around.timers.cancel(_key(group, member_id))

    def await_use(self, group: ClassicGroup, member_id: str, for_ms: float) -> None:
        """An id was given out: it is void if nobody joins with it in this time (GRP-05)."""

        def check() -> Outcome[None]:
            if member_id not in group.roster.pending or not is_here(self._around, group):
                return NOTHING
            return self._on_void(group, member_id)

        self._around.timers.schedule(_key(group, member_id), for_ms, check)

    def _last(self, group: ClassicGroup, member: Member, for_ms: float) -> None:
        member.expires_ms = self._around.env.clock.monotonic_ms() + for_ms
        if member.timer_ms is None or member.timer_ms > member.expires_ms:
            self._set_timer(group, member, for_ms)

    def _set_timer(self, group: ClassicGroup, member: Member, in_ms: float) -> None:
        member.timer_ms = self._around.env.clock.monotonic_ms() + in_ms

        def check() -> Outcome[None]:
            return self._check(group, member)

        self._around.timers.schedule(_key(group, member.member_id), in_ms, check)

    def _check(self, group: ClassicGroup, member: Member) -> Outcome[None]:
        """The timer went off: the session is over, or was prolonged meanwhile."""
        if group.roster.get(member.member_id) is not member or not is_here(self._around, group):
            return NOTHING
        member.timer_ms = None
        if member.is_waiting and not member.is_new:
            self.restart(group, member)  # it cannot say anything while we owe it an answer
            return NOTHING
        left_ms = member.expires_ms - self._around.env.clock.monotonic_ms()
        if left_ms > 0:
            self._set_timer(group, member, left_ms)
            return NOTHING
        return self._on_end(group, member)


def is_here(around: GroupSurroundings, group: ClassicGroup) -> bool:
    """Whether this is still the group of its id; else a timer that it left behind went off."""
    return around.groups.get(group.group_id) is group


def _key(group: ClassicGroup, member_id: str) -> tuple[str, str, str]:
    return ("session", group.group_id, member_id)
