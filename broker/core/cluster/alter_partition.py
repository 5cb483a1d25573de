"""AlterPartition as the controller decides it: 497-01, 841-01, 903-01, 501-11 to 501-13 (C3).

Checks of one proposal, in order; the first that fails answers:

1. topic or partition unknown (100, 3);
2. the leader knows a later epoch than this controller: it is not the active one (41);
3. an older leader epoch (74), or the sender does not lead (42), or an older partition epoch (95);
4. an ISR that cannot be: no subset of the replicas, a replica twice, without the leader, more than
   one member while the leader recovers, recovering again after it had recovered (42);
5. a member that must not be in sync: not registered, fenced, stopping, another broker epoch than
   its fetches told, or its directory lost (107).

A proposal that is taken may complete a reassignment; if the leader goes with it, the answer is
NEW_LEADER_ELECTED (108) though the records are written.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .commands import Decision
from .leaders import Brokers, Target, change_to
from .partition_commands import AlterPartition, PartitionAlteration, PartitionAltered
from .situation import Situation
from .topic_image import NO_LEADER, RECOVERED, RECOVERING, PartitionImage


def decide_alter_partition(
    command: AlterPartition, situation: Situation
) -> Decision[list[PartitionAltered]]:
    """Records for each proposal that is accepted, and a `PartitionAltered` for each, in order.

    Raises KafkaError STALE_BROKER_EPOCH (77) if the sender is not the broker that is registered.
    """
    situation.asking_broker(command.broker_id, command.broker_epoch)
    records: list[Message] = []
    answers: list[PartitionAltered] = []
    after: dict[tuple[bytes, int], PartitionImage] = {}
    for proposal in command.partitions:
        key = (proposal.topic_id, proposal.partition)
        try:
            before = after.get(key) or _find(proposal, situation)
            change = _decide(command.broker_id, proposal, before, situation)
        except KafkaError as error:
            answers.append(PartitionAltered(*key, code=error.code))
            continue
        now = before
        if change is not None:
            change.topic_id, change.partition_id = key
            records.append(change)
            now = after[key] = before.changed_by(change)
        answers.append(_answer(proposal, command.broker_id, now))
    return Decision(records, answers)


def _find(proposal: PartitionAlteration, situation: Situation) -> PartitionImage:
    topic = situation.image.topics_by_id.get(proposal.topic_id)
    if topic is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_ID)
    found = topic.partitions.get(proposal.partition)
    if found is None:
        raise KafkaError(ErrorCode.UNKNOWN_TOPIC_OR_PARTITION)
    return found


def _decide(
    broker_id: int, proposal: PartitionAlteration, before: PartitionImage, situation: Situation
) -> PartitionChangeRecord | None:
    _check_epochs(broker_id, proposal, before)
    _check_isr(proposal, before)
    brokers = Brokers(situation.image)
    for member, epoch in proposal.isr:
        if not _is_eligible(member, epoch, before, brokers):
            raise KafkaError(ErrorCode.INELIGIBLE_REPLICA)
    if proposal.relinquish:
        return _relinquish(proposal, before, situation)
    target = Target.of(before)._replace(
        isr=tuple(member for member, _ in proposal.isr), recovery_state=proposal.recovery_state
    )
    topic = situation.image.topics_by_id[proposal.topic_id].name
    return change_to(before, target, brokers, situation.rules_of(topic))


def _check_epochs(broker_id: int, proposal: PartitionAlteration, before: PartitionImage) -> None:
    if (
        proposal.leader_epoch > before.leader_epoch
        or proposal.partition_epoch > before.partition_epoch
    ):
        raise KafkaError(ErrorCode.NOT_CONTROLLER)
    if proposal.leader_epoch < before.leader_epoch:
        raise KafkaError(ErrorCode.FENCED_LEADER_EPOCH)
    if broker_id != before.leader:
        raise KafkaError(ErrorCode.INVALID_REQUEST)
    if proposal.partition_epoch < before.partition_epoch:
        raise KafkaError(ErrorCode.INVALID_UPDATE_VERSION)


def _check_isr(proposal: PartitionAlteration, before: PartitionImage) -> None:
    members = [member for member, _ in proposal.isr]
    state = proposal.recovery_state
    if (
        len(set(members)) != len(members)
        or any(member not in before.replicas for member in members)
        or before.leader not in members
        or state not in (RECOVERED, RECOVERING)
        or (state == RECOVERING and len(members) > 1)
        or (state == RECOVERING and before.leader_recovery_state == RECOVERED)
    ):
        raise KafkaError(ErrorCode.INVALID_REQUEST)


def _is_eligible(member: int, epoch: int, before: PartitionImage, brokers: Brokers) -> bool:
    """The check of the leader (497-04), repeated with what the controller knows (841-01)."""
    broker = brokers.get(member)
    if broker is None or not brokers.may_lead(before, member):
        return False
    return epoch in (-1, broker.epoch)


def _relinquish(
    proposal: PartitionAlteration, before: PartitionImage, situation: Situation
) -> PartitionChangeRecord:
    """C3: the first other active member becomes the leader; the ISR stays, with the old leader
    last.

    Raises KafkaError INVALID_REQUEST (42) for another ISR, OPERATION_NOT_ATTEMPTED (55) if no other
    member can lead (501-11) or the partition was handed over a short time ago (501-13).
    """
    if {member for member, _ in proposal.isr} != set(before.isr):
        raise KafkaError(ErrorCode.INVALID_REQUEST)
    others = [member for member in before.isr if member != before.leader]
    relinquished, now_ms = situation.relinquished, situation.now_ms
    if not others or relinquished.is_cooling(proposal.topic_id, proposal.partition, now_ms):
        raise KafkaError(ErrorCode.OPERATION_NOT_ATTEMPTED)
    relinquished.note(proposal.topic_id, proposal.partition, now_ms)
    return PartitionChangeRecord(leader=others[0], isr=[*others, before.leader])


def _answer(proposal: PartitionAlteration, broker_id: int, now: PartitionImage) -> PartitionAltered:
    key = (proposal.topic_id, proposal.partition)
    if now.leader not in (broker_id, NO_LEADER):
        return PartitionAltered(*key, code=ErrorCode.NEW_LEADER_ELECTED)
    return PartitionAltered(
        *key,
        leader=now.leader,
        leader_epoch=now.leader_epoch,
        isr=now.isr,
        recovery_state=now.leader_recovery_state,
        partition_epoch=now.partition_epoch,
    )
