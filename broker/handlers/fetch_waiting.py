"""A fetch that waits: for bytes, for news of its partitions, or for its deadline (74-02).

A consumer is woken by the watermark, a follower by the append. A follower's fetch that comes to its
deadline looks at every partition of which the watermark moved, so that its answer tells the present
one; with a replica selector it does not wait for the deadline (392-12).
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from .waiting import Late, Waiting

if TYPE_CHECKING:
    from ..core.replication.partition import Partition
    from .context import Cancellable
    from .fetch_reading import Reading


class ParkedFetch(Waiting[Late]):
    """A fetch that waits for bytes, for a change of its partitions, or for its deadline."""

    __slots__ = ("_has_change", "_missing", "_reading", "_watermark_timer")

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self._reading = reading
        self._has_change = False
        self._watermark_timer: Cancellable | None = None
        self._begin()

    def _begin(self) -> None:
        """Wait: what there is was read, and it is not enough."""
        reading = self._reading
        self._wait_for_more()
        for partition in reading.places:
            partition.park(self, is_follower=reading.reader.is_follower)
        self.wait_at_most(reading.node, reading.max_wait_ms)
        self._tell_watermark_in_time()

    def on_bytes(self, partition: Partition, size: int) -> None:
        """More has become readable: enough is worth another look."""
        self._reading.note_news(partition)
        self._missing -= size
        if self._missing <= 0:
            self._reading.node.wakeups.add(self)

    def on_high_watermark(self, partition: Partition) -> None:
        """The watermark moved: a follower hears of it with its next answer, or soon (392-12)."""
        reading = self._reading
        reading.note_news(partition)
        if reading.node.replicas.selector is not None:
            reading.node.wakeups.add(self)

    def on_change(self, partition: Partition) -> None:
        """A partition went away or changed its leader: answer with what there is."""
        self._reading.note_news(partition)
        self._has_change = True
        self._reading.node.wakeups.add(self)

    def wake_up(self) -> None:
        if self.is_done:
            return
        reading = self._reading
        reading.look_again()
        if reading.has_enough or self._has_change:
            self.finish(reading)
            return
        # Read-committed readers see less than was appended.
        self._wait_for_more()
        self._tell_watermark_in_time()

    def _wait_for_more(self) -> None:
        reading = self._reading
        self._missing = max(reading.min_bytes - reading.size, 1)
        reading.put_down()

    def _tell_watermark_in_time(self) -> None:
        follower = self._reading.follower
        if follower is None or not follower.has_watermark_news or self._watermark_timer is not None:
            return
        due_ms = follower.watermark_due_ms()
        if due_ms <= 0:
            self.finish(self._reading)
        else:
            self._watermark_timer = self._reading.node.call_later(due_ms, self._tell_watermark)

    def _tell_watermark(self) -> None:
        self._watermark_timer = None
        self.finish(self._reading)

    def on_timeout(self) -> None:
        self.finish(self._reading)

    def on_end(self) -> None:
        if self._watermark_timer is not None:
            self._watermark_timer.cancel()
            self._watermark_timer = None
        for partition in self._reading.places:
            partition.unpark(self)
        if self._reading.follower is not None:
            self._reading.follower.end()
