"""Gives records to the program: which partition is next, how many, and waiting for more."""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable, Mapping

from ..errors import ClientClosedError, NoOffsetError, NothingAssignedError
from ..structs import ConsumerRecord, TopicPartition
from .positions import PartitionState

log = logging.getLogger("barnabas.client")


class Reading:
    """The program's side of a consumer: takes from what was fetched, partition by partition.

    A partition that was read goes to the end of the order, so that all get their turn.
    """

    def __init__(
        self,
        states: Mapping[TopicPartition, PartitionState],
        when_drained: Callable[[], None],
        expects_more: Callable[[], bool],
        when_waiting: Callable[[bool], None],
    ) -> None:
        self._states = states
        self._when_drained = when_drained
        self._expects_more = expects_more
        """Whether a group may assign partitions yet; raises what ended its membership."""
        self._when_waiting = when_waiting
        """Called before and after the program waits for records."""
        self._order: deque[PartitionState] = deque()
        self._waiters: list[asyncio.Future[None]] = []
        self._is_open = False
        self.current: PartitionState | None = None
        """The partition whose batch is being handed out record by record."""

    def open(self) -> None:
        """The consumer has started: `wait` may be called."""
        self._is_open = True

    def close(self) -> None:
        """The consumer stops: every wait ends with ClientClosedError."""
        self._is_open = False
        self.current = None
        self.notify()

    def assigned(self) -> None:
        """The assignment changed."""
        self._order = deque(self._states.values())
        self.current = None

    def notify(self) -> None:
        """Something arrived, failed or changed: wake everybody in `wait`."""
        waiters, self._waiters = self._waiters, []
        for waiter in waiters:
            if not waiter.done():
                waiter.set_result(None)

    async def wait(self) -> None:
        """Wait for the next notify().

        Raises:
            ClientClosedError: the consumer is not running.
        """
        self._check_open()
        waiter: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        self._waiters.append(waiter)
        await waiter

    def _check_open(self) -> None:
        if not self._is_open:
            raise ClientClosedError("the consumer is not running")

    async def wait_for_records(self) -> None:
        """The same for a program that has dealt with all records that it got so far."""
        self._when_waiting(True)
        try:
            await self.wait()
        finally:
            self._when_waiting(False)

    def take(
        self, partitions: tuple[TopicPartition, ...], limit: int
    ) -> dict[TopicPartition, list[ConsumerRecord]]:
        """Records that are there, of these partitions or of all, at most `limit`.

        Raises:
            NothingAssignedError: no partition is assigned, or one of `partitions` is not.
            ClientClosedError: the consumer is not running.
        """
        self._check_assigned(partitions)
        found: dict[TopicPartition, list[ConsumerRecord]] = {}
        for state in list(self._order):
            if not self._is_asked_for(state, partitions):
                continue
            try:
                rows = self._take_of(state, limit)
            except Exception:
                if found:
                    break  # what came before is handed out first; the error comes again
                raise
            if rows:
                found[state.topic_partition] = rows
                limit -= len(rows)
                self._to_the_end(state)
            if limit <= 0:
                break
        return found

    def _check_assigned(self, partitions: tuple[TopicPartition, ...]) -> None:
        """What is not assigned brings no record, however long one waits; nor does who stopped: what
        it has not handed out yet is another's now."""
        self._check_open()
        expects_more = self._expects_more()
        if not self._states and not expects_more:
            raise NothingAssignedError(
                "nothing to read is assigned: name topics, as Consumer('topic'), or call"
                " subscribe('topic') or assign([TopicPartition('topic', 0)])"
            )
        for each in partitions:
            if each not in self._states:
                raise NothingAssignedError(f"{TopicPartition(*each)} is not assigned")

    def _take_of(self, state: PartitionState, limit: int) -> list[ConsumerRecord]:
        """What one fetch brought of a partition, or the rest of it, up to `limit` records."""
        if not self._fill(state):
            return []
        only = state.buffered[0] if state.buffered else None
        rows = state.take(limit)
        if only is None:
            return rows
        rows = list(rows)
        try:
            while len(rows) < limit and state.fill(only):
                rows += state.take(limit - len(rows))
        except Exception as error:
            # What came before is handed out first; the bad place is fetched again, and raises.
            log.debug("%s: %s", state.topic_partition, error)
        if only not in state.buffered:
            self._when_drained()
        return rows

    async def next_state(self, partitions: tuple[TopicPartition, ...]) -> PartitionState:
        """A partition that has a record to hand out, waiting until there is one.

        Raises:
            NothingAssignedError: as `take`; also when that happens while this waits.
        """
        # One turn for the fetches, however fast the program asks.
        await asyncio.sleep(0)
        while True:
            self._check_assigned(partitions)
            for state in self._order:
                if self._is_asked_for(state, partitions) and self._fill(state):
                    self._to_the_end(state)
                    self.current = None if partitions else state
                    return state
            await self.wait_for_records()

    def _fill(self, state: PartitionState) -> bool:
        """`PartitionState.fill`; an error is raised when all that came before it was read."""
        before = len(state.buffered)
        is_filled = state.fill()
        if len(state.buffered) < before:
            self._when_drained()
        if not is_filled:
            self.tell(state)
        return is_filled

    def tell(self, state: PartitionState) -> None:
        """Raise the error of a partition, if it has one."""
        error = state.error
        if error is None:
            return
        if state.position is not None or not isinstance(error, NoOffsetError):
            state.error = None  # asked for again, which may bring the same error again
            self._when_drained()
        raise error.with_traceback(None)  # one that is raised again and again must not grow

    def _is_asked_for(self, state: PartitionState, partitions: tuple[TopicPartition, ...]) -> bool:
        is_open = not state.is_paused and not state.is_held
        return is_open and (not partitions or state.topic_partition in partitions)

    def _to_the_end(self, state: PartitionState) -> None:
        self._order.remove(state)
        self._order.append(state)
