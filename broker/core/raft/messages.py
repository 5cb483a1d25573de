"""What nodes of the metadata quorum say to each other, apart from how a wire version spells it.

Requests and answers are values; `server/quorum` turns them into the generated classes and back.
Every answer tells the leader and the epoch that its sender knows (-1: no leader known).
"""

from __future__ import annotations

from collections.abc import Sized
from dataclasses import dataclass
from typing import NamedTuple

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.primitives import ZERO_UUID

from .snapshot_file import SnapshotId
from .voters import Voter, VoterAddress

NOBODY = -1
"""No leader known; as an offset or an epoch: none."""
UNKNOWN_HIGH_WATERMARK = (1 << 63) - 1
"""What a Fetch below version 18 tells as its high watermark: answer it only when there is news."""

Records = Sized
"""Whole record batches in a row: bytes for a real log; the core asks only whether there are any."""


class ReplicaKey(NamedTuple):
    """One node with one log directory (853-01); the directory is zero where nobody knows it."""

    node_id: int
    directory_id: bytes = ZERO_UUID


class LeaderAndEpoch(NamedTuple):
    """Who leads, as far as a node knows; `leader_id` is -1 while it does not."""

    leader_id: int
    epoch: int


class EpochEnd(NamedTuple):
    """Where an epoch ends in the leader's log: `end_offset` is the first offset after it."""

    epoch: int
    end_offset: int


@dataclass(slots=True)
class Vote:
    """A candidate asks for a vote, or with `pre_vote` whether it would get one (996-01)."""

    cluster_id: str | None
    epoch: int
    candidate: ReplicaKey
    voter: ReplicaKey  # whom it asks; node_id -1 where the wire version does not say
    last_epoch: int
    last_offset: int  # the log end offset
    pre_vote: bool


@dataclass(slots=True)
class VoteAnswer:
    """Whether it is granted; a refusal is no error (595-02)."""

    error: ErrorCode
    leader_id: int
    epoch: int
    granted: bool
    leader_address: tuple[str, int] | None = None


@dataclass(slots=True)
class BeginEpoch:
    """A new leader makes itself known (BeginQuorumEpoch)."""

    cluster_id: str | None
    leader_id: int
    epoch: int
    voter: ReplicaKey
    addresses: tuple[VoterAddress, ...] = ()


@dataclass(slots=True)
class EndEpoch:
    """A leader stands down (EndQuorumEpoch); `candidates` by descending log end (595-08)."""

    cluster_id: str | None
    leader_id: int
    epoch: int
    candidates: tuple[ReplicaKey, ...]
    addresses: tuple[VoterAddress, ...] = ()


@dataclass(slots=True)
class EpochAnswer:
    """The answer to BeginEpoch and to EndEpoch."""

    error: ErrorCode
    leader_id: int
    epoch: int
    leader_address: tuple[str, int] | None = None


@dataclass(slots=True)
class Fetch:
    """A replica asks for the metadata log from `offset`, and so acknowledges all before it."""

    cluster_id: str | None
    replica: ReplicaKey  # node_id -1: no replica, counts for nothing
    epoch: int  # the leader epoch that the replica knows; -1: any
    offset: int
    last_epoch: int  # epoch of the record before `offset`
    max_wait_ms: int
    max_bytes: int
    high_watermark: int = UNKNOWN_HIGH_WATERMARK  # what the replica has applied (KIP-1166)


@dataclass(slots=True)
class FetchAnswer:
    """Records, or where to cut (`diverging`), or which snapshot to load instead (630-10)."""

    error: ErrorCode
    leader_id: int
    epoch: int
    high_watermark: int = -1
    log_start_offset: int = -1
    diverging: EpochEnd | None = None
    snapshot: SnapshotId | None = None
    records: Records = b""
    leader_address: tuple[str, int] | None = None


@dataclass(slots=True)
class FetchSnapshot:
    """A replica asks for a piece of a snapshot (630-12)."""

    cluster_id: str | None
    replica: ReplicaKey
    epoch: int
    snapshot: SnapshotId
    position: int
    max_bytes: int


@dataclass(slots=True)
class FetchSnapshotAnswer:
    """The piece: raw bytes from `position` on, of `size` in all (630-13)."""

    error: ErrorCode
    leader_id: int
    epoch: int
    snapshot: SnapshotId
    size: int = 0
    position: int = 0
    data: Records = b""
    leader_address: tuple[str, int] | None = None


@dataclass(slots=True)
class AddVoter:
    """Make a node a voter that follows the log already (853-01)."""

    cluster_id: str | None
    timeout_ms: int
    voter: Voter
    ack_when_committed: bool = True


@dataclass(slots=True)
class RemoveVoter:
    """Make a voter an observer."""

    cluster_id: str | None
    voter: ReplicaKey


@dataclass(slots=True)
class UpdateVoter:
    """A voter tells new addresses or feature ranges of its own."""

    cluster_id: str | None
    epoch: int
    voter: Voter


@dataclass(slots=True)
class VoterChangeAnswer:
    """The answer to AddVoter, RemoveVoter and UpdateVoter; `message` says what is wrong."""

    error: ErrorCode
    leader_id: int
    epoch: int
    message: str | None = None
    leader_address: tuple[str, int] | None = None


Request = (
    Vote | BeginEpoch | EndEpoch | Fetch | FetchSnapshot | AddVoter | RemoveVoter | UpdateVoter
)
Answer = VoteAnswer | EpochAnswer | FetchAnswer | FetchSnapshotAnswer | VoterChangeAnswer


class ReplicaDescription(NamedTuple):
    """One line of DescribeQuorum; times are of the monotonic clock, -1 if never."""

    replica: ReplicaKey
    log_end_offset: int  # -1 unknown
    last_fetch_ms: float
    last_caught_up_ms: float


class QuorumDescription(NamedTuple):
    """What DescribeQuorum tells, at the leader only."""

    leader: LeaderAndEpoch
    high_watermark: int
    voters: tuple[ReplicaDescription, ...]
    observers: tuple[ReplicaDescription, ...]
