"""Metadata is fresh by records that are younger than it must be (207-09)."""

from __future__ import annotations

from math import inf
from typing import Any

import pytest

from barnabas.broker.core.raft.freshness import PROOFS_MAX, SPACING_MS, Freshness, tail_wait_ms
from barnabas.broker.core.raft.messages import BeginEpoch, EpochEnd, Fetch, FetchAnswer
from barnabas.testing.simulation.raft.memory_log import MemoryRaftLog

from .replicas import NONE, Driven, key

STEP_MS = 100.0


class Leader:
    """What node 2, a leader of epoch 1, has; and node 1, which follows it."""

    def __init__(self, **config: Any) -> None:
        self.log = MemoryRaftLog()
        self.node = Driven(**config)
        self.node.ask(BeginEpoch("quorum", 2, 1, key(1)))
        self.sent = self.node.take(Fetch)[0]

    def news(self, count: int, high_watermark: int) -> FetchAnswer:
        """So many new records in one batch, and what is committed."""
        known = len(self.log.batches)
        if count:
            self.log.append_messages([None] * count, 1)  # type: ignore[list-item]
        return FetchAnswer(NONE, 2, 1, high_watermark, 0, records=self.log.batches[known:])

    def tell(self, count: int, high_watermark: int) -> float:
        """Answer the node's Fetch; when that was sent. The next one goes out a step later."""
        sent_ms = self.node.now
        self.node.now += STEP_MS
        self.node.answer(self.sent, self.news(count, high_watermark))
        self.sent = self.node.take(Fetch)[0]
        return sent_ms

    @property
    def since_ms(self) -> float:
        """With everything that is committed applied."""
        return self.node.raft.fresh_since_ms(self.node.raft.high_watermark, self.node.now)


def test_a_follower_is_as_fresh_as_the_fetch_after_which_a_record_came_to_be() -> None:
    """207-09: empty answer, then a record, then its commit: fresh as of the empty answer's Fetch.

    Neither the records that were there at first prove anything, nor those that are not committed.
    """
    leader = Leader()
    leader.tell(3, 3)
    assert leader.since_ms == -inf, "those three may be a day old"
    sent_ms = leader.tell(0, 3)
    assert leader.since_ms == -inf, "whoever answered may have been deposed long ago"
    leader.tell(1, 3)
    assert leader.since_ms == -inf, "what was appended then may never be committed"
    leader.tell(0, 4)
    assert leader.since_ms == sent_ms


def test_a_deposed_leader_that_goes_on_answering_makes_nothing_fresh() -> None:
    """207-09, 207-05: it has no majority, so nothing new is committed there, whatever it says."""
    leader = Leader()
    leader.tell(1, 1)
    sent_ms = leader.tell(0, 1)
    leader.tell(1, 1)
    leader.tell(0, 2)
    assert leader.since_ms == sent_ms
    for _ in range(5):
        leader.tell(0, 2)
        leader.tell(1, 2)
    assert leader.since_ms == sent_ms


def test_what_is_committed_counts_when_it_was_acted_on() -> None:
    """207-09: the lease is for what partitions do, not for what the log holds."""
    leader = Leader()
    leader.tell(1, 1)
    sent_ms = leader.tell(0, 1)
    leader.tell(1, 1)
    leader.tell(0, 2)
    raft = leader.node.raft
    assert raft.fresh_since_ms(1, leader.node.now) == -inf
    assert raft.fresh_since_ms(2, leader.node.now) == sent_ms


def test_proofs_end_with_the_epoch() -> None:
    """207-09: another leader may have had a record at that offset for long."""
    leader = Leader()
    leader.tell(1, 1)
    leader.tell(0, 1)
    node = leader.node
    node.ask(BeginEpoch("quorum", 3, 2, key(1)))
    [sent] = node.take(Fetch)
    log = MemoryRaftLog()
    log.append_messages([None], 1)  # type: ignore[list-item]
    log.append_messages([None], 2)  # type: ignore[list-item]
    node.answer(sent, FetchAnswer(NONE, 3, 2, 2, 0, records=log.batches[1:]))
    assert node.raft.high_watermark == 2
    assert leader.since_ms == -inf


def test_proofs_end_with_a_cut() -> None:
    """207-09: what is fetched in the place of what was cut off may be old."""
    leader = Leader()
    leader.tell(1, 1)
    leader.tell(2, 1)
    leader.tell(0, 1)
    node = leader.node
    node.answer(leader.sent, FetchAnswer(NONE, 2, 1, 1, 0, diverging=EpochEnd(1, 1)))
    [sent] = node.take(Fetch)
    assert sent.request.offset == 1
    other = MemoryRaftLog()
    other.append_messages([None], 1)  # type: ignore[list-item]
    other.append_messages([None], 1)  # type: ignore[list-item]
    node.answer(sent, FetchAnswer(NONE, 2, 1, 2, 0, records=other.batches[1:]))
    assert node.raft.high_watermark == 2
    assert leader.since_ms == -inf


