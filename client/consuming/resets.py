"""Positions that are unknown or no longer valid: where to go on, and telling the program.

The cases; the event that the program gets names which one it is:
- no position yet: by `auto_offset_reset`, without an event;
- a replica says that the position is out of range: by the table in `refusals`;
- the leader is another than before: the position is looked for in its log first (KIP-320);
- the topic was deleted and made anew: its offsets have nothing to do with the old ones, so by
  `auto_offset_reset` too.
With the policy `none` each of these is an error instead.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.primitives import ZERO_UUID

from ..config import ConsumerConfig
from ..errors import (
    BrokerError,
    ClientError,
    NoOffsetError,
    error_of,
    is_retriable,
)
from ..structs import OffsetAndTimestamp, PositionEvent, PositionReset, TopicPartition
from ..wire.cluster import Cluster
from ..wire.metadata import Node
from ..wire.offsets import ANY_REPLICA, EARLIEST, LATEST, ask_replica
from .comparison import Comparison, states_by_leader
from .look_ups import LookUps
from .positions import UNKNOWN, PartitionState
from .preferred import PreferredReplicas
from .refusals import NOBODY, Course, Refusal

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
        preferred: PreferredReplicas,
        when_found: Callable[[], None],
        when_failed: Callable[[], None],
    ) -> None:
        self._cluster = cluster
        self._config = config
        self._states = states
        self._preferred = preferred
        self._comparison = Comparison(cluster, states, self)
        self._when_found = when_found
        self._when_failed = when_failed
        self._look_ups = LookUps(
            cluster, "positions", lambda: self._lost() or self._doubted(), self._look_up
        )
        self.events: deque[PositionReset] = deque(maxlen=EVENTS_MAX)
        self.position_events: deque[PositionEvent] = deque(maxlen=EVENTS_MAX)

    @property
    def policy(self) -> int | None:
        """Where to go on when a position is lost; None: nowhere."""
        return POLICY.get(self._config.auto_offset_reset)

    def told(self) -> None:
        """Positions were found, or failed: let fetching and reading go on."""
        self._when_found()
        self._when_failed()

    # ------------------------------------------------------------ what asks for a reset

    def first_position(self, state: PartitionState) -> None:
        """A partition was assigned and nobody said where to begin."""
        policy = self.policy
        if policy is None:
            state.fail(
                NoOffsetError(
                    f"{state.topic_partition} has no position and auto_offset_reset is none: seek()"
                )
            )
            return
        state.reset(policy, None)

    def out_of_range(self, state: PartitionState, refusal: Refusal) -> bool:
        """A replica refused the position; `refusals` has the table of what follows. Returns
        whether fetching from the leader is what follows."""
        course = refusal.course
        if course is Course.RESET:
            self._out_of_range(state, refusal)
        elif course is Course.COMPARE_EPOCHS:
            state.refusal = refusal
            self.wake()
        else:
            if refusal.is_below:
                state.refused_below_by = refusal.node_id
            return True
        return False

    def _out_of_range(self, state: PartitionState, refusal: Refusal) -> None:
        if not state.is_drained:
            return  # what was fetched before is good; the refusal comes again
        first, last = refusal.log_start_offset, refusal.high_watermark
        known = "" if refusal.says_nothing else f": the log has {first} to {last}"
        text = f"{state.topic_partition}: offset {refusal.offset} is out of range{known}"
        self.by_policy(state, error_of(ErrorCode.OFFSET_OUT_OF_RANGE, text), "out of range")

    def must_compare(self, state: PartitionState, leader_epoch: int) -> bool:
        """Whether the leader has changed since the position was last found in a leader's log, so
        that it must be looked for before anything is fetched (320-01)."""
        if leader_epoch <= state.validated_epoch:
            return False
        if state.fetch_epoch < 0 or state.fetch_epoch >= leader_epoch:
            # Nothing to compare with, or read from this very leader.
            state.validated_epoch = leader_epoch
            return False
        state.refusal = Refusal(NOBODY, True, state.fetch_offset, state.fetch_epoch, -1, -1)
        self.wake()
        return True

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
            self.by_policy(state, error, "the topic was made anew")
        return True

    def by_policy(self, state: PartitionState, error: BrokerError, reason: str) -> None:
        """Give the position up and go on by `auto_offset_reset`; `error` if that is none."""
        policy = self.policy
        if policy is None:
            state.fail(error)
            self._when_failed()
            return
        log.warning("%s; going on at the %s offset", error, self._config.auto_offset_reset)
        state.reset(policy, reason)
        self.wake()

    # ------------------------------------------------------------ looking up

    def _lost(self) -> list[PartitionState]:
        states = self._states.values()
        return [each for each in states if each.reset_to is not None and each.error is None]

    def _doubted(self) -> list[PartitionState]:
        states = self._states.values()
        return [each for each in states if each.refusal is not None and each.error is None]

    def wake(self) -> None:
        """Begin to look up what needs it, unless that is under way."""
        self._look_ups.wake()

    async def close(self) -> None:
        """Stop looking up."""
        await self._look_ups.close()

    async def _look_up(self) -> bool:
        lost, doubted = self._lost(), self._doubted()
        is_done = await self._find(lost)
        return await self._comparison.compare(doubted) and is_done

    async def _find(self, lost: list[PartitionState]) -> bool:
        """One round for all of them; False when some have to be tried again."""
        generations = {each.topic_partition: each.generation for each in lost}
        epochs = {key: self._cluster.metadata.leader_epoch(*key) for key in generations}
        by_node, failures = await states_by_leader(self._cluster, lost)
        found: dict[TopicPartition, OffsetAndTimestamp] = {}

        async def ask(node: Node, states: list[PartitionState]) -> None:
            wanted = {
                each.topic_partition: each.reset_to for each in states if each.reset_to is not None
            }
            try:
                some, refused = await ask_replica(
                    self._cluster, node, wanted, self._config.isolation
                )
            except ClientError as error:
                failures.update(dict.fromkeys(wanted, error))
                return
            found.update(some)
            failures.update({key: refused[key] for key in wanted if key in refused})

        await asyncio.gather(*[ask(node, states) for node, states in by_node.items()])
        for key, generation in generations.items():
            state = self._states.get(key)
            if state is None or state.generation != generation:
                continue
            if key in found:
                await self._found(state, found[key])
                state.validated_epoch = epochs[key]
            elif key in failures:
                self._failed(state, failures[key])
        if found:
            self.told()
        return not failures

    async def _found(self, state: PartitionState, answer: OffsetAndTimestamp) -> None:
        before, reason, generation = state.position, state.reset_reason, state.generation
        follower = state.refused_below_by
        earlier = None
        if state.reset_to == EARLIEST and follower != UNKNOWN:
            earlier = await self._earliest_of(state, follower)
            if state.generation != generation:
                return  # the program sought elsewhere meanwhile
        if earlier is not None and earlier.offset < answer.offset:
            answer = earlier
            self._preferred.prefer(state, follower)
        state.seek(answer.offset, answer.leader_epoch)
        if reason is not None:
            before = UNKNOWN if before is None else before
            self.tell(PositionReset(state.topic_partition, before, answer.offset, reason))

    async def _earliest_of(self, state: PartitionState, node_id: int) -> OffsetAndTimestamp | None:
        """Where the log of the follower begins that refused the position; None if unknown (392-11).

        It may still have records that the leader has deleted already."""
        node = self._cluster.metadata.nodes.get(node_id)
        if node is None:
            return None
        key = state.topic_partition
        try:
            found, _ = await ask_replica(
                self._cluster, node, {key: EARLIEST}, self._config.isolation, ANY_REPLICA
            )
        except ClientError as error:
            log.debug("%s: the first offset of %s: %s", key, node, error)
            return None
        return found.get(key)

    def _failed(self, state: PartitionState, error: ClientError) -> None:
        if is_retriable(error):
            log.info("%s: no position yet: %s", state.topic_partition, error)
            self._cluster.refresh_soon()
            return
        state.fail(error)
        self._when_failed()

    def tell(self, event: PositionEvent) -> None:
        """Tell the program what happened to a position."""
        self.position_events.append(event)
        callbacks: list[Callable[[Any], None] | None] = [self._config.on_position_event]
        if isinstance(event, PositionReset):
            self.events.append(event)
            callbacks.insert(0, self._config.on_reset)
        for callback in callbacks:
            try:
                if callback is not None:
                    callback(event)
            except Exception:
                log.exception("a callback for %r", event)
