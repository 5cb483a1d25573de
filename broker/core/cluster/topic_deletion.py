"""DeleteTopics as the controller decides it."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord

from .commands import Decision, DeleteTopics, Outcome
from .image import ClusterImage


def decide_delete_topics(command: DeleteTopics, image: ClusterImage) -> Decision[list[Outcome]]:
    """A record for every topic that is there; an `Outcome` for each, in order."""
    records: list[Message] = []
    outcomes: list[Outcome] = []
    for topic_id in command.topic_ids:
        if topic_id in image.topics_by_id:
            records.append(RemoveTopicRecord(topic_id=topic_id))
            outcomes.append(Outcome())
        else:
            outcomes.append(Outcome(ErrorCode.UNKNOWN_TOPIC_ID))
    return Decision(records, outcomes)
