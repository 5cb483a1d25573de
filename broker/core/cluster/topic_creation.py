"""CreateTopics and CreatePartitions as the controller decides them, in Kafka's order of checks."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Final, NamedTuple

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.topic_record import TopicRecord

from ..config.broker import BrokerConfig
from ..ports import Env
from .assignments import active_of, check_active, check_assignment
from .commands import (
    CreatePartitions,
    CreateTopics,
    Decision,
    MorePartitions,
    NewTopic,
    Outcome,
    TopicCreated,
)
from .config_changes import check_topic_configs, config_records
from .ids import random_uuid
from .image import RESOURCE_TOPIC, ClusterImage
from .placement import place
from .topic_image import METADATA_TOPIC
from .topic_names import name_fault, without_collisions

RECORDS_MAX: Final = 10_000
"""The most records of one command, Kafka's number: they are one batch, all or none."""


Charge = Callable[[int], object]
"""Called with the number of partitions that are created or deleted. Raises KafkaError 89 if the
quota is used up (QTA-15)."""


class Context(NamedTuple):
    """What decisions about topics are based on."""

    image: ClusterImage
    static: BrokerConfig
    env: Env
    charge: Charge


def decide_create_topics(command: CreateTopics, context: Context) -> Decision[list[TopicCreated]]:
    """Records for each topic that may be created, and a `TopicCreated` for each that was requested.

    A name that is requested twice is refused, once.
    """
    records: list[Message] = []
    answers: dict[str, TopicCreated] = {}
    image = context.image
    wanted = Counter(topic.name for topic in command.topics)
    taken = {without_collisions(name): name for name in image.topics_by_name}
    for topic in command.topics:
        if topic.name in answers:
            continue
        try:
            if wanted[topic.name] > 1:
                raise KafkaError(ErrorCode.INVALID_REQUEST, "Duplicate topic name.")
            _check_name(topic.name, image, taken)
            made, answer = _create(topic, context)
        except KafkaError as error:
            answers[topic.name] = TopicCreated(topic.name, error.code, error.message)
            continue
        taken[without_collisions(topic.name)] = topic.name
        answers[topic.name] = answer
        records += made
        _check_size(records, context)
    return Decision([] if command.validate_only else records, list(answers.values()))


def _check_size(records: Sequence[Message], context: Context) -> None:
    if len(records) >= min(RECORDS_MAX, context.static.max_partitions_per_request + 1):
        raise KafkaError(
            ErrorCode.POLICY_VIOLATION, "Excessively large number of partitions per request."
        )


def _create(topic: NewTopic, context: Context) -> tuple[list[Message], TopicCreated]:
    image = context.image
    configs = _checked_configs(topic, context.static)
    partitions = _assignments(topic, context)
    context.charge(len(partitions))
    topic_id = random_uuid(context.env)
    records: list[Message] = [TopicRecord(name=topic.name, topic_id=topic_id)]
    records += config_records(RESOURCE_TOPIC, topic.name, configs.items(), image)
    for number, replicas in enumerate(partitions):
        records.append(_new_partition(topic_id, number, replicas, image))
    answer = TopicCreated(
        topic.name,
        topic_id=topic_id,
        num_partitions=len(partitions),
        replication_factor=len(partitions[0]),
    )
    return records, answer


def _check_name(name: str, image: ClusterImage, taken: dict[str, str]) -> None:
    fault = name_fault(name)
    if fault is not None:
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION, fault)
    if name == METADATA_TOPIC:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            f"Creation of internal topic {METADATA_TOPIC} is prohibited.",
        )
    if name in image.topics_by_name:
        raise KafkaError(ErrorCode.TOPIC_ALREADY_EXISTS, f"Topic '{name}' already exists.")
    other = taken.get(without_collisions(name))
    if other is not None:
        raise KafkaError(
            ErrorCode.INVALID_TOPIC_EXCEPTION,
            f"Topic '{name}' collides with existing topic: {other}",
        )


def _checked_configs(topic: NewTopic, static: BrokerConfig) -> dict[str, str]:
    nulls = [name for name, value in topic.configs if value is None]
    if nulls:
        raise KafkaError(
            ErrorCode.INVALID_CONFIG,
            f"Null value not supported for topic configs: {','.join(sorted(nulls))}",
        )
    configs = {name: value for name, value in topic.configs if value is not None}
    check_topic_configs(configs, static)
    return configs


def _assignments(topic: NewTopic, context: Context) -> list[list[int]]:
    """The replicas of each partition, given or chosen."""
    if topic.assignments:
        return _manual(topic, context.image)
    factor, count = topic.replication_factor, topic.num_partitions
    if factor < -1 or factor == 0:
        raise KafkaError(
            ErrorCode.INVALID_REPLICATION_FACTOR,
            "Replication factor must be larger than 0, or -1 to use the default value.",
        )
    if count < -1 or count == 0:
        raise KafkaError(
            ErrorCode.INVALID_PARTITIONS,
            "Number of partitions was set to an invalid non-positive value.",
        )
    count = context.static.num_partitions if count == -1 else count
    factor = context.static.default_replication_factor if factor == -1 else factor
    if count > context.static.max_partitions_per_request:
        raise KafkaError(
            ErrorCode.POLICY_VIOLATION, "Excessively large number of partitions per request."
        )
    return _placed(count, factor, context)


