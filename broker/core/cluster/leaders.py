"""Who leads a partition, and what else becomes of it with every change (KIP-631, KIP-966, KIP-455).

Rules, in order, for a partition whose leader cannot go on:

- the first replica of the assignment that is in the ISR and active (966-02: ISR);
- else, with eligible leader replicas on, the first that is in the ELR and active; it becomes the
  whole ISR;
- else, with ELR on and both sets empty, the last known leader, if it is active (C33a);
- else, if the topic allows unclean elections, the first active replica: ISR := [it], RECOVERING;
- else no leader (-1). With ELR off the last members stay in the ISR (966-04); with ELR on the ISR
  may become empty, and who leaves it while it is smaller than min.insync.replicas enters the ELR.

Active is a replica whose broker is neither fenced nor shutting down and whose directory is online.

A reassignment is over with the change that has every added replica in the ISR: removed replicas go,
from the ISR too. A change names a leader when the leader changes, or when replicas go away: a name
begins a new leader epoch.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Sequence
from typing import NamedTuple

from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord

from .broker_image import BrokerImage
from .image import ClusterImage
from .topic_image import NO_LEADER, RECOVERING, PartitionImage


class Rules(NamedTuple):
    """The settings that matter when a leader is chosen, for the partitions of one topic."""

    elr: bool
    unclean: bool
    min_insync_replicas: int


RulesOf = Callable[[str], Rules]
"""Topic name -> its rules."""


class Brokers:
    """The brokers for one decision: those of an image, some of them changed by the decision
    itself."""

    __slots__ = ("_changed", "_image")

    def __init__(self, image: ClusterImage, changed: Sequence[BrokerImage] = ()) -> None:
        self._image = image
        self._changed = {broker.broker_id: broker for broker in changed}

    def get(self, broker_id: int) -> BrokerImage | None:
        """The broker; None if it is not registered."""
        return self._changed.get(broker_id) or self._image.brokers.get(broker_id)

    def may_lead(self, partition: PartitionImage, broker_id: int) -> bool:
        """Whether this replica could lead and be in sync, as far as its broker is concerned."""
        broker = self.get(broker_id)
        if broker is None or not broker.is_active:
            return False
        if broker_id not in partition.replicas:
            return True  # a replica that is being added
        return broker.is_online(partition.directory_of(broker_id))

    def new_directory(self, broker_id: int) -> bytes:
        """The directory to name for a replica that this broker is to get."""
        broker = self.get(broker_id)
        assert broker is not None, "checked before: replicas are put on registered brokers"
        return broker.new_directory()


class Target(NamedTuple):
    """The state that a partition is to reach, before a leader is chosen for it."""

    replicas: tuple[int, ...]
    isr: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]
    recovery_state: int

    @classmethod
    def of(cls, partition: PartitionImage) -> Target:
        """The partition's present state."""
        return cls(
            partition.replicas,
            partition.isr,
            partition.adding_replicas,
            partition.removing_replicas,
            partition.leader_recovery_state,
        )

    def completed(self) -> Target:
        """Without the replicas that are to be removed, if all that were to be added are in sync."""
        if not self.adding and not self.removing:
            return self
        isr = tuple(one for one in self.isr if one not in self.removing)
        if not isr or any(one not in isr for one in self.adding):
            return self
        replicas = tuple(one for one in self.replicas if one not in self.removing)
        return Target(replicas, isr, (), (), self.recovery_state)


class _Election(NamedTuple):
    leader: int
    isr: tuple[int, ...]
    unclean: bool = False


def change_to(
    before: PartitionImage,
    target: Target,
    brokers: Brokers,
    rules: Rules,
    *,
    preferred: bool = False,
    incomplete: Collection[int] = (),
) -> PartitionChangeRecord | None:
    """The change to `target` and to a leader for it; None if nothing is to change.

    With `preferred` the first replica leads if it can. `incomplete` are brokers that may have lost
    records (966-03). The caller fills in topic id and partition.
    """
    target = target.completed()
    elected = _elect(before, target, brokers, rules, preferred=preferred, incomplete=incomplete)
    # One from outside of the ISR may be all that was waited for.
    target = target._replace(isr=elected.isr).completed()
    isr = target.isr
    if not isr and not rules.elr:
        isr = tuple(one for one in before.isr if one in target.replicas)  # 966-04
        if before.isr and not isr:  # as in Kafka where a cancelled move leaves none of them
            isr = target.replicas[:1]
    change = PartitionChangeRecord()
    if isr != before.isr:
        change.isr = list(isr)
    loses_replicas = any(one not in target.replicas for one in before.replicas)
    if elected.leader != before.leader or elected.unclean or loses_replicas:
        change.leader = elected.leader
    state = RECOVERING if elected.unclean else target.recovery_state
    if state != before.leader_recovery_state:
        change.leader_recovery_state = state
    if rules.elr:
        elr, known = _elr(before, target.replicas, elected._replace(isr=isr), rules, incomplete)
        if elr != before.elr:
            change.eligible_leader_replicas = list(elr)
        if known != before.last_known_elr:
            change.last_known_elr = list(known)
    _assign(change, before, target, brokers)
    return None if change == PartitionChangeRecord() else change


