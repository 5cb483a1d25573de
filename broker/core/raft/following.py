"""A follower's or observer's side: fetching, truncating what the leader does not have, applying.

595-04: a voter's Fetch acknowledges everything before its offset, so that must be durable. If the
log or `quorum-state` is not flushed within `stalled_disk_ms`, the node keeps up with the cluster by
"peeks": Fetches from the end of its log that name no replica, so that nobody counts on what it got.
They are sent in that interval and answered at once. The node appends what they bring, and applies
what is committed, since other voters have that durably. When part of the log has been flushed, a
Fetch in the node's own name acknowledges that part; its answer is not used, as the log is further
already.
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
"""Enough for one batch: a Fetch is answered with at least one, whatever its size."""

_DELIVERY_SHARE: Final = 4
"""A Fetch waits for listeners at most a quarter of the fetch time-out, so that a long load does
not look like a dead node to the leader."""


def take_ready(replica: Replica, now_ms: float) -> Ready | None:
    """The next work; replies and requests are in it only while nothing waits to become durable."""
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
    """All work except messages to others, which wait until the state is written (595-01)."""
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
    """The time at which the next Fetch is due; inf if it waits for something other than time."""
    if not _wants_to_fetch(replica):
        return inf
    due_ms = max(replica.fetch_after_ms, _disk_due_ms(replica))
    # A time limit that has not begun yet begins when all else is due (`_is_delivered`).
    has_begun = replica.delivery_deadline_ms < inf
    if has_begun and replica.delivered_offset < replica.high_watermark:
        due_ms = max(due_ms, replica.delivery_deadline_ms)
    return due_ms


def _awaits_flush(replica: Replica) -> bool:
    """Whether the next Fetch must wait for a flush, as it acknowledges what is durable (595-04).

    A node that never votes need not wait: nobody counts what it has, so a broker with a stalled
    disk still learns who leads what (501-15). An observer that may become a voter does wait, since
    its leader remembers what it has acknowledged.
    """
    return replica.config.can_vote and replica.flushed_offset < replica.log.end_offset


def _disk_due_ms(replica: Replica) -> float:
    """The time from which the disk no longer delays the next Fetch; inf: it must finish first."""
    if not _disk_owes(replica):
        return -inf
    if replica.download is not None:
        return inf
    return -inf if _has_more_to_acknowledge(replica) else replica.peek_after_ms


def _disk_owes(replica: Replica) -> bool:
    """Whether something must still become durable before this node may acknowledge all it has."""
    return replica.is_dirty or _awaits_flush(replica)


def _has_more_to_acknowledge(replica: Replica) -> bool:
    """Whether more is durable than the leader was told."""
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
    """A Fetch from the end of the log that waits for news; with a stalled disk, see the module."""
    config = replica.config
    wait_ms = config.fetch_wait_ms
    if replica.freshness.seeks_tail:
        wait_ms = min(wait_ms, config.tail_wait_ms)
    request = Fetch(
        config.cluster_id,
        replica.me,
        replica.epoch,
        replica.log.end_offset,
        replica.log.last_epoch,
        wait_ms,
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
    """Whom to fetch from: the leader, or if it is unknown or has no address, who may know it."""
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
    """Append, truncate, or begin to load a snapshot; then the next Fetch may be sent."""
    role = replica.role
    if type(role) is not Follower:
        return  # nobody knows who leads: ask somebody again after a pause
    if flight.epoch != replica.epoch:
        replica.fetch_after_ms = now_ms  # the answer only says who leads
        return
    if answer.error is not ErrorCode.NONE:
        is_told = answer.leader_id == role.leader_id and role.leader_id in replica.addresses
        if is_told and flight.to != role.leader_id:
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
    """Whether this Fetch asked for what follows the log.

    Otherwise it acknowledged a part of the log, and its answer does not tell whether the rest of
    the log agrees with the leader's.
    """
    return request.offset == replica.log.end_offset


def _take_news(replica: Replica, answer: FetchAnswer, sent_ms: float, now_ms: float) -> None:
    """Append the records of an answer, and take the high watermark that it tells."""
    end = replica.log.end_offset
    if not answer.records:
        was_parked = answer.high_watermark <= replica.high_watermark
        replica.freshness.at_tail(sent_ms, was_parked=was_parked)
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
    """Append what was fetched; bytes that were damaged on the way are fetched again.

    A failure of the disk is not caught: it must end the replica, which could otherwise not follow
    any more and would go on with old metadata.
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
    """Truncate what the leader does not have; never what is committed (595-06)."""
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
