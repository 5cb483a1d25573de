"""A follower's or observer's side: fetching, cutting what the leader does not have, applying.

595-04: what a voter's Fetch says it has must be durable. A disk that owes the log or `quorum-state`
for longer than `stalled_disk_ms` does not keep the news away: the node goes on from the end of its
log with Fetches that name nobody, so that nobody counts on what it got ("peeks"); they are answered
at once and go out in that interval. It appends what they bring, and applies what is committed,
which others have durably. When the disk has given a part, that much is acknowledged by a Fetch in
the node's name, of whose answer nothing is used: its log is further already.
"""

from __future__ import annotations

from math import inf
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError

from . import lost_writes, membership, snapshots
from .messages import NOBODY, EpochEnd, Fetch, FetchAnswer, ReplicaKey
from .ready import Flush, Ready
from .states import (
    BOOTSTRAP_SERVER_BASE,
    Follower,
    InFlight,
    Leader,
    QuorumBrokenError,
    Replica,
    Unattached,
)

_NO_NAME: Final = ReplicaKey(NOBODY)

_ONE_BATCH_BYTES: Final = 1
"""A Fetch is answered with a batch at least."""

_DELIVERY_SHARE: Final = 4
"""A Fetch waits for listeners at most a quarter of the fetch time-out, so that a long load does
not look like a dead node to the leader."""


def take_ready(replica: Replica, now_ms: float) -> Ready | None:
    """What is to do now; replies and requests only while nothing waits to become durable."""
    log_end = replica.log.end_offset
    ready = replica.ready
    if log_end > replica.flushing_offset:
        replica.flushing_offset = log_end
        ready.flush = Flush(log_end, replica.flush_generation, replica.log.last_epoch)
    if replica.flushed_offset >= log_end and not replica.is_dirty:
        replica.peek_after_ms = inf
    elif replica.peek_after_ms == inf:
        replica.peek_after_ms = now_ms + replica.config.stalled_disk_ms
    if replica.is_dirty:
        return _take_before_durable(replica, now_ms)
    if not replica.fetch_number and type(replica.role) is not Leader:
        _fetch(replica, now_ms)
    if (
        ready.replies
        or ready.requests
        or ready.high_watermark >= 0
        or ready.flush is not None
        or ready.leader is not None
        or ready.snapshot is not None
        or ready.freeze is not None
        or ready.alarms
        or ready.abstains is not None
    ):
        replica.ready = Ready()
        return ready
    return None


def _take_before_durable(replica: Replica, now_ms: float) -> Ready | None:
    """Everything but what others would learn from; that stays until the state is written."""
    held = replica.ready
    state = replica.state()
    has_news = state != replica.writing_state
    out = Ready(
        state if has_news else None,
        held.flush,
        held.freeze,
        held.leader,
        held.snapshot,
        held.high_watermark,
        abstains=held.abstains,
    )
    replica.writing_state = state
    replica.ready = Ready(requests=out.requests)
    if not replica.fetch_number:
        _fetch(replica, now_ms)
    replica.ready = Ready(replies=held.replies, requests=held.requests, alarms=held.alarms)
    return None if out == Ready() else out


# When and whom to ask -----------------------------------------------------------------------


def _wants_to_fetch(replica: Replica) -> bool:
    role = replica.role
    if replica.fetch_number or replica.freezing is not None or replica.is_stopping:
        return False
    if type(role) is Unattached:
        return not replica.is_voter or lost_writes.abstains(replica)
    return type(role) is Follower


def next_fetch_ms(replica: Replica) -> float:
    """When time alone makes a Fetch due; inf if it waits for something else."""
    if not _wants_to_fetch(replica):
        return inf
    due_ms = max(replica.fetch_after_ms, _disk_due_ms(replica))
    if due_ms < inf and replica.delivered_offset < replica.high_watermark:
        due_ms = max(due_ms, replica.delivery_deadline_ms)
    return due_ms


