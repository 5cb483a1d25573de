"""What nobody asked for: requests that claim who leads, or that a new epoch has begun.

Whoever reaches a controller's port can send them, and nothing in them proves who did. So a claim is
taken for what it is: the cluster's id is in it, its leader is a voter, its epoch is at most
`EPOCH_JUMP_MAX` above what this node knows for certain, and no other leader is known in it. Such a
claim wins, as a higher epoch must (595-10), and lasts until its leader has answered, or has denied
it. Everything else is refused, and said so in an alarm; if a
voter may be behind it, that voter is asked over a connection of this node's own, to the address
that the voter set has. Such an answer is believed: so a node that was away for months learns any
epoch, and two leaders of one epoch still end the node (595-09), but only by their own word.

UNKNOWN_LEADER_EPOCH is the refusal that a sound voter passes over; Apache Kafka's ends its process
when it is told INVALID_REQUEST.
"""

from __future__ import annotations

from typing import Final

from barnabas.protocol.errors import ErrorCode

from .messages import (
    AddVoter,
    Fetch,
    FetchSnapshot,
    RemoveVoter,
    ReplicaKey,
    Request,
)
from .quorum_state import EPOCH_LAST, NOBODY
from .states import Follower, Leader, Replica

EPOCH_JUMP_MAX: Final = 100
"""Epochs above the newest proven one that a request may claim. An epoch is used up only when a
majority would have voted for a candidate and then did not (996-01), or by voters from before
pre-votes, who are asked themselves when they are further."""

ALARM_PAUSE_MS: Final = 10_000
"""A kind of alarm is raised once in this time; the next one says how many there were."""

NO_NAME: Final = ReplicaKey(NOBODY)
_ONE_BATCH_BYTES: Final = 1


# Which cluster is meant ---------------------------------------------------------------------


def is_for_us(replica: Replica, request: Request) -> bool:
    """Whether the request names our cluster; only those who change nothing, and administrators'
    tools, may leave that out, as all voters always name it."""
    if request.cluster_id is None:
        return not _needs_cluster_id(request)
    return request.cluster_id == replica.config.cluster_id


def _needs_cluster_id(request: Request) -> bool:
    if isinstance(request, Fetch | FetchSnapshot):
        return request.replica.node_id >= 0
    return not isinstance(request, AddVoter | RemoveVoter)


# Who may be believed ------------------------------------------------------------------------


def hears_leader(replica: Replica, now_ms: float) -> bool:
    """Whether it leads itself, or its leader has answered and its time is not over."""
    role = replica.role
    if type(role) is Leader:
        return True
    return (
        type(role) is Follower and role.has_heard and not role.is_lost and now_ms < role.deadline_ms
    )


def is_voter(replica: Replica, node_id: int) -> bool:
    """Whether some voter set that this node knows of has this number."""
    return any(node_id in voters.ids for _, voters in replica.voter_sets)


def is_too_far(replica: Replica, epoch: int) -> bool:
    """Whether an epoch is further away than a request can make believe."""
    return epoch > min(replica.proven_epoch + EPOCH_JUMP_MAX, EPOCH_LAST)


def doubt(replica: Replica, leader_id: int, epoch: int, now_ms: float) -> ErrorCode:
    """What is to be answered to "this node leads this epoch"; NONE: it may be taken.

    The epoch is not below ours, and the leader is another node.
    """
    who = f"a request claims that node {leader_id} leads epoch {epoch}"
    if not is_voter(replica, leader_id):
        alarm(replica, "leader", f"{who}, which is no voter", now_ms)
        return ErrorCode.UNKNOWN_LEADER_EPOCH
    if is_too_far(replica, epoch):
        alarm(replica, "epoch", f"{who}, far from epoch {replica.proven_epoch}", now_ms)
    elif epoch == replica.epoch and replica.leader_id not in (NOBODY, leader_id):
        alarm(replica, "two leaders", f"{who}, which node {replica.leader_id} leads", now_ms)
    else:
        return ErrorCode.NONE  # 595-10
    ask(replica, leader_id, now_ms)
    return ErrorCode.UNKNOWN_LEADER_EPOCH


def doubt_candidate(replica: Replica, node_id: int, epoch: int, now_ms: float) -> ErrorCode:
    """The same of a candidate for a vote in an epoch that is not below ours.

    A candidate that no known voter set has may be a voter all the same (853-01); it is listened to
    when nobody leads.
    """
    who = f"a request stands for node {node_id} in epoch {epoch}"
    if is_too_far(replica, epoch):
        alarm(replica, "epoch", f"{who}, far from epoch {replica.proven_epoch}", now_ms)
    elif epoch > replica.epoch and not is_voter(replica, node_id) and hears_leader(replica, now_ms):
        alarm(replica, "candidate", f"{who}, which is no voter; a leader is heard", now_ms)
    else:
        return ErrorCode.NONE
    ask(replica, node_id, now_ms)
    return ErrorCode.UNKNOWN_LEADER_EPOCH


# Asking -------------------------------------------------------------------------------------


def ask(replica: Replica, node_id: int, now_ms: float) -> None:
    """Ask a voter who leads, by a Fetch in nobody's name; a stranger is not asked."""
    if node_id not in replica.addresses or all(one.node_id != node_id for one in replica.others):
        return
    if now_ms < replica.ask_after_ms.get(node_id, now_ms):
        return
    replica.ask_after_ms[node_id] = now_ms + replica.config.retry_backoff_ms
    log = replica.log
    request = Fetch(
        replica.config.cluster_id,
        NO_NAME,
        NOBODY,
        log.end_offset,
        log.last_epoch,
        0,
        _ONE_BATCH_BYTES,
    )
    replica.send(node_id, request, now_ms)


# Saying so ----------------------------------------------------------------------------------


def alarm(replica: Replica, kind: str, text: str, now_ms: float) -> None:
    """Count it, and say so; of each kind once in a while."""
    replica.unproven_claims += 1
    warn(replica, kind, f"{text}: not believed", now_ms)


def warn(replica: Replica, kind: str, text: str, now_ms: float) -> None:
    """Say it; of each kind once in a while."""
    after_ms, held = replica.alarms.get(kind, (now_ms, 0))
    if now_ms < after_ms:
        replica.alarms[kind] = (after_ms, held + 1)
        return
    replica.alarms[kind] = (now_ms + ALARM_PAUSE_MS, 0)
    more = f" ({held} more like it before)" if held else ""
    replica.ready.alarms.append(text + more)


def check_leadership(replica: Replica, epoch: int) -> ErrorCode:
    """595-05, 630-12: whether this node leads in the epoch that the asker knows; -1 is any."""
    if 0 <= epoch < replica.epoch:
        return ErrorCode.FENCED_LEADER_EPOCH
    if epoch > replica.epoch:
        return ErrorCode.UNKNOWN_LEADER_EPOCH
    if type(replica.role) is not Leader:
        return ErrorCode.NOT_LEADER_OR_FOLLOWER
    return ErrorCode.BROKER_NOT_AVAILABLE if replica.is_stopping else ErrorCode.NONE
