"""That partitions which a cooperative assignment keeps back are granted in the end (CLI-10).

Their owners give them up and join again, and the rebalance that this begins grants them. An owner
that is a static member may lose what it had or start anew instead: it comes back into a stable
group, without a rebalance (GRP-15), and nobody would have what it gave up. So the member that leads
has the group assigned anew when that has not happened in a rebalance's time. A static leader that
started anew itself does not know whether anything is kept back, and takes it that something is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable


class SecondRound:
    """One generation's; used by the member that leads it."""

    def __init__(self, wait_s: float, rejoin: Callable[[str], None]) -> None:
        """`wait_s`: the time in which members join again; `rejoin` begins a rebalance."""
        self._wait_s = wait_s
        self._rejoin = rejoin
        self._timer: asyncio.TimerHandle | None = None

    def begun(self, *, is_last: bool) -> None:
        """The generation begins; `is_last`: every partition is somebody's."""
        self.ended()
        if not is_last:
            loop = asyncio.get_running_loop()
            self._timer = loop.call_later(self._wait_s, self._late)

    def ended(self) -> None:
        """The generation is over, or the membership."""
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None

    def _late(self) -> None:
        self._timer = None
        self._rejoin("partitions were kept back, and their owners have not joined again")
