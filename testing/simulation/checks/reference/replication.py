"""Who reads what of a replica (392), who is in sync (497, 501), how far all hold a log (966-01)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from barnabas.broker.core.replication.isr import InSyncSet
from barnabas.broker.core.replication.leader import LeaderState
from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.core.replication.progress import Progress
from barnabas.broker.core.replication.replica_selector import RackAwareReplicaSelector
from barnabas.broker.handlers.fetch import reading as fetch_reading
from barnabas.broker.handlers.fetch.follower import FollowerFetch
from barnabas.protocol.errors import ErrorCode

from .comparing import Rule, Unsure, refusal
from .logs import end_of_epoch

FOLLOWER_READS_SINCE = 11

# --- reading ------------------------------------------------------------------------------------


def readable(partition: Any, target: Any, reader: Any) -> None:
    """392-01, 392-03, 392-05 to 392-08."""
    current = target.current_leader_epoch
    if 0 <= current < partition.leader_epoch:
        raise refusal(ErrorCode.FENCED_LEADER_EPOCH)
    if current > partition.leader_epoch and current >= 0:
        raise refusal(ErrorCode.UNKNOWN_LEADER_EPOCH)
    is_old_consumer = reader.replica_id == -1 and reader.version < FOLLOWER_READS_SINCE
    if not partition.is_leader and (reader.replica_id >= 0 or is_old_consumer):
        raise refusal(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    log, offset = partition.log, target.fetch_offset
    if offset < log.log_start_offset:
        raise refusal(ErrorCode.OFFSET_OUT_OF_RANGE)
    end = log.log_end_offset
    if not partition.is_leader:
        end = max(end, partition.leader_high_watermark)
    if offset > end:
        if partition.is_leader and target.last_fetched_epoch >= 0:
            raise Unsure  # 279-02 says where the logs part
        raise refusal(ErrorCode.OFFSET_OUT_OF_RANGE)
    is_new = reader.version >= FOLLOWER_READS_SINCE
    if reader.replica_id < 0 and is_new and offset > log.high_watermark:
        raise refusal(ErrorCode.OFFSET_NOT_AVAILABLE)


def diverging(partition: Any, target: Any, reader: Any) -> Generator[None, Any, None]:
    """279-02: where the fetcher's log leaves ours; I-2: what the record before our start tells."""
    log, asked, offset = partition.log, target.last_fetched_epoch, target.fetch_offset
    epoch, end = end_of_epoch(log.leader_epochs, asked, log.log_end_offset)
    is_at_start = reader.replica_id >= 0 and 0 < offset == log.log_start_offset
    has_more = target.fetcher_log_start_offset < offset
    is_copy = log.leader_epochs.epoch_before(offset) == asked
    answer = yield
    if epoch < 0 or end < 0:
        assert answer is ErrorCode.OFFSET_OUT_OF_RANGE, f"nothing is known of epoch {asked}"
    elif epoch < asked or end < offset or (is_at_start and has_more and not is_copy):
        if epoch == asked and end >= offset:
            end = offset - 1
        told = (getattr(answer, "epoch", None), getattr(answer, "end_offset", None))
        assert told == (epoch, end), f"told {told}, parts at {(epoch, end)}"
    else:
        assert answer is None, f"told {answer}, does not part"


def nearest(selector: Any, client: Any, leader: Any, candidates: Any) -> Any:
    """392-04b."""
    del selector
    near = [one for one in candidates if one.rack == client.rack]
    if not client.rack or leader in near or not near:
        return leader
    most = max(one.log_end_offset for one in near)
    near = [one for one in near if one.log_end_offset == most]
    soonest = min(one.caught_up_ago_ms for one in near)
    return max(
        (one for one in near if one.caught_up_ago_ms == soonest), key=lambda one: one.broker_id
    )


