"""What a leader knows of one follower, and when that follower counts as caught up.

- 501-02: a follower that fetches from the leader's present end is caught up now. One that fetches
  from where the log ended at its previous fetch was caught up when that fetch came. The time never
  goes back.
- 501-01: a follower is out of sync if it is not at the leader's end and was last caught up longer
  than `replica.lag.time.max.ms` ago.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Protocol

from barnabas.protocol.errors import ErrorCode, KafkaError

from ..log.partition_log import PartitionLog
from .surroundings import ClusterView

NEVER_MS = -float(1 << 60)
"""Longer ago than any lag; 0 would not be, as a monotonic clock may begin near 0."""

UNKNOWN_OFFSET = -1


class FetchSource(Protocol):
    """One partition's place in the fetch session by which a follower asks for it."""

    def is_open(self, now_ms: float) -> bool:
        """Whether the session goes on, and has this partition."""
        ...


class Progress:
    """A follower's log, as its fetches describe it. Times are in ms of the monotonic clock."""

    __slots__ = (
        "broker_epoch",
        "is_lost",
        "last_caught_up_ms",
        "last_fetch_leader_end",
        "last_fetch_ms",
        "log_end_offset",
        "log_start_offset",
        "source",
    )

    def __init__(self, *, is_in_sync: bool, now_ms: float) -> None:
        self.broker_epoch = -1
        self.is_lost = False
        """The follower's broker has reported that its log directory failed (KIP-858)."""
        self.log_start_offset = UNKNOWN_OFFSET
        self.log_end_offset = UNKNOWN_OFFSET
        self.last_fetch_leader_end = UNKNOWN_OFFSET
        """Where the leader's log ended when the last fetch came."""
        self.last_fetch_ms = NEVER_MS
        self.source: FetchSource | None = None
        """The session whose fetches count for this follower, as long as it is open."""
        # 501-03: a member of the in-sync set has the whole lag to find the new leader.
        self.last_caught_up_ms = now_ms if is_in_sync else NEVER_MS

    def begin_epoch(self, leader_end: int, *, is_in_sync: bool, now_ms: float) -> None:
        """The same leader begins a new epoch: positions stay, times are set again (501-03)."""
        self.last_caught_up_ms = now_ms if is_in_sync else NEVER_MS
        self.last_fetch_leader_end = leader_end
        self.last_fetch_ms = self.last_caught_up_ms
        self.source = None

    def note_fetch(
        self,
        fetch_offset: int,
        log_start_offset: int,
        leader_end: int,
        broker_epoch: int,
        now_ms: float,
    ) -> None:
        """A fetch from `fetch_offset` came at `now_ms`, when the leader's log ended there."""
        if fetch_offset >= leader_end:
            self.last_caught_up_ms = max(self.last_caught_up_ms, now_ms)
        elif self.was_at_end(fetch_offset):
            self.last_caught_up_ms = max(self.last_caught_up_ms, self.last_fetch_ms)
        self.log_start_offset = log_start_offset
        self.log_end_offset = fetch_offset
        self.last_fetch_leader_end = leader_end
        self.last_fetch_ms = now_ms
        self.broker_epoch = broker_epoch

    def may_come_by(self, source: FetchSource, broker_epoch: int, now_ms: float) -> bool:
        """Whether a fetch of this session can come from the follower.

        It can if it is the known session, if it has a newer broker epoch, or if the known session
        is closed. A follower that begins a new session closes the old one, or removes from it the
        partitions that it fetches in the new one. A sender that does neither is somebody else.
        """
        known = self.source
        if known is None or known is source or broker_epoch != self.broker_epoch:
            return True
        return not known.is_open(now_ms)

    def hears(self, source: FetchSource, broker_epoch: int, now_ms: float) -> bool:
        """Take this session for the follower's from now on; False if it cannot be."""
        if not self.may_come_by(source, broker_epoch, now_ms):
            return False
        self.source = source
        return True

    def was_at_end(self, fetch_offset: int) -> bool:
        """Whether `fetch_offset` reaches what the leader had at the fetch before."""
        return 0 <= self.last_fetch_leader_end <= fetch_offset

    def is_caught_up(self, leader_end: int, now_ms: float, lag_time_max_ms: int) -> bool:
        """Whether the follower is within the lag (501-01), pending fetches left aside."""
        if self.log_end_offset == leader_end:
            return True
        return now_ms - self.last_caught_up_ms <= lag_time_max_ms


def sender_of(
    followers: Mapping[int, Progress],
    replica_id: int,
    broker_epoch: int,
    cluster: ClusterView,
    log: PartitionLog,
) -> Progress:
    """The follower that says this of itself in a fetch.

    Raises KafkaError NOT_LEADER_OR_FOLLOWER (6) if it is no replica of this log, or an older
    incarnation than the known one (903-01).
    """
    progress = followers.get(replica_id)
    if progress is None:
        raise KafkaError(
            ErrorCode.NOT_LEADER_OR_FOLLOWER, f"broker {replica_id} is no replica of {log.name}"
        )
    known = max(progress.broker_epoch, cluster.broker_epoch(replica_id))
    if 0 <= broker_epoch < known:
        raise KafkaError(
            ErrorCode.NOT_LEADER_OR_FOLLOWER,
            f"broker {replica_id} was registered anew after epoch {broker_epoch}",
        )
    return progress
