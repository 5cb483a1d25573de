"""New connections: how fast they may come, from everywhere and from one address (KIP-612, QTA-16).

- `max.connection.creation.rate`: who comes too fast is accepted and served later, each as much
  later as the rate says. The listener of brokers is exempt if there is another one.
- A quota of an address: who is over it is held for the throttle time, then closed unanswered.
"""

from __future__ import annotations

import asyncio

from ..core.config.broker import BrokerConfig
from ..core.config.field import INT_MAX
from ..core.ports import Clock
from ..core.quotas.rate import Rate, Window
from ..serving.client_quotas import ClientQuotas
from .connection import Connection


class Arrivals:
    """Judges the new connections of a node."""

    __slots__ = ("_clock", "_limit", "_loop", "_quotas", "_rate", "_window", "exempt")

    def __init__(
        self, config: BrokerConfig, clock: Clock, quotas: ClientQuotas, exempt: str | None
    ) -> None:
        """`exempt`: the listener of brokers, if clients have another."""
        self._clock = clock
        self._quotas = quotas
        self._limit = config.max_connection_creation_rate
        self._window = Window(config.quota_window_num, config.quota_window_size_seconds * 1000.0)
        self._rate = Rate()
        self._loop = asyncio.get_running_loop()
        self.exempt = exempt

    def begin(self, connection: Connection) -> None:
        """A connection was made, and there is room for it."""
        quotas = self._quotas
        if quotas.counts_connections:
            delay_ms = quotas.connection_throttle_ms(connection.client_host)
            if delay_ms:
                connection.mute_from_start(2 * delay_ms)  # it is closed before that
                reason = "connection_creation_rate of its address is exceeded"
                self._loop.call_later(delay_ms / 1000.0, connection.close, reason)
                return
        if self._limit < INT_MAX and connection.listener_name != self.exempt:
            now = self._clock.monotonic_ms()
            self._rate.record(1, now, self._window)
            delay_ms = self._rate.throttle_ms(self._limit, now, self._window)
            if delay_ms:
                connection.mute_from_start(delay_ms)
