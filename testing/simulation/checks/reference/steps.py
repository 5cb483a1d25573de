"""Steps of the consensus core: one's own vote (595-01), a snapshot's pieces (630-14, 630-15), and
how fresh the metadata is (207-09)."""

from __future__ import annotations

from collections.abc import Generator
from typing import Any

from barnabas.broker.core.raft import elections, following, snapshots
from barnabas.broker.core.raft.states import Candidate, Follower
from barnabas.protocol.errors import ErrorCode

from .comparing import Rule


def own_vote(replica: Any, now_ms: float) -> Generator[None, Any, None]:
    """595-01: a candidate's vote for itself counts when it is on the disk, no sooner."""
    del now_ms
    role, is_dirty = replica.role, replica.is_dirty
    yield
    if type(role) is Candidate and is_dirty:
        is_counted = replica.me.node_id in role.granted or replica.role is not role
        assert not is_counted, "its own vote counts before it is written"


def took_piece(replica: Any, flight: Any, answer: Any, now_ms: float) -> Generator[None, Any, None]:
    """630-14, 630-15: the piece that belongs here is appended, and counts as a sign of life."""
    role, snapshot = replica.role, replica.download
    is_ours = type(role) is Follower and snapshot is not None and flight.epoch == replica.epoch
    if not is_ours or answer.error is not ErrorCode.NONE or flight.request.snapshot != snapshot:
        yield
        return
    position = replica.log.download_position(snapshot)
    fits = (answer.snapshot, answer.position) == (snapshot, position)
    failure = yield
    is_taken = snapshot in (replica.download, replica.freezing)
    if failure is not None or (fits and not is_taken):
        return  # the disk refused it, or has lost what was there
    if fits:
        alive_until = now_ms + replica.config.fetch_timeout_ms
        assert role.deadline_ms == alive_until, f"the leader counts as alive to {role.deadline_ms}"
    elif replica.download is not None:
        after = replica.log.download_position(snapshot)
        assert after <= position, f"a piece for {answer.position} is taken at {position}"
        raise AssertionError(f"a piece for {answer.position} is no reason to begin anew")


def freshened(replica: Any, flight: Any, answer: Any, now_ms: float) -> Generator[None, Any, None]:
    """207-09: an answer proves what was committed when its Fetch was sent, and nothing later."""
    del answer, now_ms
    before = replica.freshness._tail_ms
    yield
    found = replica.freshness._tail_ms
    assert found <= max(before, flight.sent_ms), f"proves {found}, it was sent at {flight.sent_ms}"


RULES = (
    Rule("595-01", elections, "on_durable", own_vote, is_after=True),
    Rule("630-14", snapshots, "on_answer", took_piece, is_after=True),
    Rule("207-09", following, "on_fetch_answer", freshened, is_after=True),
)
