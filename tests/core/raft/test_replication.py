"""Fetch on both sides, the high watermark, check quorum, standing down (KIP-595, KIP-1166)."""

from __future__ import annotations

import pytest

from barnabas.broker.core.raft.messages import (
    BeginEpoch,
    EndEpoch,
    EpochEnd,
    Fetch,
    FetchAnswer,
    ReplicaKey,
)
from barnabas.broker.core.raft.observers import OBSERVERS_MAX
from barnabas.broker.core.raft.raft import NotLeaderError, QuorumBrokenError
from barnabas.protocol.errors import ErrorCode
from barnabas.testing.simulation.raft.memory_log import MemoryRaftLog

from .replicas import NONE, Driven, key


def fetch(node: Driven, node_id: int, position: int, /, **fields: object) -> Fetch:
    """A Fetch of another replica in epoch 1."""
    request = Fetch("quorum", key(node_id), 1, position, 1 if position else 0, 500, 1000)
    for name, value in fields.items():
        setattr(request, name, value)
    return request


def following() -> Driven:
    """Node 1 follows node 2 in epoch 1."""
    node = Driven()
    node.ask(BeginEpoch("quorum", 2, 1, key(1)))
    return node


def leader_log(*sizes: int) -> MemoryRaftLog:
    """What a leader of epoch 1 has."""
    log = MemoryRaftLog()
    for size in sizes:
        log.append_messages([None] * size, 1)  # type: ignore[list-item]
    return log


def test_nothing_is_committed_before_a_record_of_the_epoch() -> None:
    """595-03: LeaderChange first; a majority must hold an offset above the epoch's start."""
    node = Driven().lead()
    start = node.log.end_offset - len(node.log.batches[0].controls) - 1
    assert start == 0
    node.ask(fetch(node, 2, 0))
    assert node.raft.high_watermark == 0
    node.ask(fetch(node, 2, node.log.end_offset))
    assert node.raft.high_watermark == node.log.end_offset


def test_the_leader_counts_itself_after_its_fsync() -> None:
    """595-04: C33d, its own end offset is no vote before that."""
    node = Driven().lead()
    node.ask(fetch(node, 2, node.log.end_offset))
    before = node.raft.high_watermark
    node.is_slow = True
    node.append()
    flush = node.readies[-1].flush
    assert flush is not None
    node.ask(fetch(node, 2, node.log.end_offset))
    assert node.raft.high_watermark == before
    node.raft.on_flushed(flush, node.now)
    assert node.raft.high_watermark == node.log.end_offset


def test_a_follower_fetches_again_after_its_fsync() -> None:
    """595-04: the fetch offset is the acknowledgement."""
    node = following()
    [first] = node.take(Fetch)
    node.is_slow = True
    node.answer(first, FetchAnswer(NONE, 2, 1, 0, 0, records=leader_log(3, 2).batches))
    assert node.log.end_offset == 5
    assert not node.take(Fetch)
    flush = node.readies[-1].flush
    assert flush is not None
    node.raft.on_flushed(flush, node.now)
    node.settle()
    [second] = node.take(Fetch)
    assert (second.request.offset, second.request.last_epoch) == (5, 1)


def test_a_node_that_never_votes_does_not_wait_for_its_disk() -> None:
    """595-04, 501-15: its offset acknowledges nothing; with a stuck disk it hears the news."""
    node = Driven(4, can_vote=False)
    node.ask(BeginEpoch("quorum", 2, 1, key(4)))
    first = node.take(Fetch)[-1]
    node.is_slow = True
    node.answer(first, FetchAnswer(NONE, 2, 1, 0, 0, records=leader_log(3, 2).batches))
    [second] = node.take(Fetch)
    assert second.request.offset == 5


def test_a_long_load_and_a_lost_fetch_do_not_silence_a_follower() -> None:
    """KIP-1166: it waits for its listeners a quarter of the fetch time-out, always."""
    node = following()
    node.is_loading = True
    log = leader_log(3)
    [first] = node.take(Fetch)
    node.answer(first, FetchAnswer(NONE, 2, 1, 3, 0, records=log.batches))
    patience_ms = node.config.fetch_timeout_ms / 4
    for _ in range(3):
        assert not node.take(Fetch)
        assert node.raft.next_deadline_ms == node.now + patience_ms
        node.wait(patience_ms)
        [lost] = node.take(Fetch)
        node.raft.on_failure(lost.number, node.now)
        node.settle()
        assert node.raft.next_deadline_ms == node.now + node.config.retry_backoff_ms
        node.wait(node.config.retry_backoff_ms)


