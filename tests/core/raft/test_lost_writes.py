"""Goal: a leader notices that a voter's disk lacks what it had acknowledged, and says so once."""

from __future__ import annotations

from barnabas.broker.core.raft.messages import Fetch, ReplicaKey

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
