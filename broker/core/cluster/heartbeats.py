"""Which brokers live: what the active controller remembers of their heartbeats, and never writes.

Rules:

- A session begins with a registration or a heartbeat and is over after `session_timeout_ms` without
  another (631-02). A connection over which heartbeats came and which is lost ends it sooner: after
  `connection_loss_grace_ms`, unless a heartbeat comes in that time.
- A broker is heard once it has sent a heartbeat; registering alone keeps no other incarnation out
  (631-01), since a process that died right after it would do so for a whole session.
- A new active controller has heard nobody: every broker starts with a whole session. Until it was
  heard it does not count as alive against another incarnation (631-01), so that a node that died
  with the controller may come back at once.
- The node that was the active controller before is silent already, for so long that a majority gave
  it up. As a broker it has no more than `SUSPECT_SESSION_MS` left. If it lives it is soon heard:
  brokers send a heartbeat as soon as they know the new leader.
- Time in which the controller itself stood still is nobody's silence (`forgive`).
- A broker in controlled shutdown waits for `shutdown_offset`: once every active broker has applied
  that much, nobody looks for its leaderships there any more (631-03).

All times are of the monotonic clock, in milliseconds.
"""

from __future__ import annotations

from typing import Final

from .broker_image import BrokerImage
from .image import ClusterImage

SUSPECT_SESSION_MS: Final = 700
"""The time that a new reign gives the broker on the node that was active before."""

NOTHING: Final = -1
"""The metadata offset of a broker that has reported none."""


class _Session:
    __slots__ = (
        "broker_epoch",
        "is_heard",
        "last_contact_ms",
        "lost_since_ms",
        "metadata_offset",
        "shutdown_offset",
    )

    def __init__(self, broker_epoch: int, now_ms: float, *, is_heard: bool) -> None:
        self.broker_epoch = broker_epoch
        self.last_contact_ms = now_ms
        self.is_heard = is_heard
        self.metadata_offset = NOTHING
        self.shutdown_offset: int | None = None
        self.lost_since_ms: float | None = None


class BrokerSessions:
    """The sessions of the brokers with one active controller, for one reign."""

    def __init__(self, session_timeout_ms: int, connection_loss_grace_ms: int) -> None:
        """With a grace of 0, lost connections are ignored."""
        self._timeout_ms = session_timeout_ms
        self._grace_ms = connection_loss_grace_ms
        self._sessions: dict[int, _Session] = {}

    # --- what happens ---

    def begin_reign(self, image: ClusterImage, now_ms: float, suspect: int = NOTHING) -> None:
        """This controller becomes active: all brokers get whole sessions, and none counts as heard.

        `suspect` is the node that was active before, if it is another one.
        """
        self._sessions = {}
        for broker in image.brokers.values():
            session = _Session(broker.epoch, now_ms, is_heard=False)
            if broker.in_controlled_shutdown:
                session.shutdown_offset = image.last_offset
            if broker.broker_id == suspect:
                session.last_contact_ms -= max(self._timeout_ms - SUSPECT_SESSION_MS, 0)
            self._sessions[broker.broker_id] = session

    def begin(self, broker: BrokerImage, now_ms: float) -> None:
        """`broker` registers: it gets a whole session, and counts as heard only if this incarnation
        was."""
        session = self._session(broker, now_ms)
        session.last_contact_ms = now_ms
        session.lost_since_ms = None

    def touch(self, broker: BrokerImage, now_ms: float, metadata_offset: int = NOTHING) -> None:
        """A heartbeat of `broker` has come."""
        self.begin(broker, now_ms)
        session = self._session(broker, now_ms)
        session.is_heard = True
        session.metadata_offset = max(session.metadata_offset, metadata_offset)

    def note_progress(self, broker_id: int, metadata_offset: int) -> None:
        """The broker has applied this much, as its Fetch of the metadata reported (KIP-1166)."""
        session = self._sessions.get(broker_id)
        if session is not None:
            session.metadata_offset = max(session.metadata_offset, metadata_offset)

    def begin_shutdown(self, broker: BrokerImage, offset: int, now_ms: float) -> None:
        """`broker` leads nothing from the record at `offset` on."""
        self._session(broker, now_ms).shutdown_offset = offset

    def lose_connection(self, broker_id: int, broker_epoch: int, now_ms: float) -> None:
        """The connection over which this broker's heartbeats came is closed."""
        session = self._sessions.get(broker_id)
        if session is None or session.broker_epoch != broker_epoch:
            return
        if session.lost_since_ms is None:
            session.lost_since_ms = now_ms

    def forgive(self, span_ms: float) -> None:
        """This controller did not run for this long: what was sent to it meanwhile is not read
        yet."""
        for session in self._sessions.values():
            session.last_contact_ms += span_ms
            if session.lost_since_ms is not None:
                session.lost_since_ms += span_ms

    def end(self, broker_id: int) -> None:
        """The broker was fenced or removed: it has no session until it is heard again."""
        self._sessions.pop(broker_id, None)

    # --- what follows ---

    def is_alive(self, broker_id: int, now_ms: float) -> bool:
        """Whether the broker was heard in this reign and its session is not over."""
        session = self._sessions.get(broker_id)
        return session is not None and session.is_heard and now_ms < self._expiry_ms(session)

    def epoch_of(self, broker_id: int) -> int:
        """The broker epoch whose session this is; -1 without one."""
        session = self._sessions.get(broker_id)
        return NOTHING if session is None else session.broker_epoch

    def expired(self, image: ClusterImage, now_ms: float) -> tuple[int, ...]:
        """Unfenced brokers whose sessions are over, by id.

        An unfenced broker without a session gets a whole one, from now on.
        """
        found = []
        for broker_id in sorted(image.brokers):
            broker = image.brokers[broker_id]
            if not broker.fenced and now_ms >= self._expiry_ms(self._session(broker, now_ms)):
                found.append(broker_id)
        return tuple(found)

    def next_expiry_ms(self, image: ClusterImage) -> float | None:
        """When the first unfenced broker's session will be over; None without such brokers."""
        times = [
            self._expiry_ms(self._sessions[broker.broker_id])
            for broker in image.brokers.values()
            if not broker.fenced and broker.broker_id in self._sessions
        ]
        return min(times, default=None)

    def may_shut_down(self, broker: BrokerImage, image: ClusterImage) -> bool:
        """Whether every other active broker has applied the records that moved this one's
        leaderships."""
        session = self._sessions.get(broker.broker_id)
        if session is None or session.shutdown_offset is None:
            return False
        return all(
            self.metadata_offset(other.broker_id) >= session.shutdown_offset
            for other in image.active_brokers()
            if other.broker_id != broker.broker_id
        )

    def metadata_offset(self, broker_id: int) -> int:
        """The offset up to which the broker last reported to have applied the metadata; -1 if
        never."""
        session = self._sessions.get(broker_id)
        return NOTHING if session is None else session.metadata_offset

    def _session(self, broker: BrokerImage, now_ms: float) -> _Session:
        session = self._sessions.get(broker.broker_id)
        if session is None or session.broker_epoch != broker.epoch:
            session = _Session(broker.epoch, now_ms, is_heard=False)
            self._sessions[broker.broker_id] = session
        return session

    def _expiry_ms(self, session: _Session) -> float:
        expiry_ms = session.last_contact_ms + self._timeout_ms
        if self._grace_ms and session.lost_since_ms is not None:
            return min(expiry_ms, session.lost_since_ms + self._grace_ms)
        return expiry_ms
