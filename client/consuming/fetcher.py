"""Keeps records coming: a fetch under way for each broker, while the program reads what is there.

A fetch session with each broker spares naming partitions again (KIP-227). Partitions whose records
wait to be read, are paused, or back off are left out until that changes. A broker may hold a fetch
for `fetch_max_wait_ms`; a partition that is wanted again in that time (read to its end, sought,
resumed) does not wait for it but goes into a second fetch, on a connection of its own. Behind that
one a partition may have to wait, so it is held for a short time only, which doubles as long as it
brings nothing.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable
from typing import NamedTuple

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.fetch_session import SESSION_ERRORS
from barnabas.protocol.messages.fetch_response import FetchResponse
from barnabas.protocol.primitives import ZERO_UUID

from ..config import ConsumerConfig
from ..errors import ClientClosedError, ClientError, error_of
from ..login_errors import AuthenticationError
from ..structs import TopicPartition
from ..wire.cluster import Cluster
from ..wire.metadata import Node, endpoints_of
from ..wire.pool import Lane
from .fetch_answers import FetchAnswers
from .fetch_requests import (
    FETCH_VERSION_BY_NAME_MAX,
    FETCH_VERSION_MAX,
    Session,
    SessionKey,
    Wanted,
    request_for,
)
from .positions import UNKNOWN, PartitionState
from .preferred import PreferredReplicas
from .resets import Resets

log = logging.getLogger("barnabas.client")

TOPIC_ERRORS = frozenset({ErrorCode.UNKNOWN_TOPIC_ID, ErrorCode.INCONSISTENT_TOPIC_ID})
"""Codes of a whole response after which metadata and a full request are asked for."""

SECOND_WAIT_MS = 8
"""For how long a broker may hold the second fetch, at first."""


class Slot(NamedTuple):
    """One fetch at a time: to a broker, on one of the two connections for it."""

    node_id: int
    lane: Lane


class Fetcher:
    """Fetches for all assigned partitions; `states` is shared with the consumer."""

    def __init__(
        self,
        cluster: Cluster,
        config: ConsumerConfig,
        states: dict[TopicPartition, PartitionState],
        when_arrived: Callable[[], None],
    ) -> None:
        self._cluster = cluster
        self._config = config
        self._states = states
        self._loop = asyncio.get_running_loop()
        self._when_arrived = when_arrived
        self.preferred = PreferredReplicas(cluster, config, states, self.wake)
        self.resets = Resets(cluster, config, states, self.preferred, self.wake, when_arrived)
        self._answers = FetchAnswers(cluster, config, self.preferred, self.resets.out_of_range)
        self._tasks: dict[Slot, asyncio.Task[None]] = {}
        self._events: dict[int, asyncio.Event] = {}
        self._sessions: dict[Slot, Session] = {}
        self._held: set[int] = set()
        """Nodes whose first fetch is under way."""
        self._unreachable: set[int] = set()
        """Nodes from which the last fetch failed."""
        cluster.when_changed.append(self.wake)

    def wake(self) -> None:
        """Something changed: an assignment, a position, a leader, or room for more."""
        self.resets.wake()
        now = self._loop.time()
        bytes_max = self._config.max_partition_fetch_bytes
        has_work: dict[int, bool] = {}
        """By node: whether any of its partitions is in no fetch that is under way."""
        for state in self._states.values():
            node = self.preferred.node_of(state)
            if node is not None:
                found = has_work.get(node.node_id, False)
                has_work[node.node_id] = found or state.can_fetch(now, bytes_max)
            if state.fetch_offset >= 0 and (node is None or node.node_id in self._unreachable):
                # Who leads instead? Each answer that changes nothing comes back here.
                self._cluster.refresh_soon()
        for node_id, has_any in has_work.items():
            self._events.setdefault(node_id, asyncio.Event()).set()
            self._ensure(Slot(node_id, Lane.FETCH))
            if has_any and node_id in self._held and self._wanted(node_id, now):
                self._ensure(Slot(node_id, Lane.FETCH_TOO))

    def _ensure(self, slot: Slot) -> None:
        if slot not in self._tasks:
            self._tasks[slot] = self._loop.create_task(self._run(slot))

    async def close(self) -> None:
        """Stop fetching."""
        if self.wake in self._cluster.when_changed:
            self._cluster.when_changed.remove(self.wake)
        tasks = list(self._tasks.values())
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        self._tasks.clear()
        await self.resets.close()

    # ------------------------------------------------------------ one broker

    async def _run(self, slot: Slot) -> None:
        session = self._sessions.setdefault(slot, Session())
        backoff = self._cluster.new_backoff()
        event = self._events[slot.node_id]
        longest_ms = self._config.fetch_max_wait_ms
        shortest_ms = longest_ms if slot.lane is Lane.FETCH else min(SECOND_WAIT_MS, longest_ms)
        wait_ms = shortest_ms
        while True:
            event.clear()
            now = self._loop.time()
            node = self._cluster.metadata.nodes.get(slot.node_id)
            wanted: dict[SessionKey, Wanted] = {}
            try:
                wanted = self._wanted(slot.node_id, now)
                if not wanted or node is None:
                    if slot.lane is Lane.FETCH_TOO:
                        # Here, not when it is done: whoever wakes us in between starts another.
                        del self._tasks[slot]
                        return
                    await self._wait_for_work(event, now)
                    continue
                has_come = await self._fetch(node, slot, session, wanted, wait_ms)
                wait_ms = shortest_ms if has_come else min(2 * wait_ms, longest_ms)
                backoff.reset()
                self._unreachable.discard(slot.node_id)
            except ClientClosedError:
                return
            except ClientError as error:
                log.info("fetching from %s: %s", node, error)
                session.lose()
                self._unreachable.add(slot.node_id)
                self.preferred.node_failed(slot.node_id)
                if isinstance(error, AuthenticationError) and not error.retriable:
                    self._refused(wanted, error)
                self._cluster.refresh_soon()
                self.wake()
                await asyncio.sleep(backoff.next_s())
            except Exception:
                # A bug of ours must not end fetching in silence.
                log.exception("fetching from %s", node)
                session.lose()
                await asyncio.sleep(backoff.next_s())

    def _refused(self, wanted: dict[SessionKey, Wanted], error: ClientError) -> None:
        """The program must hear of it; reading on tries again."""
        for key in wanted:
            state = self._states.get(TopicPartition(key.topic, key.partition))
            if state is not None and state.error is None:
                state.fail(error)
        self._when_arrived()

    async def _wait_for_work(self, event: asyncio.Event, now: float) -> None:
        """Wait until `event` is set or a back-off ends. `now` is the time at which nothing was
        wanted: a back-off that has ended since then must end the wait at once."""
        waits = [each.backoff_until - now for each in self._states.values()]
        soonest = min((wait for wait in waits if wait > 0), default=None)
        try:
            async with asyncio.timeout(soonest):
                await event.wait()
        except TimeoutError:
            pass

    def _wanted(self, node_id: int, now: float) -> dict[SessionKey, Wanted]:
        """Partitions to read from this broker that the next fetch should ask for."""
        if sum(each.buffered_bytes for each in self._states.values()) >= (
            self._config.prefetch_max_bytes
        ):
            return {}
        metadata = self._cluster.metadata
        wanted: dict[SessionKey, Wanted] = {}
        for key, state in self._states.items():
            if not state.can_fetch(now, self._config.max_partition_fetch_bytes):
                continue
            info = metadata.topics.get(key.topic)
            partition = None if info is None else info.partitions.get(key.partition)
            node = self.preferred.node_of(state)
            if info is None or partition is None or node is None or node.node_id != node_id:
                continue
            if self.resets.is_of_another_topic(state, info.topic_id):
                continue
            if self.resets.must_compare(state, partition.leader_epoch):
                continue
            wanted[SessionKey(*key, info.topic_id)] = Wanted(
                state.fetch_offset,
                partition.leader_epoch,
                self._config.max_partition_fetch_bytes,
            )
        return wanted

    async def _fetch(
        self,
        node: Node,
        slot: Slot,
        session: Session,
        wanted: dict[SessionKey, Wanted],
        wait_ms: int,
    ) -> bool:
        """Send one fetch and take its answer; whether that brought records."""
        states = [self._states[TopicPartition(key.topic, key.partition)] for key in wanted]
        generations = {state: state.generation for state in states}
        for state in states:
            state.fetching = state.generation
        if slot.lane is Lane.FETCH:
            self._held.add(node.node_id)
        try:
            by_id = all(key.topic_id != ZERO_UUID for key in wanted)
            plan = session.plan_for(wanted)
            assert plan is not None, "something is wanted"
            request = request_for(plan, self._config, self.preferred.rack_for(states), wait_ms)
            connection = await self._cluster.connection(node, slot.lane)
            response = await connection.call(
                request,
                FetchResponse,
                timeout_s=self._cluster.request_timeout_s + wait_ms / 1000,
                at_most=FETCH_VERSION_MAX if by_id else FETCH_VERSION_BY_NAME_MAX,
            )
        finally:
            if slot.lane is Lane.FETCH:
                self._held.discard(node.node_id)
            for state in states:
                if state.fetching == generations[state]:
                    state.fetching = UNKNOWN
        if not session.take(response.error_code, response.session_id):
            self._session_failed(node, response.error_code)
            return False
        names = {key.topic_id: key.topic for key in wanted}
        if self._take_all(response, node.node_id, names, generations):
            self.wake()
        self._when_arrived()
        return any(each.records for topic in response.responses for each in topic.partitions)

    def _take_all(
        self,
        response: FetchResponse,
        node_id: int,
        names: dict[bytes, str],
        generations: dict[PartitionState, int],
    ) -> bool:
        """Take every partition of a response; whether one must now be read from another node."""
        endpoints = endpoints_of(response)
        has_moved = False
        for topic in response.responses:
            name = topic.topic or names.get(topic.topic_id, "")
            for answer in topic.partitions:
                key = TopicPartition(name, answer.partition_index)
                state = self._states.get(key)
                # The position has changed since the fetch was sent, or the partition was given up
                # and has come back: the answer is of no use.
                if state is not None and generations.get(state) == state.generation:
                    has_moved |= self._answers.take(state, answer, endpoints, node_id)
        return has_moved

    def _session_failed(self, node: Node, code: int) -> None:
        if code in TOPIC_ERRORS:
            self._cluster.refresh_soon()
        elif code and code not in SESSION_ERRORS:
            raise error_of(code, f"fetching from {node}")
        log.debug("%s: fetch session ended with error %d", node, code)
