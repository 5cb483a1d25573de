"""The leader's side of a partition: its followers, its in-sync set, its high watermark.

- The watermark is the end of what every member of the maximal in-sync set holds (497-03). The own
  log counts as far as it is flushed where acknowledged means flushed (`flush.messages`).
- It stands still while fewer are in sync than `min.insync.replicas` asks for (966-01), never goes
  back while this broker leads (I-3), and moves in `Parking._advance` only.
- A follower that is nearly caught up and may be in sync is waited for, so that it can join.
- 497-04: a follower joins once it has all up to the watermark and the start of this epoch.
"""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..cluster.topic_image import DIRECTORY_LOST, RECOVERED
from .following import Following
from .isr import InSyncSet
from .pending import PendingFetch, PendingFetches
from .replicas import FetchSource, ReplicaState
from .surroundings import IsrChange

if TYPE_CHECKING:
    from ..cluster.topic_image import PartitionImage
    from .surroundings import IsrAnswer


class Leading(Following):
    """A replica that others copy."""

    __slots__ = (
        "_pending",
        "_replica_count",
        "awaits_flush",
        "epoch_start_offset",
        "followers",
        "in_sync",
        "in_sync_count",
        "is_plain",
        "min_in_sync",
    )

    followers: dict[int, ReplicaState]
    """The other replicas, by broker id, in the order of the assignment."""

    in_sync_count: int
    """Members of the committed in-sync set."""

    min_in_sync: int
    """`min.insync.replicas`, but no more than there are replicas (966-01)."""

    epoch_start_offset: int
    """The log's end when this broker began to lead in this epoch."""

    in_sync: InSyncSet
    awaits_flush: bool
    _pending: PendingFetches | None
    _replica_count: int

    is_plain: bool
    """The hot path may take batches as they come, with no look at a record."""

    def _lead(self, assigned: PartitionImage) -> None:
        """Lead in the epoch of `assigned`, or take the new state of the epoch that we lead in.

        Raises LogDirectoryFailure if the epoch cannot be written down.
        """
        epoch = assigned.leader_epoch
        was_leader = self.is_leader
        is_new_epoch = not was_leader or epoch != self.leader_epoch
        if is_new_epoch:
            self.epoch_start_offset = self.log.log_end_offset
            self.log.assign_epoch(epoch)
            self._pending = None
        elif assigned.partition_epoch < self.in_sync.partition_epoch:
            return  # the controller's answer to our own change was faster than its metadata
        self.is_leader = True
        self.leader_id = assigned.leader
        self.leader_epoch = epoch
        self._replica_count = len(assigned.replicas)
        self._assign(assigned, keep=was_leader, is_new_epoch=is_new_epoch)
        if is_new_epoch or assigned.partition_epoch > self.in_sync.partition_epoch:
            self._commit(assigned.isr, assigned.partition_epoch)
        if not was_leader:
            self._around.fetchers.unfollow(self._itself())
        if is_new_epoch and self.hooks is not None:
            self.tell("leader")
        self._find_out_if_plain()
        self._settle()

    def _assign(self, assigned: PartitionImage, *, keep: bool, is_new_epoch: bool) -> None:
        now = self._around.now_ms()
        before = self.followers if keep else {}
        self.followers = {}
        directories = tuple(zip(assigned.replicas, assigned.directories, strict=False))
        for replica_id in assigned.replicas:
            if replica_id == self._around.node_id:
                continue
            is_in_sync = replica_id in assigned.isr
            state = before.get(replica_id)
            if state is None:
                state = ReplicaState(is_in_sync=is_in_sync, now_ms=now)
            elif is_new_epoch:
                state.begin_epoch(self.log.log_end_offset, is_in_sync=is_in_sync, now_ms=now)
            state.is_lost = (replica_id, DIRECTORY_LOST) in directories
            self.followers[replica_id] = state
        if is_new_epoch or self.followers.keys() != before.keys():
            self.stir()

    def _lead_no_longer(self) -> None:
        self.followers = {}
        self.in_sync = InSyncSet()
        self._pending = None
        self.awaits_flush = False

    def _find_out_if_plain(self) -> None:
        # More than the assignment has cannot be asked for (966-01).
        self.min_in_sync = min(self.config.min_insync_replicas, self._replica_count)
        self.is_plain = (
            self.is_leader and self.in_sync_count >= self.min_in_sync and self.log.rules.plain
        )

    def check_enough_in_sync(self) -> None:
        """Raises KafkaError NOT_ENOUGH_REPLICAS (19) if acks=all cannot be had now (966-01)."""
        if self.in_sync_count < self.min_in_sync:
            raise KafkaError(ErrorCode.NOT_ENOUGH_REPLICAS)

    # --- the watermark ------------------------------------------------------------------------

    def _settle(self) -> None:
        """Move the watermark as far as the in-sync set and the flush settings allow."""
        if not self.is_leader:
            return
        log = self.log
        end = log.log_end_offset
        if end - log.recovery_point >= log.rules.flush_messages:
            self.awaits_flush = True
            self._around.flushes.request(self._itself())
            end = log.recovery_point
        elif self.awaits_flush:
            self.awaits_flush = False
        if self.followers and end > log.high_watermark:
            end = self._replicated_end(end)
        if end > log.high_watermark:
            self._advance(end)

    def _replicated_end(self, end: int) -> int:
        """How far all hold the log who must; -1 if too few do (966-01)."""
        if self.in_sync_count < self.min_in_sync:
            return -1
        maximal = self.in_sync.maximal
        for replica_id, state in self.followers.items():
            if state.log_end_offset < end and (
                replica_id in maximal or self._is_nearly_in_sync(replica_id, state)
            ):
                end = state.log_end_offset
        return end

    def _is_nearly_in_sync(self, replica_id: int, state: ReplicaState) -> bool:
        """Not a member, but about to be one: the watermark waits for it to catch up.

        Pending fetches do not count here (501-08).
        """
        around = self._around
        return state.is_caught_up(
            self.log.log_end_offset, around.now_ms(), around.lag_time_max_ms
        ) and self._may_join(replica_id, state)

    def _may_join(self, replica_id: int, state: ReplicaState) -> bool:
        """497-04: unfenced, not shutting down, and the incarnation that the cluster knows.

        Nor may its disk have refused the replica: it would be waited for as long as its lag allows.
        """
        cluster = self._around.cluster
        return (
            not state.is_lost
            and cluster.is_active(replica_id)
            and state.broker_epoch in (-1, cluster.broker_epoch(replica_id))
        )

    # --- followers' fetches -------------------------------------------------------------------

    def note_fetch(
        self,
        replica_id: int,
        broker_epoch: int,
        fetch_offset: int,
        log_start_offset: int,
        now_ms: float,
        source: FetchSource | None = None,
    ) -> None:
        """A follower's fetch from `fetch_offset` came: it holds everything below.

        That counts only if it names the broker epoch that the cluster knows: one of no epoch
        (before Fetch version 15), or of an epoch that this broker has not heard of yet, reads and
        changes nothing. `source`: the fetch session that it is of.

        Raises KafkaError NOT_LEADER_OR_FOLLOWER (6): it is no replica of this partition, an older
        incarnation of it than is known (903-01), or another than the one whose session is open;
        then nothing has changed.
        """
        state = self._follower(replica_id, broker_epoch)
        if broker_epoch < 0 or broker_epoch != self._around.cluster.broker_epoch(replica_id):
            return
        if source is not None and not state.hears(source, broker_epoch, now_ms):
            text = f"broker {replica_id} fetches {self.log.name} in another session"
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER, text)
        before = state.log_end_offset
        leader_end = self.log.log_end_offset
        state.note_fetch(fetch_offset, log_start_offset, leader_end, broker_epoch, now_ms)
        in_sync = self.in_sync
        if replica_id not in in_sync.maximal and in_sync.change is None:
            self._expand(replica_id, state)
        if fetch_offset != before:
            self._settle()

    def _follower(self, replica_id: int, broker_epoch: int) -> ReplicaState:
        state = self.followers.get(replica_id)
        if state is None:
            raise KafkaError(
                ErrorCode.NOT_LEADER_OR_FOLLOWER,
                f"broker {replica_id} is no replica of {self.log.name}",
            )
        known = max(state.broker_epoch, self._around.cluster.broker_epoch(replica_id))
        if 0 <= broker_epoch < known:
            raise KafkaError(
                ErrorCode.NOT_LEADER_OR_FOLLOWER,
                f"broker {replica_id} was registered anew after epoch {broker_epoch}",
            )
        return state

    def is_at_end(self, replica_id: int) -> bool:
        """Whether this follower is in sync and told last that it has all: nothing to note then."""
        state = self.followers.get(replica_id)
        return (
            state is not None
            and state.log_end_offset == state.last_fetch_leader_end == self.log.log_end_offset
            and replica_id in self.in_sync.committed
        )

    def note_at_end(self, replica_id: int, seen_ms: float) -> None:
        """A follower that was at the end, and asked for nothing else until `seen_ms` (501-02)."""
        state = self.followers.get(replica_id)
        if state is not None:
            state.last_caught_up_ms = max(state.last_caught_up_ms, seen_ms)
            state.last_fetch_ms = max(state.last_fetch_ms, seen_ms)

    def begin_fetch(self, replica_id: int, fetch_offset: int, now_ms: float) -> PendingFetch | None:
        """501-04: a follower's fetch came, nothing was read for it yet; None if it does not count.

        What is returned must be given to `end_fetch`.
        """
        if not self._around.keeps_pending_in_sync:
            return None
        state = self.followers.get(replica_id)
        is_member = replica_id in self.in_sync.committed
        if state is None or not is_member or not state.was_at_end(fetch_offset):
            return None
        if self._pending is None:
            self._pending = PendingFetches()
        fetch = self._pending.begin(replica_id, now_ms)
        if self.hooks is not None:
            self.tell("pending-added", replica_id=replica_id, fetch_offset=fetch_offset, key=fetch)
        return fetch

    def end_fetch(self, fetch: PendingFetch, now_ms: float) -> None:
        """501-06: the answer was made, or the connection is gone."""
        if self._pending is not None and self._pending.end(fetch):
            if self.hooks is not None:
                self.tell("pending-removed", replica_id=fetch.replica_id, key=fetch)
            state = self.followers.get(fetch.replica_id)
            if state is not None:
                state.last_caught_up_ms = max(state.last_caught_up_ms, now_ms)

    @property
    def pending_count(self) -> int:
        """Follower fetches that are being worked on and count (KIP-501)."""
        return 0 if self._pending is None else len(self._pending)

    # --- the in-sync set ----------------------------------------------------------------------

    def _expand(self, replica_id: int, state: ReplicaState) -> None:
        end = state.log_end_offset
        has_all = end >= self.log.high_watermark and end >= self.epoch_start_offset
        if has_all and self._may_join(replica_id, state):
            self._propose((*self.in_sync.committed, replica_id))

    def on_brokers_changed(self) -> None:
        """A broker was fenced, or let in: the watermark may not have to wait for it any more."""
        self.stir()
        if self.followers:
            self._settle()

    def expire(self, now_ms: float) -> tuple[int, ...]:
        """Ask to remove members that are out of sync (501-01, 501-05); those that it asks for.

        To be called every half of `replica.lag.time.max.ms` (501-03).
        """
        if not self.is_leader or not self.followers:
            return ()
        self._settle()  # who was nearly in sync may be so no longer
        if self.in_sync.change is not None:
            return ()
        lag = self._around.lag_time_max_ms
        leader_end = self.log.log_end_offset
        late = tuple(
            replica_id
            for replica_id in self.in_sync.committed
            if (state := self.followers.get(replica_id)) is not None
            and not state.is_caught_up(leader_end, now_ms, lag)
            and not (self._pending is not None and self._pending.holds(replica_id))
        )
        if late:
            committed = self.in_sync.committed
            self._propose(tuple(member for member in committed if member not in late))
        return late

    def relinquish(self) -> str | None:
        """Ask the controller to let another member lead (501-10); None, or why it cannot be.

        The in-sync set stays as it is, with this broker last (501-12).
        """
        if not self.is_leader:
            return "not the leader"
        if self.in_sync.change is not None:
            return "a change of the in-sync set is under way"
        own = self._around.node_id
        others = tuple(member for member in self.in_sync.committed if member != own)
        if not any(self._around.cluster.is_active(member) for member in others):
            return "nobody else is in sync"  # 501-11
        self._propose((*others, own), relinquish=True)
        return None

    def _propose(self, members: tuple[int, ...], *, relinquish: bool = False) -> None:
        change = IsrChange(
            self.topic_id,
            self.topic,
            self.index,
            self.leader_epoch,
            self.in_sync.partition_epoch,
            tuple((member, self._epoch_of(member)) for member in members),
            # Who leads holds all there is of an unclean election: nothing is left to recover.
            RECOVERED,
            relinquish,
        )
        self.in_sync.begin(change)
        if self.hooks is not None:
            self.tell("relinquish" if relinquish else "isr-proposed", change=change)
        self._around.isr.propose(change, partial(self._on_answer, change))

    def _epoch_of(self, member: int) -> int:
        if member == self._around.node_id:
            return self._around.cluster.broker_epoch(member)
        state = self.followers.get(member)
        return -1 if state is None else state.broker_epoch

    def _on_answer(self, change: IsrChange, answer: IsrAnswer) -> None:
        in_sync = self.in_sync
        if in_sync.change is not change:
            return
        if in_sync.take(change, answer):
            # Asked anew with what is known now: the epoch of a broker may have changed meanwhile.
            members = tuple(member for member, _ in change.isr)
            in_sync.revert()
            self._propose(members, relinquish=change.relinquish)
        elif in_sync.change is None:
            self.stir()
            self._note_committed()
            self._find_out_if_plain()
            self._settle()

    def _commit(self, members: tuple[int, ...], partition_epoch: int) -> None:
        # Another order of the same replicas is no news to a fetch: a hundred of them would be read.
        if set(members) != set(self.in_sync.committed):
            self.stir()
        self.in_sync.commit(members, partition_epoch)
        self._note_committed()

    def _note_committed(self) -> None:
        in_sync = self.in_sync
        before, self.in_sync_count = self.in_sync_count, len(in_sync.committed)
        if before != self.in_sync_count and before:
            self._around.count_change(self.in_sync_count - before)
        if self.hooks is not None:
            self.tell(
                "isr-committed", isr=in_sync.committed, partition_epoch=in_sync.partition_epoch
            )
        self._find_out_if_plain()
        if self.in_sync_count < self.min_in_sync and self._ack_waiters:
            # 966-01: the records are in the log, but the watermark will not move for now.
            self._refuse_acks(ErrorCode.NOT_ENOUGH_REPLICAS_AFTER_APPEND)
