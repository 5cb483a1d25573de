"""Commands about existing partitions, and their answers; plain values.

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
    """The result for one proposal; only with `code` NONE does it have the new state."""

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
    """The proposals of one leader; the answer is a list of `PartitionAltered`, in order."""

    broker_id: int
    broker_epoch: int
    partitions: tuple[PartitionAlteration, ...]


PREFERRED, UNCLEAN = range(2)


class Elected(NamedTuple):
    """The result of one election."""

    topic: str
    partition: int
    code: ErrorCode = ErrorCode.NONE
    message: str | None = None


@dataclass(frozen=True, slots=True)
class ElectLeaders(Command[list[Elected]]):
    """Elect leaders of partitions (topic, number), None for all; the answer is a list of
    `Elected`."""

    election: int  # PREFERRED or UNCLEAN
    partitions: tuple[tuple[str, int], ...] | None


@dataclass(frozen=True, slots=True)
class BalanceLeaders(Command[int]):
    """Give leaderships back to preferred replicas of brokers that lead too few partitions.

    The answer is the number that moved; it is limited to one batch, so repeat it unless it is 0.
    """


@dataclass(frozen=True, slots=True)
class ElectUncleanLeaders(Command[int]):
    """Elect leaders for partitions without one, where the topic allows unclean elections (966-05).

    The answer is the number that were elected; repeat it unless it is 0, as `BalanceLeaders`.
    """


class Reassignment(NamedTuple):
    """The replicas that a partition is to have; None cancels the reassignment under way."""

    topic: str
    partition: int
    replicas: tuple[int, ...] | None


@dataclass(frozen=True, slots=True)
class AlterPartitionReassignments(Command[list[Outcome]]):
    """The answer is a list of `Outcome`, one for each partition, in order."""

    partitions: tuple[Reassignment, ...]
    allow_replication_factor_change: bool = True


class OngoingReassignment(NamedTuple):
    """The reassignment of one partition that is under way."""

    topic: str
    partition: int
    replicas: tuple[int, ...]
    adding: tuple[int, ...]
    removing: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class ListPartitionReassignments(Command[list[OngoingReassignment]]):
    """List the reassignments of partitions (topic, number) that are under way, None for all.

    The answer is a list of `OngoingReassignment`; other partitions are left out.
    """

    partitions: tuple[tuple[str, int], ...] | None


class DirectoryAssignment(NamedTuple):
    """A log directory of the asking broker that holds its replica of a partition."""

    directory: bytes
    topic_id: bytes
    partition: int


@dataclass(frozen=True, slots=True)
class AssignReplicasToDirs(Command[list[ErrorCode]]):
    """The answer is a list of `ErrorCode`, one for each assignment, in order."""

    broker_id: int
    broker_epoch: int
    assignments: tuple[DirectoryAssignment, ...]