def _awaits_flush(replica: Replica) -> bool:
    """595-04: a Fetch acknowledges what is durable. One of a node that never votes does not.

    Nobody counts what such a node has, so a broker whose disk stands still goes on hearing who
    leads what (501-15). An observer that may become a voter waits: its leader remembers.
    """
    return replica.config.can_vote and replica.flushed_offset < replica.log.end_offset


def _disk_due_ms(replica: Replica) -> float:
    """From when on the disk does not stand against the next Fetch; inf: it must answer first."""
    if not _disk_owes(replica):
        return -inf
    if replica.download is not None:
        return inf
    return -inf if _has_more_to_acknowledge(replica) else replica.peek_after_ms


def _disk_owes(replica: Replica) -> bool:
    """Whether something is not durable that must be before everything here is acknowledged."""
    return replica.is_dirty or _awaits_flush(replica)


def _has_more_to_acknowledge(replica: Replica) -> bool:
    """Whether more is durable than was told."""
    return not replica.is_dirty and replica.flushed_offset > replica.acknowledged_offset


def _fetch(replica: Replica, now_ms: float) -> None:
    if not _wants_to_fetch(replica) or now_ms < replica.fetch_after_ms:
        return
    if now_ms < _disk_due_ms(replica) or not _is_delivered(replica, now_ms):
        return
    target = _target(replica)
    if target is None:
        replica.fetch_after_ms = now_ms + replica.config.retry_backoff_ms
        return
    if replica.download is not None:
        replica.fetch_number = replica.send(target, snapshots.next_piece(replica), now_ms)
        return
    replica.fetch_number = replica.send(target, _request(replica, now_ms), now_ms)


def _request(replica: Replica, now_ms: float) -> Fetch:
    """From the log's end on, waiting for news; while the disk owes something, see the module."""
    config = replica.config
    request = Fetch(
        config.cluster_id,
        replica.me,
        replica.epoch,
        replica.log.end_offset,
        replica.log.last_epoch,
        config.fetch_wait_ms,
        config.fetch_max_bytes,
        min(replica.high_watermark, replica.delivered_offset),
    )
    if not _disk_owes(replica):
        return request
    request.max_wait_ms = 0
    if _has_more_to_acknowledge(replica):
        request.offset, request.last_epoch = replica.flushed_offset, replica.flushed_epoch
        request.max_bytes = _ONE_BATCH_BYTES
    else:
        request.replica = _NO_NAME
        replica.peek_after_ms = now_ms + config.stalled_disk_ms
    return request


def _is_delivered(replica: Replica, now_ms: float) -> bool:
    if replica.delivered_offset >= replica.high_watermark:
        replica.delivery_deadline_ms = inf
        return True
    if replica.delivery_deadline_ms == inf:
        patience_ms = replica.config.fetch_timeout_ms / _DELIVERY_SHARE
        replica.delivery_deadline_ms = now_ms + patience_ms
    if now_ms < replica.delivery_deadline_ms:
        return False
    replica.delivery_deadline_ms = inf
    return True


def _target(replica: Replica) -> int | None:
    """The leader; where it is not known or has no address, anybody who may know."""
    role = replica.role
    if type(role) is Follower and (role.leader_id in replica.addresses or role.is_lost):
        return role.leader_id
    known = targets(replica)
    return replica.random.choice(known) if known else None


def targets(replica: Replica) -> list[int]:
    """Whom a node without a leader may ask: other voters with an address, bootstrap servers."""
    known = [one.node_id for one in replica.others if one.node_id in replica.addresses]
    servers = len(replica.config.bootstrap_servers)
    known += [BOOTSTRAP_SERVER_BASE - index for index in range(servers)]
    return known


# What the leader says -----------------------------------------------------------------------