def test_a_flush_of_before_a_truncation_counts_for_nothing() -> None:
    """595-04: what it made durable was cut off since."""
    node = following()
    [first] = node.take(Fetch)
    node.is_slow = True
    node.answer(first, FetchAnswer(NONE, 2, 1, 0, 0, records=leader_log(3).batches))
    flush = node.readies[-1].flush
    assert flush is not None
    node.ask(BeginEpoch("quorum", 3, 2, key(1)))
    stale = flush._replace(generation=flush.generation - 1)
    node.raft.on_flushed(stale, node.now)
    state = node.readies[-1].state
    assert state is not None
    node.raft.on_state_written(state, node.now)
    node.settle()
    assert not node.take(Fetch)


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"max_wait_ms": -1}, ErrorCode.INVALID_REQUEST),
        ({"offset": -1}, ErrorCode.INVALID_REQUEST),
        ({"last_epoch": -1}, ErrorCode.INVALID_REQUEST),
        ({"last_epoch": 2}, ErrorCode.INVALID_REQUEST),
        ({"epoch": 0, "last_epoch": 0}, ErrorCode.FENCED_LEADER_EPOCH),
        ({"epoch": 2}, ErrorCode.UNKNOWN_LEADER_EPOCH),
        ({"cluster_id": "another"}, ErrorCode.INCONSISTENT_CLUSTER_ID),
    ],
)
def test_fetches_that_are_wrong(fields: dict[str, object], error: ErrorCode) -> None:
    """595-05: 42, then 74 and 75; 104 before all."""
    node = Driven().lead()
    answer = node.ask(fetch(node, 2, 1, **fields))
    assert (answer.error, answer.leader_id, answer.epoch) == (error, 1, 1)


def test_a_fetch_from_a_follower_names_the_leader() -> None:
    """595-05: 6, with the leader and its address."""
    answer = following().ask(fetch(following(), 3, 0))
    assert answer.error is ErrorCode.NOT_LEADER_OR_FOLLOWER
    assert (answer.leader_id, answer.leader_address) == (2, ("n2", 9002))


def test_a_fetch_without_news_waits() -> None:
    """595-05: until there are records, or its time is over."""
    node = Driven().lead()
    end = node.log.end_offset
    node.ask(fetch(node, 2, end))
    assert node.ask(fetch(node, 3, end, high_watermark=end)) is None
    node.append()
    assert node.answers[2].records  # type: ignore[union-attr]
    assert node.ask(fetch(node, 3, end + 1, high_watermark=end + 1)) is None
    node.wait(500)
    assert node.answers[3] == FetchAnswer(NONE, 1, 1, node.raft.high_watermark, 0)


def test_an_old_high_watermark_is_answered_at_once() -> None:
    """KIP-1166: a replica that told an older one than the leader's does not wait."""
    node = Driven().lead()
    end = node.log.end_offset
    assert node.ask(fetch(node, 3, end, high_watermark=0)).high_watermark == end
    assert node.ask(fetch(node, 3, end, high_watermark=end)) is None
    assert node.raft.replica_progress()[3] == end


def test_the_follower_cuts_what_the_leader_does_not_have() -> None:
    """595-06: above the high watermark, down to where the epochs part."""
    node = following()
    [first] = node.take(Fetch)
    node.answer(first, FetchAnswer(NONE, 2, 1, 3, 0, records=leader_log(3, 2).batches))
    [second] = node.take(Fetch)
    node.answer(second, FetchAnswer(NONE, 2, 1, 3, 0, diverging=EpochEnd(1, 3)))
    assert node.log.end_offset == 3
    assert node.take(Fetch)[0].request.offset == 3


def test_a_leader_that_wants_committed_records_cut_stops_the_node() -> None:
    """595-06: fatal, and nothing is cut."""
    node = following()
    [first] = node.take(Fetch)
    node.answer(first, FetchAnswer(NONE, 2, 1, 5, 0, records=leader_log(3, 2).batches))
    [second] = node.take(Fetch)
    with pytest.raises(QuorumBrokenError, match="5 is committed here"):
        node.answer(second, FetchAnswer(NONE, 2, 1, 5, 0, diverging=EpochEnd(1, 3)))
    assert node.log.end_offset == 5


def test_a_leader_without_its_majority_stands_down() -> None:
    """595-07: 1.5 fetch timeouts after a majority was last heard."""
    node = Driven().lead()
    node.wait(1000)
    node.ask(fetch(node, 2, 0))
    node.wait(2999)
    assert node.raft.is_leader
    node.wait(1)
    assert node.raft.state_name == "resigned"
    with pytest.raises(NotLeaderError):
        node.append()


