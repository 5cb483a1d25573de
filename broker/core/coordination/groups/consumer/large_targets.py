"""Targets of large groups: worked out, and written, some at a time; others have their turn between.

It begins with the group as it is when all that was decided about it is in the log. Meanwhile
members come and go, and the group's epoch rises; what is found is for the epoch of the beginning,
as it would be had it been found at once, and a heartbeat that sees a later epoch begins anew.
Members see the target of before until the epoch of the new one is written, last of all.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import partial
from typing import Final, Protocol

from barnabas.protocol.errors import ErrorCode

from ....reads import Steps
from ...machine import Operation, Outcome
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .draft import Draft
from .partitions import Partitions
from .subscriber import Assignment
from .target_work import assigning, finish_targets
from .timer_keys import targets_key

TURN_MS: Final = 3.0
"""After so long others get a turn."""

STEPS_AT_ONCE: Final = 500
"""So do they after so many steps, each of which is about some members or partitions at most."""

WRITTEN_AT_ONCE: Final = 1_000
"""Members and partitions that are written in one turn; some five milliseconds."""


class _Turn(Protocol):
    """What a run does in one turn."""

    def __call__(self, group_id: str, run: _Run, /) -> Outcome[None]: ...


class _Run:
    """The targets of one group for one epoch."""

    __slots__ = ("epoch", "found", "group", "instances", "steps")

    def __init__(self, group: ConsumerGroup, steps: Steps[Assignment]) -> None:
        self.group = group
        self.epoch = group.state.numbers.epoch
        self.steps = steps
        self.instances = {
            one.member_id: one.instance_id
            for one in group.state.members.values()
            if one.instance_id is not None
        }
        """Member id -> instance id, of static members."""
        self.found: Iterator[tuple[str, Partitions]] = iter(())
        """What is not written yet."""

    def heir(self, member_id: str) -> str | None:
        """Who shall have what was found for a member: a static one may have another id by now."""
        state = self.group.state
        if member_id in state.members:
            return member_id
        holder_id = state.instances.get(self.instances.get(member_id, ""))
        return holder_id if holder_id is not None and holder_id in state.members else None


class LargeTargets:
    """Those that are worked out now, of one shard."""

    __slots__ = ("_around", "_runs")

    def __init__(self, around: GroupSurroundings) -> None:
        self._around = around
        self._runs: dict[str, _Run | None] = {}
        """By group id; None: it begins with the next turn."""

    def has(self, group_id: str) -> bool:
        """Whether this group's targets are worked out now."""
        return group_id in self._runs

    def begin(self, group_id: str) -> None:
        """Work out the targets of a group for its epoch, from the next turn on."""
        self._runs[group_id] = None
        self._next(group_id, partial(self._look, group_id))

    def _next(self, group_id: str, operation: Operation[None]) -> None:
        self._around.timers.schedule(targets_key(group_id), 0, operation)

    def _look(self, group_id: str) -> Outcome[None]:
        """Take in the group as it is. If that is taken back (CRT-07), so is the beginning."""
        group = self._around.groups.get(group_id)
        if not isinstance(group, ConsumerGroup):
            del self._runs[group_id]
            return Outcome(None)
        draft = Draft(group_id, group.state)
        run = _Run(group, assigning(draft, self._around.config, self._around.image()))
        self._runs[group_id] = run
        return Outcome(None, on_appended=partial(self._on_appended, group_id, run, self._work))

    def _on_appended(self, group_id: str, run: _Run, then: _Turn | None, code: ErrorCode) -> None:
        if self._runs.get(group_id) is not run:
            return
        if code is not ErrorCode.NONE or then is None:
            del self._runs[group_id]
        else:
            self._next(group_id, partial(then, group_id, run))

    def _work(self, group_id: str, run: _Run) -> Outcome[None]:
        """Take some of the steps."""
        clock = self._around.env.clock
        until_ms = clock.monotonic_ms() + TURN_MS
        if self._is_over(group_id, run):
            return Outcome(None)
        try:
            for _ in range(STEPS_AT_ONCE):
                next(run.steps)
                if clock.monotonic_ms() >= until_ms:
                    break
        except StopIteration as end:
            run.found = iter(end.value.items())
            self._next(group_id, partial(self._write, group_id, run))
        except Exception:
            del self._runs[group_id]  # a later heartbeat begins anew
            raise
        else:
            self._next(group_id, partial(self._work, group_id, run))
        return Outcome(None)

    def _write(self, group_id: str, run: _Run) -> Outcome[None]:
        """Write some of what was found, and at the end for which epoch it is."""
        if self._is_over(group_id, run):
            return Outcome(None)
        draft, rows = Draft(group_id, run.group.state), 0
        for member_id, target in run.found:
            heir = run.heir(member_id)
            if heir is not None and draft.target(heir) != target:
                draft.put_target(heir, target)
            rows += 1 + len(target)
            if rows >= WRITTEN_AT_ONCE:
                done = partial(self._on_appended, group_id, run, self._write)
                return Outcome(None, draft.records, on_appended=done)
        finish_targets(draft, run.group, run.epoch, self._around)
        done = partial(self._on_appended, group_id, run, None)
        return Outcome(None, draft.records, on_appended=done)

    def _is_over(self, group_id: str, run: _Run) -> bool:
        """Whether the group is gone, or is another by now, or the run has failed."""
        if self._runs.get(group_id) is not run:
            return True
        if self._around.groups.get(group_id) is run.group:
            return False
        del self._runs[group_id]
        return True
