"""Finds out which nodes of the metadata quorum cannot be reached, and why; says so soon, and
rarely.

Nothing else shows that a quorum is missing: votes and fetches are retried for ever without a
message. Since they are retried, no timer is needed here: each attempt is an occasion to look at the
clock.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, NamedTuple

from ...core.ports import Clock

PATIENCE_MS: Final = 2_000.0
"""For so long nothing is said: nodes that start together do not all listen at once."""
REPEAT_MS: Final = 30_000.0
"""A node that stays unreachable is named again after this time, and forgotten if nobody tried
it."""

Address = tuple[str, int]


class _Failing(NamedTuple):
    """A node that does not answer: since when, when it was last tried, and why it failed."""

    since_ms: float
    last_ms: float
    reason: str


class Reachability:
    """Is told how each request to another node of the quorum ended."""

    def __init__(
        self,
        clock: Clock,
        address_of: Callable[[int], Address | None],
        *,
        on_lost: Callable[[str], object],
        on_found: Callable[[str], object],
    ) -> None:
        """`on_lost` is called with nodes that cannot be reached, and why; `on_found` when such a
        node answers again."""
        self._on_lost = on_lost
        self._on_found = on_found
        self._clock = clock
        self._address_of = address_of
        self._failing: dict[int, _Failing] = {}
        self._told: set[int] = set()
        self._told_ms = -REPEAT_MS

    def answered(self, node_id: int) -> None:
        """The node has answered, whatever the answer says."""
        if not self._failing or node_id not in self._failing:
            return
        del self._failing[node_id]
        if node_id in self._told:
            self._told.discard(node_id)
            self._on_found(self._name(node_id))

    def failed(self, node_id: int, reason: str) -> None:
        """The node has not answered."""
        now_ms = self._clock.monotonic_ms()
        self._forget(now_ms)
        before = self._failing.get(node_id)
        self._failing[node_id] = _Failing(before.since_ms if before else now_ms, now_ms, reason)
        late = {each for each, how in self._failing.items() if now_ms - how.since_ms >= PATIENCE_MS}
        if late - self._told or (late and now_ms - self._told_ms >= REPEAT_MS):
            self._told |= late
            self._told_ms = now_ms
            self._on_lost(self.describe())

    def _forget(self, now_ms: float) -> None:
        """Forget nodes that are not tried any more: a leader calls a voter only until that voter
        fetches by itself, so no answer would ever show that it is back."""
        for each, how in list(self._failing.items()):
            if now_ms - how.last_ms > REPEAT_MS:
                del self._failing[each]
                self._told.discard(each)

    def describe(self) -> str:
        """All nodes that do not answer, with the reasons; empty if there are none."""
        return "; ".join(
            f"{self._name(each)}: {how.reason}" for each, how in sorted(self._failing.items())
        )

    def _name(self, node_id: int) -> str:
        """The node as text; nodes that are known by their address alone have negative numbers."""
        address = self._address_of(node_id)
        where = f"{address[0]}:{address[1]}" if address else "an address that is not known"
        return f"node {node_id} at {where}" if node_id >= 0 else where
