"""The quorum's own feature level, raised while it runs: `kraft.version` 0 to 1 (KIP-853).

At level 0 voters are configured, on each node for itself, without the ids of their directories. So
every voter tells each new leader who it is and what it supports, with UpdateRaftVoter; the leader
remembers that for its reign and writes nothing. When all have told, it can be asked for level 1:
one control batch has the level and the voters with all that they told, and both count from then on.
There is no way back.
"""

from __future__ import annotations

from math import inf

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.primitives import ZERO_UUID

from . import leader_log
from .messages import ReplicaKey, UpdateVoter
from .ports import KRaftVersion
from .states import Follower, InFlight, Leader, Replica
from .voters import Voter, Voters

# At the leader ------------------------------------------------------------------------------


def obstacle(replica: Replica, role: Leader, level: int) -> str | None:
    """Why the level cannot be raised to this one now; None if it can, or stands there already."""
    present = replica.kraft_version
    if level == present:
        return None
    if level < present:
        return f"It cannot go back from {present}: voters of the log would be lost."
    if level > replica.config.kraft_version_max:
        return f"The active controller only supports versions 0-{replica.config.kraft_version_max}."
    if replica.high_watermark <= role.epoch_start:
        return "The leader has not committed a record of its epoch yet."
    if replica.uncommitted_offset >= 0:
        return "A change of the voters is not committed yet."
    for one, told in _told(replica, role):
        if told is None:
            return f"Voter {one.voter_id} has not told its directory and addresses to the leader."
        if not told.kraft_version_min <= level <= told.kraft_version_max:
            known = f"{told.kraft_version_min}-{told.kraft_version_max}"
            return f"Voter {one.voter_id} only supports versions {known}."
    return None


def raise_level(replica: Replica, role: Leader, level: int, now_ms: float) -> int:
    """Append the level and the voters; the offset of the last record, which must be committed.

    A level that stands already appends nothing. Raises ValueError with the obstacle.
    """
    reason = obstacle(replica, role, level)
    if reason is not None:
        raise ValueError(reason)
    if level == replica.kraft_version:
        return replica.log.end_offset - 1
    voters = Voters(tuple(told for _, told in _told(replica, role) if told is not None))
    leader_log.append_controls(replica, role, [KRaftVersion(level), voters])
    end_offset = replica.log.end_offset
    leader_log.advance_high_watermark(replica, role, now_ms)
    return end_offset - 1


def own_entry(replica: Replica) -> Voter:
    """This node as a voter set has it."""
    return Voter(
        replica.me.node_id,
        replica.me.directory_id,
        replica.config.addresses,
        0,
        replica.config.kraft_version_max,
    )


def _told(replica: Replica, role: Leader) -> list[tuple[Voter, Voter | None]]:
    """Each configured voter, and what it said of itself."""
    found: list[tuple[Voter, Voter | None]] = []
    for one in replica.voters.members:
        told = role.told.get(one.voter_id)
        if one.voter_id == replica.me.node_id:
            mine = own_entry(replica)
            told = mine if mine.addresses and mine.directory_id != ZERO_UUID else None
        found.append((one, told))
    return found


def take_told(replica: Replica, role: Leader, voter: Voter) -> bool:
    """A configured voter says who it is; False if it is none."""
    if voter.directory_id == ZERO_UUID:
        return False
    if not replica.has_voter(ReplicaKey(voter.voter_id, voter.directory_id)):
        return False
    role.told[voter.voter_id] = voter
    return True


# At a voter that follows --------------------------------------------------------------------


def tell_leader(replica: Replica, role: Follower, now_ms: float) -> None:
    """Once to each leader, and again until it has answered."""
    if not replica.is_voter or now_ms < role.tell_after_ms or not replica.config.addresses:
        return
    role.tell_after_ms = now_ms + replica.config.fetch_timeout_ms
    update = UpdateVoter(replica.config.cluster_id, replica.epoch, own_entry(replica))
    replica.send(role.leader_id, update, now_ms)


def on_told(replica: Replica, flight: InFlight, error: ErrorCode) -> None:
    """The leader has taken it, or is of a kind that wants to know nothing."""
    role = replica.role
    if type(role) is not Follower or not isinstance(flight.request, UpdateVoter):
        return
    if flight.epoch == replica.epoch and error in (ErrorCode.NONE, ErrorCode.UNSUPPORTED_VERSION):
        role.tell_after_ms = inf
