"""Snapshots as far as the core decides: who makes, serves and loads which (KIP-630)."""

from __future__ import annotations

import pytest

from barnabas.broker.core.raft.messages import (
    BeginEpoch,
    Fetch,
    FetchAnswer,
    FetchSnapshot,
    FetchSnapshotAnswer,
    Vote,
    VoteAnswer,
)
from barnabas.broker.core.raft.raft import QuorumBrokenError
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.protocol.errors import ErrorCode
from barnabas.testing.simulation.raft.memory_log import MemoryRaftLog

from .replicas import NONE, Driven, key
from .snapshots import CONTENT, THERE, acknowledge, committed, downloading, give


@pytest.mark.parametrize(
    ("snapshot", "reason"),
    [
        (SnapshotId(99, 1), "above the high watermark"),
        (SnapshotId(4, 1), "inside a batch"),
        (SnapshotId(5, 2), "not of epoch 2"),
        (SnapshotId(5, 0), "not of epoch 0"),
    ],
)
def test_a_snapshot_must_fit_the_log(snapshot: SnapshotId, reason: str) -> None:
    """630-04: committed, on a batch boundary, of the epoch in the log."""
    with pytest.raises(ValueError, match=reason):
        committed().raft.check_snapshot(snapshot)


def test_a_snapshot_does_not_begin_before_the_log() -> None:
    """630-04: not below the log's start."""
    node = committed()
    acknowledge(node, 3)
    node.wait(2000)
    acknowledge(node, 2)
    node.now = 20_000
    node.raft.check_snapshot(SnapshotId(5, 1))
    assert node.raft.raise_log_start(node.make_snapshot(), node.now)
    with pytest.raises(ValueError, match="before the log's start"):
        node.raft.check_snapshot(SnapshotId(5, 1))


def test_the_log_begins_later_when_every_live_replica_is_past_it() -> None:
    """630-07: a live observer that is behind holds the log; a silent one does not."""
    node = committed()
    snapshot = node.make_snapshot()
    for _ in range(10):
        node.wait(1000)
        acknowledge(node, 2)
        acknowledge(node, 7, 3)
    assert not node.raft.raise_log_start(snapshot, node.now)
    for _ in range(10):
        node.wait(1000)
        acknowledge(node, 2)
    assert node.raft.raise_log_start(snapshot, node.now)
    assert node.log.start_offset == snapshot.end_offset


def test_a_new_leader_does_not_let_go_at_once() -> None:
    """630-07: it does not know yet who is live."""
    node = committed()
    snapshot = node.make_snapshot()
    acknowledge(node, 3)
    assert not node.raft.may_raise_log_start(snapshot, node.now)


def test_the_log_begins_later_after_the_longest_lag() -> None:
    """630-07: or the snapshot has been there for `max.replication.lag.ms`."""
    node = Driven(max_replication_lag_ms=3000).lead()
    node.append()
    acknowledge(node, 2)
    snapshot = node.make_snapshot()
    acknowledge(node, 3, 3)
    assert not node.raft.raise_log_start(snapshot, node.now + 2999)
    assert node.raft.raise_log_start(snapshot, node.now + 3000)


def test_a_follower_lets_go_what_its_own_snapshot_covers() -> None:
    """630-08: up to its newest snapshot not above the leader's start, and not without one."""
    log = MemoryRaftLog()
    for size in (3, 3, 3):
        log.append_messages([None] * size, 1)  # type: ignore[list-item]
    node = Driven()
    node.ask(BeginEpoch("quorum", 2, 1, key(1)))
    [first] = node.take(Fetch)
    node.answer(first, FetchAnswer(NONE, 2, 1, 6, 6, records=log.batches[:2]))
    assert node.log.start_offset == 0
    snapshot = node.make_snapshot()
    [second] = node.take(Fetch)
    node.answer(second, FetchAnswer(NONE, 2, 1, 9, 6, records=log.batches[2:]))
    assert node.log.start_offset == snapshot.end_offset == 6