def test_a_leader_is_as_fresh_as_its_newest_record_that_is_committed() -> None:
    """207-09: a majority that fetches proves nothing, bytes may be under way for long; a majority
    that has a new record does."""
    node = Driven().lead()
    node.wait(STEP_MS)
    appended_ms = node.now
    last = node.append()
    node.wait(STEP_MS)
    assert node.raft.fresh_since_ms(last + 1, node.now) == appended_ms
    follower = Fetch("quorum", key(2), node.raft.epoch, last + 1, node.raft.epoch, 500, 1 << 20, 0)
    node.ask(follower)
    assert node.raft.high_watermark == last + 1
    node.wait(STEP_MS)
    node.append()
    node.ask(follower)
    node.wait(STEP_MS)
    assert node.raft.fresh_since_ms(node.raft.high_watermark, node.now) == appended_ms


def test_a_leader_without_other_voters_knows_of_everything() -> None:
    """207-09: nobody else commits anything; but what it has committed must be applied as well."""
    node = Driven(members=(1,))
    assert node.raft.is_leader
    node.wait(STEP_MS)
    end = node.raft.high_watermark
    assert node.raft.fresh_since_ms(end, node.now) == node.now
    before_ms = node.now
    node.append()
    node.wait(STEP_MS)
    assert node.raft.fresh_since_ms(end, node.now) == before_ms
    assert node.raft.fresh_since_ms(node.raft.high_watermark, node.now) == node.now


def test_a_leader_alone_that_was_long_not_asked_is_as_fresh_as_its_first_record_to_apply() -> None:
    """207-09: what nobody has appended yet cannot be committed, whenever somebody asks."""
    node = Driven(members=(1,))
    node.wait(20 * STEP_MS)
    end = node.raft.high_watermark
    appended_ms = node.now
    node.append()
    node.wait(STEP_MS)
    assert node.raft.fresh_since_ms(end, node.now) == appended_ms


def test_an_older_proof_makes_nothing_look_older() -> None:
    """207-09: what is known of all that was applied outlives proofs of before that."""
    node = Driven(members=(1,))
    node.append()
    node.wait(20 * STEP_MS)
    assert node.raft.fresh_since_ms(node.raft.high_watermark, node.now) == node.now


def test_proofs_are_few() -> None:
    """207-09: they are spaced, and bounded; the oldest goes first."""
    freshness = Freshness()
    for offset in range(10):
        freshness.appended(offset, offset * SPACING_MS / 10)
    assert freshness.since_ms(10) == 0.0
    for offset in range(10, 12 + PROOFS_MAX):
        freshness.appended(offset, offset * SPACING_MS)
    assert freshness.since_ms(12) == 0.0
    assert freshness.since_ms(13) == 12 * SPACING_MS


@pytest.mark.parametrize("late_ms", [0, 1, 10, 90])
def test_a_leader_that_answers_with_each_record_as_it_comes(late_ms: int) -> None:
    """207-09: Kafka's controller writes a record each 500 ms, committed at once. A Fetch that waits
    as long comes back with it, never empty; so it must not wait as long. Nor does it matter when it
    was sent."""
    lease_ms, every_ms = 1000, 500
    leader = Leader(fetch_wait_ms=every_ms, tail_wait_ms=tail_wait_ms(lease_ms))
    node, count, oldest_ms = leader.node, 0, 0.0
    for number in range(20):
        due_ms = every_ms * (number + 1.0)
        node.now += late_ms
        while node.now + leader.sent.request.max_wait_ms < due_ms:
            node.now += leader.sent.request.max_wait_ms
            node.answer(leader.sent, leader.news(0, count))
            [leader.sent] = node.take(Fetch)
        node.now, count = due_ms, count + 1
        if number > 1:
            oldest_ms = max(oldest_ms, node.now - leader.since_ms)
        node.answer(leader.sent, leader.news(1, count))
        [leader.sent] = node.take(Fetch)
    assert every_ms < oldest_ms < lease_ms * 0.9
    long_ago = Leader()
    for count in range(1, 5):
        long_ago.tell(1, count)
    assert long_ago.since_ms == -inf


def test_fetches_are_parked_for_long_where_answers_come_back_empty() -> None:
    """207-09: a leader whose watermark follows its records answers once more at once; nothing more
    is asked for until the next record."""
    leader = Leader(fetch_wait_ms=500, tail_wait_ms=200)
    leader.tell(1, 0)
    assert leader.sent.request.max_wait_ms == 200
    leader.tell(0, 1)
    assert leader.sent.request.max_wait_ms == 500
    leader.tell(0, 1)
    assert leader.sent.request.max_wait_ms == 500
