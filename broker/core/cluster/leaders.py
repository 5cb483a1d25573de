"""Who leads a partition when a broker comes, goes, or stops (KIP-631, KIP-966).

Rules, in order, for a partition whose leader cannot go on:

- the first replica of the assignment that is in the ISR and active (966-02: ISR);
- else, with eligible leader replicas on, the first that is in the ELR and active; it becomes the
  whole ISR;
- else, with ELR on and both sets empty, the last known leader, if it is active (C33a);
- else, if the topic allows unclean elections, the first active replica: ISR := [it], RECOVERING;
- else no leader (-1). With ELR off the last member stays in the ISR (966-04); with ELR on the ISR
  may become empty, and who leaves it while it is smaller than min.insync.replicas enters the ELR.

Each change names a leader only when the leader changes: a name begins a new leader epoch.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, NamedTuple

from .topic_image import NO_LEADER, RECOVERING, PartitionImage

if TYPE_CHECKING:
    from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

    from .image import ClusterImage


class Rules(NamedTuple):
    """What holds for the partitions of one topic."""

    elr: bool
    unclean: bool
    min_insync_replicas: int


RulesOf = Callable[[str], Rules]
"""Topic name -> its rules."""


def changes_without(
    image: ClusterImage, broker_id: int, rules_of: RulesOf, *, unclean: bool = False
) -> Iterator[PartitionChangeRecord]:
    """Partition changes after which `broker_id` leads nothing and is in no ISR (631-02).

    With `unclean` it is in no ELR either: it may have lost records (966-03).
    """

    def is_active(other: int) -> bool:
        broker = image.brokers.get(other)
        return other != broker_id and broker is not None and broker.is_active

    for topic in image.topics_by_id.values():
        rules = None
        for number, partition in topic.partitions.items():
            if broker_id in partition.isr or (unclean and broker_id in partition.elr):
                rules = rules or rules_of(topic.name)
                isr = tuple(one for one in partition.isr if one != broker_id)
                incomplete = broker_id if unclean else -1
                change = _change(partition, isr, is_active, rules, incomplete)
                if change is not None:
                    yield _named(change, topic.topic_id, number)


def changes_with(
    image: ClusterImage, broker_id: int, rules_of: RulesOf
) -> Iterator[PartitionChangeRecord]:
    """Partition changes that give leaders where `broker_id` can lead and nobody does."""

    def is_active(other: int) -> bool:
        broker = image.brokers.get(other)
        return other == broker_id or (broker is not None and broker.is_active)

    for topic in image.topics_by_id.values():
        for number, partition in topic.partitions.items():
            if partition.leader == NO_LEADER and broker_id in partition.replicas:
                change = _change(partition, partition.isr, is_active, rules_of(topic.name))
                if change is not None:
                    yield _named(change, topic.topic_id, number)


def _named(change: PartitionChangeRecord, topic_id: bytes, partition: int) -> PartitionChangeRecord:
    change.topic_id = topic_id
    change.partition_id = partition
    return change


def _change(
    before: PartitionImage,
    isr: tuple[int, ...],
    is_active: Callable[[int], bool],
    rules: Rules,
    incomplete: int = -1,
) -> PartitionChangeRecord | None:
    """The change to `isr` and to a leader for it; None if nothing is to change.

    `incomplete` is a broker that may have lost records.
    """
    from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

    leader, new_isr, unclean = _elect(before, isr, is_active, rules)
    if not new_isr and not rules.elr:
        new_isr = before.isr  # 966-04
    change = PartitionChangeRecord()
    if new_isr != before.isr:
        change.isr = list(new_isr)
    if leader != before.leader or unclean:
        change.leader = leader
    state = RECOVERING if unclean else before.leader_recovery_state
    if state != before.leader_recovery_state:
        change.leader_recovery_state = state
    if rules.elr:
        elr, known = _elr(before, new_isr, leader, rules, incomplete)
        if elr != before.elr:
            change.eligible_leader_replicas = list(elr)
        if known != before.last_known_elr:
            change.last_known_elr = list(known)
    if change == PartitionChangeRecord():
        return None
    return change


def _elect(
    before: PartitionImage,
    isr: tuple[int, ...],
    is_active: Callable[[int], bool],
    rules: Rules,
) -> tuple[int, tuple[int, ...], bool]:
    """Leader, ISR, and whether the election was unclean."""
    if before.leader in isr and is_active(before.leader):
        return before.leader, isr, False
    active = [replica for replica in before.replicas if is_active(replica)]
    for replica in active:
        if replica in isr:
            return replica, isr, False
    if rules.elr:
        for replica in active:
            if replica in before.elr:
                return replica, (replica,), False
        known = before.last_known_elr
        if not isr and not before.elr and len(known) == 1 and known[0] in active:
            return known[0], known, True
    if rules.unclean and active:
        return active[0], (active[0],), True
    return NO_LEADER, isr, False


def _elr(
    before: PartitionImage, isr: tuple[int, ...], leader: int, rules: Rules, incomplete: int
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Who is complete though not in sync any more, and who led last, after a change (966-02)."""
    if len(isr) >= min(rules.min_insync_replicas, len(before.replicas)):
        return (), ()
    left = (*before.elr, *(one for one in before.isr if one not in before.elr))
    elr = tuple(one for one in left if one not in isr and one != incomplete)
    if leader == NO_LEADER and before.leader != NO_LEADER:
        return elr, (before.leader,)
    return elr, before.last_known_elr
