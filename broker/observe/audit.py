"""The audit: a JSON line for each login, and for what is refused or changes rights (SEC-06).

It is a log of its own, on standard error like the node's, with `"log": "audit"` in each line. Texts
that clients made are cut, and JSON escapes what could break a line. A client that is refused again
and again fills a line a second at most; how many were left out stands in the next one.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Final

from .logging import Logger

TEXT_MAX: Final = 256
"""Characters of a client's text that are written."""

WINDOW_MS: Final = 60_000.0
KEYS_MAX: Final = 10_000
"""Principals (or addresses), APIs and outcomes that are counted at one time."""

Fields = Mapping[str, object]

Key = tuple[str, str, str]
"""Principal or address, API, outcome."""


class Audit:
    """Writes lines until too many are alike, then counts."""

    __slots__ = ("_counts", "_left_out", "_log", "_max", "_now_ms", "_window_ends_ms")

    def __init__(self, log: Logger, now_ms: Callable[[], float], max_lines: int) -> None:
        """`max_lines`: those of one principal, API and outcome in a minute."""
        self._log = log
        self._now_ms = now_ms
        self._max = max_lines
        self._window_ends_ms = now_ms() + WINDOW_MS
        self._counts: dict[Key, int] = {}
        self._left_out: dict[Key, int] = {}

    def write(
        self,
        principal: str,
        api: str,
        outcome: str,
        fields_of: Callable[[], Fields],
        *,
        counted_as: str | None = None,
    ) -> None:
        """Write a line, or count it if there were enough of its kind in this minute.

        `fields_of` says what else stands in the line, and is asked only if there is one. Lines are
        counted by `counted_as`, where the principal says nothing of who is behind them.
        """
        key = (cut(counted_as or principal), api, outcome)
        if self._now_ms() >= self._window_ends_ms:
            self._next_window()
        if key not in self._counts and len(self._counts) >= KEYS_MAX:
            key = ("(others)", api, outcome)
        count = self._counts.get(key, 0)
        self._counts[key] = count + 1
        if count >= self._max:
            return
        fields = fields_of()
        shown = {name: cut(one) if isinstance(one, str) else one for name, one in fields.items()}
        if left_out := self._left_out.pop(key, 0):
            shown["left_out"] = left_out
        self._log.info(outcome, principal=cut(principal), api=api, **shown)

    def _next_window(self) -> None:
        self._window_ends_ms = self._now_ms() + WINDOW_MS
        self._left_out = {
            key: count - self._max for key, count in self._counts.items() if count > self._max
        }
        self._counts.clear()


def cut(text: str) -> str:
    """The beginning of a client's text, with a mark where it was cut."""
    return text if len(text) <= TEXT_MAX else text[:TEXT_MAX] + "…"
