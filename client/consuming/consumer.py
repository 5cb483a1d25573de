"""The consumer: reads topics, or partitions that the program chooses, from where it chooses.

    async with Consumer("flights", auto_offset_reset="earliest") as consumer:
        async for record in consumer:
            print(record.offset, record.value)

With a `group_id` the consumers of that group share the partitions of their topics, and commit how
far they are; without one each consumer of a topic reads all of its partitions.

Records are fetched ahead while the program works. A position moves when its record is handed out,
never when it is fetched.
"""

from __future__ import annotations

import asyncio
import contextlib
import re
import sys
from collections.abc import AsyncIterator, Iterable
from typing import Unpack

from ..arguments import as_index, checked_offset, checked_partitions
from ..config import ConsumerConfig
from ..declared import chosen_config
from ..env import REAL_ENV, ClientEnv
from ..errors import ClientTimeoutError, ConfigurationError
from ..groups.given_offsets import EPOCH_MAX
from ..groups.topics import Wish
from ..groups.values import CloseOption, RebalanceListener
from ..options import ConsumerOptions
from ..startable import Startable
from ..structs import ConsumerRecord, TopicPartition
from ..wire.offsets import EARLIEST, LATEST
from .fetcher import Fetcher
from .grouped import Grouped
from .listening import check_listener
from .partition_calls import PartitionCalls
from .positions import PartitionState
from .reading import Reading
from .subscription import Subscription, check_pattern, pattern_text, topic_names


