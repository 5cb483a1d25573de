"""Goal: a leader notices that a voter's disk lacks what it had acknowledged, and says so once."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from barnabas.broker.core.raft.messages import BeginEpoch, Fetch, FetchAnswer, ReplicaKey, Vote
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.testing.simulation.raft.memory_log import MemoryRaftLog

from .replicas import Driven, key


def fetch(node: Driven, replica: ReplicaKey, offset: int) -> Fetch:
    """A Fetch of another replica in the leader's epoch, up to date with its log so far."""
    return Fetch("quorum", replica, 1, offset, 1 if offset else 0, 0, 1000)


def alarms(node: Driven) -> list[str]:
    return [text for ready in node.readies for text in ready.alarms]


def test_a_voter_that_went_back_is_named() -> None:
    """853-01, 595-04: the same number and directory, less than it had acknowledged; once."""
    node = Driven().lead()
    node.append(3)
    end = node.log.end_offset
    node.ask(fetch(node, key(2), 0))
    node.ask(fetch(node, key(2), end))
    assert node.raft.high_watermark == end
    assert alarms(node) == []
    answer = node.ask(fetch(node, key(2), 0))
    assert answer.records
    node.ask(fetch(node, key(2), 0))
    (said,) = alarms(node)
    assert "voter 2 (directory.id " in said
    assert f"asks for offset 0 after it had acknowledged all below {end} in epoch 1" in said
    assert node.raft.high_watermark == end


def test_new_disks_and_observers_may_begin_anew() -> None:
    """853-01: another directory id is another replica; and nobody counts on an observer."""
    node = Driven().lead()
    node.append(3)
    end = node.log.end_offset
    for replica in (key(2), ReplicaKey(2, b"another directory"[:16]), key(7)):
        for offset in (0, end) if replica.node_id == 2 else (end, 0):
            node.ask(fetch(node, replica, offset))
    assert alarms(node) == []


def test_a_configured_voter_may_get_a_new_disk() -> None:
    """853-01: at kraft.version 0 the voter set names no directory; the Fetch does."""
    node = Driven().lead()
    node.append(3)
    node.ask(fetch(node, key(2), node.log.end_offset))
    node.ask(fetch(node, ReplicaKey(2), 0))  # a version that does not tell the directory
    assert alarms(node) == []


# At the voter itself ------------------------------------------------------------------------


def damaged(*, floor: int = 50, **config: Any) -> Driven:
    """Node 1, whose log is empty although 50 records were committed on its disk."""
    return Driven(floor=floor, **config)


def candidate_vote(node: Driven, *, pre: bool) -> bool:
    """Whether it votes for one that has records."""
    request = Vote("quorum", node.raft.epoch + 1, key(2), key(1), 0, 40, pre)
    return bool(node.ask(request).granted)


def follow(epoch: int, watermark: int, count: int) -> FetchAnswer:
    """The answer of the leader of epoch 4, with `count` records of an epoch."""
    batches = MemoryRaftLog()
    for _ in range(count):
        batches.append_messages(cast("Sequence[Message]", [1]), epoch)
    return FetchAnswer(ErrorCode.NONE, 2, 4, watermark, 0, records=batches.batches)


def test_who_lost_records_neither_votes_nor_stands() -> None:
    """595-02, 595-04: its vote would make a leader of one that lacks committed records too."""
    node = damaged()
    assert node.raft.abstains
    assert node.readies[0].abstains is True
    assert not candidate_vote(node, pre=True)
    assert not candidate_vote(node, pre=False)
    node.wait_for_election()
    node.wait_for_election()
    assert not node.take(Vote)
    assert node.raft.state_name == "unattached"
    assert "abstains" in alarms(node)[-1]


def test_it_looks_for_a_leader_by_itself() -> None:
    """595-05: as an observer does; nobody else can end its abstention."""
    node = damaged()
    node.wait_for_election()
    assert node.take(Fetch)


def test_it_votes_again_when_a_leader_knows_what_it_has() -> None:
    """595-03, 595-04: a record of the leader's epoch is committed, and it has acknowledged it."""
    node = damaged()
    node.ask(BeginEpoch("quorum", 2, 4, key(1)))
    [*_, first] = node.take(Fetch)
    node.answer(first, follow(4, 3, 5))
    assert node.raft.abstains, "the leader may still count it for what it had before"
    [*_, second] = node.take(Fetch)
    assert second.request.offset == 5
    node.answer(second, FetchAnswer(ErrorCode.NONE, 2, 4, 5, 0))
    assert not node.raft.abstains
    assert [one.abstains for one in node.readies if one.abstains is not None] == [True, False]
    node.wait_for_election()
    assert node.take(Vote)


def test_a_watermark_of_before_the_leaders_epoch_is_not_enough() -> None:
    """595-03: a new leader's watermark may be behind what was committed."""
    node = damaged()
    node.ask(BeginEpoch("quorum", 2, 4, key(1)))
    [*_, first] = node.take(Fetch)
    node.answer(first, follow(3, 5, 5))
    [*_, second] = node.take(Fetch)
    node.answer(second, FetchAnswer(ErrorCode.NONE, 2, 4, 5, 0))
    assert node.raft.high_watermark == 5
    assert node.raft.abstains


def test_what_it_owes_is_remembered() -> None:
    """595-04: over a restart, whatever its log has then."""
    assert damaged(floor=0, has_lost=True).raft.abstains
    assert not damaged(floor=0).raft.abstains


def test_who_is_alone_has_nobody_to_get_it_from() -> None:
    """595-04: it goes on with what it has; so does a node that never votes."""
    assert damaged(members=(1,)).raft.is_leader
    assert not damaged(can_vote=False).raft.abstains


def test_a_log_without_the_snapshot_before_it_is_a_loss() -> None:
    """630-11: it is begun anew, and what it had before was acknowledged."""
    log = MemoryRaftLog()
    log.start = log.end_offset = 40
    node = Driven(log=log)
    assert node.log.end_offset == 0
    assert node.raft.abstains
