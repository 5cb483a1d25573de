"""What a follower's fetch does besides reading: it reports progress, and wants the watermark.

- 903-01, 501-02: it tells the leader how far the follower's log goes, in its first read only.
- 501-04 to 501-07: with KIP-501 on, its follower counts as in sync while it is worked on.
- 903-01: a fetch whose broker epoch the cluster has not told, or not yet, does none of this.
- 501-10: if that work takes longer than `follower.fetch.process.time.max.ms`, this broker asks to
  hand the leadership over. Time in which the fetch only waits for records does not count (C2). The
  disk is waited for off the event loop, so that a timer fires while the work is stuck. It fires
  again and again, for partitions that are appended to meanwhile.
- 392-12: with a replica selector the fetch is also answered when there is nothing to tell but a
  new watermark, at most once in `replica.fetch.hw.propagation.min.ms`.
"""

from __future__ import annotations

from ...core.replication.leader import LeaderState
from ...core.replication.partition import Partition
from ...core.replication.pending import PendingFetch
from ...core.replication.resting_session import FetchTarget
from ...serving.context import BrokerServices
from ...serving.waiting import Cancellable
from .asked import Asked
from .found import Found


class FollowerFetch:
    """One fetch of one follower, from its arrival to its answer."""

    __slots__ = (
        "_is_ended",
        "_is_first_read",
        "_node",
        "_now_ms",
        "_pending",
        "_reader",
        "_wanted",
        "_watchdog",
        "_work_since_ms",
        "has_watermark_news",
    )

    def __init__(self, node: BrokerServices, asked: Asked) -> None:
        self._node = node
        self._wanted = asked.wanted
        self._reader = asked.reader
        self._now_ms = asked.came_ms
        self._is_first_read = True
        self._is_ended = False
        self._pending: list[tuple[Partition, PendingFetch, FetchTarget]] = []
        self._work_since_ms: float | None = None
        self._watchdog: Cancellable | None = None
        self.has_watermark_news = False
        """The follower does not know the present watermark of a partition, and should (392-12)."""
        if node.replicas.surroundings.keeps_pending_in_sync:
            self._note_pending()

    # --- from arrival to end ------------------------------------------------------------------

    def _note_pending(self) -> None:
        """Note the fetch as pending at each of its partitions, before anything is read (501-04)."""
        replicas = self._node.replicas
        for target in self._wanted.targets:
            if isinstance(target.topic, str):
                partition = replicas.get(target.topic, target.partition)
            else:
                partition = replicas.get_by_id(target.topic, target.partition)
            if partition is not None:
                self.take_in(partition, target)

    def take_in(self, partition: Partition, target: FetchTarget) -> None:
        """Note the fetch as pending at this partition too; with KIP-501 off this does nothing.

        A partition that rested until now needed no pending fetch: its follower was at the end of
        the log, which is in sync whatever the clock says (501-01).
        """
        leader, reader = partition.leader, self._reader
        if leader is None or not leader.may_count(
            reader.replica_id, reader.broker_epoch, self._now_ms, target
        ):
            return
        fetch = leader.begin_fetch(reader.replica_id, target.fetch_offset)
        if fetch is not None:
            self._pending.append((partition, fetch, target))

    def end(self) -> None:
        """The answer is made, or its reader is gone (501-06); a second call does nothing."""
        self.end_work()
        if self._is_ended:
            return
        self._is_ended = True
        pending, self._pending = self._pending, []
        if self._node.replicas.surroundings.keeps_pending_in_sync:
            now = self._node.env.clock.monotonic_ms()
            session = self._wanted.session
            if session is not None:
                session.seen_ms = max(session.seen_ms, now)  # 501-07, for those that rest
            for partition, fetch, _ in pending:
                if partition.leader is not None:
                    partition.leader.end_fetch(fetch, now)

    def begin_work(self) -> None:
        """The reading begins; the time since the fetch came, or was woken, counts as work."""
        if not self._pending or self._work_since_ms is not None:
            return
        node = self._node
        now = node.env.clock.monotonic_ms()
        self._work_since_ms = self._now_ms if self._is_first_read else now
        allowed_ms = node.config.follower_fetch_process_time_max_ms
        self._watchdog = node.call_later(
            max(allowed_ms - (now - self._work_since_ms), 0), self._on_stuck
        )

    def end_work(self) -> None:
        """Everything is read; hand over if it took too long."""
        self._is_first_read = False
        since_ms = self._stop_watching()
        if since_ms is not None:
            # If the event loop itself was blocked, the timer could not fire in time.
            took_ms = self._node.env.clock.monotonic_ms() - since_ms
            is_slow = took_ms > self._node.config.follower_fetch_process_time_max_ms
            if is_slow or self._node.env.maybe("follower-fetch-slow"):
                self._hand_over()

    def _stop_watching(self) -> float | None:
        since_ms, self._work_since_ms = self._work_since_ms, None
        watchdog, self._watchdog = self._watchdog, None
        if watchdog is not None:
            watchdog.cancel()
        return since_ms

    def _on_stuck(self) -> None:
        node = self._node
        self._watchdog = node.call_later(
            node.config.follower_fetch_process_time_max_ms, self._on_stuck
        )
        self._hand_over()

    def _hand_over(self) -> None:
        """Ask for another leader of the partitions that had records to read: those need the disk.

        At the others the follower is at the end of the log already.
        """
        slow = [one for one in self._pending if one[0].log.log_end_offset > one[2].fetch_offset]
        for partition, _, _ in slow:
            if partition.leader is not None:
                partition.leader.in_sync.relinquish()

    # --- one partition ------------------------------------------------------------------------

    def note(self, partition: Partition, target: FetchTarget, noted_by: LeaderState | None) -> None:
        """The follower has everything below `target.fetch_offset`. Raises KafkaError 6 (903-01).

        `noted_by`: who was told that already, before the disk was waited for. To tell it again,
        with the end of the log after the wait, would make a follower seem behind that had
        everything when its fetch came (501-02).
        """
        if self._is_first_read and (leader := partition.as_leader()) is not noted_by:
            counts = leader.note_fetch(
                self._reader.replica_id,
                self._reader.broker_epoch,
                target.fetch_offset,
                target.fetcher_log_start_offset,
                self._now_ms,
                target,
            )
            if counts and target.current_leader_epoch == partition.leader_epoch:
                partition.former_leaders.forget(self._reader.replica_id)
        if target.known_high_watermark != partition.high_watermark and self._tells_watermarks:
            self.has_watermark_news = True

    def must_wait(self, partition: Partition) -> bool:
        """Whether a throttle holds this partition up: its follower is not in sync (QTA-20)."""
        throttle = self._node.replication_quotas.leader
        leader = partition.leader
        return (
            throttle.is_on
            and leader is not None
            and self._reader.replica_id not in leader.in_sync.committed
            and throttle.covers(
                partition.config.leader_replication_throttled_replicas, partition.index
            )
            and throttle.is_exceeded
        )

    def count(self, found: Found) -> None:
        """An answer leaves with these records: those of throttled partitions are counted."""
        throttle = self._node.replication_quotas.leader
        if not throttle.is_on:
            return
        for partition, number in found.places.items():
            records = found.rows[number].records
            replicas = partition.config.leader_replication_throttled_replicas
            if records and throttle.covers(replicas, partition.index):
                throttle.count(len(records))

    # --- the watermark ------------------------------------------------------------------------

    @property
    def _tells_watermarks(self) -> bool:
        """Whether watermarks are told at once: with a selector, consumers read from followers."""
        return self._node.replicas.selector is not None and self._wanted.session is not None

    def watermark_due_ms(self) -> float:
        """Milliseconds until an answer may contain nothing but a watermark; 0 or less means now."""
        session = self._wanted.session
        if session is None or not self._wanted.is_incremental:
            return 0.0  # the first answer of a session says everything, and at once
        now = self._node.env.clock.monotonic_ms()
        window = self._node.config.replica_fetch_hw_propagation_min_ms
        return session.watermark_pace.due_ms(now, window)

    def note_watermark_told(self) -> None:
        """Note that an answer leaves which has nothing to tell but a watermark."""
        session = self._wanted.session
        if session is not None:
            now = self._node.env.clock.monotonic_ms()
            window = self._node.config.replica_fetch_hw_propagation_min_ms
            session.watermark_pace.note(now, window)
