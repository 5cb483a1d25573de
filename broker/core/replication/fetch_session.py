"""Incremental fetch sessions (KIP-227): a fetcher names its partitions once, then only changes.

Rules of the machine:
- 227-01: session id 0 with epoch 0 asks for a new session; epoch -1 asks for none and closes the
  one named; any other epoch continues a session and must be the next one. An unknown id answers
  70, a wrong epoch 71, names where ids are expected (or the reverse) 106. After 2^31-1 comes 1.
- 227-02: an incremental answer holds a partition if it has records, an error, a diverging epoch or
  a preferred replica, or if its high watermark or log start offset moved since it was last
  answered. After an error the remembered watermark is -1, so that the next answer holds it again.
  Partitions that got records move to the end, so that no partition starves the others.
- 227-03: the cache has a fixed number of slots. A new session may take the slot of one that was
  silent for 120 s, or, if it is a follower's or has more partitions, of a smaller consumer's that
  has lived for 120 s. Without a slot the fetch is served with session id 0. A session that has
  lost its last partition is closed.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode, KafkaError

if TYPE_CHECKING:
    from random import Random

    from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
    from barnabas.protocol.messages.fetch_response import PartitionData

NO_SESSION = 0
FULL_EPOCH = 0
CLOSING_EPOCH = -1
MAX_EPOCH = 0x7FFF_FFFF
EVICTION_MS = 120_000
TOPIC_IDS_SINCE = 13

SessionKey = tuple[str | bytes, int]
"""Topic (name up to version 12, id from 13) and partition."""


class FetchTarget:
    """One partition that a fetch wants, and what its fetcher was told last."""

    __slots__ = (
        "current_leader_epoch",
        "fetch_offset",
        "fetcher_log_start_offset",
        "known_high_watermark",
        "known_log_start_offset",
        "last_fetched_epoch",
        "max_bytes",
        "partition",
        "topic",
    )

    def __init__(self, topic: str | bytes, wanted: FetchPartition) -> None:
        self.topic = topic
        self.partition = wanted.partition
        self.known_high_watermark = -1
        self.known_log_start_offset = -1
        self.update(wanted)

    def update(self, wanted: FetchPartition) -> None:
        """Take the new position of this partition from a request."""
        self.fetch_offset = wanted.fetch_offset
        self.max_bytes = wanted.partition_max_bytes
        self.current_leader_epoch = wanted.current_leader_epoch
        self.last_fetched_epoch = wanted.last_fetched_epoch
        self.fetcher_log_start_offset = wanted.log_start_offset

    def is_news(self, data: PartitionData) -> bool:
        """Whether an incremental answer must hold this partition; remembers what it tells."""
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


class FetchSession:
    """What one fetcher asked for so far."""

    __slots__ = (
        "created_ms",
        "epoch",
        "is_follower",
        "last_used_ms",
        "session_id",
        "targets",
        "uses_topic_ids",
        "watermark_told_ms",
    )

    def __init__(
        self, session_id: int, *, uses_topic_ids: bool, is_follower: bool, now_ms: float
    ) -> None:
        self.session_id = session_id
        self.uses_topic_ids = uses_topic_ids
        self.is_follower = is_follower
        self.created_ms = now_ms
        self.last_used_ms = now_ms
        self.watermark_told_ms = -float(1 << 60)
        """When an answer last carried nothing but a watermark (392-12)."""
        self.epoch = 1
        self.targets: dict[SessionKey, FetchTarget] = {}

    def add(self, topics: Iterable[FetchTopic]) -> None:
        """Add partitions, and move on those that are known."""
        for key, wanted in _wanted(topics, self.uses_topic_ids):
            target = self.targets.get(key)
            if target is None:
                self.targets[key] = FetchTarget(key[0], wanted)
            else:
                target.update(wanted)

    def forget(self, request: FetchRequest) -> None:
        """Drop the partitions that the request no longer wants."""
        for gone in request.forgotten_topics_data:
            topic = gone.topic_id if self.uses_topic_ids else gone.topic
            for partition in gone.partitions:
                self.targets.pop((topic, partition), None)

    def move_to_end(self, target: FetchTarget) -> None:
        """This partition had its turn: the others come first next time."""
        key = (target.topic, target.partition)
        if self.targets.pop(key, None) is not None:
            self.targets[key] = target


class FetchContext:
    """What one request fetches, and which part of the results it is told."""

    __slots__ = ("is_incremental", "session", "session_id", "targets")

    def __init__(
        self, targets: list[FetchTarget], session: FetchSession | None, *, is_incremental: bool
    ) -> None:
        self.targets = targets
        self.session = session
        """None of a fetch that is not part of one."""
        self.is_incremental = is_incremental
        self.session_id = session.session_id if session is not None else NO_SESSION

    def select(self, results: list[PartitionData]) -> list[tuple[FetchTarget, PartitionData]]:
        """Of the results (one a target, same order) those that go into the answer (227-02)."""
        pairs = list(zip(self.targets, results, strict=True))
        session = self.session
        if session is None:
            return pairs
        chosen = []
        for target, data in pairs:
            if target.is_news(data) or not self.is_incremental:
                chosen.append((target, data))
                if data.records:
                    session.move_to_end(target)
        return chosen


class FetchSessionCache:
    """All sessions of this broker."""

    __slots__ = ("_random", "_sessions", "_slots_max", "evictions")

    def __init__(self, slots_max: int, random: Random) -> None:
        self._slots_max = slots_max
        self._random = random
        self._sessions: dict[int, FetchSession] = {}  # least recently used first
        self.evictions = 0

    def __len__(self) -> int:
        return len(self._sessions)

    @property
    def partitions_cached(self) -> int:
        """Partitions in all sessions together (a metric)."""
        return sum(len(session.targets) for session in self._sessions.values())

    def resolve(
        self, request: FetchRequest, version: int, *, is_follower: bool, now_ms: float
    ) -> FetchContext:
        """What this request fetches.

        Raises KafkaError 70, 71 or 106 (227-01): the whole answer is that error.
        """
        uses_ids = version >= TOPIC_IDS_SINCE
        if request.session_epoch == CLOSING_EPOCH:
            self._sessions.pop(request.session_id, None)
            return FetchContext(_targets(request, uses_ids), None, is_incremental=False)
        if request.session_epoch == FULL_EPOCH:
            self._sessions.pop(request.session_id, None)
            return self._open(request, uses_ids, is_follower, now_ms)
        return self._continue(request, uses_ids, now_ms)

    def _open(
        self, request: FetchRequest, uses_ids: bool, is_follower: bool, now_ms: float
    ) -> FetchContext:
        targets = _targets(request, uses_ids)
        session = None
        if targets and self._make_slot(len(targets), is_follower, now_ms):
            session = FetchSession(
                self._new_id(), uses_topic_ids=uses_ids, is_follower=is_follower, now_ms=now_ms
            )
            session.targets = {(target.topic, target.partition): target for target in targets}
            self._sessions[session.session_id] = session
        return FetchContext(targets, session, is_incremental=False)

    def _continue(self, request: FetchRequest, uses_ids: bool, now_ms: float) -> FetchContext:
        session = self._sessions.get(request.session_id)
        if session is None:
            raise KafkaError(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
        if session.epoch != request.session_epoch:
            raise KafkaError(ErrorCode.INVALID_FETCH_SESSION_EPOCH)
        if session.uses_topic_ids != uses_ids:
            raise KafkaError(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR)
        session.epoch = 1 if session.epoch == MAX_EPOCH else session.epoch + 1
        session.last_used_ms = now_ms
        # To the end: the first entry is the one that was silent for longest.
        self._sessions[session.session_id] = self._sessions.pop(session.session_id)
        session.add(request.topics)
        session.forget(request)
        if not session.targets:
            del self._sessions[session.session_id]
            return FetchContext([], None, is_incremental=True)
        return FetchContext(list(session.targets.values()), session, is_incremental=True)

    def _new_id(self) -> int:
        while True:
            session_id = self._random.randrange(1, MAX_EPOCH)
            if session_id not in self._sessions:
                return session_id

    def _make_slot(self, size: int, is_follower: bool, now_ms: float) -> bool:
        if self._slots_max <= 0:
            return False
        if len(self._sessions) < self._slots_max:
            return True
        oldest = next(iter(self._sessions.values()))
        victim = oldest if now_ms - oldest.last_used_ms > EVICTION_MS else None
        if victim is None:
            victim = self._weaker(size, is_follower, now_ms)
        if victim is None:
            return False
        del self._sessions[victim.session_id]
        self.evictions += 1
        return True

    def _weaker(self, size: int, is_follower: bool, now_ms: float) -> FetchSession | None:
        """A session that must give way to a new one of `size` partitions, if there is one."""
        weakest = min(self._sessions.values(), key=_strength)
        if _strength(weakest) >= (is_follower, size):
            return None
        is_privileged = is_follower and not weakest.is_follower
        if is_privileged or now_ms - weakest.created_ms > EVICTION_MS:
            return weakest
        return None


def _strength(session: FetchSession) -> tuple[bool, int]:
    return (session.is_follower, len(session.targets))


def _targets(request: FetchRequest, uses_ids: bool) -> list[FetchTarget]:
    return [FetchTarget(key[0], wanted) for key, wanted in _wanted(request.topics, uses_ids)]


def _wanted(
    topics: Iterable[FetchTopic], uses_ids: bool
) -> Iterable[tuple[SessionKey, FetchPartition]]:
    for topic in topics:
        name: str | bytes = topic.topic_id if uses_ids else topic.topic
        for wanted in topic.partitions:
            yield (name, wanted.partition), wanted
