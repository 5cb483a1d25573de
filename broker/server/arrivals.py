"""New connections: how fast they may come, from everywhere and from one address (KIP-612, QTA-16).

- `max.connection.creation.rate`: who comes too fast is accepted and served later, each as much
  later as the rate says. The listener of brokers is exempt from the node's rate if there is another
  one. A listener may have a rate of its own, which holds beside the node's.
- A quota of an address: who is over it is held for the throttle time, then closed unanswered.
"""

from __future__ import annotations

import asyncio
from typing import Final

from ..core.config.broker import BrokerConfig
from ..core.config.field import INT_MAX
from ..core.config.listeners import canonical, own_values
from ..core.ports import Clock
from ..core.quotas.rate import Rate, Window
from ..observe.security_metrics import ARRIVAL, ARRIVAL_OF_ADDRESS
from ..serving.client_quotas import ClientQuotas
from .connection import Connection

_NODE: Final = ""
"""Of all listeners together."""


class Arrivals:
    """Judges the new connections of a node."""

    __slots__ = ("_clock", "_limits", "_loop", "_quotas", "_rates", "_window", "exempt")

    def __init__(
        self, config: BrokerConfig, clock: Clock, quotas: ClientQuotas, exempt: str | None
    ) -> None:
        """`exempt`: the listener of brokers, if clients have another."""
        self._clock = clock
        self._quotas = quotas
        self._window = Window(config.quota_window_num, config.quota_window_size_seconds * 1000.0)
        self._limits: dict[str, int] = {}
        self._rates: dict[str, Rate] = {}
        self._loop = asyncio.get_running_loop()
        self.exempt = exempt
        self.obey(config)

    def obey(self, config: BrokerConfig) -> None:
        """Take the rates of this configuration; what was counted before still counts."""
        self._limits = own_values(config, "max_connection_creation_rate")
        self._limits[_NODE] = config.max_connection_creation_rate
        known = self._rates
        self._rates = {
            scope: known.get(scope) or Rate()
            for scope, most in self._limits.items()
            if most < INT_MAX
        }

    def begin(self, connection: Connection) -> None:
        """A connection was made, and there is room for it."""
        quotas = self._quotas
        if quotas.counts_connections:
            delay_ms = quotas.connection_throttle_ms(connection.client_host)
            if delay_ms:
                quotas.throttles.note(ARRIVAL_OF_ADDRESS, delay_ms)
                connection.link.mute_from_start(2 * delay_ms)  # it is closed before that
                reason = "connection_creation_rate of its address is exceeded"
                self._loop.call_later(delay_ms / 1000.0, connection.close, reason)
                return
        name = connection.listener_name
        delay_ms = self._delay_ms(canonical(name))
        if name != self.exempt:
            delay_ms = max(delay_ms, self._delay_ms(_NODE))
        if delay_ms:
            quotas.throttles.note(ARRIVAL, delay_ms)
            connection.link.mute_from_start(delay_ms)

    def _delay_ms(self, scope: str) -> int:
        """How much later a connection is served that is counted here."""
        rate = self._rates.get(scope)
        if rate is None:
            return 0
        now = self._clock.monotonic_ms()
        rate.record(1, now, self._window)
        return rate.throttle_ms(self._limits[scope], now, self._window)
