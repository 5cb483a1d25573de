"""The consumer: reads topics, or partitions that the program chooses, from where it chooses.

    async with Consumer("flights", auto_offset_reset="earliest") as consumer:
        async for record in consumer:
            print(record.offset, record.value)

There are no consumer groups: each consumer of a topic reads all of its partitions.

Records are fetched ahead while the program works. A position moves when its record is handed out,
never when it is fetched.
"""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator, Iterable, Mapping
from types import TracebackType
from typing import Self, Unpack

from ..config import ConsumerConfig, chosen_config
from ..errors import ClientTimeoutError, ConfigurationError
from ..options import ConsumerOptions
from ..structs import (
    ConsumerRecord,
    OffsetAndTimestamp,
    PositionEvent,
    PositionReset,
    ReplicaBytes,
    TopicPartition,
)
from ..wire.cluster import Cluster
from ..wire.offsets import EARLIEST, LATEST, list_offsets
from . import ranges
from .columns import RecordColumns
from .fetcher import Fetcher
from .positions import PartitionState
from .reading import Reading
from .subscription import Subscription, checked_partitions, partitions_of


class Consumer:
    """Reads topics or single partitions. Used from one task at a time.

    `topics` are read whole, as by `subscribe`; without any, `assign` chooses partitions.
    """

    def __init__(
        self, *topics: str, config: ConsumerConfig | None = None, **options: Unpack[ConsumerOptions]
    ) -> None:
        self._config = chosen_config(ConsumerConfig, config, options)
        self._cluster = Cluster(self._config)
        self._subscription = Subscription(self._cluster, topics, self._replace)
        self._states: dict[TopicPartition, PartitionState] = {}
        self._reading = Reading(self._states, self._moved)
        self._fetcher: Fetcher | None = None

    # ------------------------------------------------------------ start and stop

    async def start(self) -> None:
        """Connect and learn the cluster.

        Raises:
            NotABrokerError, BootstrapError: no broker of the list answers.
            UnknownTopicOrPartitionError: there is no topic of a name that this consumer was given.
        """
        await self._cluster.start()
        self._reading.open()
        self._fetcher = Fetcher(self._cluster, self._config, self._states, self._reading.notify)
        try:
            await self._subscription.resolve()
        except BaseException:
            await self.stop()
            raise
        self._assigned()

    async def stop(self) -> None:
        """Stop fetching and disconnect; whoever waits for records gets ClientClosedError."""
        fetcher, self._fetcher = self._fetcher, None
        if fetcher is not None:
            await fetcher.close()
        self._reading.close()
        await self._cluster.close()

    async def __aenter__(self) -> Self:
        await self.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.stop()

    # ------------------------------------------------------------ what to read

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Read exactly these partitions; those that were assigned before keep their positions.

        Raises:
            TypeError: something that is no (topic, number).
        """
        wanted = checked_partitions(partitions)
        self._subscription.clear()
        self._replace(wanted, False)

    def _replace(self, wanted: Iterable[TopicPartition], from_beginning: bool) -> None:
        before, wanted = set(self._states), dict.fromkeys(wanted)
        if from_beginning and before == set(wanted):
            return
        for key in before.difference(wanted):
            del self._states[key]
        for key in wanted:
            if key not in before:
                self._states[key] = PartitionState(key)
                if from_beginning:
                    self._states[key].reset(EARLIEST, None)
        self._assigned()

    def _assigned(self) -> None:
        self._reading.assigned()
        self._cluster.track(each.topic for each in self._states)
        if self._fetcher is None:
            return
        for state in self._states.values():
            if state.position is None and state.reset_to is None and state.error is None:
                self._fetcher.resets.first_position(state)
        unknown = {each.topic for each in self._states} - set(self._cluster.metadata.topics)
        if unknown:
            self._cluster.refresh_soon()
        self._fetcher.wake()
        self._reading.notify()

    def unassign(self) -> None:
        """Read nothing any more."""
        self.assign(())

    def assignment(self) -> set[TopicPartition]:
        """The partitions that are read."""
        return set(self._states)

    def subscribe(self, *topics: str | Iterable[str]) -> None:
        """Read all partitions of these topics, also those that a topic gets later; instead of
        what was read before. The partitions are looked up by what reads next.

        Without groups nobody shares them, and `auto_offset_reset` says where each one begins;
        one that a topic gets later begins at its first record.
        """
        self._subscription.choose(topics)
        self._reading.current = None

    async def all_partitions(self, *topics: str) -> list[TopicPartition]:
        """Every partition of the topics, ready for assign()."""
        return await partitions_of(self._cluster, topics)

    async def partitions_for_topic(self, topic: str) -> set[int]:
        """Numbers of the partitions of a topic.

        Raises:
            UnknownTopicOrPartitionError: there is no such topic.
        """
        return set((await self._cluster.topic(topic)).partitions)

    # ------------------------------------------------------------ where to read

    def seek(self, partition: TopicPartition, offset: int, leader_epoch: int | None = None) -> None:
        """Go on at an offset; what was fetched already is dropped.

        With the leader epoch of the record before it (`ConsumerRecord.leader_epoch`), the offset is
        first looked for in the leader's log, so that a truncation is noticed (KIP-320).
        """
        if offset < 0:
            raise ConfigurationError(f"offset {offset}: use seek_to_beginning or seek_to_end")
        state = self._state(partition)
        state.seek(offset, -1 if leader_epoch is None else leader_epoch)
        state.topic_id = None
        self._moved()

    async def seek_to_beginning(self, *partitions: TopicPartition) -> None:
        """Go on at the first record that is left, of these partitions or of all."""
        await self._subscription.resolve()
        self._reset(partitions, EARLIEST)

    async def seek_to_end(self, *partitions: TopicPartition) -> None:
        """Go on with what comes next, in these partitions or in all."""
        await self._subscription.resolve()
        self._reset(partitions, LATEST)

    def _reset(self, partitions: tuple[TopicPartition, ...], to: int) -> None:
        for key in partitions or tuple(self._states):
            self._state(key).reset(to, None)
        self._moved()

    def _moved(self) -> None:
        if self._fetcher is not None:
            self._fetcher.wake()

    async def position(self, partition: TopicPartition) -> int:
        """The offset of the record that comes next.

        Raises:
            NoOffsetError: there is none and `auto_offset_reset` is none.
            ClientTimeoutError: it could not be looked up in `default_api_timeout_ms`.
        """
        await self._subscription.resolve()
        state = self._state(partition)
        try:
            async with asyncio.timeout(self._config.default_api_timeout_ms / 1000):
                while state.position is None or state.reset_to is not None:
                    if state.error is not None:
                        raise state.error
                    await self._reading.wait()
        except TimeoutError as error:
            if isinstance(error, ClientTimeoutError):
                raise
            raise ClientTimeoutError(f"{partition}: no position yet") from error
        return state.position

    def pause(self, *partitions: TopicPartition) -> None:
        """Hand out nothing of these partitions, and fetch nothing more, until resume()."""
        for key in partitions:
            self._state(key).is_paused = True
        self._reading.current = None

    def resume(self, *partitions: TopicPartition) -> None:
        """End a pause."""
        for key in partitions:
            self._state(key).is_paused = False
        self._moved()
        self._reading.notify()

    def paused(self) -> set[TopicPartition]:
        """The partitions that are paused."""
        return {key for key, state in self._states.items() if state.is_paused}

    def topic_id(self, partition: TopicPartition) -> bytes | None:
        """Id of the topic that this consumer reads under the name; None before it is known.

        Raises:
            ConfigurationError: the partition is not assigned to this consumer.
        """
        return self._state(partition).topic_id

    def highwater(self, partition: TopicPartition) -> int | None:
        """The high watermark as the last fetch told it; None before the first."""
        state = self._state(partition)
        return state.high_watermark if state.high_watermark >= 0 else None

    def last_stable_offset(self, partition: TopicPartition) -> int | None:
        """The first offset that an open transaction may change, as the last fetch told it."""
        state = self._state(partition)
        return state.last_stable_offset if state.last_stable_offset >= 0 else None

    def reset_events(self) -> list[PositionReset]:
        """Positions that the consumer moved by itself since this was last called."""
        if self._fetcher is None:
            return []
        events = list(self._fetcher.resets.events)
        self._fetcher.resets.events.clear()
        return events

    def position_events(self) -> list[PositionEvent]:
        """What became of positions that brokers did not accept, since this was last called:
        `PositionReset`, `LogTruncation`, or `PositionKept`."""
        if self._fetcher is None:
            return []
        events = list(self._fetcher.resets.position_events)
        self._fetcher.resets.position_events.clear()
        return events

    def preferred_read_replica(self, partition: TopicPartition) -> int:
        """The node that a partition is read from instead of its leader, -1 for the leader.

        Kafka's metric `preferred-read-replica` (392-17).
        """
        return self._state(partition).preferred

    def bytes_read(self) -> list[ReplicaBytes]:
        """Bytes of records fetched so far, by node, with its rack."""
        return [] if self._fetcher is None else self._fetcher.preferred.bytes_read()

    # ------------------------------------------------------------ looking offsets up

    async def offsets_for_times(
        self, timestamps: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, OffsetAndTimestamp | None]:
        """The first record at or after a time in milliseconds; None where there is none."""
        found = await self._offsets(timestamps)
        return {key: each if each.offset >= 0 else None for key, each in found.items()}

    async def beginning_offsets(
        self, partitions: Iterable[TopicPartition]
    ) -> dict[TopicPartition, int]:
        """The first offsets that are left."""
        found = await self._offsets(dict.fromkeys(partitions, EARLIEST))
        return {key: each.offset for key, each in found.items()}

    async def end_offsets(self, partitions: Iterable[TopicPartition]) -> dict[TopicPartition, int]:
        """The offsets that come next: high watermarks, or with read_committed the last stable
        offsets."""
        found = await self._offsets(dict.fromkeys(partitions, LATEST))
        return {key: each.offset for key, each in found.items()}

    async def _offsets(
        self, wanted: Mapping[TopicPartition, int]
    ) -> dict[TopicPartition, OffsetAndTimestamp]:
        return await list_offsets(self._cluster, wanted, isolation=self._config.isolation)

    # ------------------------------------------------------------ reading

    async def getmany(
        self,
        *partitions: TopicPartition,
        timeout_ms: int = 0,
        max_records: int | None = None,
    ) -> dict[TopicPartition, list[ConsumerRecord]]:
        """Records that are there, of these partitions or of all; waits at most `timeout_ms` for
        the first.

        Raises:
            ClientError: what a partition cannot be read for; its position stays.
            NothingAssignedError: nothing is assigned, or one of `partitions` is not.
        """
        await self._subscription.resolve()
        limit = max_records or self._config.max_poll_records or 2**31
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_ms / 1000
        # One turn for the fetches, however fast the program asks.
        await asyncio.sleep(0)
        while True:
            found = self._reading.take(partitions, limit)
            left = deadline - loop.time()
            if found or left <= 0:
                return found
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._reading.wait()

    async def getone(self, *partitions: TopicPartition) -> ConsumerRecord:
        """The next record, of these partitions or of any; waits as long as it takes.

        Raises:
            ClientError: as getmany.
            ClientClosedError: the consumer was stopped.
        """
        state = self._reading.current
        if partitions or state is None or state.row_at >= len(state.rows):
            state = await self._next_state(partitions)
        record = state.rows[state.row_at]
        state.row_at += 1
        state.position = record.offset + 1
        return record

    async def _next_state(self, partitions: tuple[TopicPartition, ...]) -> PartitionState:
        await self._subscription.resolve()
        return await self._reading.next_state(partitions)

    def __aiter__(self) -> AsyncIterator[ConsumerRecord]:
        return self

    async def __anext__(self) -> ConsumerRecord:
        state = self._reading.current
        if state is None or state.row_at >= len(state.rows):
            state = await self._next_state(())
        record = state.rows[state.row_at]
        state.row_at += 1
        state.position = record.offset + 1
        return record

    # ------------------------------------------------------------ ranges

    def fetch_range(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncIterator[RecordColumns]:
        """Records with `start` <= offset < `end`, as columns; independent of any assignment.

        Raises:
            OffsetOutOfRangeError: records of the range were deleted.
            RangeNotAvailableError: the end was not reached within `default_api_timeout_ms`.
        """
        where = TopicPartition(topic, partition)
        return ranges.read_range(self._cluster, self._config, where, start, end)

    def fetch_range_raw(
        self, topic: str, partition: int, start: int, end: int
    ) -> AsyncIterator[bytes]:
        """The same as whole record batches, as the broker stores them; the first and the last may
        have records outside the range."""
        where = TopicPartition(topic, partition)
        return ranges.read_range_raw(self._cluster, self._config, where, start, end)

    # ------------------------------------------------------------ inside

    def _state(self, partition: TopicPartition) -> PartitionState:
        state = self._states.get(partition)
        if state is None:
            raise ConfigurationError(f"{partition} is not assigned")
        return state
