"""What a step of the consensus core wants done, and in which order.

The order of fields is the order of doing. The core itself holds back what needs something durable
first, and releases it in a later Ready: votes and requests for votes until `on_state_written`
(595-01), a follower's next acknowledging Fetch and a leader's own count until `on_flushed`
(595-04). So a driver may do every part in the background, and steps may come in meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import NamedTuple

from .messages import Answer, LeaderAndEpoch, Request
from .quorum_state import QuorumState
from .snapshot_file import SnapshotId


class Outgoing(NamedTuple):
    """A request to send. Exactly one of on_answer, on_failure must follow for its number."""

    number: int
    to: int
    """A node's id, or -2, -3, … for the first, second, … bootstrap server; the address is
    `Raft.address_of(to)` at the time of connecting."""
    request: Request
    timeout_ms: int


class Flush(NamedTuple):
    """Make the log durable up to `offset` or further; `generation` changes with truncations."""

    offset: int
    generation: int
    last_epoch: int
    """Of the record before `offset`."""


class Reply(NamedTuple):
    """The answer to the request that came in with this token."""

    token: int
    answer: Answer


@dataclass(slots=True)
class Ready:
    """One round of work; see the module's docstring."""

    state: QuorumState | None = None
    """Write it to `quorum-state` durably (file, rename, directory), then `on_state_written`."""
    flush: Flush | None = None
    """Make the log durable (in the background), then `on_flushed` with this very value. While a
    flush runs, remember only the last one asked for; begin it when the running one has ended."""
    freeze: SnapshotId | None = None
    """A download is complete: check it (footer, checksums), fsync and rename it, then
    `on_frozen`, with False if it is no snapshot and was thrown away."""
    leader: LeaderAndEpoch | None = None
    """News of the leader, for listeners. The node itself leads if the id is its own: it may append
    at once, but has applied all that was committed before only when the high watermark is above
    the first record of its epoch."""
    snapshot: SnapshotId | None = None
    """The log was replaced by this snapshot: listeners load it before anything after it."""
    high_watermark: int = -1
    """The new high watermark; -1: unchanged. Hand everything below it to listeners, then
    `on_delivered`. It is never told while `snapshot` of an earlier Ready is not delivered."""
    replies: list[Reply] = field(default_factory=list)
    requests: list[Outgoing] = field(default_factory=list)
    abstains: bool | None = None
    """Whether this voter abstains from now on, if that has changed (`lost_writes`). To be durable
    before anything that comes after it."""
    alarms: list[str] = field(default_factory=list)
    """What somebody should look at, for the node's log."""
