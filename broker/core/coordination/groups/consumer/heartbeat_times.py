"""When a member is to be heard of again: as usual, or soon, while its group settles."""

from __future__ import annotations

from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .draft import Draft
from .group_settings import heartbeat_interval_ms, settling_interval_ms
from .member import Current
from .pace import SHARE, early_ms
from .targets import Targets


class HeartbeatTimes:
    """What the answers to heartbeats say of the next one, for the groups of one shard."""

    __slots__ = ("_around", "_targets")

    def __init__(self, around: GroupSurroundings, targets: Targets) -> None:
        self._around = around
        self._targets = targets

    def interval_ms(
        self, draft: Draft, group: ConsumerGroup, current: Current, *, joins: bool
    ) -> int:
        """After how many milliseconds the member shall speak again.

        `current`: what it has after this heartbeat; `joins`: it was its first. Who gets all that
        it shall have when it joins is told what is usual: it speaks at once in any case, to say
        that it has it.
        """
        around = self._around
        config, image, clock = around.config, around.image(), around.env.clock
        usual_ms = heartbeat_interval_ms(draft.group_id, config, image)
        numbers = draft.numbers
        age_ms = clock.wall_ms() - numbers.assigned_at_ms
        if not 0 <= age_ms < SHARE * usual_ms or (joins and current.is_at(numbers.epoch)):
            return usual_ms
        shortest_ms = settling_interval_ms(draft.group_id, config, image)
        if not shortest_ms:
            return usual_ms
        due_ms = self._targets.due_ms(draft, group)
        wanted_ms = early_ms(shortest_ms, age_ms, due_ms)
        return around.early_beats.after(wanted_ms, usual_ms, clock.monotonic_ms())
