"""The metadata log and its snapshots, as the consensus core needs them; and the core's settings.

All calls are synchronous and need not be durable unless they say so: the core asks for durability
through `Ready`. An adapter in `server/quorum` has them on a real log, the simulator in memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple, Protocol

from barnabas.protocol.message import Message

from .messages import EpochEnd, Records, ReplicaKey
from .snapshot_file import SnapshotId
from .voters import VoterAddress, Voters


class LeaderChange(NamedTuple):
    """The first record of a leader's epoch: who leads, who could vote, who voted for it."""

    leader_id: int
    voters: tuple[ReplicaKey, ...]
    granting_voters: tuple[ReplicaKey, ...]


class KRaftVersion(NamedTuple):
    """The feature level `kraft.version`: 0 has static voters, 1 those of the log (KIP-853)."""

    level: int


Control = LeaderChange | KRaftVersion | Voters
"""What the core puts into control batches."""


class ControlEntry(NamedTuple):
    """A control record found in the log; offset -1 for one of a snapshot or of bootstrap."""

    offset: int
    control: KRaftVersion | Voters


class RaftLog(Protocol):
    """The metadata log of one node with its snapshots."""

    @property
    def start_offset(self) -> int:
        """The first offset in the log; 0 or the end offset of a snapshot."""
        ...

    @property
    def end_offset(self) -> int:
        """The offset that the next record will get."""
        ...

    @property
    def last_epoch(self) -> int:
        """Epoch of the last record, or of the snapshot at the start of an empty log; 0 if none."""
        ...

    def end_of_epoch(self, epoch: int) -> EpochEnd:
        """The largest epoch not above `epoch` in log or start snapshot, and where it ends.

        (-1 or the start's epoch, start offset) if the whole log is of later epochs.
        """
        ...

    def append_messages(self, messages: Sequence[Message], epoch: int) -> int:
        """Append one batch of metadata records as the leader; returns the new end offset."""
        ...

    def append_control(self, controls: Sequence[Control], epoch: int) -> int:
        """Append one control batch as the leader; returns the new end offset."""
        ...

    def append_records(self, records: Records) -> Sequence[ControlEntry]:
        """Append batches fetched from the leader, checksums verified, offsets contiguous.

        Returns the voter sets and kraft.versions among them. Raises KafkaError for damaged bytes,
        before anything of the damaged batch was appended.
        """
        ...

    def read(self, offset: int, max_bytes: int) -> Records:
        """Whole batches from the one that starts at `offset` on, at least one if there is any."""
        ...

    def is_batch_boundary(self, offset: int) -> bool:
        """Whether a batch starts at `offset`, or the log ends there (630-04)."""
        ...

    def truncate(self, offset: int) -> None:
        """Drop everything from `offset` on."""
        ...

    def truncate_to_snapshot(self, snapshot: SnapshotId) -> None:
        """Drop everything; the log begins and ends at the snapshot's end offset (630-14)."""
        ...

    def raise_start(self, snapshot: SnapshotId) -> None:
        """Drop what is before the snapshot's end offset, and the snapshots before it (630-09)."""
        ...

    def controls(self) -> Sequence[ControlEntry]:
        """Voter sets and kraft.versions of bootstrap, newest snapshot and log, in this order."""
        ...

    def snapshots(self) -> Sequence[SnapshotId]:
        """Complete snapshots, oldest first, without the bootstrap one (0-0)."""
        ...

    def snapshot_size(self, snapshot: SnapshotId) -> int:
        """Bytes of it; -1 if there is no such snapshot (any more)."""
        ...

    def read_snapshot(self, snapshot: SnapshotId, position: int, max_bytes: int) -> Records | None:
        """A piece of it; None if it is gone (630-19)."""
        ...

    def download_position(self, snapshot: SnapshotId) -> int:
        """How much of it was downloaded so far (0: nothing); drops downloads of all others."""
        ...

    def append_download(self, snapshot: SnapshotId, data: Records) -> None:
        """Append a piece to the partial file."""
        ...

    def drop_download(self) -> None:
        """Forget the partial file, if there is one."""
        ...


@dataclass(frozen=True, slots=True)
class RaftConfig:
    """What a node of the quorum is, and its patience."""

    replica: ReplicaKey
    cluster_id: str
    can_vote: bool = True  # whether it has the role `controller`
    addresses: tuple[VoterAddress, ...] = ()  # its controller listeners, as others reach them
    static_voters: Voters | None = None  # `controller.quorum.voters`
    bootstrap_servers: tuple[tuple[str, int], ...] = ()
    election_timeout_ms: int = 1000
    fetch_timeout_ms: int = 2000
    election_backoff_max_ms: int = 1000
    request_timeout_ms: int = 2000
    retry_backoff_ms: int = 20
    fetch_wait_ms: int = 500  # how long a Fetch without news stays at the leader
    tail_wait_ms: int = 200  # the same while the end of the leader's log is looked for
    fetch_max_bytes: int = 1 << 20
    stalled_disk_ms: int = 100  # so long a disk may take before news are fetched without it
    fetch_snapshot_max_bytes: int = 1 << 20
    max_replication_lag_ms: int = 7 * 24 * 3600 * 1000
    replica_session_ms: int = 9000  # a replica silent for longer does not hold the log back
    leader_lost_delay_max_ms: int = 50  # wait before an election when the leader's process died
    first_election_delay_max_ms: int = 50  # the same of a node that has just started
    floor: int = 0  # all below was committed, and durable on this disk, at some time
    has_lost: bool = False  # it abstained when it stopped (`lost_writes`)
    is_auto_joining: bool = False  # `controller.quorum.auto.join.enable`
    kraft_version_max: int = 1
