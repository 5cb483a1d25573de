"""Epochs and cuts (101, 279), producers (98), fetch sessions (227), questions about offsets."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from barnabas.broker.core.log.leader_epochs import LeaderEpochs
from barnabas.broker.core.log.producer_entry import ProducerEntry
from barnabas.broker.core.log.producers import Producers
from barnabas.broker.core.replication.fetch_session import FetchSessionCache
from barnabas.broker.core.replication.resting_session import FetchTarget
from barnabas.broker.core.replication.truncation import Restart, Truncation
from barnabas.broker.handlers import offset_for_leader_epoch
from barnabas.broker.handlers.list_offsets import handler as list_offsets
from barnabas.broker.server.replication import copying, repositioning
from barnabas.protocol.errors import ErrorCode

from .comparing import Rule, Unsure, refusal

LATEST, EARLIEST = -1, -2
ANY_REPLICA = -2
MAX_EPOCH = 0x7FFF_FFFF
SEQUENCES = 1 << 31
EVICTION_MS = 120_000


def end_of_epoch(epochs: Any, epoch: int, log_end: int) -> tuple[int, int]:
    """101-02: (epoch, where it ended)."""
    known = epochs.entries()
    if epoch == -1 or not known or epoch > known[-1][0]:
        return -1, -1
    if epoch == known[-1][0]:
        return epoch, log_end
    if epoch < known[0][0]:
        return epoch, known[0][1]
    floor = max(one for one, _ in known if one <= epoch)
    return floor, min(start for one, start in known if one > epoch)


def truncation(local: Any, told: Any) -> Truncation:
    """279-01: where a follower cuts."""
    mine = local.end_offset
    if told.end_offset == -1:
        return Truncation(min(local.high_watermark, mine), is_complete=True)
    epoch, end = end_of_epoch(local.epochs, told.epoch, mine)
    if told.epoch == -1 or end == -1:
        return Truncation(min(told.end_offset, mine), is_complete=True)
    if epoch != told.epoch:
        return Truncation(min(end, mine), is_complete=False)
    return Truncation(min(end, told.end_offset, mine), is_complete=True)


def out_of_range(mine: int, leader_start: int, leader_end: int) -> Truncation | Restart:
    """279-04: a follower whose position its leader has not got."""
    if leader_end < mine:
        return Truncation(leader_end, is_complete=True)
    if mine < leader_start:
        return Restart(leader_start)
    return Truncation(mine, is_complete=True)


def producer_check(
    producers: Any, producer_id: int, epoch: int, first: int, last: int, *, txn: bool
) -> Any:
    """98-02, 98-03: a repeated batch, one that comes next, or one that must not come."""
    entry = producers.by_id.get(producer_id)
    if entry is None:
        return None
    if epoch < entry.epoch:
        raise refusal(ErrorCode.INVALID_PRODUCER_EPOCH)
    if epoch == entry.epoch:
        for batch in entry.batches:
            if batch[0] == last and (batch[0] - batch[2]) % SEQUENCES == first:
                return batch
        expected = (entry.batches[-1][0] + 1) % SEQUENCES if entry.batches else 0
        if first != expected:
            raise refusal(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
    elif first != 0 and entry.epoch != -1:
        raise refusal(ErrorCode.OUT_OF_ORDER_SEQUENCE_NUMBER)
    if entry.transaction_first_offset >= 0 and not txn:
        raise refusal(ErrorCode.INVALID_TXN_STATE)
    return None


def rolled_back(entry: Any, offset: int) -> Generator[None, Any, None]:
    """98-04: what a producer wrote before `offset` stays, and its next sequence follows on that."""
    kept = [batch for batch in entry.batches if batch[1] < offset]
    yield
    assert entry.batches == kept, f"{entry.batches} are left, should be {kept}"
    expected = (kept[-1][0] + 1) % SEQUENCES if kept else 0
    assert entry.next_sequence == expected, f"next is {entry.next_sequence}, should be {expected}"


def is_news(target: Any, data: Any) -> bool:
    """227-02: what an incremental answer must tell."""
    return bool(
        data.records
        or data.error_code
        or data.high_watermark != target.known_high_watermark
        or data.log_start_offset != target.known_log_start_offset
        or data.preferred_read_replica != -1
        or data.diverging_epoch.epoch != -1
    )


def go_on(
    cache: Any, request: Any, version: int, now_ms: float, asker: object
) -> Generator[None, Any, None]:
    """227-01: a session is asked for by its id, in its epoch, and in its way to name topics; one
    for whose further partitions there is no room ends (227-03)."""
    del now_ms, asker
    session = cache._sessions.get(request.session_id)
    added = sum(len(topic.partitions) for topic in request.topics)
    may_end = added > 0 and not _has_room(cache, session, added)
    expected = None
    epoch = -1
    if session is None:
        expected = ErrorCode.FETCH_SESSION_ID_NOT_FOUND
    elif request.session_epoch != session.epoch:
        expected = ErrorCode.INVALID_FETCH_SESSION_EPOCH
    elif session.uses_topic_ids != (version >= 13):
        expected = ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR
    else:
        epoch = 1 if session.epoch == MAX_EPOCH else session.epoch + 1
    answer = yield
    code = answer if isinstance(answer, ErrorCode) else None
    if may_end and expected is None and code is ErrorCode.FETCH_SESSION_ID_NOT_FOUND:
        assert request.session_id not in cache._sessions, "it ends, and is there"
        return
    assert code == expected, f"answered {code}, should be {expected}"
    if expected is None and session is not None:
        assert session.epoch == epoch, f"the next epoch is {session.epoch}, should be {epoch}"


def _has_room(cache: Any, session: Any, added: int) -> bool:
    """Whether so many partitions fit in the session, and in all of them together."""
    return session is None or (
        len(session.targets) + added <= cache._share(session.is_follower)
        and cache.partitions_cached + added <= cache._partitions_max
    )


def weaker(cache: Any, size: int, is_follower: bool, now_ms: float) -> Any:
    """227-03: followers go before consumers, larger sessions before smaller ones of some age."""

    def strength(session: Any) -> tuple[bool, int]:
        return session.is_follower, len(session.targets)

    weakest = min(cache._sessions.values(), key=strength)
    is_stronger = (is_follower, size) > strength(weakest)
    gives_way = is_follower > weakest.is_follower or now_ms - weakest.created_ms > EVICTION_MS
    return weakest if is_stronger and gives_way else None


def may_answer(partition: Any, replica_id: int, timestamp: int) -> None:
    """207-01, 207-02, 392-10: who may ask for which offsets."""
    is_any = replica_id == ANY_REPLICA
    if not partition.is_leader and (not is_any or timestamp >= 0):
        raise refusal(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    leader, watermark = partition.leader, partition.log.high_watermark
    is_window = leader is not None and watermark < leader.epoch_start_offset
    is_clean = not partition.config.unclean_leader_election_enable
    if replica_id < 0 and not is_any and is_window and is_clean:
        raise refusal(ErrorCode.OFFSET_NOT_AVAILABLE)


def found_offset(partition: Any, timestamp: int, end: int, lookups: Any) -> Any:
    """207-06: LATEST is what may be read; EARLIEST is the log's start."""
    del lookups
    if timestamp == LATEST:
        return -1, end, partition.leader_epoch
    if timestamp == EARLIEST:
        start = partition.log.log_start_offset
        return -1, start, partition.log.epoch_of(start)
    raise Unsure


