"""The heartbeats of one membership on the loop's clock, and what their silence says."""

from __future__ import annotations

import asyncio
import logging

from ..config import ConsumerConfig
from ..errors import ClientError, PollIntervalExceededError
from .health import Health
from .heartbeats import Heartbeats
from .values import GroupState
from .waiting import LoopLag

log = logging.getLogger("barnabas.client")


class Pulse:
    """`beats` with the loop's time, the loop's lateness measured, the health told of both."""

    def __init__(self, interval_ms: int, config: ConsumerConfig, health: Health) -> None:
        self._loop = asyncio.get_running_loop()
        self._health = health
        self._poll_limit_s = config.max_poll_interval_ms / 1000
        self.beats = Heartbeats(interval_ms, config.session_timeout_ms, self.now_ms())
        self._lag = LoopLag(interval_ms / 1000, self._lagged)

    def now_ms(self) -> float:
        """The loop's time in milliseconds."""
        return self._loop.time() * 1000

    def start(self) -> None:
        """Measure the loop's lateness until stop()."""
        self._lag.start()

    def stop(self) -> None:
        """Measure no more."""
        self._lag.stop()

    def _lagged(self, lag_ms: float) -> None:
        self.beats.lagged(lag_ms)
        self._health.lag(lag_ms)

    def unanswered(self, error: ClientError, wait_ms: float) -> None:
        """A heartbeat had no answer: the next is due after `wait_ms`; silence for as long as a
        session lasts means that others may have the partitions by now."""
        now = self.now_ms()
        self.beats.retry_in(wait_ms, now)
        if self.beats.is_over(now):
            self._health.set(GroupState.FENCED, self.beats.cause(now))
        else:
            self._health.note(error)

    def program_is_silent(self, group_id: str) -> PollIntervalExceededError:
        """The program has asked for no record for too long: the reason, which is logged."""
        limit = f"{self._poll_limit_s:g} s (max_poll_interval_ms)"
        error = PollIntervalExceededError(f"the program asked for no record for {limit}")
        log.warning("group %s: %s", group_id, error)
        return error
