"""Incremental fetch sessions (KIP-227): a fetcher names its partitions once, then only changes.

Rules:
- 227-01: session id 0 with epoch 0 asks for a new session; epoch -1 asks for none and closes the
  one named; any other epoch continues a session and must be the next one. An unknown id answers
  70, a wrong epoch 71, names where ids are expected (or the reverse) 106. After 2^31-1 comes 1.
- 227-02: an incremental answer contains a partition if it has records, an error, a diverging epoch
  or a preferred replica, or if its high watermark or log start offset moved since it was last
  answered. After an error the remembered watermark is -1, so that the next answer contains the
  partition again. Partitions that got records move to the end, so that none starves the others.
- 227-03: the cache has a fixed number of slots. A new session may take the slot of one that was
  silent for 120 s, or, if it is a follower's or has more partitions, the slot of a smaller
  consumer's session that is older than 120 s. Without a slot the fetch is served with session
  id 0. A session that has lost its last partition is closed.
- All sessions together have a limited number of partitions, whether those exist or not, and room
  for more is made in the same way; a consumer's session has at most a quarter of them. A session
  that grows beyond that is closed (70); its fetcher then goes on without one.

Which of the partitions of a session a fetch looks at is in `resting_session.py`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode, KafkaError

from .resting_session import Asker, FetchSession, FetchTarget, wanted_by

if TYPE_CHECKING:
    from random import Random

    from barnabas.protocol.messages.fetch_request import FetchRequest
    from barnabas.protocol.messages.fetch_response import PartitionData

NO_SESSION = 0
FULL_EPOCH = 0
CLOSING_EPOCH = -1
MAX_EPOCH = 0x7FFF_FFFF
EVICTION_MS = 120_000
PARTITIONS_MAX = 250_000
TOPIC_IDS_SINCE = 13
REPLICA_STATE_SINCE = 15


class FetchContext:
    """What one request fetches, and which of the results go into its answer."""

    __slots__ = ("_rests_ended", "is_empty", "is_incremental", "session", "session_id", "targets")

    def __init__(
        self, targets: list[FetchTarget], session: FetchSession | None, *, is_incremental: bool
    ) -> None:
        self.targets = targets
        """The partitions to look at; those of the session that rest are not among them."""
        self.session = session
        """None if the fetch belongs to no session."""
        self.is_empty = not targets if session is None else not session.targets
        self._rests_ended = 0 if session is None else session.rests_ended
        self.is_incremental = is_incremental
        self.session_id = session.session_id if session is not None else NO_SESSION

    def select(self, results: list[PartitionData]) -> list[tuple[FetchTarget, PartitionData]]:
        """The results that go into the answer (227-02); `results` has one for each target."""
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

    def newly_due(self) -> list[FetchTarget]:
        """Partitions whose rest ended after the fetch came, and that are not among its targets."""
        session = self.session
        if session is None or session.rests_ended == self._rests_ended:
            return []
        self._rests_ended = session.rests_ended
        known = set(self.targets)
        return [target for target in session.in_turn() if target not in known]


class FetchSessionCache:
    """All sessions of this broker."""

    __slots__ = (
        "_partitions_max",
        "_random",
        "_sessions",
        "_slots_max",
        "evictions",
        "partitions_cached",
    )

    def __init__(
        self, slots_max: int, random: Random, partitions_max: int = PARTITIONS_MAX
    ) -> None:
        self._slots_max = slots_max
        self._partitions_max = partitions_max
        self._random = random
        self._sessions: dict[int, FetchSession] = {}  # least recently used first
        self.evictions = 0
        self.partitions_cached = 0
        """Partitions in all sessions together (a metric)."""

    def __len__(self) -> int:
        return len(self._sessions)

    def resolve(
        self,
        request: FetchRequest,
        version: int,
        *,
        is_follower: bool,
        now_ms: float,
        rights: object = None,
    ) -> FetchContext:
        """What this request fetches.

        `rights`: equal as long as who asks may read what they could; when it is another, no
        partition rests any longer (ACL-21).

        Raises KafkaError 70, 71 or 106 (227-01): the whole answer is that error.
        """
        asker = _asker(request, version, rights)
        if request.session_epoch == CLOSING_EPOCH:
            self._end(request.session_id)
            targets = _targets(request, version >= TOPIC_IDS_SINCE)
            return FetchContext(targets, None, is_incremental=False)
        if request.session_epoch == FULL_EPOCH:
            self._end(request.session_id)
            return self._open(request, version, is_follower, now_ms, asker)
        return self._continue(request, version, now_ms, asker)

    def _open(
        self, request: FetchRequest, version: int, is_follower: bool, now_ms: float, asker: Asker
    ) -> FetchContext:
        uses_ids = version >= TOPIC_IDS_SINCE
        targets = _targets(request, uses_ids)
        session = None
        if targets and self._make_room(len(targets), is_follower, now_ms):
            session = FetchSession(
                self._new_id(), uses_topic_ids=uses_ids, is_follower=is_follower, now_ms=now_ms
            )
            session.open(targets)
            self.partitions_cached += len(session.targets)
            session.ask_as(asker)
            self._sessions[session.session_id] = session
        return FetchContext(targets, session, is_incremental=False)

    def _continue(
        self, request: FetchRequest, version: int, now_ms: float, asker: Asker
    ) -> FetchContext:
        session = self._sessions.get(request.session_id)
        if session is None:
            raise KafkaError(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
        if session.epoch != request.session_epoch:
            raise KafkaError(ErrorCode.INVALID_FETCH_SESSION_EPOCH)
        if session.uses_topic_ids != (version >= TOPIC_IDS_SINCE):
            raise KafkaError(ErrorCode.FETCH_SESSION_TOPIC_ID_ERROR)
        session.epoch = 1 if session.epoch == MAX_EPOCH else session.epoch + 1
        session.ask_as(asker)
        session.last_used_ms = now_ms
        # To the end: the first entry is the one that was silent for longest.
        self._sessions[session.session_id] = self._sessions.pop(session.session_id)
        before = len(session.targets)
        session.add(request.topics)
        session.forget(request)
        self.partitions_cached += len(session.targets) - before
        if len(session.targets) > before and not self._may_grow(session, now_ms):
            self._end(session.session_id)
            raise KafkaError(ErrorCode.FETCH_SESSION_ID_NOT_FOUND)
        if not session.targets:
            self._end(session.session_id)
            return FetchContext([], None, is_incremental=True)
        # Only now: what rested until this fetch was at its end when the one before came.
        session.seen_ms = now_ms
        return FetchContext(session.in_turn(), session, is_incremental=True)

    def discard(self, begun: FetchContext) -> None:
        """The fetch that asked for a session is answered empty: it has none (227-04)."""
        self._end(begun.session_id)
        begun.session = None
        begun.session_id = NO_SESSION

    def _end(self, session_id: int) -> None:
        session = self._sessions.pop(session_id, None)
        if session is not None:
            self.partitions_cached -= len(session.targets)
            session.end()

    def _new_id(self) -> int:
        while True:
            session_id = self._random.randrange(1, MAX_EPOCH)
            if session_id not in self._sessions:
                return session_id

    def _share(self, is_follower: bool) -> int:
        """Most partitions of one session."""
        return self._partitions_max if is_follower else self._partitions_max // 4

    def _make_room(self, size: int, is_follower: bool, now_ms: float) -> bool:
        if self._slots_max <= 0 or size > self._share(is_follower):
            return False
        while (
            len(self._sessions) >= self._slots_max
            or self.partitions_cached + size > self._partitions_max
        ):
            oldest = next(iter(self._sessions.values()))
            victim = oldest if now_ms - oldest.last_used_ms > EVICTION_MS else None
            if victim is None:
                victim = self._weaker(size, is_follower, now_ms)
            if victim is None:
                return False
            self._end(victim.session_id)
            self.evictions += 1
        return True

    def _may_grow(self, session: FetchSession, now_ms: float) -> bool:
        """Whether what was added to it may stay; if need be, others make way."""
        size = len(session.targets)
        if size > self._share(session.is_follower):
            return False
        while self.partitions_cached > self._partitions_max:
            victim = self._weaker(size, session.is_follower, now_ms)
            if victim is None or victim is session:
                return False
            self._end(victim.session_id)
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


def _asker(request: FetchRequest, version: int, rights: object) -> Asker:
    if version < REPLICA_STATE_SINCE:
        return request.replica_id, -1, request.isolation_level, version, rights
    state = request.replica_state
    return state.replica_id, state.replica_epoch, request.isolation_level, version, rights


def _targets(request: FetchRequest, uses_ids: bool) -> list[FetchTarget]:
    """Each partition once, however often the request names it; the last one counts, as in Kafka."""
    named = dict(wanted_by(request.topics, uses_ids))
    return [FetchTarget(topic, wanted) for (topic, _), wanted in named.items()]
