"""What every sign of a member comes to, by whichever protocol it speaks: one step to its target."""

from __future__ import annotations

from ....cluster.image import ClusterImage
from .draft import Draft, target_or_none
from .member import Current, Member
from .partitions import Partitions, TopicPartition
from .reconciliation import Aim, next_step
from .topic_pattern import TopicPattern


def note_subscription(draft: Draft, before: Member, member: Member) -> bool:
    """What a changed subscription means; whether the group's epoch must rise (848-10).

    Raises KafkaError INVALID_REGULAR_EXPRESSION (128).
    """
    must_rise = before.topic_names != member.topic_names
    if before.pattern == member.pattern:
        return must_rise
    if not member.pattern or draft.resolved(member.pattern) is not None:
        must_rise = True
    else:
        TopicPattern(member.pattern)
        # Its topics come later. Those of the pattern before are for others now.
        lost = draft.resolved(before.pattern)
        must_rise |= lost is not None and bool(lost.topics)
    draft.drop_unused(before.pattern)
    return must_rise


def take_step(
    draft: Draft, member: Member, owned: Partitions | None, image: ClusterImage
) -> Current:
    """Take the member one step towards its target; what it has now (848-16 to 848-19)."""
    member_id = member.member_id
    topics = image.topics_by_id
    resolved = draft.resolved(member.pattern)
    matching = frozenset() if resolved is None else resolved.topics

    def is_wanted(partition: TopicPartition) -> bool:
        topic = topics.get(partition[0])
        return topic is not None and (topic.name in member.topic_names or topic.name in matching)

    aim = Aim(
        draft.numbers.assignment_epoch,
        target_or_none(draft, member_id),
        is_wanted,
        lambda partition: is_held_by_another(draft, member_id, partition),
    )
    had = draft.current(member_id)
    now = next_step(had, aim, owned)
    if now is not had:
        draft.put_current(member_id, now)
    return now


def is_held_by_another(draft: Draft, member_id: str, partition: TopicPartition) -> bool:
    """Whether somebody else has a partition, or has yet to give it up (848-18)."""
    return draft.owner_of(partition) not in (None, member_id)
