"""A fetch that waits: for bytes, for news of its partitions, or for its deadline (74-02).

A consumer is woken by the watermark, a follower by the append. At its deadline a follower's fetch
looks again at every partition whose watermark moved, so that its answer has the present one; with a
replica selector it does not wait for the deadline (392-12).

A fetch that needs the disk waits too, for a thread that reads (501-10). Nothing else ends that
wait, not even the deadline: a follower's fetch is pending until it has its answer.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Final

from ...core.reads import Planned, Steps, attempt
from ...core.replication.partition import Partition
from ...core.replication.resting_session import FetchTarget
from ...serving.context import BrokerServices
from ...serving.waiting import Cancellable, Late, Waiting
from .answer import FetchAnswer
from .session import enter_session, leave_session, take_in

ROW_WEIGHT: Final = 500
"""What a fetch that waits holds for one partition: its row, where it waits, what was asked."""


class ParkedFetch(Waiting[Late]):
    """A fetch that waits for bytes, for a change of its partitions, or for its deadline."""

    __slots__ = (
        "_fetch",
        "_is_due",
        "_is_loading",
        "_missing",
        "_node",
        "_reading",
        "_watermark_timer",
    )

    def __init__(
        self,
        node: BrokerServices,
        fetch: FetchAnswer,
        steps: Steps[None] | None = None,
        stopped_at: Planned | None = None,
        *,
        took_turns: bool = False,
    ) -> None:
        """`steps`: the first read, if it `stopped_at` something that must be waited for; else that
        read is complete. `took_turns`: others had their turn during it."""
        super().__init__()
        self._node = node
        self._fetch = fetch
        self._reading = fetch.reading
        self._missing = 0  # bytes
        self._is_due = False
        self._is_loading = False
        self._watermark_timer: Cancellable | None = None
        if steps is None or stopped_at is None:
            self._begin()
            if took_turns:
                self._look_for_changes()
        else:
            self._load(stopped_at, steps, self._on_first_look)

    @property
    def weight(self) -> int:
        return len(self._reading.found.rows) * ROW_WEIGHT

    def _on_first_look(self) -> None:
        if self._reading.may_answer_now:
            self.finish(self._fetch)
        else:
            self._begin()
            self._look_for_changes()

    def _begin(self) -> None:
        """Wait at the partitions: everything that is there was read, and it is not enough."""
        reading = self._reading
        asked, found = reading.asked, reading.found
        if enter_session(reading, self):
            self._node.wakeups.add(self)
        self._wait_for_more()
        for partition, place in found.places.items():
            partition.waiters.park(self, place, is_follower=asked.reader.is_follower)
        self.wait_at_most(self._node, asked.max_wait_ms)
        self._tell_watermark_in_time()

    def _look_for_changes(self) -> None:
        """Of what has happened to partitions since they were read, nobody told this fetch."""
        reading, found = self._reading, self._reading.found
        for partition, place in found.places.items():
            if reading.is_outdated(partition, place):
                found.news[place] = None
                self._node.wakeups.add(self)

    def on_rest_ended(self, partition: Partition, target: FetchTarget) -> None:
        """A partition of the session that rested has news: wait there too."""
        place = take_in(self._reading, partition, target)
        is_follower = self._reading.asked.reader.is_follower
        partition.waiters.park(self, place, is_follower=is_follower)

    def on_bytes(self, place: int, size: int) -> None:
        """More has become readable; when it is enough, look again."""
        self._reading.found.news[place] = None
        self._missing -= size
        if self._missing <= 0:
            self._node.wakeups.add(self)

    def on_high_watermark(self, place: int) -> None:
        """The watermark moved: a follower is told with its next answer, or soon (392-12)."""
        self._reading.found.news[place] = None
        if self._node.replicas.selector is not None:
            self._node.wakeups.add(self)

    def on_change(self, place: int) -> None:
        """A partition went away or changed its leader: answer now, with what there is."""
        self._reading.found.news[place] = None
        self._is_due = True
        self._node.wakeups.add(self)

    def wake_up(self) -> None:
        if not self.is_done and not self._is_loading:
            self._look(self._reading.look_again(), self._on_look)

    def _look(self, steps: Steps[None], then: Callable[[], object], given: object = None) -> None:
        """Go through the steps, waiting for the disk if that is needed; then call `then`.

        `given`: what the read gave, or raised, for which they stopped before.
        """
        follower = self._reading.follower
        if follower is not None:
            follower.begin_work()
        missing = attempt(steps, given)
        if isinstance(missing, Planned):
            self._load(missing, steps, then)
            return
        if follower is not None:
            follower.end_work()
        then()

    def _load(self, missing: Planned, steps: Steps[None], then: Callable[[], object]) -> None:
        self._is_loading = True
        self._node.load(missing, partial(self._on_loaded, steps, then))

    def _on_loaded(self, steps: Steps[None], then: Callable[[], object], given: object) -> None:
        self._is_loading = False
        if not self.is_done:
            self._look(steps, then, given)

    def _on_look(self) -> None:
        if self._reading.has_enough or self._is_due:
            self.finish(self._fetch)
            return
        # Appended bytes woke this fetch, but a read-committed reader may see fewer of them.
        self._wait_for_more()
        self._tell_watermark_in_time()

    def _wait_for_more(self) -> None:
        found = self._reading.found
        self._missing = max(self._reading.asked.min_bytes - found.size, 1)
        found.release()

    def _tell_watermark_in_time(self) -> None:
        follower = self._reading.follower
        if follower is None or not follower.has_watermark_news or self._watermark_timer is not None:
            return
        due_ms = follower.watermark_due_ms()
        if due_ms <= 0:
            self._end_wait()
        else:
            self._watermark_timer = self._node.call_later(due_ms, self._tell_watermark)

    def _tell_watermark(self) -> None:
        self._watermark_timer = None
        self._end_wait()

    def on_timeout(self) -> None:
        self._end_wait()

    def _end_wait(self) -> None:
        self._is_due = True
        self.wake_up()

    def on_end(self) -> None:
        if self._watermark_timer is not None:
            self._watermark_timer.cancel()
            self._watermark_timer = None
        leave_session(self._reading, self)
        for partition in self._reading.found.places:
            partition.waiters.unpark(self)
        if self._reading.follower is not None:
            self._reading.follower.end()
