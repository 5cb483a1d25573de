"""A follower's fetch with KIP-501 on: the disk is read off the event loop, and watched (501-10).

What the fetch needs is first read by `ReplicaStore.read_ahead`, on a thread, which leaves it in the
page cache; then it is read as always. While a disk stands still the loop goes on: the watchdog of
`FollowerFetch` asks for another leader, and the follower stays in sync, for its fetch is pending. A
deadline that comes meanwhile is kept when the disk has answered.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .fetch_waiting import ParkedFetch
from .waiting import at_once

if TYPE_CHECKING:
    from ..core.log.segmented_log import Stretch
    from .fetch_reading import Reading


class CarefulFetch(ParkedFetch):
    """A parked fetch that looks at the log only when the disk has answered."""

    __slots__ = ("_is_late", "_is_read", "_is_reading")

    def __init__(self, reading: Reading, *, is_read: bool) -> None:
        """`is_read`: all partitions were read once, and there is not enough."""
        self._is_read = is_read
        self._is_reading = False
        self._is_late = False
        super().__init__(reading)

    def _begin(self) -> None:
        if self._is_read:
            super()._begin()
        else:
            self._look()

    def wake_up(self) -> None:
        if not self.is_done and not self._is_reading:
            self._look()

    def _look(self) -> None:
        stretches = self._stretches()
        follower, read_ahead = self._reading.follower, self._reading.node.replicas.read_ahead
        if not stretches or follower is None or read_ahead is None:
            self._on_read()
            return
        self._is_reading = True
        follower.begin_work()
        read_ahead(stretches, self._on_read)

    def _stretches(self) -> list[Stretch]:
        follower = self._reading.follower
        return [] if follower is None else follower.stretches()

    def _on_read(self) -> None:
        self._is_reading = False
        if self.is_done:
            return
        reading, follower = self._reading, self._reading.follower
        if self._is_read:
            super().wake_up()
        else:
            self._is_read = True
            at_once(reading.read())
            if reading.may_answer_now:
                self.finish(reading)
            else:
                super()._begin()
        if follower is not None and not self.is_done:
            follower.end_work()
        if self._is_late:
            self.finish(reading)

    def on_timeout(self) -> None:
        if self._is_reading:
            self._is_late = True
        else:
            super().on_timeout()

    def _tell_watermark(self) -> None:
        if self._is_reading:
            self._is_late = True
        else:
            super()._tell_watermark()
