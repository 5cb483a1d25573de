"""When the epoch of a group goes up, so that its partitions are assigned anew (848-10, 848-11)."""

from __future__ import annotations

from .consumer_group import ConsumerGroup
from .draft import Draft
from .topic_changes import Look, TopicChanges


def renew_epoch(
    draft: Draft, group: ConsumerGroup, changes: TopicChanges, *, must_rise: bool
) -> None:
    """Let the epoch rise if it must, or if the group's topics are not what they were.

    The topics are compared if the epoch rises anyway, or if one of them changed since the last
    look. The look is noted at once; if the records are taken back, the epoch is lower than the
    look says, and the next heartbeat looks again.
    """
    epoch, topics = group.state.numbers.epoch, draft.subscribed_topics
    if not must_rise and not changes.is_stale(group.look, epoch, topics):
        return
    found = changes.hash_of(topics())
    if must_rise or found != draft.numbers.metadata_hash:
        draft.put_epoch(draft.numbers.epoch + 1, found)
    group.look = Look(changes.number, draft.numbers.epoch)
