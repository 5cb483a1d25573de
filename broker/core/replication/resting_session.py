"""One fetch session (KIP-227): the partitions that its fetcher wants, and which of them rest.

A partition about which there is nothing new rests: the fetches of its session skip it, so that a
fetch costs as much as has changed and not as much as is followed. The rest ends when a request
names the partition, or when something happens to its replica (`end_rest`): an append, or another
watermark, log start, in-sync set, leader or epoch.
While a partition rests, every fetch of the session says the same about it: the follower is at the
end of the log. The leader is told so only when somebody could ask (`settle`), with the time of the
session's last fetch (501-02).
"""

from __future__ import annotations

from collections.abc import Iterable
from operator import attrgetter
from typing import TYPE_CHECKING, Protocol

from .partition import Partition
from .watermark_pace import WatermarkPace

if TYPE_CHECKING:
    from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
    from barnabas.protocol.messages.fetch_response import PartitionData

FETCHER_SILENCE_MS = 2000
"""A session without a fetch for so long, and without one that waits, may have been given up: its
fetcher may have died, or use another session."""

SessionKey = tuple[str | bytes, int]
"""Topic (name up to version 12, id from 13) and partition."""

Asker = tuple[int, int, int, int, object]
"""Replica id, its epoch, isolation level, version, and what stands for the asker's rights."""


class FetchTarget:
    """One partition that a fetch wants, and what its fetcher was last told about it."""

    __slots__ = (
        "current_leader_epoch",
        "fetch_offset",
        "fetcher_log_start_offset",
        "known_high_watermark",
        "known_log_start_offset",
        "last_fetched_epoch",
        "max_bytes",
        "partition",
        "rests_at",
        "session",
        "topic",
        "turn",
    )

    def __init__(self, topic: str | bytes, wanted: FetchPartition) -> None:
        self.topic = topic
        self.partition = wanted.partition
        self.known_high_watermark = -1
        self.known_log_start_offset = -1
        self.turn = 0
        """Its order among the partitions of a session: the smallest is served first."""
        self.rests_at: Partition | None = None
        """The replica at which it rests, which will call `end_rest`; else None."""
        self.session: FetchSession | None = None
        """The session to which it belongs; None if there is none, or it has left its session."""
        self.update(wanted)

    def is_open(self, now_ms: float) -> bool:
        """Whether its fetcher still uses this session (`FetchSource`)."""
        session = self.session
        if session is None or session.is_over:
            return False
        return bool(session.parked) or now_ms - session.last_used_ms <= FETCHER_SILENCE_MS

    # --- at rest (`Resting`) --------------------------------------------------------------------

    def end_rest(self) -> None:
        """Something happened to the replica at which it rests; the replica calls this once."""
        if self.session is not None:
            self.session.end_rest(self)

    def settle(self) -> None:
        """Tell the leader what the session's fetches said about it while it rested."""
        if self.session is not None and self.rests_at is not None:
            self.session.settle(self.rests_at)

    @property
    def parked_count(self) -> int:
        """How many fetches of its session wait."""
        return 0 if self.session is None else len(self.session.parked)

    # --- what is asked and told -----------------------------------------------------------------

    def update(self, wanted: FetchPartition) -> None:
        """Take the new position of this partition from a request."""
        self.fetch_offset = wanted.fetch_offset
        self.max_bytes = wanted.partition_max_bytes
        self.current_leader_epoch = wanted.current_leader_epoch
        self.last_fetched_epoch = wanted.last_fetched_epoch
        self.fetcher_log_start_offset = wanted.log_start_offset

    def is_news(self, data: PartitionData) -> bool:
        """Whether an incremental answer must contain it (227-02); remembers what is told."""
        changed = (
            data.high_watermark != self.known_high_watermark
            or data.log_start_offset != self.known_log_start_offset
        )
        self.known_log_start_offset = data.log_start_offset
        if data.error_code != 0:
            self.known_high_watermark = -1
            return True
        self.known_high_watermark = data.high_watermark
        return (
            changed
            or bool(data.records)
            or data.preferred_read_replica != -1
            or data.diverging_epoch.epoch != -1
        )


class ParkedInSession(Protocol):
    """A fetch that waits, and is called when a partition of its session no longer rests."""

    def on_rest_ended(self, partition: Partition, target: FetchTarget) -> None:
        """`target` rested when the fetch came, and must now be watched like the others."""
        ...


