"""What a controller can be asked to do with partitions that are there; plain values.

Commands about brokers, topics and the cluster are in `commands`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from barnabas.protocol.errors import ErrorCode

from .commands import Command, Outcome
from .topic_image import NO_LEADER, RECOVERED


class PartitionAlteration(NamedTuple):
    """The in-sync set that a leader proposes for one partition (497-01)."""

    topic_id: bytes
    partition: int
    leader_epoch: int
    partition_epoch: int
    isr: tuple[tuple[int, int], ...]  # broker id, broker epoch; -1 where the leader knows none
    recovery_state: int = RECOVERED
    relinquish: bool = False  # C3: the leader, last in `isr`, wants another to lead


class PartitionAltered(NamedTuple):
    """How one proposal went; only with `code` NONE has it the state after."""

    topic_id: bytes
    partition: int
    code: ErrorCode = ErrorCode.NONE
    leader: int = NO_LEADER
    leader_epoch: int = 0
    isr: tuple[int, ...] = ()
    recovery_state: int = RECOVERED
    partition_epoch: int = 0


@dataclass(frozen=True, slots=True)
class AlterPartition(Command[list[PartitionAltered]]):
    """A leader's proposals; answers a list of `PartitionAltered`, in order."""

    broker_id: int
    broker_epoch: int
    partitions: tuple[PartitionAlteration, ...]


PREFERRED, UNCLEAN = range(2)


class Elected(NamedTuple):
    """How one election went."""

    topic: str
    partition: int
    code: ErrorCode = ErrorCode.NONE
    message: str | None = None


@dataclass(frozen=True, slots=True)
class ElectLeaders(Command[list[Elected]]):
    """Elect leaders of partitions (topic, number), None for all; answers a list of `Elected`."""

    election: int  # PREFERRED or UNCLEAN
    partitions: tuple[tuple[str, int], ...] | None


@dataclass(frozen=True, slots=True)
class BalanceLeaders(Command[int]):
    """Give leaderships back to preferred replicas of brokers that lead too little of theirs.

    Answers how many moved, an int; as many as one batch may have, so ask again if there were any.
    """


@dataclass(frozen=True, slots=True)
class ElectUncleanLeaders(Command[int]):
    """Leaders for partitions without one, where the topic allows unclean elections (966-05).

    Answers how many were elected, an int; ask again as with `BalanceLeaders`.
    """


class Reassignment(NamedTuple):
    """The replicas that a partition is to have; None ends what is under way and goes back."""

    topic: str
    partition: int
    replicas: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class AlterPartitionReassignments(Command[list[Outcome]]):
    """Answers a list of `Outcome`, one a partition, in order."""

    partitions: tuple[Reassignment, ...]
    allow_replication_factor_change: bool = True


class OngoingReassignment(NamedTuple):
    """One partition on its way."""

    topic: str
    partition: int
    replicas: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ListPartitionReassignments(Command[list[OngoingReassignment]]):
    """Reassignments under way of partitions (topic, number), None for all.

    Answers a list of `OngoingReassignment`; partitions at rest are left out.
    """

    partitions: tuple[tuple[str, int], ...] | None


class DirectoryAssignment(NamedTuple):
    """A log directory of the asking broker that holds its replica of a partition."""

    directory: bytes
    topic_id: bytes
    partition: int


@dataclass(frozen=True, slots=True)
class AssignReplicasToDirs(Command[list[ErrorCode]]):
    """Answers a list of `ErrorCode`, one an assignment, in order."""

    broker_id: int
    broker_epoch: int
    assignments: tuple[DirectoryAssignment, ...]
