"""Partitions that move to other replicas, as the controller decides it (KIP-455).

- A partition on its way has the replicas that it is to have, then those that are to go (removing);
  those that are new are adding. It is over with the change that has all adding ones in the ISR.
- Another target while one is under way: what was being added and is wanted no more goes at once,
  unless nobody else is in sync.
- Null replicas end what is under way: the replicas are those from before, the ISR without those
  that were being added. If nobody would be left in it, that needs an unclean election, which the
  topic must allow (966-05).
"""

from __future__ import annotations

from collections.abc import Iterator

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .assignments import check_assignment
from .commands import Decision, Outcome
from .image import ClusterImage
from .leaders import Brokers, Target, change_to
from .partition_commands import (
    AlterPartitionReassignments,
    ListPartitionReassignments,
    OngoingReassignment,
    Reassignment,
)
from .situation import Situation
from .topic_image import PartitionImage


def decide_alter_reassignments(
    command: AlterPartitionReassignments, situation: Situation
) -> Decision[list[Outcome]]:
    """Records for each partition that may move, and an `Outcome` for each, in order."""
    records: list[Message] = []
    outcomes: list[Outcome] = []
    seen: set[tuple[str, int]] = set()
    for wanted in command.partitions:
        key = (wanted.topic, wanted.partition)
        try:
            if key in seen:
                raise KafkaError(ErrorCode.INVALID_REQUEST, "Duplicate partition.")
            change = _decide(wanted, situation, may_resize=command.allow_replication_factor_change)
        except KafkaError as error:
            outcomes.append(Outcome(error.code, error.message))
        else:
            if change is not None:
                records.append(change)
            outcomes.append(Outcome())
        seen.add(key)
    return Decision(records, outcomes)


def _decide(
    wanted: Reassignment, situation: Situation, *, may_resize: bool
) -> PartitionChangeRecord | None:
    topic = situation.image.topics_by_name.get(wanted.topic)
    if topic is None:
        raise KafkaError(
            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION, f"Unable to find a topic named {wanted.topic}."
        )
    before = topic.partitions.get(wanted.partition)
    if before is None:
        raise KafkaError(
            ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
            f"Unable to find partition {wanted.topic}:{wanted.partition}.",
        )
    if wanted.replicas is None:
        change = _cancel(wanted, before, situation)
    else:
        change = _move(wanted.replicas, wanted, before, situation, may_resize=may_resize)
    if change is not None:
        change.topic_id, change.partition_id = topic.topic_id, wanted.partition
    return change


def _move(
    replicas: tuple[int, ...],
    wanted: Reassignment,
    before: PartitionImage,
    situation: Situation,
    *,
    may_resize: bool,
) -> PartitionChangeRecord | None:
    check_assignment(replicas, None, situation.image)
    original = tuple(one for one in before.replicas if one not in before.adding_replicas)
    if not may_resize and len(replicas) != len(original):
        raise KafkaError(
            ErrorCode.INVALID_REPLICATION_FACTOR,
            f"The replication factor is changed from {len(original)} to {len(replicas)}",
        )
    staying = (*replicas, *original)
    isr = tuple(one for one in before.isr if one in staying)
    if not isr:  # only those that were being added are complete: they stay until others are
        staying, isr = (*staying, *before.isr, *before.elr), before.isr
    target = Target(
        replicas=(*replicas, *_without(before.replicas, replicas, staying)),
        isr=isr,
        adding=tuple(sorted(one for one in replicas if one not in original)),
        removing=tuple(sorted(_without(before.replicas, replicas, staying))),
        recovery_state=before.leader_recovery_state,
    )
    rules = situation.rules_of(wanted.topic)
    return change_to(before, target, Brokers(situation.image), rules)


def _without(
    present: tuple[int, ...], wanted: tuple[int, ...], staying: tuple[int, ...]
) -> tuple[int, ...]:
    """The present replicas that are not wanted, but stay until the move is complete."""
    return tuple(one for one in present if one not in wanted and one in staying)


def _cancel(
    wanted: Reassignment, before: PartitionImage, situation: Situation
) -> PartitionChangeRecord | None:
    if not before.adding_replicas and not before.removing_replicas:
        raise KafkaError(
            ErrorCode.NO_REASSIGNMENT_IN_PROGRESS, "No partition reassignment is in progress."
        )
    rules = situation.rules_of(wanted.topic)
    replicas = tuple(one for one in before.replicas if one not in before.adding_replicas)
    isr = tuple(one for one in before.isr if one not in before.adding_replicas)
    complete = (*before.isr, *before.elr) or before.last_known_elr
    keeps_complete = not complete or any(one in replicas for one in complete)
    if not keeps_complete and not rules.unclean:
        raise KafkaError(
            ErrorCode.INVALID_REPLICA_ASSIGNMENT,
            f"Unable to revert partition assignment for {wanted.topic}:{wanted.partition} because "
            "it would require an unclean leader election.",
        )
    target = Target(replicas, isr, (), (), before.leader_recovery_state)
    return change_to(before, target, Brokers(situation.image), rules)


def decide_list_reassignments(
    command: ListPartitionReassignments, situation: Situation
) -> Decision[list[OngoingReassignment]]:
    """The reassignments that are under way; there are no records."""
    image = situation.image
    wanted = _all(image) if command.partitions is None else iter(command.partitions)
    found: list[OngoingReassignment] = []
    for name, number in wanted:
        partition = image.partition(name, number)
        if partition is None or not (partition.adding_replicas or partition.removing_replicas):
            continue
        found.append(
            OngoingReassignment(
                name,
                number,
                partition.replicas,
                partition.adding_replicas,
                partition.removing_replicas,
            )
        )
    return Decision([], found)


def _all(image: ClusterImage) -> Iterator[tuple[str, int]]:
    for topic in image.topics_by_id.values():
        for number in topic.partitions:
            yield topic.name, number