def epoch_question(topic: str, wanted: Any, context: Any, *, is_replica: bool) -> tuple[int, int]:
    """392-15: consumers learn of no end above the watermark, nor of one that may still move."""
    partition = context.node.replicas.get(topic, wanted.partition)
    if partition is None:
        raise Unsure
    current = wanted.current_leader_epoch
    if current >= 0 and current != partition.leader_epoch:
        is_old = current < partition.leader_epoch
        raise refusal(ErrorCode.FENCED_LEADER_EPOCH if is_old else ErrorCode.UNKNOWN_LEADER_EPOCH)
    if not partition.is_leader:
        raise refusal(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    log = partition.log
    epoch, end = end_of_epoch(log.leader_epochs, wanted.leader_epoch, log.log_end_offset)
    if is_replica or end == -1:
        return epoch, end
    watermark = log.high_watermark
    if watermark < partition.leader.epoch_start_offset and end > watermark:
        raise refusal(ErrorCode.OFFSET_NOT_AVAILABLE)
    return epoch, min(end, watermark)


RULES = (
    Rule("101-02", LeaderEpochs, "end_offset_for", end_of_epoch),
    Rule("279-01", copying, "truncation_by_epoch", truncation),
    Rule("279-04", repositioning, "position_after_out_of_range", out_of_range),
    Rule("98-03", Producers, "check", producer_check),
    Rule("98-04", ProducerEntry, "roll_back", rolled_back, is_after=True),
    Rule("227-02", FetchTarget, "is_news", is_news),
    Rule("227-03", FetchSessionCache, "_weaker", weaker),
    Rule("227-01", FetchSessionCache, "_continue", go_on, is_after=True),
    Rule("207-01", list_offsets, "_check_may_answer", may_answer),
    Rule("207-06", list_offsets, "_find", found_offset),
    Rule("392-15", offset_for_leader_epoch, "_find", epoch_question),
)
