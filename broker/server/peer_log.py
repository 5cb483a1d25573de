"""Log lines that a peer can cause: at most one a second and address, without its bytes."""

from __future__ import annotations

from collections.abc import Callable

ADDRESSES_MAX = 1024
"""Addresses remembered; the ones that were quiet for longest are forgotten first."""

INTERVAL_MS = 1000.0


class PeerLog:
    """Counts what it leaves out and says so in the next line of that address."""

    __slots__ = ("_last", "_now_ms", "_suppressed", "_write")

    def __init__(self, write: Callable[..., object], now_ms: Callable[[], float]) -> None:
        self._write = write
        self._now_ms = now_ms
        self._last: dict[str, float] = {}
        self._suppressed: dict[str, int] = {}

    def report(self, address: str, event: str, **fields: object) -> None:
        """One line about this address, unless there was one within the last second."""
        now = self._now_ms()
        last = self._last.pop(address, None)
        if last is not None and now - last < INTERVAL_MS:
            self._last[address] = last
            self._suppressed[address] = self._suppressed.get(address, 0) + 1
            return
        while len(self._last) >= ADDRESSES_MAX:
            oldest = next(iter(self._last))
            del self._last[oldest]
            self._suppressed.pop(oldest, None)
        self._last[address] = now
        left_out = self._suppressed.pop(address, 0)
        if left_out:
            fields["not_logged"] = left_out
        self._write(event, client=address, **fields)
