"""The roles of a replica, and what each change of role carries over.

A role is an object of its own with what only that role needs; the next one begins with a new object
(`lead`, `follow`, `retire` of `Partition` make the changes). Log, watermark, who waits, and who led
before are the replica's and stay. Beyond that:

- Leader to leader of the next epoch: where the followers' logs end, and who was in sync, until the
  cluster says who is now. Their times begin anew (501-03). Pending fetches and a change of the
  in-sync set that is under way are forgotten: answers to them change nothing.
- Every other change: nothing. A leader that has followed knows nothing of its followers, and a
  follower nothing of its leader's watermark, be it the same broker in another epoch.
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
    """Neither leads nor copies; what is in the log may be read still."""

    reason: Reason
    leader_id: int = NO_LEADER
    """Who leads, if somebody does."""
    leader_epoch: int = NO_EPOCH


Role = LeaderState | FollowerState | Offline


def next_leader(
    replica: HostedReplica, around: Surroundings, before: Role, leader_epoch: int
) -> LeaderState:
    """This broker leads from now on, or goes on in another epoch."""
    if not isinstance(before, LeaderState):
        return LeaderState(replica, around, leader_epoch)
    followers, members = before.followers, before.in_sync.committed
    before.end()
    return LeaderState(replica, around, leader_epoch, followers, members)


def next_follower(
    replica: HostedReplica, before: Role, leader_id: int, leader_epoch: int
) -> FollowerState | Offline:
    """Another broker leads from now on, or nobody."""
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
