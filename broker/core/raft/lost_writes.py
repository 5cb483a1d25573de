"""A voter that lacks what it had acknowledged: its disk lost writes, or was put back from a copy.

A majority was counted with that voter, so records that are committed may now lie on fewer disks
than they should, and fewer failures may lose them.

The leader can only see it within its own reign, and only for the same disk: KIP-853 names it by
node and directory id, and a disk that is new has another id. It says so; the voter fetches on.

The voter itself sees it when it starts: its snapshot is damaged and its log begins after it, or the
log ends before what is known to have been committed on this disk (`RaftConfig.floor`). Then its
vote could make a leader of one that lacks committed records too. So it abstains: it follows and
acknowledges as ever, and neither votes nor stands until it has told a leader that its disk has
all that this leader knew was committed, once that had a record of its own epoch in it (595-03): it
was elected without us, so there is nothing else that anybody could count on us for. It is the
driver's to remember this over restarts (`Ready.abstains`).
"""

from __future__ import annotations

from barnabas.protocol.primitives import uuid_to_text

from . import claims
from .messages import Fetch, FetchAnswer
from .states import Leader, Progress, Replica


def watch(replica: Replica, role: Leader, progress: Progress, request: Fetch) -> None:
    """Compare a Fetch with what this very disk had acknowledged; once for each of them."""
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
    """Whether the log, as it is now, has what this disk is known to have had."""
    config = replica.config
    if config.has_lost or replica.log.end_offset < config.floor:
        abstain(replica)


def abstain(replica: Replica) -> None:
    """Its log has lost something; who is alone has nobody to get it from, and goes on.

    Who does not know the voters any more, for they were in that log, may be one of them.
    """
    is_alone = replica.is_voter and not replica.others
    if replica.config.can_vote and not is_alone:
        replica.abstains = replica.ready.abstains = True


def abstains(replica: Replica) -> bool:
    """Whether it neither votes nor stands."""
    return replica.abstains


def may_stand(replica: Replica) -> bool:
    """Whether it takes part in elections as a candidate."""
    return replica.can_stand and not abstains(replica)


def on_acknowledged(replica: Replica, request: Fetch, answer: FetchAnswer) -> None:
    """The leader took our word for what is durable here: is that all it knows to be committed?

    Until then it may count us for what we had told before.
    """
    if replica.abstains and _is_all(replica, request.offset, answer.high_watermark):
        replica.abstains = replica.ready.abstains = False


def _is_all(replica: Replica, offset: int, watermark: int) -> bool:
    log = replica.log
    if log.last_epoch != replica.epoch:
        return False
    return log.end_of_epoch(replica.epoch - 1).end_offset < watermark <= offset


def tell_without_leader(replica: Replica, now_ms: float) -> None:
    """Nobody leads, and this voter is none who could help that."""
    if replica.abstains:
        text = (
            "nobody leads the quorum, and this voter abstains because its log has lost records; if"
            " it is stopped, and the file metadata-log-floor is removed from its log directory, it"
            " votes with what it has"
        )
        claims.warn(replica, "abstains", text, now_ms)
