"""What each member shall have: worked out for a new epoch of the group, and not too often."""

from __future__ import annotations

from typing import Final

from ....reads import finish
from ..surroundings import GroupSurroundings
from .consumer_group import ConsumerGroup
from .draft import Draft
from .group_settings import assignment_interval_ms, settling_interval_ms
from .large_targets import LargeTargets
from .target_work import assigning, finish_targets, size_of

NEVER: Final = 0
"""As an assignment epoch: no target was worked out yet, and the first member joins."""

AT_ONCE_MAX: Final = 1_000
"""Members and partitions of a group whose targets are worked out within a heartbeat, which takes
some ten milliseconds; those of larger groups are worked out between others' requests."""

NO_NEED: Final = -1


class Targets:
    """The targets of the groups of one shard."""

    __slots__ = ("_around", "_large")

    def __init__(self, around: GroupSurroundings) -> None:
        self._around = around
        self._large = LargeTargets(around)

    def renew(self, draft: Draft, group: ConsumerGroup) -> None:
        """Work out the targets if they are not of the group's epoch, and if it is time.

        The first time there is nothing to wait for; later, members that come within the interval
        are assigned together (848-12). A large group has its targets at a later heartbeat, and
        those of before until then.
        """
        if self._large.has(draft.group_id) or self.due_ms(draft, group) != 0:
            return
        around, numbers = self._around, draft.numbers
        image = around.image()
        if numbers.assignment_epoch != NEVER and size_of(draft, image) > AT_ONCE_MAX:
            self._large.begin(draft.group_id)
            return
        for member_id, target in finish(assigning(draft, around.config, image)).items():
            if draft.target(member_id) != target:
                draft.put_target(member_id, target)
        finish_targets(draft, group, numbers.epoch, around)

    def due_ms(self, draft: Draft, group: ConsumerGroup) -> int:
        """How long it is until new targets may be made; `NO_NEED` if those that are there hold."""
        numbers, around = draft.numbers, self._around
        if numbers.assignment_epoch >= numbers.epoch:
            return NO_NEED
        since_ms = around.env.clock.wall_ms() - numbers.assigned_at_ms
        if numbers.assignment_epoch == NEVER or since_ms < 0:
            return 0
        image = around.image()
        wait_ms = group.pace.wait_ms(
            assignment_interval_ms(draft.group_id, around.config, image),
            settling_interval_ms(draft.group_id, around.config, image),
            size_of(draft, image),
        )
        return max(0, wait_ms - since_ms)
