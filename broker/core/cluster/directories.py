"""AssignReplicasToDirs, as the controller decides it: which log directory holds which replica.

A replica in a directory that is not online leaves the ISR and its leadership in the same change. A
replica that returns from a lost directory may lead again: its broker may have been unfenced before
it could report that.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .broker_image import BrokerImage
from .commands import Decision
from .leaders import Brokers, Target, change_to
from .partition_commands import AssignReplicasToDirs, DirectoryAssignment
from .situation import Situation
from .topic_image import DIRECTORY_LOST, NO_LEADER, PartitionImage


def decide_assign_replicas_to_dirs(
    command: AssignReplicasToDirs, situation: Situation
) -> Decision[list[ErrorCode]]:
    """Records for each new assignment, and an `ErrorCode` for each assignment, in order.

    Raises KafkaError STALE_BROKER_EPOCH (77) if the sender is not the broker that is registered.
    """
    broker = situation.asking_broker(command.broker_id, command.broker_epoch)
    records: list[Message] = []
    answers: list[ErrorCode] = []
    after: dict[tuple[bytes, int], PartitionImage] = {}
    for assignment in command.assignments:
        key = (assignment.topic_id, assignment.partition)
        try:
            before = after.get(key) or _find(assignment, situation)
            change = _change(assignment, before, broker, situation)
        except KafkaError as error:
            answers.append(error.code)
            continue
        if change is not None:
            records.append(change)
            after[key] = before.changed_by(change)
        answers.append(ErrorCode.NONE)
    return Decision(records, answers)


def _find(assignment: DirectoryAssignment, situation: Situation) -> PartitionImage:
    if assignment.directory < DIRECTORY_LOST:
        # The ids for unassigned and migrating replicas name no directory.
        raise KafkaError(ErrorCode.INVALID_REQUEST)
    topic = situation.image.topics_by_id.get(assignment.topic_id)
    if topic is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
    found = topic.partitions.get(assignment.partition)
    if found is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    return found


def _change(
    assignment: DirectoryAssignment,
    before: PartitionImage,
    broker: BrokerImage,
    situation: Situation,
) -> PartitionChangeRecord | None:
    broker_id = broker.broker_id
    if broker_id not in before.replicas:
        raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    directories = list(before.directories)
    directories[before.replicas.index(broker_id)] = assignment.directory
    moved = before._replace(directories=tuple(directories))
    change = None
    isr = before.isr
    if not broker.is_online(assignment.directory):
        isr = tuple(one for one in before.isr if one != broker_id)
    if isr != before.isr or before.leader == NO_LEADER:
        topic = situation.image.topics_by_id[assignment.topic_id].name
        target = Target.of(before)._replace(isr=isr)
        change = change_to(moved, target, Brokers(situation.image), situation.rules_of(topic))
    if change is None and moved == before:
        return None
    change = change or PartitionChangeRecord()
    change.topic_id, change.partition_id = assignment.topic_id, assignment.partition
    if change.replicas is None:  # else the change has named those of all that are left
        change.directories = directories
    return change