def offered(
    selector: Any, partition: Any, offset: int, client: Any, cluster: Any, now_ms: float
) -> Generator[None, Any, None]:
    """392-04: who is named is in sync, holds the offset, and can be reached."""
    del selector, now_ms
    answer = yield
    if answer == -1:
        return
    state = partition.leader.followers.get(answer)
    assert state is not None, f"{answer} is no follower"
    assert answer in partition.leader.in_sync.committed, f"{answer} is not in sync"
    assert 0 <= state.log_start_offset <= offset <= state.log_end_offset, (
        f"{answer} holds {state.log_start_offset} to {state.log_end_offset}, not {offset}"
    )
    assert cluster.has_endpoint(answer, client.listener_name), f"{answer} cannot be reached"


# --- followers ----------------------------------------------------------------------------------


def caught_up(state: Any, leader_end: int, now_ms: float, lag_ms: int) -> bool:
    """501-01."""
    is_late: bool = now_ms - state.last_caught_up_ms > lag_ms
    return not (state.log_end_offset != leader_end and is_late)


def noted(
    state: Any, offset: int, start: int, leader_end: int, broker_epoch: int, now_ms: float
) -> Generator[None, Any, None]:
    """501-02: when a follower was caught up last."""
    caught_up_ms = state.last_caught_up_ms
    if offset >= leader_end:
        caught_up_ms = max(caught_up_ms, now_ms)
    elif 0 <= state.last_fetch_leader_end <= offset:
        caught_up_ms = max(caught_up_ms, state.last_fetch_ms)
    yield
    found = (
        state.last_caught_up_ms,
        state.log_end_offset,
        state.log_start_offset,
        state.last_fetch_leader_end,
        state.last_fetch_ms,
        state.broker_epoch,
    )
    expected = (caught_up_ms, offset, start, leader_end, now_ms, broker_epoch)
    assert found == expected, f"noted {found}, should be {expected}"


def fetched(
    leader: Any,
    replica_id: int,
    broker_epoch: int,
    offset: int,
    start: int,
    now_ms: float,
    source: Any = None,
) -> Generator[None, Any, None]:
    """903-01: an earlier life of a broker, or no replica at all, tells nothing.

    Nor does a fetch of the epoch that the cluster knows beside another session that goes on. A
    fetch of no epoch, or of one that is not known yet, is served and tells nothing either.
    """
    del offset, start
    state = leader.followers.get(replica_id)
    known = leader._around.cluster.broker_epoch(replica_id)
    is_known = broker_epoch == known and broker_epoch >= 0
    before = None if state is None else (state.log_end_offset, state.last_fetch_ms)
    is_other = False
    if source is not None and state is not None and state.source not in (None, source):
        is_same_life = broker_epoch == state.broker_epoch == known
        is_other = is_same_life and state.source.is_open(now_ms)
    if state is not None:
        known = max(known, state.broker_epoch)
    is_old = 0 <= broker_epoch < known
    answer = yield
    if state is not None and not is_known:
        assert (state.log_end_offset, state.last_fetch_ms) == before, (
            f"a fetch of broker {replica_id} in epoch {broker_epoch} counts, known is {known}"
        )
    if state is None or is_old:
        assert answer is ErrorCode.NOT_LEADER_OR_FOLLOWER, (
            f"a fetch of broker {replica_id} in epoch {broker_epoch} counts, known is {known}"
        )
    elif is_other and is_known:
        assert answer is ErrorCode.NOT_LEADER_OR_FOLLOWER, (
            f"a fetch of broker {replica_id} counts beside the session that is open"
        )
    else:
        assert answer is is_known, f"a fetch of broker {replica_id} counts: {answer}"


def news_noted(
    fetch: Any, partition: Any, target: Any, noted_by: Any
) -> Generator[None, Any, None]:
    """392-12: where consumers read from followers, these hear of every watermark soon."""
    del noted_by
    answer = yield
    tells = fetch._node.replicas.selector is not None and fetch._wanted.session is not None
    is_news = target.known_high_watermark != partition.log.high_watermark
    if answer is None and tells and is_news:
        assert fetch.has_watermark_news, f"{partition.log.high_watermark} is no news"