@pytest.mark.parametrize(("offset", "last_epoch"), [(3, 1), (0, 0), (13, 0)])
def test_who_needs_the_snapshot_is_told_so(offset: int, last_epoch: int) -> None:
    """630-10: below the log's start, at it with another epoch, or empty: the latest, no error."""
    node = Driven(max_replication_lag_ms=0).lead()
    for _ in range(5):
        node.append(2)
    acknowledge(node, 2)
    snapshot = node.make_snapshot()
    assert snapshot.end_offset == 13
    assert node.raft.raise_log_start(snapshot, node.now)
    answer = node.ask(Fetch("quorum", key(3), 1, offset, last_epoch, 0, 1000))
    assert (answer.error, answer.snapshot, len(answer.records)) == (NONE, snapshot, 0)
    acknowledge(node, 3, 13)


def test_an_empty_replica_loads_a_snapshot_if_there_is_one() -> None:
    """630-10: offset 0 although the log starts there too."""
    node = committed()
    empty = Fetch("quorum", key(3), 1, 0, 0, 0, 1000)
    assert node.ask(empty).snapshot is None
    snapshot = node.make_snapshot()
    assert node.ask(empty).snapshot == snapshot


@pytest.mark.parametrize(
    ("fields", "error"),
    [
        ({"cluster_id": "x"}, ErrorCode.INCONSISTENT_CLUSTER_ID),
        ({"epoch": 0}, ErrorCode.FENCED_LEADER_EPOCH),
        ({"epoch": 2}, ErrorCode.UNKNOWN_LEADER_EPOCH),
        ({"snapshot": SnapshotId(4, 1)}, ErrorCode.SNAPSHOT_NOT_FOUND),
        ({"snapshot": SnapshotId(0, 0)}, ErrorCode.SNAPSHOT_NOT_FOUND),
        ({"position": -1}, ErrorCode.POSITION_OUT_OF_RANGE),
        ({"position": 150}, ErrorCode.POSITION_OUT_OF_RANGE),
    ],
)
def test_pieces_that_cannot_be_had(fields: dict[str, object], error: ErrorCode) -> None:
    """630-12: 104, 74, 75, 98, 99, always with the leader."""
    node = committed()
    request = FetchSnapshot("quorum", key(3), 1, node.make_snapshot(), 0, 100)
    for name, value in fields.items():
        setattr(request, name, value)
    answer = node.ask(request)
    assert (answer.error, answer.leader_id, answer.epoch) == (error, 1, 1)


def test_a_follower_serves_no_snapshot() -> None:
    """630-12: 6."""
    answer = downloading().ask(FetchSnapshot("quorum", key(3), 1, THERE, 0, 100))
    assert (answer.error, answer.leader_id) == (ErrorCode.NOT_LEADER_OR_FOLLOWER, 2)


def test_pieces_of_any_size() -> None:
    """630-13: up to the smaller of what was asked for and what is left."""
    node = committed()
    snapshot = node.make_snapshot()
    first = node.ask(FetchSnapshot("quorum", key(3), 1, snapshot, 0, 7))
    assert (first.snapshot, first.size, first.position, len(first.data)) == (snapshot, 150, 0, 7)
    last = node.ask(FetchSnapshot("quorum", key(3), 1, snapshot, 149, 100))
    assert (last.position, len(last.data)) == (149, 1)
    nothing = node.ask(FetchSnapshot("quorum", key(3), 1, snapshot, 0, -1))
    assert (nothing.error, len(nothing.data)) == (ErrorCode.NONE, 0)


def test_the_log_stays_until_the_snapshot_is_durable() -> None:
    """630-14: piece by piece, then the log begins anew at its end, with its epoch and voters."""
    node = downloading()
    give(node, 0, 100)
    give(node, 100, 50)
    assert node.readies[-1].freeze == THERE
    assert node.log.end_offset == 0
    assert not node.sent
    assert node.log.freeze(THERE)
    node.raft.on_frozen(THERE, True, node.now)
    node.settle()
    ready = node.readies[-1] if node.readies[-1].snapshot else node.readies[-2]
    assert ready.snapshot == THERE
    assert (node.log.start_offset, node.log.end_offset, node.log.last_epoch) == (40, 40, 1)
    assert node.raft.high_watermark == 40
    [after] = node.take(Fetch)
    assert (after.request.offset, after.request.last_epoch) == (40, 1)


