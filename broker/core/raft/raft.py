"""One replica of the metadata log: `Raft`, the interface of the consensus core.

KIP-595 with pre-votes (KIP-996), changing voters (KIP-853), snapshots (KIP-630) and early answers
for followers with an old high watermark (KIP-1166). The core does no I/O: time comes in as `now_ms`
of a monotonic clock, randomness and the log are passed in, and work to do comes out as `Ready`.

The driver's loop: call a method; then call `take_ready()` until it returns None, and do what each
Ready says; at `next_deadline_ms` call `tick`. Each method may raise `QuorumBrokenError` (two
leaders in one epoch, or a leader that wants committed records truncated): then the node must stop.
An `OSError` of the log is not caught here, and the node must stop as well, since a step may have
been done by half.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from barnabas.protocol.message import Message

from . import (
    claims,
    elections,
    following,
    kraft_version,
    leader_log,
    leading,
    lost_writes,
    roles,
    serving,
    snapshots,
)
from .messages import (
    Answer,
    LeaderAndEpoch,
    QuorumDescription,
    ReplicaKey,
    Request,
)
from .ports import Control, RaftConfig, RaftLog
from .quorum_state import QuorumState
from .ready import Flush, Ready
from .snapshot_file import SnapshotId
from .states import BOOTSTRAP_SERVER_BASE, Leader, QuorumBrokenError, Replica
from .voters import Voters

if TYPE_CHECKING:
    from random import Random  # the type of the injected generator, nothing else

__all__ = ["NotLeaderError", "QuorumBrokenError", "Raft"]


class NotLeaderError(Exception):
    """This replica does not lead, or no longer leads, in the epoch that the caller means."""


class Raft:
    """A voter or an observer of the metadata quorum."""

    def __init__(
        self, config: RaftConfig, log: RaftLog, state: QuorumState, random: Random, now_ms: float
    ) -> None:
        """Go on from `state` and `log`, as they were left at the last stop.

        The log is checked against its snapshots (630-11): one that ends before its newest
        snapshot, or begins without one, is replaced by it. The first Ready asks for a flush,
        because part of the log may only be in the page cache since the process was killed. The
        caller loads the newest snapshot at boot itself: no Ready names it. A single voter leads
        as soon as its vote is durable.
        """
        self._replica = Replica(config, log, state, random, now_ms)
        snapshots.check_at_boot(self._replica, now_ms)
        lost_writes.check_at_boot(self._replica)
        elections.boot(self._replica, now_ms)

    # What came in ---------------------------------------------------------------------------

    def on_request(self, token: int, request: Request, now_ms: float) -> None:
        """Take a request of another node; its answer is a `Reply` with this token, perhaps later.

        The caller checks the request's form (one topic, one partition, its name). It must check
        `has_cluster_id` before that, since this error precedes all others. The error of an answer
        belongs to the partition, except INCONSISTENT_CLUSTER_ID, which is top-level.
        """
        serving.serve(self._replica, token, request, now_ms)

    def forget_request(self, token: int) -> None:
        """The connection of this request is gone: drop its answer."""
        serving.forget(self._replica, token)

    def on_answer(self, number: int, answer: Answer, now_ms: float) -> None:
        """Take the answer to the request `Outgoing.number`; late or unknown numbers are ignored."""
        serving.take_answer(self._replica, number, answer, now_ms)

    def on_failure(self, number: int, now_ms: float, *, is_refused: bool = False) -> None:
        """A request will get no answer (timeout, lost connection, no address, no common version).

        `is_refused`: the connection was refused, so the process there has died.
        """
        serving.take_failure(self._replica, number, now_ms, is_refused=is_refused)

    def on_leader_lost(self, now_ms: float) -> None:
        """The leader's process has died (connection refused or reset): ask for pre-votes early.

        The other voters refuse while they still hear the leader, so a false alarm costs nothing.
        """
        elections.leader_lost(self._replica, now_ms)

    def tick(self, now_ms: float) -> None:
        """Do what is due at `now_ms`."""
        elections.tick(self._replica, now_ms)

    @property
    def next_deadline_ms(self) -> float:
        """The latest time for the next `tick`, in milliseconds; inf if none is needed."""
        return elections.next_deadline_ms(self._replica)

    # What is done ---------------------------------------------------------------------------

    def take_ready(self, now_ms: float) -> Ready | None:
        """The next work, or None. See `Ready` for the order in which it must be done."""
        return following.take_ready(self._replica, now_ms)

    def on_state_written(self, state: QuorumState, now_ms: float) -> None:
        """The driver reports that `Ready.state` is durable."""
        self._replica.on_state_written(state)
        elections.on_durable(self._replica, now_ms)

    def on_flushed(self, flush: Flush, now_ms: float) -> None:
        """The driver reports that `Ready.flush` is done; ignored if it is from before a cut."""
        leader_log.on_flushed(self._replica, flush, now_ms)

    def on_frozen(self, snapshot: SnapshotId, is_valid: bool, now_ms: float) -> None:
        """A downloaded snapshot is durable under its name or, if not `is_valid`, was removed."""
        snapshots.on_frozen(self._replica, snapshot, is_valid, now_ms)

    def on_delivered(self, offset: int) -> None:
        """The listeners were handed all below `offset`; the next Fetch reports this (KIP-1166).

        The next Fetch waits for it, for at most a quarter of the fetch timeout.
        """
        replica = self._replica
        replica.delivered_offset = max(replica.delivered_offset, offset)

    # The leader's own -----------------------------------------------------------------------

    def append(self, records: Sequence[Message], epoch: int, now_ms: float) -> int:
        """Append one atomic batch as the leader of `epoch`; returns its last record's offset.

        It is committed when the high watermark is above that offset. Raises NotLeaderError.
        """
        replica = self._replica
        if type(replica.role) is not Leader or replica.epoch != epoch:
            raise NotLeaderError(f"not the leader of epoch {epoch}")
        return leader_log.append(replica, records, now_ms)

    def kraft_version_obstacle(self, level: int) -> str | None:
        """Why this leader cannot raise `kraft.version` to this level now; None if it can."""
        role = self._replica.role
        if type(role) is not Leader:
            return "This node does not lead the quorum."
        return kraft_version.obstacle(self._replica, role, level)

    def raise_kraft_version(self, level: int, epoch: int, now_ms: float) -> int:
        """Append level and voters as the leader of `epoch`; returns the last record's offset.

        Raises NotLeaderError, or ValueError with what is in the way.
        """
        role = self._replica.role
        if type(role) is not Leader or self._replica.epoch != epoch:
            raise NotLeaderError(f"not the leader of epoch {epoch}")
        return kraft_version.raise_level(self._replica, role, level, now_ms)

    def resign(self, epoch: int, now_ms: float) -> None:
        """Stand down as the leader of `epoch` and name successors; no-op for any other epoch."""
        if type(self._replica.role) is Leader and self._replica.epoch == epoch:
            roles.resign(self._replica, now_ms)

    def stop(self, now_ms: float) -> None:
        """Shut down in good order: a leader resigns, and this node is not elected any more.

        What `take_ready` returns must be sent before the process ends.
        """
        self._replica.is_stopping = True
        if type(self._replica.role) is Leader:
            roles.resign(self._replica, now_ms)

    # Snapshots and the start of the log -----------------------------------------------------

    def check_snapshot(self, snapshot: SnapshotId) -> None:
        """Whether a snapshot may be made here (630-04); raises ValueError with the reason."""
        snapshots.check(self._replica, snapshot)

    def controls_before(self, end_offset: int) -> list[Control]:
        """The control records with which a snapshot of this end offset begins: kraft.version and
        voters.

        There are none if the settings name the voters.
        """
        return snapshots.controls_before(self._replica, end_offset)

    def on_snapshot_made(self, snapshot: SnapshotId, now_ms: float) -> None:
        """This node's own snapshot is durable."""
        self._replica.snapshot_seen_ms.setdefault(snapshot, now_ms)

    def may_raise_log_start(self, snapshot: SnapshotId, now_ms: float) -> bool:
        """Whether the leader's log may begin at this snapshot's end (630-07).

        Followers raise their own log start by themselves (630-08).
        """
        return snapshots.may_raise_start(self._replica, snapshot, now_ms)

    def raise_log_start(self, snapshot: SnapshotId, now_ms: float) -> bool:
        """Let the leader's log begin at the end of `snapshot` if that is allowed (630-07); returns
        whether it is."""
        return snapshots.raise_start(self._replica, snapshot, now_ms)

    # What it knows --------------------------------------------------------------------------

    @property
    def replica_key(self) -> ReplicaKey:
        """This node's id and directory."""
        return self._replica.me

    @property
    def epoch(self) -> int:
        """The newest epoch that this replica knows."""
        return self._replica.epoch

    @property
    def leader(self) -> LeaderAndEpoch:
        """The known leader of this epoch; -1 if there is none, or if this replica led and has
        resigned."""
        replica = self._replica
        return LeaderAndEpoch(replica.known_leader(), replica.epoch)

    @property
    def is_leader(self) -> bool:
        """Whether this replica leads."""
        return type(self._replica.role) is Leader

    @property
    def is_voter(self) -> bool:
        """Whether this replica is in the newest voter set that it knows."""
        return self._replica.is_voter

    @property
    def abstains(self) -> bool:
        """Whether it neither votes nor stands for election, since its log lost acknowledged
        records."""
        return self._replica.abstains

    @property
    def durable_watermark(self) -> int:
        """Everything below this offset is committed, and durable here."""
        return min(self._replica.high_watermark, self._replica.flushed_offset)

    @property
    def voters(self) -> Voters:
        """The newest voter set, committed or not."""
        return self._replica.voters

    @property
    def kraft_version(self) -> int:
        """The feature level `kraft.version`."""
        return self._replica.kraft_version

    @property
    def flush_generation(self) -> int:
        """Changes with every truncation; flushes of another generation are ignored."""
        return self._replica.flush_generation

    @property
    def high_watermark(self) -> int:
        """Everything below this offset is committed."""
        return self._replica.high_watermark

    @property
    def state_name(self) -> str:
        """The role in one lower-case word, as in Kafka's metric `current-state`."""
        name = type(self._replica.role).__name__.lower()
        return "observer" if name == "follower" and not self._replica.is_voter else name

    def fresh_since_ms(self, applied_end: int, now_ms: float) -> float:
        """207-09: whatever was committed then, anywhere, is below `applied_end`; -inf: not known.

        See `freshness`. A leader that is the only voter knows of all that is committed.
        """
        replica = self._replica
        is_alone = type(replica.role) is Leader and replica.is_voter and not replica.others
        if not is_alone:
            return replica.freshness.since_ms(applied_end)
        if applied_end >= replica.high_watermark:
            replica.freshness.all_applied(now_ms)
        return replica.freshness.since_ms_alone(applied_end)

    def replica_progress(self) -> dict[int, int]:
        """At the leader: replica id -> the high watermark that its last Fetch named."""
        role = self._replica.role
        return leading.told_high_watermarks(role) if type(role) is Leader else {}

    def describe(self, now_ms: float) -> QuorumDescription:
        """The facts for DescribeQuorum. Raises NotLeaderError if this replica does not lead."""
        role = self._replica.role
        if type(role) is not Leader:
            raise NotLeaderError("only the leader can describe the quorum")
        return leading.describe(self._replica, role, now_ms)

    @property
    def cluster_id(self) -> str:
        """The id of this node's cluster."""
        return self._replica.config.cluster_id

    def has_cluster_id(self, cluster_id: str | None) -> bool:
        """Whether a request with this cluster id may be meant for this cluster; one without id may
        be."""
        return cluster_id is None or cluster_id == self._replica.config.cluster_id

    def is_for_us(self, request: Request) -> bool:
        """As `has_cluster_id`, for a whole request: requests of voters must name the cluster."""
        return claims.is_for_us(self._replica, request)

    @property
    def unproven_claims(self) -> int:
        """How many requests were not believed: from non-voters, of epochs too far ahead, of a
        second leader."""
        return self._replica.unproven_claims

    def address_of(self, node_id: int) -> tuple[str, int] | None:
        """The address of a node, from the voter set or from what others told; see `Outgoing.to`."""
        replica = self._replica
        if node_id > BOOTSTRAP_SERVER_BASE:
            return replica.addresses.get(node_id)
        servers = replica.config.bootstrap_servers
        index = BOOTSTRAP_SERVER_BASE - node_id
        return servers[index] if index < len(servers) else None

    def destination_of(self, number: int) -> int:
        """The `Outgoing.to` of a request that is still without an answer; -1 for any other
        number."""
        flight = self._replica.in_flight.get(number)
        return -1 if flight is None else flight.to

    def targets(self) -> list[int]:
        """The nodes to ask while no leader is known, as `Outgoing.to`."""
        return following.targets(self._replica)

    def pending_voter_change(self) -> int:
        """The offset of a voter set that is not committed yet; -1 if there is none."""
        return self._replica.uncommitted_offset