def begun(leader: Any, replica_id: int, offset: int) -> Generator[None, Any, None]:
    """501-04: whose fetch keeps it in sync while it is worked on."""
    state = leader.followers.get(replica_id)
    counts = (
        leader._around.keeps_pending_in_sync
        and state is not None
        and replica_id in leader.in_sync.committed
        and 0 <= state.last_fetch_leader_end <= offset
    )
    answer = yield
    assert (answer is not None) == counts, f"a fetch of {replica_id} counts: {answer is not None}"


def _is_pending(leader: Any, fetch: Any) -> bool:
    pending = leader._pending
    return pending is not None and fetch in pending._open


def ended(leader: Any, fetch: Any, now_ms: float) -> Generator[None, Any, None]:
    """501-07: its end is a moment at which the follower was caught up."""
    is_open = _is_pending(leader, fetch)
    yield
    state = leader.followers.get(fetch.replica_id)
    if is_open and state is not None:
        assert state.last_caught_up_ms >= now_ms, (
            f"{fetch.replica_id} was caught up at {state.last_caught_up_ms}, it is {now_ms}"
        )
    if is_open:
        assert not _is_pending(leader, fetch), "it is still open"


# --- the in-sync set ----------------------------------------------------------------------------


def may_join(in_sync: Any, replica_id: int, state: Any) -> bool:
    """497-04, by the broker."""
    cluster = in_sync._around.cluster
    if state.is_lost or not cluster.is_active(replica_id):
        return False
    return state.broker_epoch in (-1, cluster.broker_epoch(replica_id))


def joined(leader: Any, replica_id: int, state: Any) -> Generator[None, Any, None]:
    """497-04, by the log: all that is committed, and where the epoch began."""
    floor = max(leader._log.high_watermark, leader.epoch_start_offset)
    joins = state.log_end_offset >= floor and may_join(leader.in_sync, replica_id, state)
    before = leader.in_sync.change
    yield
    change = leader.in_sync.change
    is_asked = change is not before and replica_id in [one for one, _ in change.isr]
    assert is_asked == joins, f"{replica_id} ends at {state.log_end_offset} of {floor}: {is_asked}"


def expired(leader: Any, now_ms: float) -> Generator[None, Any, None]:
    """501-01, 501-05: who is late, and has no fetch that is worked on."""
    if leader.in_sync.change is not None:
        yield
        return
    end, lag_ms, pending = (
        leader._log.log_end_offset,
        leader._around.lag_time_max_ms,
        leader._pending,
    )
    waiting = () if pending is None else tuple(one.replica_id for one in pending._open)
    late = tuple(
        one
        for one in leader.in_sync.committed
        if one in leader.followers
        and one not in waiting
        and not caught_up(leader.followers[one], end, now_ms, lag_ms)
    )
    answer = yield
    assert answer == late, f"{answer} are asked to leave, late are {late}"


def changed(in_sync: Any, change: Any) -> Generator[None, Any, None]:
    """497-03: who is asked for counts, who is to go counts still."""
    expected = {*in_sync.committed, *(one for one, _ in change.isr)}
    yield
    found = set(in_sync.maximal)
    assert found == expected, f"{found} count, should be {expected}"


def answered(in_sync: Any, change: Any, answer: Any) -> Generator[None, Any, None]:
    """497-02: what an answer of the controller means."""
    if in_sync.change is not change:
        yield
        return
    code = ErrorCode(answer.error_code)
    taken_back = code in (ErrorCode.OPERATION_NOT_ATTEMPTED, ErrorCode.INELIGIBLE_REPLICA)
    stays = code in (
        ErrorCode.UNKNOWN_TOPIC_OR_PARTITION,
        ErrorCode.UNKNOWN_TOPIC_ID,
        ErrorCode.FENCED_LEADER_EPOCH,
        ErrorCode.INVALID_UPDATE_VERSION,
        ErrorCode.INVALID_REQUEST,
        ErrorCode.NEW_LEADER_ELECTED,
    )
    committed, epoch = in_sync.committed, in_sync.partition_epoch
    again = yield
    if code is ErrorCode.NONE:
        if answer.leader_epoch == change.leader_epoch and answer.partition_epoch >= epoch:
            assert in_sync.committed == answer.isr, f"{in_sync.committed}, told was {answer.isr}"
            assert in_sync.change is None, "the change is still open"
        else:
            assert in_sync.committed == committed, "an answer of another epoch counts"
        assert not again, "what was done is asked again"
    elif taken_back:
        assert in_sync.change is None, f"{code.name} leaves the change open"
        assert set(in_sync.maximal) == set(committed), f"{in_sync.maximal} count"
    else:
        assert in_sync.change is change, f"{code.name} ends the change"
        assert again == (not stays), f"{code.name}: asked again {again}"


