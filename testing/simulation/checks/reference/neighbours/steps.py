"""Votes that are not written yet, pieces of other places, answers on the way for a while."""

from __future__ import annotations

from random import Random
from typing import Any

from barnabas.broker.core.raft.messages import FetchSnapshot, FetchSnapshotAnswer
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.core.raft.states import Candidate, Follower, InFlight
from barnabas.protocol.errors import ErrorCode

from .altered import NEAR, QUESTIONS, Altered, Questions

TIMEOUT_MS = 2_000


def own_vote(random: Random, replica: Any, now_ms: float) -> Questions:
    """Only one that is not written: any other would be counted."""
    del random
    yield Altered(replica, role=Candidate(now_ms + 1.0), is_dirty=True), now_ms


class HalfLoaded:
    """A log with half of a snapshot."""

    def __init__(self, position: int) -> None:
        self._position = position

    def download_position(self, snapshot: Any) -> int:
        """How much of it is there."""
        del snapshot
        return self._position

    def append_download(self, snapshot: Any, data: Any) -> None:
        """A piece is added."""
        del snapshot
        self._position += len(data)

    def drop_download(self) -> None:
        """It begins anew."""
        self._position = 0


def took_piece(random: Random, replica: Any, flight: Any, answer: Any, now_ms: float) -> Questions:
    del flight, answer
    snapshot, position = SnapshotId(100, 2), 40
    for _ in range(QUESTIONS):
        at = position + random.choice(NEAR)
        request = FetchSnapshot(None, replica.me, replica.epoch, snapshot, position, 10)
        near = Altered(
            replica,
            role=Follower(1, now_ms + 1.0),
            download=snapshot,
            told_leader=None,
            proven=None,
            log=HalfLoaded(position),
            config=Altered(replica.config, fetch_timeout_ms=TIMEOUT_MS),
        )
        sent = InFlight(1, request, now_ms - 5.0, replica.epoch)
        piece = FetchSnapshotAnswer(ErrorCode.NONE, 1, replica.epoch, snapshot, 90, at, b"12345")
        yield near, sent, piece, now_ms
