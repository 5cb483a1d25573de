"""Patterns of groups, and the topics that they stand for: looked up now and then (848-23).

The lookup is no part of a heartbeat. It goes through the names of all topics some at a time, each
time as a write of its own that writes nothing, and stores what it found at the end. The topics
come to the members with a later heartbeat.
"""

from __future__ import annotations

from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode

from ...machine import Outcome
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .draft import Draft
from .group_epochs import renew_epoch
from .numbers import Resolved
from .pattern_search import MaySee, PatternSearch
from .timer_keys import pattern_key
from .topic_changes import TopicChanges

INTERVAL_MS: Final = 10_000
"""Between two lookups of one group, unless none of its patterns was ever looked up."""

FAILED_MS: Final = 2_000
"""After a lookup whose result could not be stored: heartbeats of a large group come all the time.
"""


class PatternRefresh:
    """The lookups of one shard's groups."""

    __slots__ = ("_around", "_changes", "_failed", "_may_see", "_searches")

    def __init__(self, around: GroupSurroundings, changes: TopicChanges) -> None:
        self._around = around
        self._changes = changes
        self._searches: dict[str, PatternSearch | None] = {}
        """Groups whose patterns are looked up now; None: that has not begun."""
        self._failed: set[str] = set()
        """Groups whose last lookup could not be stored, a moment ago."""
        self._may_see: dict[str, MaySee] = {}
        """What the member may see that made the group's lookup begin."""

    def request(self, draft: Draft, may_see: MaySee | None = None) -> None:
        """Look the group's patterns up soon, if it is time; only at what `may_see` allows."""
        if draft.group_id in self._searches or draft.group_id in self._failed:
            return
        if self._is_due(draft):
            self._searches[draft.group_id] = None
            if may_see is not None:
                self._may_see[draft.group_id] = may_see
            self._go_on(draft.group_id)

    def _is_due(self, draft: Draft) -> bool:
        patterns = draft.patterns_in_use()
        if not patterns:
            return False
        known = [one for one in map(draft.resolved, patterns) if one is not None]
        if not known:
            return True
        age = self._around.env.clock.wall_ms() - max(one.at_ms for one in known)
        if 0 <= age < INTERVAL_MS:
            return False
        return (
            len(known) < len(patterns)
            or any(one.version < self._changes.appeared_at for one in known)
            or not 0 <= age < self._around.config.group_consumer_regex_refresh_interval_ms
        )

    def _go_on(self, group_id: str) -> None:
        self._around.timers.schedule(pattern_key(group_id), 0, partial(self._step, group_id))

    def _step(self, group_id: str) -> Outcome[None]:
        if group_id not in self._searches:
            # It could not be stored, and whose rights it went by is forgotten: nothing may be
            # looked up without them.
            return Outcome(None)
        group = self._around.groups.get(group_id)
        users = list(group.state.pattern_users()) if isinstance(group, ConsumerGroup) else []
        if not users or not isinstance(group, ConsumerGroup):
            self._forget(group_id)
            return Outcome(None)
        search = self._searches.get(group_id)
        if search is None:
            image, clock = self._around.image(), self._around.env.clock
            if (may_see := self._may_see.get(group_id)) is not None:
                search = PatternSearch(users, image, clock, may_see)
            else:
                search = PatternSearch(users, image, clock)
            self._searches[group_id] = search
        if not search.advance():
            self._go_on(group_id)
            return Outcome(None)
        draft = self._store(group, search)
        return Outcome(None, draft.records, on_appended=partial(self._end, group_id))

    def _store(self, group: ConsumerGroup, search: PatternSearch) -> Draft:
        """Note what was found; the group is assigned anew if it is not what it was (848-10)."""
        draft = Draft(group.group_id, group.state)
        now, has_changed = self._around.env.clock.wall_ms(), False
        for pattern, topics in sorted(search.found.items()):
            if not draft.users_of(pattern):
                continue
            before = draft.resolved(pattern)
            resolved = Resolved(frozenset(topics), search.version, now)
            has_changed |= resolved.topics != (before.topics if before is not None else set())
            draft.put_pattern(pattern, resolved)
        renew_epoch(draft, group, self._changes, must_rise=has_changed)
        return draft

    def _end(self, group_id: str, code: ErrorCode) -> None:
        """It is stored; or a heartbeat begins anew after a while, with the rights of its sender."""
        self._forget(group_id)
        if code is not ErrorCode.NONE:
            self._failed.add(group_id)
            # In place of the step, which the shard would try again.
            resume = partial(self._resume, group_id)
            self._around.timers.schedule(pattern_key(group_id), FAILED_MS, resume)

    def _resume(self, group_id: str) -> Outcome[None]:
        self._failed.discard(group_id)
        return Outcome(None)

    def _forget(self, group_id: str) -> None:
        self._searches.pop(group_id, None)
        self._may_see.pop(group_id, None)