def settled(leader: Any) -> Generator[None, Any, None]:
    """966-01, 497-03: how far the watermark goes, at most."""
    before = leader._log.high_watermark
    yield
    found = leader._log.high_watermark
    if found == before:
        return
    assert found > before, f"the watermark goes back from {before} to {found}"
    if leader.followers:
        size = len(leader.in_sync.committed)
        wanted = min(leader._replica.config.min_insync_replicas, len(leader.followers) + 1)
        assert size >= wanted, f"the watermark moves with {size} in sync, {wanted} are wanted"
    log = leader._log
    if log.rules.flush_messages == 1:
        assert found <= log.recovery_point, f"{found} is not flushed, {log.recovery_point} is"
    for replica_id in leader.in_sync.maximal:
        state = leader.followers.get(replica_id)
        if state is not None:
            assert found <= state.log_end_offset, f"{replica_id} ends at {state.log_end_offset}"


def woken(partition: Any, watermark: int) -> Generator[None, Any, None]:
    """392-13, 74-02: whoever waits here for bytes hears of a watermark that moves."""
    del watermark
    waiting = [one for one in partition.waiters._sleepers if hasattr(one, "_reading")]
    yield
    for one in waiting:
        is_heard = one.is_done or bool(one._reading.found.news)
        assert is_heard, "a consumer that waits is not told"


def enough(in_sync: Any) -> None:
    """966-01, before an append."""
    wanted = min(in_sync._replica.config.min_insync_replicas, len(in_sync._followers) + 1)
    if len(in_sync.committed) < wanted:
        raise refusal(ErrorCode.NOT_ENOUGH_REPLICAS)


def acknowledged(partition: Any, end: int, acks: int) -> bool:
    """acks=all waits for the watermark; acks=1 for the flush, where that is asked for."""
    if partition.log.high_watermark >= end:
        return True
    if acks == -1:
        return False
    awaits_flush = partition.leader is not None and partition.leader.awaits_flush
    return not awaits_flush or partition.log.recovery_point >= end


RULES = (
    Rule("392-05", fetch_reading, "check_readable", readable),
    Rule("279-02", fetch_reading, "diverging_epoch", diverging, is_after=True),
    Rule("392-04b", RackAwareReplicaSelector, "select", nearest),
    Rule("392-04", fetch_reading, "preferred_replica", offered, is_after=True),
    Rule("501-01", Progress, "is_caught_up", caught_up),
    Rule("501-02", Progress, "note_fetch", noted, is_after=True),
    Rule("903-01", LeaderState, "note_fetch", fetched, is_after=True),
    Rule("392-12", FollowerFetch, "note", news_noted, is_after=True),
    Rule("501-04", LeaderState, "begin_fetch", begun, is_after=True),
    Rule("501-07", LeaderState, "end_fetch", ended, is_after=True),
    Rule("497-04", InSyncSet, "may_join", may_join),
    Rule("497-04", LeaderState, "_expand", joined, is_after=True),
    Rule("501-05", LeaderState, "expire", expired, is_after=True),
    Rule("497-03", InSyncSet, "begin", changed, is_after=True),
    Rule("497-02", InSyncSet, "take", answered, is_after=True),
    Rule("966-01", LeaderState, "settle", settled, is_after=True),
    Rule("392-13", Partition, "advance", woken, is_after=True),
    Rule("966-01", InSyncSet, "check_enough", enough),
    Rule("I-6", Partition, "is_acknowledged", acknowledged),
)