class FetchSession:
    """The partitions that one fetcher wants, as its requests have named and changed them."""

    __slots__ = (
        "_asker",
        "_turns",
        "created_ms",
        "due",
        "epoch",
        "is_follower",
        "is_over",
        "last_used_ms",
        "parked",
        "replica_id",
        "rests_ended",
        "seen_ms",
        "session_id",
        "targets",
        "uses_topic_ids",
        "watermark_pace",
    )

    def __init__(
        self, session_id: int, *, uses_topic_ids: bool, is_follower: bool, now_ms: float
    ) -> None:
        self.session_id = session_id
        self.uses_topic_ids = uses_topic_ids
        self.is_follower = is_follower
        self.created_ms = now_ms
        self.last_used_ms = now_ms
        self.watermark_pace = WatermarkPace()
        self.epoch = 1
        self.targets: dict[SessionKey, FetchTarget] = {}
        self.due: dict[FetchTarget, None] = {}
        """Those of `targets` that the next fetch looks at; the others rest."""
        self.parked: dict[ParkedInSession, None] = {}
        self.rests_ended = 0
        """How often the rest of a partition has ended because of its replica."""
        self.seen_ms = now_ms
        """When the last fetch came, or with pending fetches (501-07) when it was answered."""
        self.is_over = False
        self.replica_id = -1
        self._asker: Asker | None = None
        self._turns = 0

    def open(self, targets: Iterable[FetchTarget]) -> None:
        """Begin with these partitions."""
        for target in targets:
            self._put(target)

    def ask_as(self, asker: Asker) -> None:
        """Note who asks, and how: replica id, its epoch, isolation level, version, rights.

        If that has changed, every partition may have another answer, so all rest ends.
        """
        if asker != self._asker:
            if self._asker is not None:
                for target in self.targets.values():
                    self._make_due(target)
            self._asker = asker
            self.replica_id = asker[0]

    def add(self, topics: Iterable[FetchTopic]) -> None:
        """Add partitions; those that the session has already take their new positions."""
        for key, wanted in wanted_by(topics, self.uses_topic_ids):
            target = self.targets.get(key)
            if target is None:
                self._put(FetchTarget(key[0], wanted))
            else:
                self._make_due(target)
                target.update(wanted)

    def _put(self, target: FetchTarget) -> None:
        self._turns += 1
        target.turn = self._turns
        self.targets[(target.topic, target.partition)] = target
        target.session = self
        self.due[target] = None

    def forget(self, request: FetchRequest) -> None:
        """Drop the partitions that the request no longer wants."""
        for gone in request.forgotten_topics_data:
            topic = gone.topic_id if self.uses_topic_ids else gone.topic
            for partition in gone.partitions:
                target = self.targets.pop((topic, partition), None)
                if target is not None:
                    self._make_due(target)
                    del self.due[target]
                    target.session = None

    def end(self) -> None:
        """The session is closed: nothing of it rests any longer."""
        self.is_over = True
        for target in self.targets.values():
            self._make_due(target)

    def move_to_end(self, target: FetchTarget) -> None:
        """This partition's records were answered: the other partitions come first next time."""
        key = (target.topic, target.partition)
        if self.targets.pop(key, None) is not None:
            self.targets[key] = target
            self._turns += 1
            target.turn = self._turns

    # --- rest -----------------------------------------------------------------------------------

    def in_turn(self) -> list[FetchTarget]:
        """The partitions that the next fetch looks at, in the order in which it serves them."""
        return sorted(self.due, key=_TURN)

    def rest(self, target: FetchTarget, partition: Partition, end_offset: int) -> None:
        """Skip `target` in further fetches until something happens to `partition`.

        To be called when it has just been answered with no error and no records. It rests only if
        nothing has changed since it was read, and its fetcher is at `end_offset`, where reading
        ends for this fetcher.
        """
        log = partition.log
        if (
            target.fetch_offset == end_offset
            and target.known_high_watermark == log.high_watermark
            and target.known_log_start_offset == log.log_start_offset
            and target.current_leader_epoch in (-1, partition.leader_epoch)
            and target in self.due
            and not self.is_over
            and (not self.is_follower or self._is_at_end(partition))
        ):
            del self.due[target]
            target.rests_at = partition
            partition.waiters.watch(target)

    def _is_at_end(self, partition: Partition) -> bool:
        leader = partition.leader
        return leader is not None and leader.is_at_end(self.replica_id)

    def end_rest(self, target: FetchTarget) -> None:
        """Its replica has called: end the rest of `target`, and call the fetches that wait."""
        partition, target.rests_at = target.rests_at, None
        if partition is None:
            return
        self.due[target] = None
        self.rests_ended += 1
        self.settle(partition)
        for fetch in tuple(self.parked):
            fetch.on_rest_ended(partition, target)

    def settle(self, partition: Partition) -> None:
        """Tell the leader what the fetches said while the partition rested: still at the end."""
        if self.is_follower and partition.leader is not None:
            partition.leader.note_at_end(self.replica_id, self.seen_ms)

    def _make_due(self, target: FetchTarget) -> None:
        partition = target.rests_at
        if partition is not None:
            target.rests_at = None
            self.due[target] = None
            partition.waiters.unwatch(target)
            self.settle(partition)


_TURN = attrgetter("turn")


def wanted_by(
    topics: Iterable[FetchTopic], uses_ids: bool
) -> Iterable[tuple[SessionKey, FetchPartition]]:
    """(key, partition) of all partitions in a request."""
    for topic in topics:
        name: str | bytes = topic.topic_id if uses_ids else topic.topic
        for wanted in topic.partitions:
            yield (name, wanted.partition), wanted
