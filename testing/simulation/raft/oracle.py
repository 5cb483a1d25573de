"""What must be true after every event, seen from above all nodes.

The ghost log is the longest prefix that was ever at or below a leader's high watermark: end offset
of each of its batches -> (epoch, chain).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from typing import TYPE_CHECKING

from barnabas.broker.core.raft.messages import ReplicaKey
from barnabas.broker.core.raft.snapshot_file import SnapshotId

from .memory_log import Batch, MemoryRaftLog

if TYPE_CHECKING:
    from .machine import Machine


class InvariantError(AssertionError):
    """An invariant does not hold; the text begins with its name."""


class Oracle:
    """Hears of everything; raises InvariantError."""

    def __init__(self, machines: dict[int, Machine]) -> None:
        self.machines = machines
        self.leaders: dict[int, tuple[int, int]] = {}
        """Epoch -> node and incarnation."""
        self.candidate_epochs: set[int] = {0}
        self.votes: dict[tuple[ReplicaKey, int], ReplicaKey] = {}
        self.durable_epochs: dict[ReplicaKey, int] = {}
        self.chains: dict[tuple[int, int], int] = {}
        self.ghost: dict[int, tuple[int, int]] = {0: (0, 0)}
        self.ghost_end = 0
        self.lost_disks: dict[ReplicaKey, MemoryRaftLog] = {}
        self.damaged_logs: dict[ReplicaKey, list[dict[int, int]]] = {}
        """What a voter had durably, and acknowledged, each time before its disk was damaged."""
        self.elections = 0
        self.snapshots_loaded = 0
        self.truncations = 0
        self.starts_raised = 0

    # Logs -----------------------------------------------------------------------------------

    def on_append(self, node_id: int, batch: Batch) -> None:
        """I-2: one offset and epoch, one history."""
        known = self.chains.setdefault((batch.end, batch.epoch), batch.chain)
        if known != batch.chain:
            raise InvariantError(
                f"I-2: node {node_id} has another history before {batch.end} in epoch {batch.epoch}"
            )

    def on_truncate(self, node_id: int, log: MemoryRaftLog, offset: int) -> None:
        """I-4: what is committed is never cut; I-16: nor what was applied."""
        self.truncations += 1
        for batch in reversed(log.batches):
            if batch.end <= offset:
                break
            if self.ghost.get(batch.end) == (batch.epoch, batch.chain):
                raise InvariantError(f"I-4: node {node_id} cuts committed records from {offset}")
        if offset < self.machines[node_id].applied:
            raise InvariantError(f"I-16: node {node_id} cuts what it applied, from {offset}")

    # Votes, epochs, leaders -----------------------------------------------------------------

    def on_vote(self, voter: ReplicaKey, epoch: int, candidate: ReplicaKey) -> None:
        """I-8: one vote a voter and epoch, across crashes."""
        known = self.votes.setdefault((voter, epoch), candidate)
        if known != candidate:
            raise InvariantError(f"I-8: {voter} voted for {known} and {candidate} in epoch {epoch}")

    def on_state_durable(self, key: ReplicaKey, epoch: int) -> None:
        """I-8: the epoch on disk never goes back."""
        if epoch < self.durable_epochs.get(key, 0):
            raise InvariantError(f"I-8: {key} writes epoch {epoch} after a later one")
        self.durable_epochs[key] = epoch

    def on_pre_vote(self, epoch: int) -> None:
        """I-8: a pre-vote asks in an epoch that some real election began."""
        if epoch not in self.candidate_epochs:
            raise InvariantError(f"I-8: a pre-vote in epoch {epoch}, which nobody stood for")

    def on_leader(self, machine: Machine, epoch: int) -> None:
        """I-1: one leader an epoch, in one life; I-9: with every record that was committed before.

        Who hears of its votes late may lead when the next epoch has long begun; it commits nothing.
        """
        node_id = machine.node_id
        life = (node_id, machine.incarnation)
        known = self.leaders.setdefault(epoch, life)
        if known != life:
            raise InvariantError(
                f"I-1: epoch {epoch} is led by {known} and {life} (node, incarnation)"
            )
        self.elections += 1
        log = machine.log
        if log.start <= self.ghost_end and self.ghost[self.ghost_end][0] <= epoch:
            has_all = log.chain_at(self.ghost_end) == self.ghost[self.ghost_end][1]
            if not has_all:
                raise InvariantError(
                    f"I-9: leader {node_id} of epoch {epoch} lacks records before {self.ghost_end}"
                )

    # The high watermark ---------------------------------------------------------------------

    def on_high_watermark(self, machine: Machine, offset: int, previous: int) -> None:
        """I-7 and I-16: monotone, on a majority durably, and everywhere the same state."""
        node_id = machine.node_id
        if offset < previous:
            raise InvariantError(f"I-7: node {node_id} goes back from {previous} to {offset}")
        log = machine.log
        chain = log.chain_at(offset)
        if chain is None:
            raise InvariantError(f"I-16: node {node_id} applies {offset}, inside a batch or absent")
        if offset > self.ghost_end:
            self._commit(machine, offset)
        known = self.ghost.get(offset)
        if known is None or known[1] != chain:
            raise InvariantError(f"I-16: node {node_id} applies another history before {offset}")

    def _log_of(self, voter: ReplicaKey) -> MemoryRaftLog | None:
        """The log of a voter; of one that lost its disk, as it was then."""
        machine = self.machines.get(voter.node_id)
        if machine is None:
            return None
        if any(voter.directory_id) and machine.directory != voter.directory_id:
            return self.lost_disks.get(voter)
        return machine.log

    def _commit(self, machine: Machine, offset: int) -> None:
        raft = machine.raft
        if machine.led_epoch != raft.epoch:  # it may have stood down with that very record
            raise InvariantError(
                f"I-7: follower {machine.node_id} knows {offset} is committed first"
            )
        log = machine.log
        chain = log.chain_at(offset)
        members = raft.voters.members
        holders = 0
        for voter in members:
            key = ReplicaKey(voter.voter_id, voter.directory_id)
            held = self._log_of(key)
            if held is not None:
                has = held.start > offset or held.durable_chain_at(offset) == chain
                holders += has or self._had(key, offset, chain)
        if holders <= len(members) // 2:
            raise InvariantError(
                f"I-7: {offset} counts as committed, but {holders} of {len(members)} voters "
                "have it durably"
            )
        last = bisect_left(log.ends, offset)
        newest = log.batches[last].epoch
        if newest != raft.epoch:
            raise InvariantError(
                f"I-7: {offset} of epoch {newest} is committed by counting in {raft.epoch}"
            )
        for batch in log.batches[bisect_right(log.ends, self.ghost_end) : last + 1]:
            self.ghost[batch.end] = (batch.epoch, batch.chain)
        self.ghost_end = offset

    def _had(self, voter: ReplicaKey, offset: int, chain: int | None) -> bool:
        """Whether it had that before its disk was damaged: a leader may go on counting it."""
        machine = self.machines.get(voter.node_id)
        if machine is None:
            return False
        images = self.damaged_logs.get(machine.key, ())
        return any(image.get(offset) == chain for image in images)

    # Snapshots ------------------------------------------------------------------------------

    def on_snapshot_loaded(self, machine: Machine, snapshot: SnapshotId, applied: int) -> None:
        """I-16: never by the leader, never back; I-14: the state that everybody had there."""
        self.snapshots_loaded += 1
        if machine.raft.is_leader:
            raise InvariantError(f"I-16: leader {machine.node_id} loads a snapshot")
        if snapshot.end_offset < applied:
            raise InvariantError(f"I-16: node {machine.node_id} goes back to {snapshot}")
        self.check_snapshot(machine, snapshot)

    def check_snapshot(self, machine: Machine, snapshot: SnapshotId) -> None:
        """I-14: a snapshot holds the state at its end offset, of the epoch in its name."""
        content = machine.log.files.get(snapshot)
        truth = self.ghost.get(snapshot.end_offset)
        if content is None or truth is None or truth != (snapshot.epoch, content.chain):
            raise InvariantError(
                f"I-14: node {machine.node_id}: {snapshot} is not the state there, {truth}"
            )

    def check_start(self, machine: Machine) -> None:
        """I-14: the log begins at 0 or at the end of a snapshot."""
        log = machine.log
        if log.start and not any(
            log.start <= one.end_offset <= machine.raft.high_watermark for one in log.ids
        ):
            raise InvariantError(
                f"I-14: the log of node {machine.node_id} starts at {log.start} without a snapshot"
            )
        if log.end_offset < log.start or (log.ids and log.end_offset < log.ids[-1].end_offset):
            raise InvariantError(
                f"I-14: the log of node {machine.node_id} ends at {log.end_offset} before "
                f"its snapshot {log.ids[-1] if log.ids else None}"
            )

    def check_raise(self, machine: Machine, snapshot: SnapshotId, now_ms: float) -> None:
        """I-15: every live replica has what the leader lets go, or it waited long enough."""
        self.starts_raised += 1
        made_ms = machine.snapshot_made_ms.get(snapshot, now_ms)
        config = machine.raft_config
        if now_ms - made_ms >= config.max_replication_lag_ms:
            return
        for node_id, (fetched_ms, directory) in machine.fetched_ms.items():
            other = self.machines[node_id]
            is_live = now_ms - fetched_ms <= config.replica_session_ms
            if other is machine or not is_live or other.directory != directory:
                continue
            if (
                other.is_up
                and not other.lacks_records
                and other.log.end_offset < snapshot.end_offset
            ):
                raise InvariantError(
                    f"I-15: leader {machine.node_id} lets go all before {snapshot.end_offset}, "
                    f"but node {node_id} has only {other.log.end_offset}"
                )
