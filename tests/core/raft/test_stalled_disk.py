"""A voter whose disk stands still hears the news, and claims nothing that is not durable."""

from __future__ import annotations

from barnabas.broker.core.raft.messages import (
    BeginEpoch,
    EpochEnd,
    Fetch,
    FetchAnswer,
    FetchSnapshot,
    ReplicaKey,
    Vote,
)
from barnabas.broker.core.raft.ready import Flush
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.testing.simulation.raft.memory_log import MemoryRaftLog

from .replicas import NONE, Driven, key

PATIENCE_MS = 100
NO_NAME = ReplicaKey(-1)


class Leader:
    """What a leader of epoch 1 has, batch after batch."""

    def __init__(self) -> None:
        self.log = MemoryRaftLog()

    def news(self, *sizes: int, high_watermark: int) -> FetchAnswer:
        """New batches, and all that is committed."""
        known = len(self.log.batches)
        for size in sizes:
            self.log.append_messages([None] * size, 1)  # type: ignore[list-item]
        records = self.log.batches[known:]
        return FetchAnswer(NONE, 2, 1, high_watermark, 0, records=records)


def stalled(leader: Leader) -> Driven:
    """Node 1 follows node 2, has got five records of it, and its disk does not answer."""
    node = Driven(stalled_disk_ms=PATIENCE_MS)
    node.ask(BeginEpoch("quorum", 2, 1, key(1)))
    [first] = node.take(Fetch)
    node.is_slow = True
    node.answer(first, leader.news(3, 2, high_watermark=3))
    assert node.log.end_offset == 5
    return node


def flush_of(node: Driven) -> Flush:
    """The newest that it asked for."""
    return next(one.flush for one in reversed(node.readies) if one.flush is not None)


def test_news_are_fetched_without_a_name_while_the_disk_stands_still() -> None:
    """595-04, 501-15: from the log's end, answered at once, in the interval of the setting."""
    leader = Leader()
    node = stalled(leader)
    node.wait(PATIENCE_MS - 1)
    assert not node.take(Fetch)
    node.wait(1)
    [peek] = node.take(Fetch)
    assert peek.request.replica == NO_NAME
    assert (peek.request.offset, peek.request.last_epoch, peek.request.max_wait_ms) == (5, 1, 0)
    node.answer(peek, leader.news(4, high_watermark=9))
    assert node.log.end_offset == 9
    assert node.raft.high_watermark == 9
    assert not node.take(Fetch)
    assert node.raft.next_deadline_ms == node.now + PATIENCE_MS
    node.wait(PATIENCE_MS)
    [again] = node.take(Fetch)
    assert (again.request.replica, again.request.offset) == (NO_NAME, 9)


def test_one_at_a_time() -> None:
    """595-04: no second Fetch while one is under way, however long its answer takes."""
    node = stalled(Leader())
    node.wait(PATIENCE_MS)
    assert len(node.take(Fetch)) == 1
    node.wait(5 * PATIENCE_MS)
    assert not node.take(Fetch)


def test_a_disk_that_answers_in_time_changes_nothing() -> None:
    """595-04: the next Fetch is the acknowledgement, and waits for news at the leader."""
    node = stalled(Leader())
    node.wait(PATIENCE_MS - 1)
    node.raft.on_flushed(flush_of(node), node.now)
    node.settle()
    [fetch] = node.take(Fetch)
    assert (fetch.request.replica, fetch.request.offset) == (key(1), 5)
    assert fetch.request.max_wait_ms == node.config.tail_wait_ms, "records have just come"


def test_what_the_disk_has_given_is_acknowledged_although_more_came() -> None:
    """595-04: a slow disk is not waited for until it has everything; it would never end."""
    leader = Leader()
    node = stalled(leader)
    first = flush_of(node)
    node.wait(PATIENCE_MS)
    [peek] = node.take(Fetch)
    node.answer(peek, leader.news(4, high_watermark=3))
    node.raft.on_flushed(first, node.now)
    node.settle()
    [ack] = node.take(Fetch)
    assert (ack.request.replica, ack.request.offset, ack.request.last_epoch) == (key(1), 5, 1)
    assert ack.request.max_wait_ms == 0
    assert ack.request.max_bytes == 1  # the leader sends again what is here: one batch, no more
    node.answer(ack, FetchAnswer(NONE, 2, 1, 9, 0, records=leader.log.batches[2:]))
    assert node.log.end_offset == 9
    assert node.raft.high_watermark == 3  # the leader has not said that what is behind is its too
    assert not node.take(Fetch)
    node.wait(PATIENCE_MS)
    [peek] = node.take(Fetch)
    assert (peek.request.replica, peek.request.offset) == (NO_NAME, 9)


