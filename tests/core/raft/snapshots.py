"""Leaders that make a snapshot, and followers that download one."""

from __future__ import annotations

from barnabas.broker.core.raft.messages import (
    BeginEpoch,
    Fetch,
    FetchAnswer,
    FetchSnapshot,
    FetchSnapshotAnswer,
)
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.testing.simulation.raft.memory_log import Piece, SnapshotContent

from .replicas import NONE, Driven, key, voters

THERE = SnapshotId(40, 1)


CONTENT = SnapshotContent(77, (voters(1, 2, 3),), 150)


def committed(count: int = 5) -> Driven:
    """A leader whose records are all committed, node 2 has them and node 3 is silent."""
    node = Driven().lead()
    for _ in range(count):
        node.append(2)
    acknowledge(node, 2)
    assert node.raft.high_watermark == node.log.end_offset
    return node


def acknowledge(node: Driven, node_id: int, offset: int = -1) -> None:
    """That node has everything up to `offset`, or all."""
    end = node.log.end_offset if offset < 0 else offset
    request = Fetch("quorum", key(node_id), 1, end, 1, 0, 1000)
    assert node.ask(request).error is NONE


def downloading() -> Driven:
    """Node 1 follows node 2, which offered it a snapshot."""
    node = Driven()
    node.ask(BeginEpoch("quorum", 2, 1, key(1)))
    [first] = node.take(Fetch)
    node.answer(first, FetchAnswer(NONE, 2, 1, 45, 40, snapshot=THERE))
    return node


def give(node: Driven, position: int, length: int) -> None:
    """Answer the outstanding FetchSnapshot with so many bytes."""
    [asked] = node.take(FetchSnapshot)
    assert asked.request.position == position
    data = Piece(CONTENT, position, length)
    node.answer(asked, FetchSnapshotAnswer(NONE, 2, 1, THERE, CONTENT.size, position, data))
