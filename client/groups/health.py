"""How a consumer stands to its group, in one place; and what both protocols want of a program."""

from __future__ import annotations

import logging
from collections.abc import Callable
from typing import Protocol

from ..errors import ClientError
from ..structs import TopicPartition
from .heartbeats import PollClock
from .topics import Wish
from .values import ConsumerState, GroupState, Identity

log = logging.getLogger("barnabas.client")


class Health:
    """The state that a program can ask for; `when_changed` is called after each change."""

    def __init__(self, when_changed: Callable[[], None]) -> None:
        self._when_changed = when_changed
        self.now = ConsumerState(GroupState.NO_GROUP)

    def set(self, state: GroupState, reason: Exception | None = None) -> None:
        """The membership is in another state."""
        if self.now.state is not state:
            log.info("group: %s%s", state, f": {reason}" if reason else "")
        self.now = self.now._replace(state=state, reason=reason)
        self._when_changed()

    def is_member(self, by: Identity, protocol: str) -> None:
        """Who this consumer is in the group."""
        self.now = self.now._replace(
            member_id=by.member_id, generation=by.generation, protocol=protocol
        )

    def note(self, error: ClientError) -> None:
        """Something went wrong on the way, and is tried again."""
        log.info("group: %s; trying again", error)
        self.now = self.now._replace(reason=error)

    def lag(self, lag_ms: float) -> None:
        """The loop was late by so much."""
        self.now = self.now._replace(loop_lag_ms=int(lag_ms))

    def check(self) -> None:
        """Raise what ended the membership, if it is over."""
        if self.now.state is GroupState.DEAD and self.now.reason is not None:
            # One object is raised again and again: its traceback must not grow.
            raise self.now.reason.with_traceback(None)

    @property
    def is_dead(self) -> bool:
        """Whether it stopped for good."""
        return self.now.state is GroupState.DEAD


class Assignee(Protocol):
    """The consumer as its membership sees it: takes partitions, gives them up, calls back."""

    polls: PollClock

    @property
    def wish(self) -> Wish:
        """What the program subscribes to now."""
        ...

    @property
    def owned(self) -> frozenset[TopicPartition]:
        """The partitions that it has."""
        ...

    async def revoke(
        self, partitions: frozenset[TopicPartition], is_over: Callable[[], bool]
    ) -> bool:
        """Let the program finish with these, commit, call back, and give them up. False if
        `is_over` (the membership is lost) came true first: nothing was given up then."""
        ...

    async def lose(self, partitions: frozenset[TopicPartition]) -> None:
        """They belong to somebody else already."""
        ...

    async def grant(self, partitions: frozenset[TopicPartition]) -> None:
        """Take these over."""
        ...

    async def asked_again(self) -> None:
        """Wait until the program asks for records."""
        ...

    def look(self) -> None:
        """Something changed that `revoke` may wait for."""
        ...
