"""What a follower's fetch is besides a read: news of its log, and a need for the watermark.

- 903-01, 501-02: it says how far the follower's log goes, in the first read for it only.
- 501-04 to 501-07, 501-10: while it is worked on its follower stays in sync; work that takes too
  long means that this broker should not lead (only with the feature on). Parked time is no work.
- 392-12: with a replica selector it is also answered when all there is to tell is a watermark, but
  no more often than every `replica.fetch.hw.propagation.min.ms`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from ..core.replication.pending import ActiveFetch

if TYPE_CHECKING:
    from ..core.replication.fetch_session import FetchContext, FetchTarget
    from ..core.replication.partition import Partition
    from ..core.replication.pending import PendingFetch
    from .context import BrokerServices
    from .fetch_rules import Reader


class FollowerFetch:
    """One fetch of one follower, from its arrival to its answer."""

    __slots__ = (
        "_is_first_read",
        "_node",
        "_now_ms",
        "_pending",
        "_reader",
        "_wanted",
        "has_watermark_news",
    )

    def __init__(
        self, node: BrokerServices, wanted: FetchContext, reader: Reader, now_ms: float
    ) -> None:
        self._node = node
        self._wanted = wanted
        self._reader = reader
        self._now_ms = now_ms
        self._is_first_read = True
        self._pending: list[tuple[Partition, PendingFetch]] = []
        self.has_watermark_news = False
        """The follower does not know the watermark of a partition, and should (392-12)."""
        if node.replicas.surroundings.keeps_pending_in_sync:
            self._note_pending()

    # --- from arrival to end ------------------------------------------------------------------

    def _note_pending(self) -> None:
        """501-04: before anything is read."""
        replicas = self._node.replicas
        for target in self._wanted.targets:
            if isinstance(target.topic, str):
                partition = replicas.get(target.topic, target.partition)
            else:
                partition = replicas.get_by_id(target.topic, target.partition)
            if partition is not None and partition.is_leader:
                fetch = partition.begin_fetch(
                    self._reader.replica_id, target.fetch_offset, self._now_ms
                )
                if fetch is not None:
                    self._pending.append((partition, fetch))

    def end(self) -> None:
        """501-06: the answer is made, or nobody is there to read it; a second call does nothing."""
        pending, self._pending = self._pending, []
        if pending:
            now = self._node.env.clock.monotonic_ms()
            for partition, fetch in pending:
                partition.end_fetch(fetch, now)

    def begin_work(self) -> None:
        """From here on the loop reads for this fetch, and for nobody else."""
        if self._pending:
            partitions = tuple(partition for partition, _ in self._pending)
            self._node.replicas.active_fetch = ActiveFetch(self._now_ms, partitions)

    def end_work(self) -> None:
        """All is read for the first time."""
        self._is_first_read = False
        replicas = self._node.replicas
        active, replicas.active_fetch = replicas.active_fetch, None
        if active is None:
            return
        took_ms = self._node.env.clock.monotonic_ms() - active.since_ms
        if took_ms > self._node.config.follower_fetch_process_time_max_ms:
            for partition in active.partitions:
                partition.relinquish()

    # --- one partition ------------------------------------------------------------------------

    def note(self, partition: Partition, target: FetchTarget) -> None:
        """The follower holds all below `target.fetch_offset`. Raises KafkaError 6 (903-01)."""
        if self._is_first_read:
            partition.note_fetch(
                self._reader.replica_id,
                self._reader.broker_epoch,
                target.fetch_offset,
                target.fetcher_log_start_offset,
                self._now_ms,
            )
        if target.known_high_watermark != partition.high_watermark and self._tells_watermarks:
            self.has_watermark_news = True

    # --- the watermark ------------------------------------------------------------------------

    @property
    def _tells_watermarks(self) -> bool:
        """With a selector consumers read from followers, which must not be behind for long."""
        return self._node.replicas.selector is not None and self._wanted.session is not None

    def watermark_due_ms(self) -> float:
        """Time until an answer may carry nothing but a watermark; 0 or less means now."""
        session = self._wanted.session
        if session is None or not self._wanted.is_incremental:
            return 0.0  # the first answer of a session says everything, and at once
        now = self._node.env.clock.monotonic_ms()
        pause = self._node.config.replica_fetch_hw_propagation_min_ms
        return session.watermark_told_ms + pause - now

    def note_watermark_told(self) -> None:
        """An answer leaves that would not leave now but for the watermark."""
        if self._wanted.session is not None:
            self._wanted.session.watermark_told_ms = self._node.env.clock.monotonic_ms()
