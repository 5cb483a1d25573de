"""Changes of role to those that do not lead, and what ends with a reign (KIP-595).

How a replica becomes a prospective, a candidate and a leader is in `elections`.
"""

from __future__ import annotations

from math import inf

from barnabas.protocol.errors import ErrorCode

from .messages import NOBODY, EndEpoch, FetchAnswer, LeaderAndEpoch, VoterChangeAnswer
from .states import Follower, Leader, Replica, Resigned, Unattached


def election_deadline_ms(replica: Replica, now_ms: float) -> float:
    """A random time between one and two election timeouts from now."""
    return now_ms + replica.config.election_timeout_ms * (1 + replica.random.random())


def tell_leader(replica: Replica) -> None:
    """Tell the node who leads, if it was told another one last."""
    leader = LeaderAndEpoch(replica.known_leader(), replica.epoch)
    if leader != replica.told_leader:
        replica.told_leader = replica.ready.leader = leader


def leave(replica: Replica) -> Leader | None:
    """End what depends on the present role; returns a leader, whose parked requests are left."""
    replica.fetch_number = 0
    replica.fetch_after_ms = -inf
    replica.download = None
    replica.freshness.begin()
    role = replica.role
    return role if type(role) is Leader else None


def become_unattached(
    replica: Replica, epoch: int, now_ms: float, *, deadline_ms: float | None = None
) -> None:
    """Become unattached: no leader is known; a higher epoch than before also clears the vote."""
    reign = leave(replica)
    if epoch > replica.epoch:
        replica.set_state(epoch, NOBODY, None)
    if deadline_ms is None:
        deadline_ms = election_deadline_ms(replica, now_ms)
    replica.role = Unattached(deadline_ms)
    if reign is not None:
        end_reign(replica, reign)
    tell_leader(replica)


def become_follower(replica: Replica, epoch: int, leader_id: int, now_ms: float) -> None:
    """Follow a leader that is known to lead this epoch."""
    reign = leave(replica)
    voted = replica.voted if epoch == replica.epoch else None
    replica.set_state(epoch, leader_id, voted)
    replica.role = Follower(leader_id, now_ms + replica.config.fetch_timeout_ms)
    if reign is not None:
        end_reign(replica, reign)
    tell_leader(replica)


def resign(replica: Replica, now_ms: float) -> None:
    """Name successors, the one with the longest log first, and stand down (595-08)."""
    role = replica.role
    assert type(role) is Leader
    ranked = sorted(replica.others, key=lambda key: -role.voters[key.node_id].end_offset)
    request = EndEpoch(
        replica.config.cluster_id,
        replica.me.node_id,
        replica.epoch,
        tuple(ranked),
        replica.config.addresses,
    )
    stand_down(replica, now_ms)
    for key in ranked:
        replica.send(key.node_id, request, now_ms)


def stand_down(replica: Replica, now_ms: float) -> None:
    """A leader becomes a resigned one: it answers no Fetch and votes for nobody in this epoch."""
    reign = leave(replica)
    replica.role = Resigned(election_deadline_ms(replica, now_ms))
    if reign is not None:
        end_reign(replica, reign)
    tell_leader(replica)


def end_reign(replica: Replica, reign: Leader) -> None:
    """Answer everybody who waits for this leader: it no longer leads."""
    leader_id, address = replica.known_leader(), replica.leader_address()
    for parked in reign.parked.values():
        answer = FetchAnswer(
            ErrorCode.NOT_LEADER_OR_FOLLOWER, leader_id, replica.epoch, leader_address=address
        )
        replica.reply(parked.token, answer)
    if reign.change is not None and reign.change.token >= 0:
        lost = VoterChangeAnswer(
            ErrorCode.NOT_LEADER_OR_FOLLOWER,
            leader_id,
            replica.epoch,
            "this node stopped leading before the change was committed",
            address,
        )
        replica.reply(reign.change.token, lost)
