"""DeleteTopics, as the controller decides it."""

from __future__ import annotations

from collections.abc import Callable

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord

from .commands import Decision, DeleteTopics, Outcome
from .image import ClusterImage


def decide_delete_topics(
    command: DeleteTopics, image: ClusterImage, charge: Callable[[int], object]
) -> Decision[list[Outcome]]:
    """A record for each topic that exists, and an `Outcome` for each, in order.

    `charge` counts its partitions, and raises KafkaError 89 if a quota is used up (QTA-15).
    """
    records: list[Message] = []
    outcomes: list[Outcome] = []
    for topic_id in command.topic_ids:
        topic = image.topics_by_id.get(topic_id)
        if topic is None:
            outcomes.append(Outcome(ErrorCode.UNKNOWN_TOPIC_ID))
            continue
        try:
            charge(len(topic.partitions))
        except KafkaError as error:
            outcomes.append(Outcome(error.code, error.message))
        else:
            records.append(RemoveTopicRecord(topic_id=topic_id))
            outcomes.append(Outcome())
    return Decision(records, outcomes)
