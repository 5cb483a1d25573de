"""When heartbeats are due, and why a session ended: did the broker die, or did our own loop stand
still?

A heartbeat that is sent late says how long the event loop was blocked by the program. The time is
always given, in milliseconds of any clock that never goes back.
"""

from __future__ import annotations

from ..errors import CoordinatorSilentError, EventLoopBlockedError, MembershipLostError


class Heartbeats:
    """The clock of one membership."""

    def __init__(self, interval_ms: int, session_ms: int, now_ms: float) -> None:
        self.interval_ms = interval_ms
        self.session_ms = session_ms
        self._due_ms = now_ms + interval_ms
        self._answered_ms = now_ms
        self.lag_ms = 0.0
        """By how much the last wake-up was late."""
        self.worst_lag_ms = 0.0
        """The largest of these since the last answer."""

    def restarted(self, now_ms: float) -> None:
        """The session begins anew: the member has just joined."""
        self.answered(now_ms)
        self._due_ms = now_ms + self.interval_ms

    def wait_ms(self, now_ms: float) -> float:
        """How long to wait for the next heartbeat."""
        return max(0.0, self._due_ms - now_ms)

    def woke(self, now_ms: float) -> None:
        """The wait is over: by how much too late?"""
        self.lag_ms = max(0.0, now_ms - self._due_ms)
        self.worst_lag_ms = max(self.worst_lag_ms, self.lag_ms)
        self._due_ms = now_ms + self.interval_ms

    def lagged(self, lag_ms: float) -> None:
        """The event loop was late by so much, by another clock than that of heartbeats: one of them
        may have been under way all the while."""
        self.lag_ms = lag_ms
        self.worst_lag_ms = max(self.worst_lag_ms, lag_ms)

    def retry_in(self, wait_ms: float, now_ms: float) -> None:
        """The last one had no answer: the next is due earlier."""
        self._due_ms = min(self._due_ms, now_ms + wait_ms)

    def at_once(self, now_ms: float) -> None:
        """There is something to tell: the next one is due now."""
        self._due_ms = min(self._due_ms, now_ms)

    def answered(self, now_ms: float) -> None:
        """The coordinator answered: the session goes on."""
        self._answered_ms = now_ms
        self.worst_lag_ms = 0.0

    def is_over(self, now_ms: float) -> bool:
        """Whether the coordinator must take this member for dead by now."""
        return now_ms - self._answered_ms > self.session_ms

    def was_blocked(self) -> bool:
        """Whether the loop stood still so long that the session ended by that alone."""
        return self.worst_lag_ms + self.interval_ms > self.session_ms

    def cause(self, now_ms: float) -> MembershipLostError:
        """Why the session ended, as far as this side can tell."""
        silent_ms = now_ms - self._answered_ms
        if self.was_blocked():
            return EventLoopBlockedError(
                f"the event loop stood still for {self.worst_lag_ms / 1000:.1f} s, and the session"
                f" lasts {self.session_ms / 1000:g} s: blocking work belongs in a thread"
            )
        if self.is_over(now_ms):
            return CoordinatorSilentError(
                f"no heartbeat was answered for {silent_ms / 1000:.1f} s, and the session lasts"
                f" {self.session_ms / 1000:g} s"
            )
        return MembershipLostError("the coordinator does not know this member any more")


class PollClock:
    """When the program last asked for records (`max_poll_interval_ms`)."""

    def __init__(self, interval_ms: int, now_ms: float) -> None:
        self.interval_ms = interval_ms
        self._polled_ms = now_ms
        self._waiting = 0

    def polled(self, now_ms: float) -> None:
        """The program asks for records."""
        self._polled_ms = now_ms

    def began(self, now_ms: float) -> None:
        """The program waits for records, which is as good as asking all the time."""
        self._polled_ms = now_ms
        self._waiting += 1

    def ended(self, now_ms: float) -> None:
        """The program waits no more."""
        self._polled_ms = now_ms
        self._waiting -= 1

    @property
    def is_waiting(self) -> bool:
        """Whether the program is waiting for records."""
        return self._waiting > 0

    def left_ms(self, now_ms: float) -> float:
        """How long the program may still take; 0 when its time is over."""
        if self._waiting:
            return float(self.interval_ms)
        return max(0.0, self._polled_ms + self.interval_ms - now_ms)
