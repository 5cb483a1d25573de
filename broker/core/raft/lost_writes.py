"""A voter without records that it acknowledged: its disk lost writes, or is an older copy.

That voter was counted in a majority, so committed records may now be on fewer disks than they
should, and fewer failures can lose them.

The leader can see this only while it leads, and only for the same disk: KIP-853 identifies a voter
by node and directory id, and a new disk has another directory id. The leader raises an alarm; the
voter goes on fetching.

The voter itself sees it when it starts: its snapshot is damaged and its log begins after it, or the
log ends before what is known to have been committed on this disk (`RaftConfig.floor`). Its vote
could then elect a leader that lacks committed records too. So it abstains: it follows and
acknowledges as usual, but neither votes nor stands for election. That ends when it has acknowledged
everything that a leader knew to be committed, including a record of that leader's epoch (595-03).
That leader was elected without this voter's vote, so nothing else depends on what was lost. The
driver remembers over restarts that the voter abstains (`Ready.abstains`).
"""

from __future__ import annotations

from barnabas.protocol.primitives import uuid_to_text

from . import claims
from .messages import Fetch, FetchAnswer
from .states import Leader, Progress, Replica


def watch(replica: Replica, role: Leader, progress: Progress, request: Fetch) -> None:
    """At the leader: compare a Fetch with what the same disk had acknowledged; one alarm each."""
    key = request.replica
    if role.voters.get(key.node_id) is not progress or not any(key.directory_id):
        return  # nobody counts on an observer; an old version does not say which disk it is
    if progress.directory_id != key.directory_id:
        progress.directory_id = key.directory_id
        progress.is_suspect = False
        return
    if request.offset < progress.end_offset and not progress.is_suspect:
        progress.is_suspect = True
        replica.ready.alarms.append(
            f"voter {key.node_id} (directory.id {uuid_to_text(key.directory_id)}) asks for offset"
            f" {request.offset} after it had acknowledged all below {progress.end_offset} in epoch"
            f" {replica.epoch}: its disk lost writes, or is an older copy"
        )


# At the voter itself ------------------------------------------------------------------------


def check_at_boot(replica: Replica) -> None:
    """Abstain if the log lacks records that this disk is known to have had."""
    config = replica.config
    if config.has_lost or replica.log.end_offset < config.floor:
        abstain(replica)


def abstain(replica: Replica) -> None:
    """Abstain, since the log has lost records. A single voter cannot get them back, and goes on.

    A node that no longer knows the voters, since they were in that log, may be one of them.
    """
    is_alone = replica.is_voter and not replica.others
    if replica.config.can_vote and not is_alone:
        replica.abstains = replica.ready.abstains = True


def abstains(replica: Replica) -> bool:
    """Whether this voter neither votes nor stands for election."""
    return replica.abstains


def may_stand(replica: Replica) -> bool:
    """Whether this replica may become a candidate."""
    return replica.can_stand and not abstains(replica)


def on_acknowledged(replica: Replica, request: Fetch, answer: FetchAnswer) -> None:
    """A leader has answered an acknowledging Fetch: abstain no more if it covers all committed.

    Until then the leader may count this voter for what it had acknowledged before the loss.
    """
    if replica.abstains and _is_all(replica, request.offset, answer.high_watermark):
        replica.abstains = replica.ready.abstains = False


def _is_all(replica: Replica, offset: int, watermark: int) -> bool:
    log = replica.log
    if log.last_epoch != replica.epoch:
        return False
    return log.end_of_epoch(replica.epoch - 1).end_offset < watermark <= offset


def tell_without_leader(replica: Replica, now_ms: float) -> None:
    """Raise an alarm: there is no leader, and this voter cannot stand for election."""
    if replica.abstains:
        text = (
            "nobody leads the quorum, and this voter abstains because its log has lost records; if"
            " it is stopped, and the file metadata-log-floor is removed from its log directory, it"
            " votes with what it has"
        )
        claims.warn(replica, "abstains", text, now_ms)