def _assign(
    change: PartitionChangeRecord, before: PartitionImage, target: Target, brokers: Brokers
) -> None:
    if target.replicas != before.replicas:
        change.replicas = list(target.replicas)
        change.directories = [
            before.directory_of(one) if one in before.replicas else brokers.new_directory(one)
            for one in target.replicas
        ]
    if target.adding != before.adding_replicas:
        change.adding_replicas = list(target.adding)
    if target.removing != before.removing_replicas:
        change.removing_replicas = list(target.removing)


def _elect(
    before: PartitionImage,
    target: Target,
    brokers: Brokers,
    rules: Rules,
    *,
    preferred: bool,
    incomplete: Collection[int],
) -> _Election:
    isr = target.isr

    def may_lead(broker_id: int) -> bool:
        return brokers.may_lead(before, broker_id)

    wanted = (target.replicas[0],) if preferred else ()
    for replica in (*wanted, before.leader, *target.replicas):
        if replica in isr and may_lead(replica):
            # Members that were lost together with it are not in sync with it any more (841-01).
            return _Election(replica, tuple(one for one in isr if may_lead(one)))
    active = [replica for replica in target.replicas if may_lead(replica)]
    if rules.elr:
        # Who has lost records is not waited for, either (966-03).
        elr = [one for one in before.elr if one not in incomplete]
        for replica in active:
            if replica in elr:
                return _Election(replica, (replica,))
        known = before.last_known_elr
        if not isr and not elr and len(known) == 1 and known[0] in active:
            return _Election(known[0], known, unclean=True)
    if rules.unclean and active:
        return _Election(active[0], (active[0],), unclean=True)
    return _Election(NO_LEADER, isr)


def _elr(
    before: PartitionImage,
    replicas: tuple[int, ...],
    elected: _Election,
    rules: Rules,
    incomplete: Collection[int],
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The eligible leader replicas and the last known leader after a change (966-02)."""
    if len(elected.isr) >= min(rules.min_insync_replicas, len(replicas)) or elected.unclean:
        return (), ()
    left = (*before.elr, *(one for one in before.isr if one not in before.elr))
    elr = tuple(
        one for one in left if one in replicas and one not in elected.isr and one not in incomplete
    )
    if elected.leader != NO_LEADER:
        return elr, ()  # as in Kafka: there is a leader, so nobody looks for the last one
    if before.leader != NO_LEADER:
        return elr, (before.leader,)
    if before.isr and not elected.isr and not before.last_known_elr:
        # Without ELR the last member stayed in the ISR (966-04), and ELR was switched on since.
        return elr, before.isr[:1]
    return elr, before.last_known_elr


def changes_after(
    image: ClusterImage,
    changed: Sequence[BrokerImage],
    rules_of: RulesOf,
    *,
    unclean: bool = False,
) -> Iterator[PartitionChangeRecord]:
    """The changes of partitions after brokers have become as `changed` says.

    Replicas that cannot be in sync there leave the ISR and give up leaderships (631-02); partitions
    without a leader get one that has come back. With `unclean`, those who leave do not enter the
    ELR either: they may have lost records (966-03).
    """
    brokers = Brokers(image, changed)
    ids = [broker.broker_id for broker in changed]
    for topic in image.topics_by_id.values():
        rules = None
        for number, partition in topic.partitions.items():
            mine = [one for one in ids if one in partition.replicas]
            if not mine:
                continue
            gone = [one for one in mine if not brokers.may_lead(partition, one)]
            if not _is_concerned(partition, mine, gone, unclean=unclean):
                continue
            rules = rules or rules_of(topic.name)
            isr = tuple(one for one in partition.isr if one not in gone)
            target = Target.of(partition)._replace(isr=isr)
            incomplete = gone if unclean else ()
            change = change_to(partition, target, brokers, rules, incomplete=incomplete)
            if change is not None:
                change.topic_id, change.partition_id = topic.topic_id, number
                yield change


def _is_concerned(
    partition: PartitionImage, mine: Sequence[int], gone: Sequence[int], *, unclean: bool
) -> bool:
    if partition.leader == NO_LEADER and len(gone) < len(mine):
        return True
    return any(one in partition.isr or (unclean and one in partition.elr) for one in gone)


def has_leaderships(image: ClusterImage, broker_id: int) -> bool:
    """Whether the broker leads any partition."""
    return any(
        partition.leader == broker_id
        for topic in image.topics_by_id.values()
        for partition in topic.partitions.values()
    )
