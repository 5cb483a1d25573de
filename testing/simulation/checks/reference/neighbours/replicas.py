"""Who reads what of a replica, and who is in sync."""

from __future__ import annotations

import copy
from random import Random
from typing import Any

from barnabas.broker.core.replication.replica_selector import ClientView, ReplicaView
from barnabas.broker.handlers.fetch.rules import Reader
from barnabas.protocol.errors import ErrorCode

from ..logs import EVICTION_MS
from .altered import NEAR, QUESTIONS, Altered, Questions

# --- reading -------------------------------------------------------------------------------------


def readable(random: Random, partition: Any, target: Any, reader: Any) -> Questions:
    del reader
    log, epoch = partition.log, partition.leader_epoch
    watermark = log.log_end_offset + random.choice((0, 2))
    edges = (log.log_start_offset, log.high_watermark, log.log_end_offset, watermark)
    for _ in range(QUESTIONS):
        yield (
            Altered(partition, leader_high_watermark=watermark),
            Altered(
                target,
                fetch_offset=random.choice(edges) + random.choice(NEAR),
                current_leader_epoch=random.choice((-1, -1, epoch - 1, epoch, epoch + 1)),
                last_fetched_epoch=random.choice((-1, epoch)),
            ),
            Reader(random.choice((-1, -1, -2, 1)), -1, random.choice((10, 11, 17))),
        )


def diverging(random: Random, partition: Any, target: Any, reader: Any) -> Questions:
    del reader
    start, end = partition.log.log_start_offset, partition.log.log_end_offset
    edges = (target.fetch_offset, start, end)
    for _ in range(QUESTIONS):
        offset = max(random.choice(edges) + random.choice(NEAR), 0)
        asked = random.randint(0, partition.leader_epoch + 1)
        yield (
            partition,
            Altered(
                target,
                fetch_offset=offset,
                last_fetched_epoch=asked,
                fetcher_log_start_offset=random.choice((min(start, offset), 0)),
            ),
            Reader(random.choice((-1, 1)), -1, 17),
        )


def nearest(random: Random, selector: Any, *came: Any) -> Questions:
    del came
    racks = ("a", "b")
    for _ in range(QUESTIONS):
        views = [
            ReplicaView(one, random.choice(racks), random.randint(5, 7), random.choice((0.0, 3.0)))
            for one in range(1, random.randint(2, 5))
        ]
        leader = random.choice(views)
        yield selector, ClientView("", random.choice((*racks, "")), "", ""), leader, views


def news(random: Random, target: Any, data: Any) -> Questions:
    for _ in range(QUESTIONS):
        known = copy.copy(target)
        known.known_high_watermark = data.high_watermark + random.choice((-1, 0, 0, 1))
        known.known_log_start_offset = data.log_start_offset + random.choice((-1, 0, 0))
        yield known, Altered(data, error_code=random.choice((0, 0, 0, 6)), records=None)


def weaker(random: Random, cache: Any, size: int, is_follower: bool, now_ms: float) -> Questions:
    del is_follower
    for _ in range(QUESTIONS):
        late_ms = random.choice((0.0, float(EVICTION_MS + 1)))
        near_size = max(size + random.choice(NEAR), 0)
        yield cache, near_size, random.random() < 0.5, now_ms + late_ms


def session(
    random: Random, cache: Any, request: Any, version: int, now_ms: float, asker: object
) -> Questions:
    """Only what is refused: a request that is taken would go on with the session."""
    session = cache._sessions.get(request.session_id)
    if session is None:
        return
    for _ in range(QUESTIONS):
        asked = copy.copy(request)
        asked.session_epoch = session.epoch + random.choice((-1, 1, 2))
        if random.random() < 0.2:
            asked.session_id = request.session_id ^ 1
        yield cache, asked, version, now_ms, asker


# --- followers and the in-sync set ---------------------------------------------------------------


def caught_up(random: Random, state: Any, leader_end: int, now_ms: float, lag_ms: int) -> Questions:
    for _ in range(QUESTIONS):
        late_ms = random.choice((-1, 0, 1, lag_ms // 2))
        end = leader_end + random.choice((-1, -1, 0))
        near = Altered(state, log_end_offset=end, last_caught_up_ms=now_ms - lag_ms - late_ms)
        yield near, leader_end, now_ms, lag_ms


def noted(
    random: Random, state: Any, offset: int, start: int, leader_end: int, epoch: int, now_ms: float
) -> Questions:
    del offset
    for _ in range(QUESTIONS):
        near = copy.copy(state)
        edge = random.choice((leader_end, state.last_fetch_leader_end))
        yield near, max(edge + random.choice(NEAR), 0), start, leader_end, epoch, now_ms


def fetched(
    random: Random, leader: Any, replica_id: int, epoch: int, offset: int, start: int, *more: Any
) -> Questions:
    """Only what tells nothing: a fetch that counts would change what is known of the follower."""
    del epoch
    known = leader._around.cluster.broker_epoch(replica_id)
    now_ms = more[0]
    for near in (-1, known + 1):
        yield leader, replica_id, near, offset + random.choice(NEAR), start, now_ms


def joined(random: Random, leader: Any, replica_id: int, state: Any) -> Questions:
    """Only who lacks something: whoever may join would be asked for."""
    watermark = leader._log.high_watermark
    for _ in range(QUESTIONS):
        start = watermark + random.randint(-1, 2)
        end = max(watermark, start) - 1
        near = Altered(leader, epoch_start_offset=start)
        yield near, replica_id, Altered(state, log_end_offset=end)


def may_join(random: Random, partition: Any, replica_id: int, state: Any) -> Questions:
    known = partition._around.cluster.broker_epoch(replica_id)
    for _ in range(QUESTIONS):
        epoch = random.choice((-1, known - 1, known, known + 1))
        yield (
            partition,
            replica_id,
            Altered(state, is_lost=random.random() < 0.3, broker_epoch=epoch),
        )


def answer(random: Random, in_sync: Any, change: Any, answer: Any) -> Questions:
    codes = (
        ErrorCode.NONE,
        ErrorCode.NONE,
        ErrorCode.OPERATION_NOT_ATTEMPTED,
        ErrorCode.INELIGIBLE_REPLICA,
        ErrorCode.INVALID_UPDATE_VERSION,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.NOT_CONTROLLER,
    )
    for _ in range(2 * QUESTIONS):
        told = answer._replace(
            error_code=int(random.choice(codes)),
            leader_epoch=change.leader_epoch + random.choice(NEAR),
            partition_epoch=in_sync.partition_epoch + random.choice(NEAR),
        )
        yield copy.copy(in_sync), change, told


def acknowledged(random: Random, partition: Any, end: int, acks: int) -> Questions:
    del acks
    log = partition.log
    for _ in range(QUESTIONS):
        edge = random.choice((end, log.high_watermark, log.recovery_point))
        yield partition, edge + random.choice(NEAR), random.choice((-1, 1))
