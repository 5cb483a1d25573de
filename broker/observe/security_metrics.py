"""What a node counts of logins, rights and throttles, by Kafka's names where it has some (SEC-07).

Sums since the start, times in milliseconds. Mechanisms and listeners are those of the settings, so
that nobody can make up a name.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from .histogram import Histogram

BY_TLS: Final = "TLS"
"""In the place of a mechanism: the handshake of a listener with TLS."""

PRODUCE: Final = "Produce"
FETCH: Final = "Fetch"
REQUEST: Final = "Request"
CONTROLLER_MUTATION: Final = "ControllerMutation"
ARRIVAL: Final = "socket-server-metrics.connection-accept"
ARRIVAL_OF_ADDRESS: Final = "socket-server-metrics.ip-connection-accept"

_THROTTLES: Final = (PRODUCE, FETCH, REQUEST, CONTROLLER_MUTATION, ARRIVAL, ARRIVAL_OF_ADDRESS)
_HANDSHAKE_BOUNDS_MS: Final = (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000, 2000, 5000)


class LoginFigures:
    """Of one listener."""

    __slots__ = ("_ends", "_listener", "expired", "handshake_ms")

    def __init__(self, listener: str) -> None:
        self._listener = listener
        self._ends: Counter[tuple[str, str]] = Counter()
        self.expired = 0
        """Connections closed since their login was not renewed in its time (KIP-368)."""
        self.handshake_ms = Histogram(_HANDSHAKE_BOUNDS_MS)
        """Of those that came about."""

    def ended(self, mechanism: str, *, has_failed: bool, is_renewal: bool = False) -> None:
        """A login succeeded or failed; `mechanism` is empty if none was chosen."""
        outcome = "failed" if has_failed else "successful"
        what = "reauthentication" if is_renewal else "authentication"
        self._ends[f"{outcome}-{what}-total", mechanism or "none"] += 1

    def snapshot(self) -> dict[str, float]:
        """All figures of now by name."""
        listener, handshakes = self._listener, self.handshake_ms
        figures: dict[str, float] = {
            f"socket-server-metrics.{name}.{listener}.{mechanism}": count
            for (name, mechanism), count in sorted(self._ends.items())
        }
        figures[f"socket-server-metrics.expired-connections-killed-count.{listener}"] = self.expired
        if handshakes.total:
            name = f"socket-server-metrics.handshake-time-ms.{listener}"
            figures[f"{name}.p50"] = handshakes.quantile(0.5)
            figures[f"{name}.p99"] = handshakes.quantile(0.99)
            figures[f"{name}.max"] = handshakes.largest
        return figures


class Throttles:
    """For how long clients had to wait, by the kind of quota."""

    __slots__ = ("_counts", "_longest", "_sums")

    def __init__(self) -> None:
        self._counts: dict[str, int] = dict.fromkeys(_THROTTLES, 0)
        self._sums: dict[str, float] = dict.fromkeys(_THROTTLES, 0.0)
        self._longest: dict[str, float] = dict.fromkeys(_THROTTLES, 0.0)

    def note(self, kind: str, delay_ms: float) -> None:
        """Somebody must wait for so long."""
        self._counts[kind] += 1
        self._sums[kind] += delay_ms
        self._longest[kind] = max(self._longest[kind], delay_ms)

    def snapshot(self) -> dict[str, float]:
        """How often, for how long together, and the longest time, of each kind."""
        figures: dict[str, float] = {}
        for kind, count in self._counts.items():
            join = "-" if "." in kind else "."  # Kafka has a group of its own for each other kind
            name = f"{kind}{join}throttle-time"
            figures[f"{name}.count"] = count
            figures[f"{name}.sum"] = self._sums[kind]
            figures[f"{name}.max"] = self._longest[kind]
        return figures