def test_the_answer_to_an_acknowledgement_offers_nothing_that_is_needed() -> None:
    """595-06, 630-10: a snapshot for who is before the log's start; this log is long past it."""
    leader = Leader()
    node = stalled(leader)
    first = flush_of(node)
    node.wait(PATIENCE_MS)
    [peek] = node.take(Fetch)
    node.answer(peek, leader.news(4, high_watermark=9))
    node.raft.on_flushed(first, node.now)
    node.settle()
    [ack] = node.take(Fetch)
    node.answer(ack, FetchAnswer(NONE, 2, 1, 9, 7, snapshot=SnapshotId(7, 1)))
    node.wait(PATIENCE_MS)
    assert not node.take(FetchSnapshot)
    assert len(node.take(Fetch)) == 1


def test_a_tail_that_another_leader_does_not_have_is_cut() -> None:
    """595-06: what was never durable is cut like anything else; its flush counts for nothing."""
    node = stalled(Leader())
    stale = flush_of(node)
    node.ask(BeginEpoch("quorum", 3, 2, key(1)))
    state = node.readies[-1].state
    assert state is not None
    node.raft.on_state_written(state, node.now)
    node.wait(PATIENCE_MS)
    [peek] = node.take(Fetch)
    assert (peek.to, peek.request.epoch, peek.request.offset) == (3, 2, 5)
    node.answer(peek, FetchAnswer(NONE, 3, 2, 3, 0, diverging=EpochEnd(1, 3)))
    assert node.log.end_offset == 3
    node.raft.on_flushed(stale, node.now)
    node.settle()
    assert not node.take(Fetch)
    node.raft.on_flushed(flush_of(node), node.now)
    node.settle()
    [fetch] = node.take(Fetch)
    assert (fetch.request.replica, fetch.request.offset) == (key(1), 3)


def test_a_new_leader_is_heard_before_its_epoch_is_durable() -> None:
    """595-01: that claims nothing; answers, votes and acknowledgements wait for `quorum-state`."""
    leader = Leader()
    node = stalled(leader)
    assert node.ask(BeginEpoch("quorum", 3, 2, key(1))) is None
    node.raft.on_flushed(flush_of(node), node.now)
    node.settle()
    assert not node.sent
    node.wait(PATIENCE_MS)
    [peek] = node.take(Fetch)
    assert (peek.to, peek.request.replica, peek.request.epoch) == (3, NO_NAME, 2)
    news = leader.news(1, high_watermark=6)
    news.leader_id, news.epoch = 3, 2
    node.answer(peek, news)
    assert node.raft.high_watermark == 6
    assert node.ask(Vote("quorum", 3, key(3), key(1), 2, 9, pre_vote=False)) is None
    node.wait(PATIENCE_MS)
    assert not node.answers.keys() - {1}
    assert not node.take(Vote)


def test_the_leader_counts_nothing_of_what_names_nobody() -> None:
    """595-03, 595-07: no high watermark, no life for check quorum, and no writes that were lost."""
    node = Driven().lead()
    node.append(3)
    end = node.log.end_offset
    peek = Fetch("quorum", NO_NAME, 1, 0, 0, 0, 1000)
    assert node.ask(peek).records
    peek.offset, peek.last_epoch = end, 1
    assert not node.ask(peek).records
    assert node.raft.high_watermark == 0
    node.ask(Fetch("quorum", key(2), 1, 0, 0, 0, 1000))  # it lost power, and never claimed more
    assert not [text for ready in node.readies for text in ready.alarms]
    for _ in range(4):
        node.wait(node.config.fetch_timeout_ms / 2)
        node.ask(peek)
    assert not node.raft.is_leader
