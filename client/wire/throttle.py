"""Waits that brokers ask for because of a quota (KIP-219)."""

from __future__ import annotations

import dataclasses


@dataclasses.dataclass(slots=True)
class ThrottleTimes:
    """How often brokers have told this client to wait, and for how long, in milliseconds."""

    count: int = 0
    last_ms: int = 0
    total_ms: int = 0

    def add(self, throttle_ms: int) -> None:
        """Note that an answer asked the client to wait for this long."""
        self.count += 1
        self.last_ms = throttle_ms
        self.total_ms += throttle_ms
