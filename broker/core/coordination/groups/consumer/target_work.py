"""The work of assigning a group: what the assignor is told, and how much there is to do."""

from __future__ import annotations

from ....cluster.image import ClusterImage
from ....config.broker import BrokerConfig
from ....reads import Steps
from ..surroundings import GroupSurroundings
from .assignors import ASSIGNORS, preferred
from .consumer_group import ConsumerGroup
from .draft import Draft, target_or_none
from .group_settings import assignment_interval_ms
from .member import Member
from .subscriber import Assignment, Subscriber


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


def size_of(draft: Draft, image: ClusterImage) -> int:
    """Members, and partitions of all topics that they subscribe to."""
    topics = image.topics_by_name
    names = draft.subscribed_topics()
    return draft.size + sum(len(topics[one].partitions) for one in names if one in topics)


def assignor_of(members: list[Member], config: BrokerConfig) -> str:
    """Name of the assignor that these members have chosen (848-13)."""
    return preferred((one.assignor for one in members), config.group_consumer_assignors)


def finish_targets(
    draft: Draft, group: ConsumerGroup, epoch: int, around: GroupSurroundings
) -> None:
    """Say that the targets of the group are now those of this epoch; the next may wait (848-12)."""
    now = around.env.clock.wall_ms()
    interval_ms = assignment_interval_ms(draft.group_id, around.config, around.image())
    group.pace.made(interval_ms, now - draft.numbers.assigned_at_ms)
    draft.put_assignment_epoch(epoch, now)


def assigning(draft: Draft, config: BrokerConfig, image: ClusterImage) -> Steps[Assignment]:
    """The targets of the group as it is when this is called, in steps."""
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
