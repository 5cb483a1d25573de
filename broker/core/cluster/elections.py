"""Elections that somebody asks for, and those that the controller holds by itself.

- ElectLeaders: preferred leaders, or unclean ones (966-05), of some partitions or of all.
- Balancing: a broker that leads too little of what it is the first replica of gets it back, but for
  what was relinquished a short time ago (C4).
- Unclean elections where the topic allows them, for partitions that have been left without a leader
  (966-05).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .commands import Decision
from .image import ClusterImage
from .leaders import Brokers, Target, change_to
from .partition_commands import (
    PREFERRED,
    UNCLEAN,
    BalanceLeaders,
    Elected,
    ElectLeaders,
    ElectUncleanLeaders,
)
from .situation import Situation
from .topic_image import NO_LEADER, PartitionImage, TopicImage

ELECTIONS_MAX: Final = 1000
"""The most elections in one decision that nobody waits for; other commands come in between."""

_PERCENT: Final = 100


def decide_elect_leaders(command: ElectLeaders, situation: Situation) -> Decision[list[Elected]]:
    """Records for each election that is held, and an `Elected` for each partition.

    If all partitions are meant, those that need no election are left out. Raises KafkaError
    INVALID_REQUEST (42) for an unknown kind of election.
    """
    if command.election not in (PREFERRED, UNCLEAN):
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"Unknown election type {command.election}")
    image = situation.image
    wanted = command.partitions
    if wanted is None:
        wanted = tuple((topic.name, number) for topic, number, _ in _partitions(image))
    records: list[Message] = []
    answers: list[Elected] = []
    for topic, number in dict.fromkeys(wanted):
        try:
            change = _elect(topic, number, command.election, situation)
        except KafkaError as error:
            is_idle = error.code is ErrorCode.ELECTION_NOT_NEEDED
            if not is_idle or command.partitions is not None:
                answers.append(Elected(topic, number, error.code, error.message))
        else:
            records.append(change)
            answers.append(Elected(topic, number))
    return Decision(records, answers)


def _partitions(image: ClusterImage) -> Iterator[tuple[TopicImage, int, PartitionImage]]:
    for topic in image.topics_by_id.values():
        for number, partition in topic.partitions.items():
            yield topic, number, partition


def _elect(name: str, number: int, election: int, situation: Situation) -> PartitionChangeRecord:
    topic = situation.image.topics_by_name.get(name)
    if topic is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such topic as {name}")
    partition = topic.partitions.get(number)
    if partition is None:
        raise KafkaError(
            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"No such partition as {name}-{number}"
        )
    if election == PREFERRED:
        is_needed = partition.leader != partition.replicas[0]
    else:
        is_needed = partition.leader == NO_LEADER
    if not is_needed:
        raise KafkaError(
            ErrorCode.ELECTION_NOT_NEEDED,
            "Leader election not needed for topic partition.",
        )
    change = _held(topic, number, partition, election, situation)
    if change is not None:
        return change
    if election == PREFERRED:
        raise KafkaError(
            ErrorCode.PREFERRED_LEADER_NOT_AVAILABLE,
            "The preferred leader was not available.",
        )
    raise KafkaError(
        ErrorCode.ELIGIBLE_LEADERS_NOT_AVAILABLE,
        "Eligible topic partition leaders are not available.",
    )


def _held(
    topic: TopicImage,
    number: int,
    partition: PartitionImage,
    election: int,
    situation: Situation,
) -> PartitionChangeRecord | None:
    """The change that an election makes; None if it would change nothing."""
    rules = situation.rules_of(topic.name)
    change = change_to(
        partition,
        Target.of(partition),
        Brokers(situation.image),
        rules._replace(unclean=True) if election == UNCLEAN else rules,
        preferred=election == PREFERRED,
    )
    if change is not None:
        change.topic_id, change.partition_id = topic.topic_id, number
    return change


def decide_balance_leaders(command: BalanceLeaders, situation: Situation) -> Decision[int]:
    """Give leaderships back to preferred replicas, for brokers beyond the allowed imbalance."""
    del command
    records: list[Message] = []
    poor = _poor_brokers(situation)
    brokers = Brokers(situation.image)
    for topic, number, partition in _partitions(situation.image):
        first = partition.replicas[0]
        if first not in poor or not _may_go_back(topic, number, partition, situation):
            continue
        if not brokers.may_lead(partition, first):
            continue
        change = _held(topic, number, partition, PREFERRED, situation)
        if change is not None:
            records.append(change)
            if len(records) == ELECTIONS_MAX:
                break
    return Decision(records, len(records))


def _poor_brokers(situation: Situation) -> set[int]:
    """The brokers that lead too few of the partitions whose first replica they are."""
    first: dict[int, int] = {}
    elsewhere: dict[int, int] = {}
    for _, _, partition in _partitions(situation.image):
        broker_id = partition.replicas[0]
        first[broker_id] = first.get(broker_id, 0) + 1
        if partition.leader != broker_id:
            elsewhere[broker_id] = elsewhere.get(broker_id, 0) + 1
    allowed = situation.static.leader_imbalance_per_broker_percentage
    return {
        broker_id
        for broker_id, count in elsewhere.items()
        if count * _PERCENT > allowed * first[broker_id]
    }


def _may_go_back(
    topic: TopicImage, number: int, partition: PartitionImage, situation: Situation
) -> bool:
    first = partition.replicas[0]
    return (
        partition.leader != first
        and first in partition.isr
        and not situation.relinquished.is_cooling(topic.topic_id, number, situation.now_ms)
    )


def decide_elect_unclean_leaders(
    command: ElectUncleanLeaders, situation: Situation
) -> Decision[int]:
    """Elect leaders for partitions that have none, where losing data for that is allowed."""
    del command
    records: list[Message] = []
    for topic, number, partition in _partitions(situation.image):
        if partition.leader != NO_LEADER or not situation.rules_of(topic.name).unclean:
            continue
        change = _held(topic, number, partition, UNCLEAN, situation)
        if change is not None and change.leader >= 0:
            records.append(change)
            if len(records) == ELECTIONS_MAX:
                break
    return Decision(records, len(records))
