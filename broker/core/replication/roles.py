"""The roles of a replica, and what each change of role carries over.

A role is an object with what only that role needs, and each change of role begins a new object
(`lead`, `follow` and `retire` of `Partition` make the changes). Log, watermark, waiters and former
leaders belong to the replica and stay. Besides, this is carried over:

- From leader to leader of the next epoch: where the followers' logs end, and the in-sync set until
  metadata names the new one. Times are set again (501-03). Pending fetches and an open change of
  the in-sync set are forgotten, and answers to them change nothing.
- In every other change nothing: a new leader that was a follower knows nothing of its followers,
  and a follower nothing of its leader's watermark, even if that broker led before.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import Enum
from typing import Final

from .follower import FollowerState
from .former_leaders import NO_LEADER
from .hosted import HostedReplica
from .leader import LeaderState
from .surroundings import Surroundings

NO_EPOCH: Final = -1


class Reason(Enum):
    """Why a replica neither leads nor copies."""

    UNASSIGNED = "the cluster has not told its role yet"
    NO_LEADER = "nobody leads the partition"
    DISK_FAILED = "its disk refused it: there is no use in copying"
    DELETED = "the partition is deleted, or is on this broker no more"


@dataclass(frozen=True, slots=True)
class Offline:
    """Neither leads nor copies; the records in its log can still be read."""

    reason: Reason
    leader_id: int = NO_LEADER
    """The broker that leads; -1 if none does."""
    leader_epoch: int = NO_EPOCH


Role = LeaderState | FollowerState | Offline


def next_leader(
    replica: HostedReplica, around: Surroundings, before: Role, leader_epoch: int
) -> LeaderState:
    """The leader's state when this broker begins to lead, or goes on in another epoch."""
    if not isinstance(before, LeaderState):
        return LeaderState(replica, around, leader_epoch)
    followers, members = before.followers, before.in_sync.committed
    before.end()
    return LeaderState(replica, around, leader_epoch, followers, members)


def next_follower(
    replica: HostedReplica, before: Role, leader_id: int, leader_epoch: int
) -> FollowerState | Offline:
    """The role when another broker leads from now on, or nobody does."""
    if isinstance(before, LeaderState):
        before.end()
    if replica.log.failure is not None:
        return Offline(Reason.DISK_FAILED, leader_id, leader_epoch)
    if leader_id == NO_LEADER:
        return Offline(Reason.NO_LEADER, leader_id, leader_epoch)
    return FollowerState(replica, leader_id, leader_epoch)


def retired(before: Role) -> Offline:
    """The replica is taken away from this broker."""
    if isinstance(before, LeaderState):
        before.end()
    return Offline(Reason.DELETED, before.leader_id, before.leader_epoch)
