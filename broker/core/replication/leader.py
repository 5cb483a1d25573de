"""The leader's side of a replica: its followers, its in-sync set, its high watermark.

- The high watermark is the offset up to which every member of the maximal in-sync set has the log
  (497-03). Where acknowledged means flushed (`flush.messages`), the leader's own log counts only as
  far as it is flushed.
- The watermark does not move while fewer replicas are in sync than `min.insync.replicas` (966-01),
  and never goes back while this broker leads (I-3).
- The watermark also waits for a follower that is nearly caught up and may join the set, since it
  could otherwise never catch up with a busy leader.
- 497-04: a follower joins once it has everything up to the watermark and to the start of this
  epoch.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..cluster.topic_image import DIRECTORY_LOST, PartitionImage
from ..log.partition_log import PartitionLog
from .hosted import HostedReplica
from .isr import InSyncSet
from .low_watermark import LowWatermark
from .pending import PendingFetch, PendingFetches
from .progress import FetchSource, Progress, sender_of
from .surroundings import Surroundings


class LeaderState:
    """Leads one partition in one leader epoch."""

    __slots__ = (
        "_around",
        "_log",
        "_pending",
        "_replica",
        "awaits_flush",
        "epoch_start_offset",
        "followers",
        "in_sync",
        "is_plain",
        "leader_epoch",
        "leader_id",
        "low_watermark",
    )

    def __init__(
        self,
        replica: HostedReplica,
        around: Surroundings,
        leader_epoch: int,
        followers: dict[int, Progress] | None = None,
        members: tuple[int, ...] = (),
    ) -> None:
        """`followers`, `members`: of the epoch before, if this broker led in it (see `roles`)."""
        self._replica = replica
        self._log = replica.log
        self._around = around
        self.leader_id = around.node_id
        self.leader_epoch = leader_epoch
        self.epoch_start_offset = replica.log.log_end_offset
        """The log's end when this broker began to lead in this epoch."""
        self.followers = dict(followers or {})
        """The other replicas, by broker id, in the order of the assignment."""
        self.in_sync = InSyncSet(
            replica, around, leader_epoch, self.followers, members, self._on_other_set
        )
        self.low_watermark = LowWatermark(replica, around, self.followers)
        self.awaits_flush = False
        """Whether acknowledged means flushed here, and the end of the log is not flushed yet."""
        self.is_plain = False
        """Whether the hot path may append batches as they come: enough replicas are in sync, and
        the topic's settings do not require a look at each record."""
        self._pending: PendingFetches | None = None

    def log_is(self, log: PartitionLog) -> None:
        """The replica has another log from now on: its records have moved to another directory."""
        self._log = log
        self._find_out_if_plain()

    def begin(self, assigned: PartitionImage) -> None:
        """Begin the epoch with the replicas and the in-sync set of the metadata that names it."""
        self._assign_followers(assigned, is_new_epoch=True)
        self.in_sync.assign(assigned.isr, assigned.partition_epoch)
        self._find_out_if_plain()

    def update(self, assigned: PartitionImage) -> None:
        """Adopt replicas and in-sync set from newer metadata of the same leader epoch."""
        known = self.in_sync.partition_epoch
        if assigned.partition_epoch < known:
            return  # the controller's answer to our own change came before its metadata
        self._assign_followers(assigned, is_new_epoch=False)
        if assigned.partition_epoch > known:
            self.in_sync.assign(assigned.isr, assigned.partition_epoch)
        self.on_config()
        self.low_watermark.settle()

    def _assign_followers(self, assigned: PartitionImage, *, is_new_epoch: bool) -> None:
        now = self._around.now_ms()
        before = dict(self.followers)
        self.followers.clear()
        directories = tuple(zip(assigned.replicas, assigned.directories, strict=False))
        for replica_id in assigned.replicas:
            if replica_id == self._around.node_id:
                continue
            is_in_sync = replica_id in assigned.isr
            progress = before.get(replica_id)
            if progress is None:
                progress = Progress(is_in_sync=is_in_sync, now_ms=now)
            elif is_new_epoch:
                progress.begin_epoch(self._log.log_end_offset, is_in_sync=is_in_sync, now_ms=now)
            progress.is_lost = (replica_id, DIRECTORY_LOST) in directories
            self.followers[replica_id] = progress
        if is_new_epoch or self.followers.keys() != before.keys():
            self._replica.waiters.end_rests()

    def end(self) -> None:
        """This broker no longer leads in this epoch; late answers of the controller are ignored."""
        self.in_sync.end()

    def on_config(self) -> None:
        """The topic has new settings; a smaller min.insync.replicas may free the watermark."""
        self.in_sync.find_min_count()
        self._on_other_set()

    def _on_other_set(self) -> None:
        self._find_out_if_plain()
        self.settle()

    def _find_out_if_plain(self) -> None:
        self.is_plain = self.in_sync.is_enough and self._log.rules.plain

    # --- the watermark ------------------------------------------------------------------------

    def settle(self) -> None:
        """Move the watermark as far as the in-sync set and the flush settings allow."""
        log = self._log
        end = log.log_end_offset
        if end - log.recovery_point >= log.rules.flush_messages:
            self.awaits_flush = True
            self._replica.request_flush()
            end = log.recovery_point
        elif self.awaits_flush:
            self.awaits_flush = False
        if self.followers and end > log.high_watermark:
            end = self._replicated_end(end)
        if end > log.high_watermark:
            self._replica.advance(end)

    def _replicated_end(self, end: int) -> int:
        """The offset up to which all replicas that count have the log; -1 if too few (966-01)."""
        in_sync = self.in_sync
        if in_sync.count < in_sync.min_count:
            return -1
        maximal = in_sync.maximal
        for replica_id, progress in self.followers.items():
            if progress.log_end_offset < end and (
                replica_id in maximal or self._is_nearly_in_sync(replica_id, progress)
            ):
                end = progress.log_end_offset
        return end

    def _is_nearly_in_sync(self, replica_id: int, progress: Progress) -> bool:
        """Whether the watermark waits for this replica although it is not in the in-sync set.

        That is so if its lag is within `replica.lag.time.max.ms` and it may join. Pending fetches
        do not count here (501-08).
        """
        around = self._around
        return progress.is_caught_up(
            self._log.log_end_offset, around.now_ms(), around.lag_time_max_ms
        ) and self.in_sync.may_join(replica_id, progress)

    # --- followers' fetches -------------------------------------------------------------------

    def note_fetch(
        self,
        replica_id: int,
        broker_epoch: int,
        fetch_offset: int,
        log_start_offset: int,
        now_ms: float,
        source: FetchSource | None = None,
    ) -> bool:
        """A follower fetches from `fetch_offset`, so it has everything below; whether this counts.

        It counts only if the fetch names the broker epoch that the cluster knows. A fetch
        without an epoch (before version 15), or with one that this broker has not heard of yet, may
        read but changes nothing here. `source`: the fetch session to which it belongs.

        Raises KafkaError NOT_LEADER_OR_FOLLOWER (6), and changes nothing, if the sender is no
        replica of this partition, is an older incarnation than the known one (903-01), or is not
        the incarnation whose session is open.
        """
        progress = sender_of(
            self.followers, replica_id, broker_epoch, self._around.cluster, self._log
        )
        if not self._is_known_epoch(replica_id, broker_epoch):
            return False
        if source is not None and not progress.hears(source, broker_epoch, now_ms):
            text = f"broker {replica_id} fetches {self._log.name} in another session"
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER, text)
        before, start_before = progress.log_end_offset, progress.log_start_offset
        leader_end = self._log.log_end_offset
        progress.note_fetch(fetch_offset, log_start_offset, leader_end, broker_epoch, now_ms)
        in_sync = self.in_sync
        if replica_id not in in_sync.maximal and in_sync.change is None:
            self._expand(replica_id, progress)
        if fetch_offset != before:
            self.settle()
        if log_start_offset != start_before:
            self.low_watermark.settle()
        return True

    def may_count(
        self, replica_id: int, broker_epoch: int, now_ms: float, source: FetchSource
    ) -> bool:
        """Whether a fetch with this epoch, in this session, can be the follower's (903-01)."""
        progress = self.followers.get(replica_id)
        return (
            progress is not None
            and self._is_known_epoch(replica_id, broker_epoch)
            and progress.may_come_by(source, broker_epoch, now_ms)
        )

    def _is_known_epoch(self, replica_id: int, broker_epoch: int) -> bool:
        return 0 <= broker_epoch == self._around.cluster.broker_epoch(replica_id)

    def is_at_end(self, replica_id: int) -> bool:
        """Whether this follower is in sync and its last fetch came from the log's end.

        If so, its partition may rest: further fetches from there would change nothing.
        """
        progress = self.followers.get(replica_id)
        return (
            progress is not None
            and progress.log_end_offset == self._log.log_end_offset
            and progress.log_end_offset == progress.last_fetch_leader_end
            and replica_id in self.in_sync.committed
        )

    def note_at_end(self, replica_id: int, seen_ms: float) -> None:
        """Note that a follower was at the log's end in all its fetches until `seen_ms` (501-02)."""
        progress = self.followers.get(replica_id)
        if progress is not None:
            progress.last_caught_up_ms = max(progress.last_caught_up_ms, seen_ms)
            progress.last_fetch_ms = max(progress.last_fetch_ms, seen_ms)

    def begin_fetch(self, replica_id: int, fetch_offset: int) -> PendingFetch | None:
        """Note a follower's fetch as pending, before anything is read for it (501-04).

        The result must be given to `end_fetch`; it is None if the fetch does not count as pending.
        """
        if not self._around.keeps_pending_in_sync:
            return None
        progress = self.followers.get(replica_id)
        is_member = replica_id in self.in_sync.committed
        if progress is None or not is_member or not progress.was_at_end(fetch_offset):
            return None
        if self._pending is None:
            self._pending = PendingFetches()
        fetch = self._pending.begin(replica_id)
        if self._replica.hooks is not None:
            self._replica.tell(
                "pending-added", replica_id=replica_id, fetch_offset=fetch_offset, key=fetch
            )
        return fetch

    def end_fetch(self, fetch: PendingFetch, now_ms: float) -> None:
        """The answer to a pending fetch was made, or its connection is gone (501-06)."""
        if self._pending is not None and self._pending.end(fetch):
            if self._replica.hooks is not None:
                self._replica.tell("pending-removed", replica_id=fetch.replica_id, key=fetch)
            progress = self.followers.get(fetch.replica_id)
            if progress is not None:
                progress.last_caught_up_ms = max(progress.last_caught_up_ms, now_ms)

    @property
    def pending_count(self) -> int:
        """The number of followers' fetches in work that count as pending (KIP-501)."""
        return 0 if self._pending is None else len(self._pending)

    # --- who joins and leaves -----------------------------------------------------------------

    def _expand(self, replica_id: int, progress: Progress) -> None:
        end = progress.log_end_offset
        has_all = end >= self._log.high_watermark and end >= self.epoch_start_offset
        if has_all and self.in_sync.may_join(replica_id, progress):
            self.in_sync.propose((*self.in_sync.committed, replica_id))

    def on_brokers_changed(self) -> None:
        """A broker was fenced or unfenced: the watermark may wait for fewer replicas now."""
        self._replica.waiters.end_rests()
        if self.followers:
            self.settle()
        self.low_watermark.settle()

    def expire(self, now_ms: float) -> tuple[int, ...]:
        """Ask the controller to remove members out of sync (501-01, 501-05); returns their ids.

        Must be called every half of `replica.lag.time.max.ms` (501-03).
        """
        if not self.followers:
            return ()
        self.settle()  # the watermark may have waited for a replica that counts as late by now
        if self.in_sync.change is not None:
            return ()
        lag = self._around.lag_time_max_ms
        leader_end = self._log.log_end_offset
        late = tuple(
            replica_id
            for replica_id in self.in_sync.committed
            if (progress := self.followers.get(replica_id)) is not None
            and not progress.is_caught_up(leader_end, now_ms, lag)
            and not (self._pending is not None and self._pending.holds(replica_id))
        )
        if late:
            committed = self.in_sync.committed
            self.in_sync.propose(tuple(member for member in committed if member not in late))
        return late
