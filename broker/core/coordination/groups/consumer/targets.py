"""What each member shall have: worked out for a new epoch of the group, and not too often."""

from __future__ import annotations

from typing import Final

from ....cluster.image import ClusterImage
from ....config.broker import BrokerConfig
from ..surroundings import GroupSurroundings
from .assignors import ASSIGNORS, preferred
from .draft import Draft, target_or_none
from .group_settings import assignment_interval_ms
from .member import Member
from .subscriber import Assignment, Subscriber

NEVER: Final = 0
"""As an assignment epoch: no target was worked out yet."""


class _TopicIds:
    """Ids of the topics that members subscribe to; most members say the same."""

    __slots__ = ("_draft", "_image", "_known")

    def __init__(self, draft: Draft, image: ClusterImage) -> None:
        self._draft = draft
        self._image = image
        self._known: dict[tuple[frozenset[str], str], frozenset[bytes]] = {}

    def of(self, member: Member) -> frozenset[bytes]:
        """Of those that are there (848-15); names and pattern add up (848-23)."""
        key = (member.topic_names, member.pattern)
        found = self._known.get(key)
        if found is None:
            names = set(member.topic_names)
            if member.pattern and (resolved := self._draft.resolved(member.pattern)) is not None:
                names |= resolved.topics
            topics = self._image.topics_by_name
            found = frozenset(topics[name].topic_id for name in names if name in topics)
            self._known[key] = found
        return found


def renew_targets(draft: Draft, around: GroupSurroundings) -> None:
    """Work out the targets if they are not of the group's epoch, unless that was done just now.

    The first time there is nothing to wait for; later, members that come within the interval are
    assigned together (848-12).
    """
    numbers = draft.numbers
    if numbers.assignment_epoch >= numbers.epoch:
        return
    now, image = around.env.clock.wall_ms(), around.image()
    interval = assignment_interval_ms(draft.group_id, around.config, image)
    if numbers.assignment_epoch != NEVER and 0 <= now - numbers.assigned_at_ms < interval:
        return
    for member_id, target in _assign(draft, around.config, image).items():
        if draft.target(member_id) != target:
            draft.put_target(member_id, target)
    draft.put_assignment_epoch(numbers.epoch, now)


def assignor_of(members: list[Member], config: BrokerConfig) -> str:
    """Name of the assignor that these members have chosen (848-13)."""
    return preferred((one.assignor for one in members), config.group_consumer_assignors)


def _assign(draft: Draft, config: BrokerConfig, image: ClusterImage) -> Assignment:
    ids = _TopicIds(draft, image)
    members = list(draft.members())
    subscribers = {
        one.member_id: Subscriber(
            ids.of(one), target_or_none(draft, one.member_id), one.instance_id
        )
        for one in members
    }
    topics = {topic for one in subscribers.values() for topic in one.topics}
    counts = {topic: len(image.topics_by_id[topic].partitions) for topic in topics}
    return ASSIGNORS[assignor_of(members, config)](subscribers, counts)
