"""Positions that are not known, or not valid any more: where to go on, by policy, and saying so.

Cases, each named in the event that the program can see:
- no position yet: by `auto_offset_reset`, without an event;
- the broker says that the position is out of range: by `auto_offset_reset`;
- the topic was deleted and made anew: its offsets have nothing to do with the old ones, so by
  `auto_offset_reset` too.
With the policy `none` each of these is an error instead.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.primitives import ZERO_UUID

from .cluster import Cluster
from .config import ConsumerConfig
from .errors import (
    BrokerError,
    ClientClosedError,
    ClientError,
    NoOffsetError,
    error_of,
    is_retriable,
)
from .metadata import Node
from .offsets import EARLIEST, LATEST, ask_leader
from .positions import UNKNOWN, PartitionState
from .structs import OffsetAndTimestamp, PositionReset, TopicPartition

log = logging.getLogger("barnabas.client")

EVENTS_MAX = 1_000
POLICY = {"earliest": EARLIEST, "latest": LATEST}


class Resets:
    """Looks up positions in the background, as long as there are any to look up."""

    def __init__(
        self,
        cluster: Cluster,
        config: ConsumerConfig,
        states: dict[TopicPartition, PartitionState],
        when_found: Callable[[], None],
        when_failed: Callable[[], None],
    ) -> None:
        self._cluster = cluster
        self._config = config
        self._states = states
        self._when_found = when_found
        self._when_failed = when_failed
        self._task: asyncio.Task[None] | None = None
        self.events: deque[PositionReset] = deque(maxlen=EVENTS_MAX)

    # ------------------------------------------------------------ what asks for a reset

    def first_position(self, state: PartitionState) -> None:
        """A partition was assigned and nobody said where to begin."""
        policy = POLICY.get(self._config.auto_offset_reset)
        if policy is None:
            state.fail(
                NoOffsetError(
                    f"{state.topic_partition} has no position and auto_offset_reset is none: seek()"
                )
            )
            return
        state.reset(policy, None)

    def out_of_range(self, state: PartitionState, first: int, last: int) -> None:
        """The broker refused the position (`first` and `last`: what it has, -1 when unsaid)."""
        if not state.is_drained:
            return  # what was fetched before is good; the refusal comes again
        known = f": the log has {first} to {last}" if first >= 0 and last >= 0 else ""
        text = f"{state.topic_partition}: offset {state.fetch_offset} is out of range{known}"
        self._by_policy(state, error_of(ErrorCode.OFFSET_OUT_OF_RANGE, text), "out of range")

    def is_of_another_topic(self, state: PartitionState, topic_id: bytes) -> bool:
        """Whether the position belongs to a topic that is gone; then it is given up."""
        if state.topic_id in (None, ZERO_UUID) or topic_id == ZERO_UUID:
            state.topic_id = topic_id
        if state.topic_id == topic_id:
            return False
        if state.is_drained:
            state.topic_id = topic_id
            text = f"{state.topic_partition}: the topic was made anew"
            error = error_of(ErrorCode.UNKNOWN_TOPIC_ID, text)
            self._by_policy(state, error, "the topic was made anew")
        return True

    def _by_policy(self, state: PartitionState, error: BrokerError, reason: str) -> None:
        policy = POLICY.get(self._config.auto_offset_reset)
        if policy is None:
            state.fail(error)
            self._when_failed()
            return
        log.warning("%s; going on at the %s offset", error, self._config.auto_offset_reset)
        state.reset(policy, reason)
        self.wake()

    # ------------------------------------------------------------ looking up

    def wake(self) -> None:
        """Begin to look up what needs it, unless that is under way."""
        if self._task is None and any(each.reset_to is not None for each in self._states.values()):
            self._task = asyncio.get_running_loop().create_task(self._run())

    async def close(self) -> None:
        """Stop looking up."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    async def _run(self) -> None:
        backoff = self._cluster.new_backoff()
        try:
            while True:
                pending = [each for each in self._states.values() if each.reset_to is not None]
                if not pending:
                    return
                try:
                    is_done = await self._look_up(pending)
                except ClientClosedError:
                    return
                except Exception:
                    # A bug of ours must not leave positions unknown in silence.
                    log.exception("looking up positions")
                    is_done = False
                if is_done:
                    backoff.reset()
                else:
                    await asyncio.sleep(backoff.next_s())
        finally:
            self._task = None

    async def _look_up(self, pending: list[PartitionState]) -> bool:
        """One round for all of them; False when some have to be tried again."""
        generations = {each.topic_partition: each.generation for each in pending}
        failures: dict[TopicPartition, ClientError] = {}
        by_node = await self._by_leader(pending, failures)
        found: dict[TopicPartition, OffsetAndTimestamp] = {}
        for node, wanted in by_node.items():
            try:
                some, refused = await ask_leader(
                    self._cluster, node, wanted, self._config.isolation
                )
            except ClientError as error:
                failures.update(dict.fromkeys(wanted, error))
                continue
            found.update(some)
            failures.update({key: refused[key] for key in wanted if key in refused})
        for key, generation in generations.items():
            state = self._states.get(key)
            if state is None or state.generation != generation:
                continue
            if key in found:
                self._found(state, found[key])
            elif key in failures:
                self._failed(state, failures[key])
        if found:
            self._when_found()
            self._when_failed()
        return not failures

    async def _by_leader(
        self, pending: list[PartitionState], failures: dict[TopicPartition, ClientError]
    ) -> dict[Node, dict[TopicPartition, int]]:
        by_node: dict[Node, dict[TopicPartition, int]] = {}
        for state in pending:
            key, when = state.topic_partition, state.reset_to
            if when is None:
                continue  # the program sought elsewhere while a leader was looked for
            try:
                node = await self._cluster.leader(*key)
            except ClientError as error:
                failures[key] = error
            else:
                by_node.setdefault(node, {})[key] = when
        return by_node

    def _found(self, state: PartitionState, answer: OffsetAndTimestamp) -> None:
        before, reason = state.position, state.reset_reason
        state.seek(answer.offset)
        state.leader_epoch = answer.leader_epoch
        if reason is not None:
            self._tell(
                PositionReset(
                    state.topic_partition,
                    UNKNOWN if before is None else before,
                    answer.offset,
                    reason,
                )
            )

    def _failed(self, state: PartitionState, error: ClientError) -> None:
        if is_retriable(error):
            log.info("%s: no position yet: %s", state.topic_partition, error)
            self._cluster.refresh_soon()
            return
        state.reset_to = None
        state.fail(error)
        self._when_failed()

    def _tell(self, event: PositionReset) -> None:
        self.events.append(event)
        if self._config.on_reset is not None:
            try:
                self._config.on_reset(event)
            except Exception:
                log.exception("on_reset")