def _placed(count: int, factor: int, context: Context) -> list[list[int]]:
    """Replicas for `count` new partitions, each of which can have a leader."""
    chosen = place(list(context.image.brokers.values()), count, factor, context.env)
    for replicas in chosen:
        if not active_of(replicas, context.image):
            raise KafkaError(
                ErrorCode.INVALID_REPLICATION_FACTOR,
                f"Unable to replicate the partition {factor} time(s): All brokers are currently "
                "fenced or in controlled shutdown.",
            )
    return chosen


def _manual(topic: NewTopic, image: ClusterImage) -> list[list[int]]:
    if topic.replication_factor != -1:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            "A manual partition assignment was specified, but replication factor was not set "
            "to -1.",
        )
    if topic.num_partitions != -1:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST,
            "A manual partition assignment was specified, but numPartitions was not set to -1.",
        )
    found: dict[int, list[int]] = {}
    factor: int | None = None
    for number, brokers in topic.assignments:
        if number in found:
            raise KafkaError(
                ErrorCode.INVALID_REPLICA_ASSIGNMENT,
                f"Found multiple manual partition assignments for partition {number}",
            )
        check_assignment(brokers, factor, image)
        factor = len(brokers)
        check_active(brokers, number, image)
        found[number] = list(brokers)
    if sorted(found) != list(range(len(found))):
        raise KafkaError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            "partitions should be a consecutive 0-based integer sequence",
        )
    return [found[number] for number in range(len(found))]


def _new_partition(
    topic_id: bytes, number: int, replicas: Sequence[int], image: ClusterImage
) -> PartitionRecord:
    isr = active_of(replicas, image)
    return PartitionRecord(
        partition_id=number,
        topic_id=topic_id,
        replicas=list(replicas),
        isr=isr,
        removing_replicas=[],
        adding_replicas=[],
        leader=isr[0],
        leader_epoch=0,
        partition_epoch=0,
        directories=[image.brokers[broker].new_directory() for broker in replicas],
    )


def decide_create_partitions(
    command: CreatePartitions, context: Context
) -> Decision[list[Outcome]]:
    """Records for each topic that may grow, and an `Outcome` for each, in order."""
    records: list[Message] = []
    outcomes: list[Outcome] = []
    for topic in command.topics:
        try:
            made = _grow(topic, context)
        except KafkaError as error:
            outcomes.append(Outcome(error.code, error.message))
        else:
            records += made
            outcomes.append(Outcome())
            _check_size(records, context)
    return Decision([] if command.validate_only else records, outcomes)


def _grow(topic: MorePartitions, context: Context) -> list[Message]:
    image = context.image
    found = image.topics_by_name.get(topic.name)
    if found is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    if found.is_internal:  # CRT-02: ids would belong to other partitions than before
        raise KafkaError(
            ErrorCode.INVALID_TOPIC_EXCEPTION,
            f"The number of partitions of the internal topic {topic.name} cannot change.",
        )
    have = len(found.partitions)
    if topic.total == have:
        raise KafkaError(ErrorCode.INVALID_PARTITIONS, f"Topic already has {have} partition(s).")
    if topic.total < have:
        raise KafkaError(
            ErrorCode.INVALID_PARTITIONS,
            f"The topic {topic.name} currently has {have} partition(s); {topic.total} would not "
            "be an increase.",
        )
    more = topic.total - have
    if more > context.static.max_partitions_per_request:
        raise KafkaError(
            ErrorCode.POLICY_VIOLATION, "Excessively large number of partitions per request."
        )
    factor = len(found.partitions[0].replicas)
    if topic.assignments is None:
        chosen = _placed(more, factor, context)
    else:
        chosen = _manual_growth(topic, more, have, factor, image)
    context.charge(more)
    return [
        _new_partition(found.topic_id, have + at, replicas, image)
        for at, replicas in enumerate(chosen)
    ]


def _manual_growth(
    topic: MorePartitions, more: int, have: int, factor: int, image: ClusterImage
) -> list[list[int]]:
    assert topic.assignments is not None
    if len(topic.assignments) != more:
        raise KafkaError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"Attempted to add {more} additional partition(s), but only "
            f"{len(topic.assignments)} assignment(s) were specified.",
        )
    for at, brokers in enumerate(topic.assignments):
        check_assignment(brokers, factor, image)
        check_active(brokers, have + at, image)
    return [list(brokers) for brokers in topic.assignments]
