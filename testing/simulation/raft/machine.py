"""One simulated node: the consensus core, its driver, a disk that loses power, a listener."""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from math import inf
from random import Random
from typing import TYPE_CHECKING, cast

from barnabas.broker.core.raft.messages import (
    Answer,
    Fetch,
    FetchSnapshot,
    ReplicaKey,
    Request,
    Vote,
    VoteAnswer,
)
from barnabas.broker.core.raft.ports import KRaftVersion, RaftConfig
from barnabas.broker.core.raft.quorum_state import QuorumState
from barnabas.broker.core.raft.raft import Raft
from barnabas.broker.core.raft.ready import Flush, Ready, Reply
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.core.raft.voters import Voters
from barnabas.protocol.message import Message

from .memory_log import MemoryRaftLog, SnapshotContent
from .oracle import InvariantError

if TYPE_CHECKING:
    from .cluster import Cluster

NOBODY_ASKED = -1


class Machine:
    """A node; `directory` changes when its disk is wiped, `incarnation` with every start."""

    def __init__(
        self, cluster: Cluster, node_id: int, directory: bytes, log: MemoryRaftLog
    ) -> None:
        self.cluster = cluster
        self.oracle = cluster.oracle
        self.node_id = node_id
        self.directory = directory
        self.log = log
        self.state = QuorumState()
        self.raft_config: RaftConfig = cluster.config_of(node_id, directory)
        self.raft: Raft = cast("Raft", None)  # until the first start
        self.incarnation = 0
        self.is_up = False
        self.paused_until = 0.0
        self.disk_stalled_until = 0.0
        self.applied = 0
        self.last_snapshot = 0
        self.snapshot_made_ms: dict[SnapshotId, float] = {}
        self.has_lost = False  # it abstains, as a file beside its log says
        self.lacks_records = False  # and so it must
        self.fetched_ms: dict[int, tuple[float, bytes]] = {}
        self.heard_ms: dict[int, float] = {}
        self.led_since_ms = inf
        self.led_epoch = -1
        self.counted_voters = Voters(())
        self.counted_since_ms = 0.0
        self.listen_to_log()

    def listen_to_log(self) -> None:
        """Make the oracle hear of this log."""
        oracle, node_id, log = self.oracle, self.node_id, self.log
        log.on_append = lambda batch: oracle.on_append(node_id, batch)
        log.on_truncate = lambda offset: oracle.on_truncate(node_id, log, offset)

    @property
    def key(self) -> ReplicaKey:
        """Its identity as a voter."""
        return ReplicaKey(self.node_id, self.directory)

    # Life -----------------------------------------------------------------------------------

    def start(self, now: float) -> None:
        """Boot from what the disk has."""
        self.incarnation += 1
        self.is_up = True
        self.paused_until = 0.0
        self.tick_at = inf
        self.tokens: dict[int, tuple[int, int, int, Request]] = {}
        self.next_token = 1
        self.is_flushing = False
        self.next_flush: Flush | None = None
        self.pending_states: deque[QuorumState] = deque()
        self.led_since_ms = inf
        self.led_epoch = -1
        random = Random(self.cluster.random.getrandbits(64))
        config = self.cluster.config_of(self.node_id, self.directory)
        self.raft_config = replace(config, has_lost=self.has_lost)
        self.applied = 0  # nothing is applied yet, so that boot may cut what it must
        self.raft = Raft(self.raft_config, self.log, self.state, random, now)
        self.applied = self.log.ids[-1].end_offset if self.log.ids else 0
        self.last_snapshot = self.applied
        if self.log.ids:
            self.oracle.check_snapshot(self, self.log.ids[-1])
        self.oracle.check_start(self)
        self.settle(now)

    def kill(self, now: float, *, is_power_loss: bool) -> None:
        """The process is gone; with the power goes what was not synced."""
        self.is_up = False
        random = self.cluster.random
        for state in self.pending_states:  # the rename may have come through
            if random.random() < 0.5:
                self._persist(state)
        self.pending_states.clear()
        if is_power_loss:
            self.log.lose_power(random)
        for source, incarnation, number, _ in self.tokens.values():
            self.cluster.fail(source, incarnation, number, now + 1, is_refused=False)
        self.tokens.clear()

    def wipe(self, directory: bytes) -> None:
        """A new disk; only while it is down."""
        self.oracle.lost_disks[self.key] = self.log
        self.log = MemoryRaftLog()
        self.listen_to_log()
        self.directory = directory
        self.state = QuorumState()
        self.snapshot_made_ms = {}
        self.has_lost = self.lacks_records = False
        self.applied = 0

    def damage(self, kept: int) -> None:
        """Snapshots are unreadable, or the log is cut after `kept` batches; only while it is down.

        Where the core does not see it by itself, the watermark beside the log tells it.
        """
        log = self.log
        self.oracle.damaged_logs.setdefault(self.key, []).append(log.image())
        snapshot_end = log.ids[-1].end_offset if log.ids else 0
        kept = max(kept, sum(1 for one in log.batches if one.end <= snapshot_end))
        if log.start and self.cluster.stalls.random() < 0.5:
            self.lacks_records = True
            for snapshot in list(log.ids):
                log.forget_snapshot(snapshot)
            self.snapshot_made_ms = {}
        elif kept < log.synced_count:
            self.lacks_records = self.has_lost = True
            log.cut(kept)

    def _persist(self, state: QuorumState) -> None:
        self.oracle.on_state_durable(self.key, state.leader_epoch)
        self.state = state

    # What comes in; the cluster has checked that this incarnation is up and not paused --------

    def on_request(
        self, source: int, incarnation: int, number: int, request: Request, now: float
    ) -> None:
        """A message of another node, or (source -1) of an administrator."""
        token = self.next_token
        self.next_token = token + 1
        self.tokens[token] = (source, incarnation, number, request)
        raft = self.raft
        if type(request) is Fetch:
            is_named = request.replica.node_id >= 0
            if is_named and raft.is_leader and request.epoch == raft.epoch:
                self.fetched_ms[source] = (now, request.replica.directory_id)
                self.heard_ms[source] = now
            raft.on_request(token, request, now)
        elif type(request) is FetchSnapshot:
            if raft.is_leader and request.epoch == raft.epoch:
                self.heard_ms[source] = now
            raft.on_request(token, request, now)
        elif type(request) is Vote and request.pre_vote:
            epoch = raft.epoch
            raft.on_request(token, request, now)
            if raft.epoch != epoch:
                raise InvariantError(f"I-8: a pre-vote moved node {self.node_id} to {raft.epoch}")
        else:
            raft.on_request(token, request, now)
        self.settle(now)

    def on_answer(self, number: int, answer: Answer, now: float) -> None:
        """An answer."""
        self.raft.on_answer(number, answer, now)
        self.settle(now)

    def on_failure(self, number: int, is_refused: bool, now: float) -> None:
        """No answer."""
        self.raft.on_failure(number, now, is_refused=is_refused)
        self.settle(now)

    def on_tick(self, due: float, now: float) -> None:
        """A timer; only the newest counts."""
        if due == self.tick_at:
            self.tick_at = inf
            self.raft.tick(now)
            self.settle(now)

    def append(self, payload: int, size: int, now: float) -> None:
        """A client's records."""
        messages = cast("Sequence[Message]", [payload] * size)
        self.raft.append(messages, self.raft.epoch, now)
        self.settle(now)

    # The driver -----------------------------------------------------------------------------

    def settle(self, now: float) -> None:
        """Do what the core wants done, then set the timer."""
        raft = self.raft
        while (ready := raft.take_ready(now)) is not None:
            self._do(ready, now)
        due = raft.next_deadline_ms
        if due < self.tick_at:
            self.tick_at = due = max(due, now)
            self.cluster.at(due, self, self.on_tick, due)

    def _do(self, ready: Ready, now: float) -> None:
        cluster = self.cluster
        self._do_on_disk(ready)
        if ready.leader is not None and ready.leader.leader_id == self.node_id:
            self._begin_reign(ready.leader.epoch, now)
        if ready.snapshot is not None:
            self.oracle.on_snapshot_loaded(self, ready.snapshot, self.applied)
            self.oracle.check_start(self)
            self.applied = self.last_snapshot = ready.snapshot.end_offset
        if ready.high_watermark >= 0:
            self._apply(ready.high_watermark, now)
        for reply in ready.replies:
            self._send_reply(reply, now)
        for number, to, request, timeout_ms in ready.requests:
            if type(request) is Vote:
                self._check_vote(request)
            cluster.send(self, number, to, request, timeout_ms, now)

    def _do_on_disk(self, ready: Ready) -> None:
        cluster = self.cluster
        if ready.abstains is not None:
            self.has_lost = self.lacks_records = ready.abstains
        if ready.state is not None:
            self._write_state(ready.state)
        if ready.flush is not None:
            self._flush(ready.flush)
        if ready.freeze is not None:
            cluster.at(cluster.disk_done(self), self, self._freeze, ready.freeze)

    def _begin_reign(self, epoch: int, now: float) -> None:
        self.fetched_ms = {}
        self.heard_ms = {}
        self.led_since_ms = now
        self.led_epoch = epoch
        self.oracle.on_leader(self, epoch)

    def _check_vote(self, request: Vote) -> None:
        if request.pre_vote:
            self.oracle.on_pre_vote(request.epoch)
        else:
            self.oracle.on_vote(self.key, request.epoch, self.key)
            self._check_vote_is_durable(request.epoch)

    def _check_vote_is_durable(self, epoch: int) -> None:
        if self.state.leader_epoch < epoch:
            raise InvariantError(
                f"I-8: node {self.node_id} speaks of epoch {epoch} before that is durable"
            )

    def _send_reply(self, reply: Reply, now: float) -> None:
        asked = self.tokens.pop(reply.token, None)
        if asked is None:
            return
        source, incarnation, number, request = asked
        answer = reply.answer
        if type(request) is Vote and not request.pre_vote:
            assert type(answer) is VoteAnswer
            if answer.granted:
                self.oracle.on_vote(self.key, request.epoch, request.candidate)
        if source != NOBODY_ASKED:
            self.cluster.send_back(self, source, incarnation, number, answer, now)

    # Disk -----------------------------------------------------------------------------------

    def _write_state(self, state: QuorumState) -> None:
        if state.voted_id == self.node_id:
            self.oracle.candidate_epochs.add(state.leader_epoch)
        self.pending_states.append(state)
        if len(self.pending_states) == 1:
            self.cluster.at(self.cluster.disk_done(self), self, self._state_written)

    def _state_written(self, now: float) -> None:
        state = self.pending_states.popleft()
        self._persist(state)
        if self.pending_states:
            self.cluster.at(self.cluster.disk_done(self), self, self._state_written)
        self.raft.on_state_written(state, now)
        self.settle(now)

    def _flush(self, flush: Flush) -> None:
        if self.is_flushing:
            self.next_flush = flush
            return
        self.is_flushing = True
        log = self.log
        # A cut while the fsync runs: what it makes durable then is not known, so nothing counts.
        args = (flush, len(log.batches), flush.generation, log.start)
        self.cluster.at(self.cluster.disk_done(self), self, self._flushed, *args)

    def _flushed(self, flush: Flush, count: int, generation: int, start: int, now: float) -> None:
        self.is_flushing = False
        log = self.log
        is_same = generation == self.raft.flush_generation
        if is_same and start == log.start:
            log.mark_synced(count)
        elif is_same:
            log.mark_synced(sum(1 for end in log.ends if end <= flush.offset))
        waiting, self.next_flush = self.next_flush, None
        if waiting is not None:
            self._flush(waiting)
        self.raft.on_flushed(flush, now)
        self.settle(now)

    def _freeze(self, snapshot: SnapshotId, now: float) -> None:
        is_valid = self.log.freeze(snapshot)
        if is_valid:
            self.snapshot_made_ms[snapshot] = now
        self.raft.on_frozen(snapshot, is_valid, now)
        self.settle(now)

    # The listener ---------------------------------------------------------------------------

    def _apply(self, offset: int, now: float) -> None:
        self.oracle.on_high_watermark(self, offset, self.applied)
        self.applied = offset
        profile = self.cluster.profile
        if profile.apply_ms:
            delay = self.cluster.random.random() * profile.apply_ms
            self.cluster.at(now + delay, self, self._delivered, offset)
        else:
            self.raft.on_delivered(offset)
        if offset - self.last_snapshot >= profile.snapshot_records:
            self._begin_snapshot(offset)

    def _delivered(self, offset: int, now: float) -> None:
        self.raft.on_delivered(offset)
        self.settle(now)

    def _begin_snapshot(self, offset: int) -> None:
        self.last_snapshot = offset
        truth = self.oracle.ghost[offset]
        chain = self.log.chain_at(offset)
        if chain is None:
            raise InvariantError(f"I-16: node {self.node_id} has no state at {offset}")
        snapshot = SnapshotId(offset, truth[0])
        self.raft.check_snapshot(snapshot)
        controls = [
            one
            for one in self.raft.controls_before(offset)
            if isinstance(one, KRaftVersion | Voters)
        ]
        content = SnapshotContent(chain, tuple(controls), 1 + self.cluster.random.randrange(400))
        self.cluster.at(self.cluster.disk_done(self), self, self._end_snapshot, snapshot, content)

    def _end_snapshot(self, snapshot: SnapshotId, content: SnapshotContent, now: float) -> None:
        if snapshot.end_offset <= self.log.start:
            return
        self.log.add_snapshot(snapshot, content)
        self.oracle.check_snapshot(self, snapshot)
        self.snapshot_made_ms.setdefault(snapshot, now)
        self.raft.on_snapshot_made(snapshot, now)

    def raise_log_start(self, snapshot: SnapshotId, now: float) -> None:
        """Let go what is before the snapshot, if the core says that it may."""
        if self.raft.may_raise_log_start(snapshot, now):
            self.oracle.check_raise(self, snapshot, now)
            self.raft.raise_log_start(snapshot, now)
            self.oracle.check_start(self)
            self.settle(now)
