"""A consumer as a member of its group: takes partitions over, gives them up, commits.

A rebalance waits until the program has dealt with the records that it has in hand, which it says
by asking for more; meanwhile nothing more is handed out of the partitions that will go. So what a
member gives up is committed, and nobody reads it again. A program that never asks again leaves the
group after `max_poll_interval_ms`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable, Iterable, Mapping

from ..config import ConsumerConfig
from ..env import ClientEnv
from ..groups.classic import ClassicMembership
from ..groups.committed import CommittedOffsets
from ..groups.consumer_protocol import ConsumerMembership
from ..groups.coordinator import Coordinator
from ..groups.health import Health
from ..groups.heartbeats import PollClock
from ..groups.membership import Membership
from ..groups.topics import Wish
from ..groups.values import CloseOption, GroupState, listed
from ..groups.waiting import end, step
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from .commits import Commits
from .ending import Ending
from .listening import ASSIGNED, LOST, REVOKED, call
from .locating import Locating
from .places import Places
from .positions import PartitionState
from .reading import Reading

log = logging.getLogger("barnabas.client")

NOTHING: frozenset[TopicPartition] = frozenset()
START_WAIT_S = 10.0
"""start() waits for the first assignment for so long; after that the group goes on by itself."""

Replace = Callable[[Iterable[TopicPartition]], None]
"""Takes a whole assignment; what stays keeps its position."""


class Grouped:
    """One consumer's side of its group, made when the consumer starts."""

    def __init__(
        self,
        cluster: Cluster,
        config: ConsumerConfig,
        env: ClientEnv,
        states: Mapping[TopicPartition, PartitionState],
        reading: Reading,
        replace: Replace,
        without_offset: Callable[[PartitionState], None],
        moved: Callable[[], None],
    ) -> None:
        assert config.group_id is not None, "a group has an id"
        self._cluster = cluster
        self._config = config
        self._states = states
        self._reading = reading
        self._replace = replace
        self._moved = moved
        self._loop = asyncio.get_running_loop()
        self._coordinator = Coordinator(cluster, config.group_id)
        self._offsets = CommittedOffsets(cluster, self._coordinator, config.isolation == 1)
        self.locating = Locating(cluster, self._offsets, states, without_offset, self._found)
        self._places = Places(states, reading)
        self._random = env.new_random()
        self._membership: Membership | None = None
        self._task: asyncio.Task[None] | None = None
        self._committing: asyncio.Task[None] | None = None
        self._leaving: set[asyncio.Task[None]] = set()
        self._asked = asyncio.Event()
        self._paused: set[TopicPartition] = set()
        """What was paused when it was given up; it still is if it comes back."""
        self._listener: object = None
        self.health = Health(self._changed)
        self.polls = PollClock(config.max_poll_interval_ms, self._now_ms())
        self.wish = Wish()
        self.commits = Commits(
            config,
            self._offsets,
            states,
            self._places,
            self.health,
            self.polls,
            self.locating.found,
        )
        if config.enable_auto_commit:
            self._committing = self._loop.create_task(self.commits.run())

    def _now_ms(self) -> float:
        return self._loop.time() * 1000

    # ------------------------------------------------------------ the program

    @property
    def is_member(self) -> bool:
        """Whether partitions come from the group."""
        return self._membership is not None

    def expects_more(self) -> bool:
        """Whether partitions may yet come; raises what ended the membership."""
        self.health.check()
        return self.is_member

    def asked(self) -> None:
        """The program asks for records, so it has dealt with those before."""
        self._places.asked()
        self._reading.current = None
        self.polls.polled(self._now_ms())
        self.look()

    def waiting(self, begins: bool) -> None:
        """The program waits for records, or does so no more."""
        if begins:
            self.polls.began(self._now_ms())
            self.look()
        else:
            self._places.asked()
            self.polls.ended(self._now_ms())

    def sought(self, partition: TopicPartition) -> None:
        """The program said where to go on."""
        self._places.sought(partition)

    def gone(self, partitions: Iterable[TopicPartition]) -> None:
        """These are not read any more."""
        self._places.gone(partitions)

    def locate(self) -> None:
        """Find positions for partitions that have none."""
        self.locating.wake()

    def look(self) -> None:
        """Something changed that a rebalance may wait for."""
        self._asked.set()

    def _found(self) -> None:
        """Partitions have positions, or errors."""
        self._moved()
        self._reading.notify()

    def _changed(self) -> None:
        self._reading.notify()
        self.look()

    # ------------------------------------------------------------ member or not

    def subscribe(self, wish: Wish, listener: object) -> None:
        """Be a member who wants this."""
        self.wish, self._listener = wish, listener
        if self._membership is not None and not self.health.is_dead:
            self._membership.rejoin("the subscription changed")
            return
        if self._task is not None:
            self._leaving.add(self._task)
            self._task.add_done_callback(self._leaving.discard)
        self.polls.polled(self._now_ms())
        self.health.set(GroupState.JOINING)
        membership = self._new_membership()
        self._be(membership)
        self._task = self._loop.create_task(self._run(membership))

    def _be(self, membership: Membership | None) -> None:
        self._membership = self.locating.membership = self.commits.membership = membership

    def _new_membership(self) -> Membership:
        given = self._cluster, self._config, self._coordinator, self, self.health
        if self._config.group_protocol == "consumer":
            return ConsumerMembership(*given, self._random)
        return ClassicMembership(*given)

    async def _run(self, membership: Membership) -> None:
        for leaving in list(self._leaving):  # one member at a time
            await asyncio.gather(leaving, return_exceptions=True)
        try:
            await membership.run()
        except asyncio.CancelledError:
            raise
        except Exception as error:
            log.error("group %s: %s", self._config.group_id, error)
            self._lose(self.owned)
            self.health.set(GroupState.DEAD, error)
            async with step("leaving the group", self._config.close_timeout_ms / 1000):
                await membership.leave(CloseOption.DEFAULT, "the consumer failed")

    async def first_assignment(self) -> None:
        """Wait for it, but not for long: other members may take their time to join again."""
        deadline = self._loop.time() + START_WAIT_S
        while self.health.now.state is GroupState.JOINING:
            self._asked.clear()
            try:
                async with asyncio.timeout_at(deadline):
                    await self._asked.wait()
            except TimeoutError:
                return
        self.health.check()

    def forsake(self) -> asyncio.Task[None] | None:
        """Be no member any more, in the background; None for who is none. The partitions go at
        once, and are committed as far as they were handed out."""
        ending = self._detach(is_failing=False)
        if ending.membership is None:
            return None
        self._drop(ending.partitions)
        self._paused.clear()
        task = self._loop.create_task(self._end(ending, CloseOption.DEFAULT))
        self._leaving.add(task)
        task.add_done_callback(self._leaving.discard)
        return task

    def _detach(self, *, is_failing: bool) -> Ending:
        """What has to be brought to an end; the consumer is no member from now on."""
        places = self._places.done() if is_failing else self._places.handed_out()
        news = self.commits.news(places) if self._config.enable_auto_commit else {}
        ending = Ending(self._config, self._membership, self._task, self.owned, news)
        self._be(None)
        self._task = None
        return ending

    async def _end(self, ending: Ending, option: CloseOption) -> None:
        await ending.carry_out(self._offsets, self._listener, option)
        if ending.membership is not None and self._membership is None:
            self.health.set(GroupState.NO_GROUP)

    async def close(self, option: CloseOption, *, is_failing: bool) -> None:
        """The end, in `close_timeout_ms`. `is_failing`: the program is not done with the records
        in hand."""
        ending = self._detach(is_failing=is_failing)
        try:
            await end(self._committing)
            await self.locating.close()
            await self._end(ending, option)
            # What `forsake` began earlier ends in the same time, unless it is what calls here.
            if leaving := self._leaving - {asyncio.current_task()}:
                await asyncio.wait(leaving, timeout=self._config.close_timeout_ms / 1000)
        finally:
            for task in (self._committing, ending.task, *self._leaving):
                if task is not None:
                    task.cancel()

    # ------------------------------------------------------------ for the membership

    @property
    def owned(self) -> frozenset[TopicPartition]:
        """The partitions that it has."""
        return frozenset(self._states)

    async def revoke(
        self, partitions: frozenset[TopicPartition], is_over: Callable[[], bool]
    ) -> bool:
        """Let the program finish with these, commit, call back, and give them up. False if
        `is_over` (the membership is lost) came true first: nothing was given up then."""
        for key in partitions & self.owned:
            self._states[key].is_held = True
        await self._until_dealt_with(partitions, is_over)
        if is_over():
            return False
        if self._config.enable_auto_commit:
            done = self._places.done()
            places = {key: done[key] for key in sorted(partitions) if key in done}
            await self.commits.save(places)
        await call(self._listener, REVOKED, partitions)
        self._drop(partitions)
        return True

    async def _until_dealt_with(
        self, partitions: frozenset[TopicPartition], is_over: Callable[[], bool]
    ) -> None:
        while not self.polls.is_waiting and self._places.in_hand() & partitions:
            if is_over():
                return
            self._places.settle()
            self._asked.clear()
            await self._asked.wait()

    async def lose(self, partitions: frozenset[TopicPartition]) -> None:
        """They belong to somebody else already."""
        if partitions:
            log.warning("group %s: lost %s", self._config.group_id, listed(partitions))
            self._lose(partitions)
            await call(self._listener, LOST, partitions)

    async def grant(self, partitions: frozenset[TopicPartition]) -> None:
        """Take these over."""
        self._replace([*self._states, *sorted(partitions)])
        for key in partitions:
            self._states[key].is_held = True
            self._states[key].is_paused = key in self._paused
        self._paused.clear()
        await call(self._listener, ASSIGNED, partitions)
        for key in partitions & self.owned:
            self._states[key].is_held = False
        self.locating.wake()
        self._replace(list(self._states))

    async def asked_again(self) -> None:
        """Wait until the program asks for records."""
        while not self.polls.left_ms(self._now_ms()):
            self._asked.clear()
            await self._asked.wait()

    def _lose(self, partitions: frozenset[TopicPartition]) -> None:
        """Give them up; what the program would have committed of them is refused later."""
        committed = {key: each.offset for key, each in self.locating.found.items()}
        self._places.lost(partitions, None if self._config.enable_auto_commit else committed)
        self._drop(partitions)

    def _drop(self, partitions: frozenset[TopicPartition]) -> None:
        self._paused |= {key for key in partitions & self.owned if self._states[key].is_paused}
        self._places.gone(partitions)
        for key in partitions:
            self.locating.found.pop(key, None)
        self._replace([key for key in self._states if key not in partitions])

    def rejoin(self, reason: str) -> None:
        """Have the group assigned anew."""
        if self._membership is not None:
            self._membership.rejoin(reason)