class Consumer(PartitionCalls, Startable):
    """Reads topics or single partitions. Used from one task at a time.

    `topics` are read as by `subscribe`: whole, or shared with the other members of `group_id`.
    Without any, `assign` chooses partitions.
    """

    def __init__(
        self,
        *topics: str,
        config: ConsumerConfig | None = None,
        env: ClientEnv = REAL_ENV,
        **options: Unpack[ConsumerOptions],
    ) -> None:
        super().__init__(chosen_config(ConsumerConfig, config, options), env)
        names = topic_names(topics)
        own = () if self._has_group else names
        self._subscription = Subscription(self._cluster, own, self._replace)
        self._wish = Wish(frozenset(names)) if self._has_group and names else None
        self._listener: object = None
        self._reading = Reading(self._states, self._moved, self._expects_more, self._waiting)

    # ------------------------------------------------------------ start and stop

    async def start(self) -> None:
        """Connect and learn the cluster.

        Raises:
            NotABrokerError, BootstrapError: no broker of the list answers.
            UnknownTopicOrPartitionError: there is no topic of a name that this consumer was given
                (without a group: a group waits for it).
            GroupsNotSupportedError, GroupAuthorizationError, …: the group does not take it.

        With a group this waits for the first assignment, at most ten seconds.
        """
        await self._cluster.start()
        self._reading.open()
        self._fetcher = Fetcher(self._cluster, self._config, self._states, self._reading.notify)
        try:
            await self._subscription.resolve()
            self._assigned()
            if self._has_group:
                await self._start_group(self._fetcher)
        except BaseException:
            await self.stop()
            raise

    async def _start_group(self, fetcher: Fetcher) -> None:
        if self._wish is not None:
            self._replace((), False)  # of an earlier membership, if it is started again
        self._group = group = Grouped(
            self._cluster,
            self._config,
            self._env,
            self._states,
            self._reading,
            lambda wanted: self._replace(wanted, False),
            fetcher.resets.first_position,
            self._moved,
        )
        group.locate()
        if self._wish is not None:
            group.subscribe(self._wish, self._listener)
            await group.first_assignment()

    async def stop(self, option: CloseOption = CloseOption.DEFAULT) -> None:
        """Commit, leave the group as `option` says, and disconnect; whoever waits for records gets
        ClientClosedError. The group's part ends within `close_timeout_ms`.

        What is committed includes the last records that the program got, unless an exception ends
        it: then it had not dealt with them.
        """
        group, self._group = self._group, None
        try:
            if group is not None:
                await group.close(option, is_failing=sys.exc_info()[0] is not None)
        finally:
            fetcher, self._fetcher = self._fetcher, None
            if fetcher is not None:
                await fetcher.close()
            self._reading.close()
            await self._cluster.close()

    # ------------------------------------------------------------ what to read

    def assign(self, partitions: Iterable[TopicPartition]) -> None:
        """Read exactly these partitions; those that were assigned before keep their positions.

        Raises:
            TypeError: something that is no (topic, number).
        """
        wanted = checked_partitions(partitions)
        self._subscription.clear()
        self._forsake()
        self._replace(wanted, False)

    def _replace(self, wanted: Iterable[TopicPartition], from_beginning: bool) -> None:
        before, wanted = set(self._states), dict.fromkeys(wanted)
        if from_beginning and before == set(wanted):
            return
        for key in before.difference(wanted):
            del self._states[key]
        if self._group is not None:
            self._group.gone(before.difference(wanted))
        for key in wanted:
            if key not in before:
                self._states[key] = PartitionState(key, self._convert)
                if from_beginning:
                    self._states[key].reset(EARLIEST, None)
        self._assigned()

    def _assigned(self) -> None:
        self._reading.assigned()
        self._cluster.track(each.topic for each in self._states)
        if self._fetcher is None:
            return
        for state in () if self._has_group else self._states.values():
            if state.position is None and state.reset_to is None and state.error is None:
                self._fetcher.resets.first_position(state)
        if self._group is not None and not self._group.is_member:
            self._group.locate()
        unknown = {each.topic for each in self._states} - set(self._cluster.metadata.topics)
        if unknown:
            self._cluster.refresh_soon()
        self._fetcher.wake()
        self._reading.notify()

    def unassign(self) -> None:
        """Read nothing any more."""
        self.assign(())

    def subscribe(
        self,
        *topics: str | Iterable[str],
        pattern: str | re.Pattern[str] | None = None,
        listener: RebalanceListener | object | None = None,
    ) -> None:
        """Read these topics, also partitions that a topic gets later; instead of what was read
        before. The partitions are looked up, or the group joined, by what reads next.

        With a `group_id` the members share the partitions; topics whose whole name matches
        `pattern` are read too, and `listener` is told what comes and goes.

        Without one nobody shares them, and `auto_offset_reset` says where each one begins;
        one that a topic gets later begins at its first record.
        """
        text = pattern_text(pattern)
        check_listener(listener)
        if not self._has_group:
            if text is not None or listener is not None:
                raise ConfigurationError("subscribe: pattern and listener need a group_id")
            self._subscription.choose(topics)
            self._reading.current = None
            return
        if text is not None and self._config.group_protocol == "classic":
            check_pattern(text)
        wish = Wish(frozenset(topic_names(topics)), text)
        if not wish.topics and text is None:
            raise ConfigurationError("subscribe: no topic and no pattern; or unsubscribe()?")
        if self._wish is None and self._states:
            self._replace((), False)  # what assign() chose
        self._wish, self._listener = wish, listener
        if self._group is not None:
            self._group.subscribe(wish, listener)

    def unsubscribe(self) -> asyncio.Future[None]:
        """Read nothing any more, and leave the group, which goes on in the background; whoever
        awaits what this returns waits until that is over."""
        left = self._forsake()
        self._subscription.clear()
        if left is None:
            self._replace((), False)
            left = asyncio.get_running_loop().create_future()
            left.set_result(None)
        return left

    def _forsake(self) -> asyncio.Future[None] | None:
        self._wish = None
        return None if self._group is None else self._group.forsake()

    def subscription(self) -> set[str]:
        """The topics that were subscribed to by name."""
        return set(self._wish.topics) if self._wish is not None else self._subscription.topics

    # ------------------------------------------------------------ where to read

    def seek(self, partition: TopicPartition, offset: int, leader_epoch: int | None = None) -> None:
        """Go on at an offset; what was fetched already is dropped.

        With the leader epoch of the record before it (`ConsumerRecord.leader_epoch`), the offset is
        first looked for in the leader's log, so that a truncation is noticed (KIP-320).
        """
        offset = checked_offset(offset)
        epoch = -1 if leader_epoch is None else as_index("leader_epoch", leader_epoch)
        if epoch > EPOCH_MAX:
            raise ConfigurationError(f"there is no leader epoch {epoch}")
        state = self._state(partition)
        state.seek(offset, epoch)
        state.topic_id = None
        if self._group is not None:
            self._group.sought(partition)
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
            if self._group is not None:
                self._group.sought(key)
        self._moved()

    def _moved(self) -> None:
        if self._fetcher is not None:
            self._fetcher.wake()
        if self._group is not None:
            self._group.locate()

    async def position(self, partition: TopicPartition) -> int:
        """The offset of the record that comes next.

        Raises:
            NoOffsetError: there is none and `auto_offset_reset` is none.
            ClientTimeoutError: it could not be looked up in `default_api_timeout_ms`.
        """
        await self._subscription.resolve()
        try:
            async with asyncio.timeout(self._config.default_api_timeout_ms / 1000):
                while True:
                    # Looked up each time: it may be given up, and come back, while this waits.
                    state = self._state(partition)
                    if state.position is not None and state.reset_to is None:
                        return state.position
                    self._reading.tell(state)
                    if self._group is not None:
                        self._group.locate()
                    await self._reading.wait()
        except TimeoutError as error:
            if isinstance(error, ClientTimeoutError):
                raise
            raise ClientTimeoutError(f"{partition}: no position yet") from error

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
        if max_records is not None and as_index("max_records", max_records) < 0:
            raise ConfigurationError(f"max_records={max_records} is less than 0")
        await self._subscription.resolve()
        limit = max_records or self._config.max_poll_records or 2**31
        loop = asyncio.get_running_loop()
        deadline = loop.time() + timeout_ms / 1000
        # One turn for the fetches, however fast the program asks.
        await asyncio.sleep(0)
        if self._group is not None:
            self._group.asked()
        while True:
            found = self._reading.take(partitions, limit)
            left = deadline - loop.time()
            if found or left <= 0:
                return found
            with contextlib.suppress(TimeoutError):
                async with asyncio.timeout(left):
                    await self._reading.wait_for_records()

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
        if self._group is not None:
            self._group.asked()
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

    # ------------------------------------------------------------ the group

    async def seek_to_committed(self, *partitions: TopicPartition) -> dict[TopicPartition, int]:
        """Go back to the committed offsets of these partitions, or of all; where there is none, to
        where `auto_offset_reset` says. Returns the committed offsets.

        A partition that comes while this waits begins at its committed offset anyway.
        """
        wanted = checked_partitions(partitions or self._states)
        group = self._grouped()
        placed = await group.locating.go_back(wanted, self._limit_s(None))
        for key in placed:
            group.sought(key)
        self._moved()
        return {key: found.offset for key, found in placed.items() if found is not None}

    def _expects_more(self) -> bool:
        return self._group is not None and self._group.expects_more()

    def _waiting(self, begins: bool) -> None:
        if self._group is not None:
            self._group.waiting(begins)