def on_fetch_answer(replica: Replica, flight: InFlight, answer: FetchAnswer, now_ms: float) -> None:
    """Append, cut, or load a snapshot instead; then the next Fetch may go out."""
    role = replica.role
    if type(role) is not Follower or flight.epoch != replica.epoch:
        replica.fetch_after_ms = now_ms  # it only told who leads
        return
    if answer.error is not ErrorCode.NONE:
        if answer.leader_id == role.leader_id and flight.to != role.leader_id:
            replica.fetch_after_ms = now_ms
        return
    heard(replica, role, now_ms)
    replica.fetch_after_ms = now_ms
    request = flight.request
    assert type(request) is Fetch
    if request.replica is not _NO_NAME:
        replica.acknowledged_offset = request.offset
        if answer.diverging is None and answer.snapshot is None:
            lost_writes.on_acknowledged(replica, request, answer)
    if not _goes_on(replica, request):
        return
    if answer.diverging is not None:
        cut(replica, answer.diverging)
    elif answer.snapshot is not None:
        snapshots.begin_download(replica, answer.snapshot)
    else:
        _take_news(replica, answer, flight.sent_ms, now_ms)


def _goes_on(replica: Replica, request: Fetch) -> bool:
    """Whether it asked for what follows the log; else it acknowledged a part of it, and whether
    what is behind that part is the leader's too is not known from its answer."""
    return request.offset == replica.log.end_offset


def _take_news(replica: Replica, answer: FetchAnswer, sent_ms: float, now_ms: float) -> None:
    """Records and what is committed of them."""
    end = replica.log.end_offset
    if not answer.records:
        replica.freshness.at_tail(sent_ms)
    elif not _append(replica, answer, now_ms):
        return
    elif replica.log.end_offset > end:
        replica.freshness.fetched(end)
    watermark = min(answer.high_watermark, replica.log.end_offset)
    if watermark > replica.high_watermark:
        replica.raise_high_watermark(watermark)
    snapshots.follow_start(replica, answer.log_start_offset)
    membership.look_after_membership(replica, now_ms)


def heard(replica: Replica, role: Follower, now_ms: float) -> None:
    """The leader is alive."""
    role.has_heard = True
    role.is_lost = False
    role.deadline_ms = now_ms + replica.config.fetch_timeout_ms
    replica.proven = replica.told_leader
    replica.failed_elections = 0


def _append(replica: Replica, answer: FetchAnswer, now_ms: float) -> bool:
    """Append what was fetched; bytes that are damaged on the way are fetched again.

    A disk that refuses is no such damage: its failure comes through and ends the replica, which
    would follow no more and go on by what it knew.
    """
    try:
        controls = replica.log.append_records(answer.records)
    except KafkaError as error:
        if error.code == ErrorCode.KAFKA_STORAGE_ERROR:
            raise
        replica.fetch_after_ms = now_ms + replica.config.retry_backoff_ms
        return False
    if controls:
        replica.note_controls(controls)
    return True


def cut(replica: Replica, diverging: EpochEnd) -> None:
    """Drop what the leader does not have; 595-06: never anything that is committed."""
    mine = replica.log.end_of_epoch(diverging.epoch)
    offset = mine.end_offset
    if mine.epoch == diverging.epoch:
        offset = min(offset, diverging.end_offset)
    if offset < replica.high_watermark or diverging.end_offset < replica.high_watermark:
        raise QuorumBrokenError(
            f"the leader of epoch {replica.epoch} has nothing after {diverging}, but "
            f"{replica.high_watermark} is committed here"
        )
    replica.log.truncate(offset)
    replica.freshness.begin()
    replica.flush_generation += 1
    if offset <= replica.flushed_offset:
        replica.flushed_epoch = replica.log.last_epoch
    replica.flushed_offset = replica.flushing_offset = min(replica.flushed_offset, offset)
    replica.acknowledged_offset = min(replica.acknowledged_offset, offset)
    replica.forget_controls_from(offset)