def test_observers_keep_no_leader_and_commit_nothing() -> None:
    """595-09: they count neither for check quorum nor for the high watermark."""
    node = Driven().lead()
    for _ in range(6):
        node.wait(500)
        node.ask(fetch(node, 7, node.log.end_offset))
        node.ask(fetch(node, 8, node.log.end_offset))
    node.wait(0)
    assert node.raft.state_name == "resigned"
    assert node.raft.high_watermark == 0


def test_the_epoch_is_told_again_to_the_silent() -> None:
    """595-07: BeginQuorumEpoch every half fetch timeout, but not to those that fetch."""
    node = Driven().lead()
    assert [one.to for one in node.take(BeginEpoch)] == [2, 3]
    node.wait(999)
    node.ask(fetch(node, 2, 0))
    node.wait(1)
    assert [one.to for one in node.take(BeginEpoch)] == [3]


def test_standing_down_names_the_longest_log_first() -> None:
    """595-08: candidates by descending offset; parked fetches hear that nobody leads here."""
    node = Driven().lead()
    end = node.log.end_offset
    node.ask(fetch(node, 2, 0))
    assert node.ask(fetch(node, 3, end, high_watermark=end)) is None
    node.raft.resign(1, node.now)
    node.settle()
    ends = node.take(EndEpoch)
    assert [one.to for one in ends] == [3, 2]
    assert ends[0].request.candidates == (key(3), key(2))
    assert node.answers[2].error is ErrorCode.NOT_LEADER_OR_FOLLOWER


def test_an_observer_finds_the_leader_by_asking_anybody() -> None:
    """595-09: it never stands for election, however long it waits."""
    node = Driven(9)
    [first] = node.take(Fetch)
    error = ErrorCode.NOT_LEADER_OR_FOLLOWER
    node.answer(first, FetchAnswer(error, 3, 4, leader_address=("n3", 9003)))
    assert node.raft.leader == (3, 4)
    assert [one.to for one in node.take(Fetch)] == [3]
    node.wait(60_000)
    assert node.raft.state_name == "unattached"
    assert node.raft.epoch == 4


def test_who_leads_is_asked_again_after_a_pause() -> None:
    """595-05: as long as nobody knows it; else each node would ask as often as it is answered."""
    node = Driven(9)
    node.wait_for_election()
    for _ in range(3):
        asked = node.take(Fetch)[-1]
        node.answer(asked, FetchAnswer(ErrorCode.NOT_LEADER_OR_FOLLOWER, -1, 0))
        assert not node.take(Fetch)
        node.wait(node.config.retry_backoff_ms - 1)
        assert not node.take(Fetch)
        assert node.raft.next_deadline_ms == node.now + 1
        node.wait(1)


def test_a_leader_without_an_address_is_asked_for_after_a_pause() -> None:
    """595-05: others name it, and do not say where it is."""
    node = Driven(9)
    nowhere = FetchAnswer(ErrorCode.NOT_LEADER_OR_FOLLOWER, 7, 4)
    node.answer(node.take(Fetch)[0], nowhere)
    assert node.raft.leader == (7, 4)
    for _ in range(3):
        [asked] = node.take(Fetch)
        node.answer(asked, nowhere)
        assert not node.take(Fetch)
        node.wait(node.config.retry_backoff_ms)


def test_a_voter_with_another_directory_is_an_observer() -> None:
    """853-01: a voter is its id and its directory; a new disk counts for nothing."""
    node = Driven().lead()
    stranger = ReplicaKey(2, key(9).directory_id)
    node.ask(fetch(node, 2, node.log.end_offset, replica=stranger))
    assert node.raft.high_watermark == 0
    described = node.raft.describe(node.now)
    assert [one.replica for one in described.observers] == [stranger]
    assert [one.replica for one in described.voters] == [key(1), key(2), key(3)]


def test_observers_that_fall_silent_make_way() -> None:
    """Goal: ids that anybody makes up are not remembered without end; who goes on asking is."""
    node = Driven().lead()
    known = ReplicaKey(50, key(50).directory_id)
    for number in range(3 * OBSERVERS_MAX):
        if number % 500 == 0:
            node.now += 1
            node.ask(fetch(node, 50, node.log.end_offset, replica=known))
        stranger = ReplicaKey(100 + number, key(9).directory_id)
        node.ask(fetch(node, 9, node.log.end_offset, replica=stranger))
    described = [one.replica for one in node.raft.describe(node.now).observers]
    assert len(described) <= OBSERVERS_MAX
    assert known in described