@pytest.mark.parametrize("error", [ErrorCode.SNAPSHOT_NOT_FOUND, ErrorCode.POSITION_OUT_OF_RANGE])
def test_a_download_that_cannot_go_on_is_dropped(error: ErrorCode) -> None:
    """630-14, 630-18: 98 and 99 lead back to Fetch, which says what there is now."""
    node = downloading()
    give(node, 0, 100)
    [asked] = node.take(FetchSnapshot)
    node.answer(asked, FetchSnapshotAnswer(error, 2, 1, THERE))
    node.wait(20)
    assert len(node.take(Fetch)) == 1
    assert node.log.partial is None


def test_a_new_leaders_snapshot_is_not_appended_to_the_old_ones() -> None:
    """630-05, 630-18: each node writes its own file, so those of one id differ in their bytes."""
    node = downloading()
    give(node, 0, 100)
    node.ask(BeginEpoch("quorum", 3, 2, key(1)))
    node.take(FetchSnapshot)
    [fetch] = node.take(Fetch)
    node.answer(fetch, FetchAnswer(NONE, 3, 2, 45, 40, snapshot=THERE))
    [asked] = node.take(FetchSnapshot)
    assert (asked.to, asked.request.snapshot, asked.request.position) == (3, THERE, 0)


def test_a_download_goes_on_where_it_was_with_the_same_leader() -> None:
    """630-14: it was only out of reach for a while."""
    node = downloading()
    give(node, 0, 100)
    node.take(FetchSnapshot)
    node.wait_for_election()
    assert node.raft.state_name == "prospective"
    for one in node.take(Vote):
        node.answer(one, VoteAnswer(NONE, 2, 1, False))
    [fetch] = node.take(Fetch)
    node.answer(fetch, FetchAnswer(NONE, 2, 1, 45, 40, snapshot=THERE))
    [asked] = node.take(FetchSnapshot)
    assert (asked.to, asked.request.position) == (2, 100)


def test_a_damaged_snapshot_is_fetched_again() -> None:
    """630-14: the driver threw it away; the log is as before."""
    node = downloading()
    give(node, 0, 150)
    node.raft.on_frozen(THERE, False, node.now)
    node.wait(20)
    assert node.log.end_offset == 0
    assert len(node.take(Fetch)) == 1


def test_a_download_keeps_the_leader_alive() -> None:
    """630-15: at the follower each piece resets the fetch timeout."""
    node = downloading()
    for position in range(0, 100, 10):
        node.wait(1500)
        give(node, position, 10)
    assert node.raft.leader == (2, 1)
    assert not node.take(Vote)


def test_a_download_counts_for_check_quorum_and_commits_nothing() -> None:
    """630-15: at the leader."""
    node = Driven().lead()
    node.append()
    before = node.raft.high_watermark
    for _ in range(10):
        node.wait(1000)
        node.ask(FetchSnapshot("quorum", key(2), 1, SnapshotId(99, 1), 0, 100))
    assert node.raft.is_leader
    assert node.raft.high_watermark == before


def test_a_snapshot_of_less_than_is_committed_stops_the_node() -> None:
    """630-16: the state never goes back."""
    node = downloading()
    give(node, 0, 150)
    node.log.freeze(THERE)
    node.raft.on_frozen(THERE, True, node.now)
    node.settle()
    [after] = node.take(Fetch)
    with pytest.raises(QuorumBrokenError, match="40 is committed here"):
        node.answer(after, FetchAnswer(NONE, 2, 1, 45, 20, snapshot=SnapshotId(20, 1)))


def test_a_log_that_does_not_reach_its_snapshot_is_replaced_at_boot() -> None:
    """630-11: it begins anew at the snapshot's end."""
    log = MemoryRaftLog()
    log.append_messages([None] * 3, 1)  # type: ignore[list-item]
    log.add_snapshot(THERE, CONTENT)
    node = Driven(log=log)
    assert (log.start_offset, log.end_offset) == (40, 40)
    assert node.raft.high_watermark == 40


def test_a_log_whose_beginning_is_gone_is_begun_anew_at_boot() -> None:
    """630-11: records without the state before them are worth nothing."""
    log = MemoryRaftLog()
    log.start = log.end_offset = 40
    log.append_messages([None] * 3, 1)  # type: ignore[list-item]
    assert Driven(log=log).log.end_offset == 0
