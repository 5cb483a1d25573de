"""Positions compared with the log of their leader: still there, or lost by truncation (KIP-320)."""

from __future__ import annotations

import asyncio
import logging
from typing import Protocol

from barnabas.protocol.errors import ErrorCode

from ..errors import (
    BrokerError,
    ClientError,
    LeaderNotAvailableError,
    LogTruncationError,
    UnsupportedVersionError,
    error_of,
    is_retriable,
)
from ..structs import LogTruncation, PositionEvent, PositionKept, TopicPartition
from ..wire.cluster import Cluster
from ..wire.leadership import leader_in
from ..wire.metadata import Node
from .epochs import EpochEnd, ask_epoch_ends
from .positions import UNKNOWN, PartitionState
from .refusals import NOBODY, Refusal

log = logging.getLogger("barnabas.client")

REASON = "the log was truncated"


class PositionKeeper(Protocol):
    """Moves positions that are no longer valid, and tells the program about it."""

    @property
    def policy(self) -> int | None:
        """Where to go on, as an offset of ListOffsets; None: that is an error."""
        ...

    def out_of_range(self, state: PartitionState, refusal: Refusal) -> bool:
        """A replica does not have the position."""
        ...

    def by_policy(self, state: PartitionState, error: BrokerError, reason: str) -> None:
        """Go on by the policy; without one `error` is the program's."""
        ...

    def tell(self, event: PositionEvent) -> None:
        """Tell the program what happened to a position."""
        ...

    def told(self) -> None:
        """A state may have changed."""
        ...


class Comparison:
    """Asks leaders where the epochs of doubted positions end, and decides by the answers."""

    def __init__(
        self, cluster: Cluster, states: dict[TopicPartition, PartitionState], keeper: PositionKeeper
    ) -> None:
        self._cluster = cluster
        self._states = states
        self._keeper = keeper
        self._patience_s = cluster.config.default_api_timeout_ms / 1000
        self._outdated: dict[TopicPartition, tuple[Refusal, float]] = {}
        """Positions that only a leader before their epoch was asked about, and since when."""

    async def compare(self, doubted: list[PartitionState]) -> bool:
        """One round for all of them; False when some have to be tried again."""
        by_node, failures = await states_by_leader(self._cluster, doubted)
        await asyncio.gather(
            *[self._ask(node, states, failures) for node, states in by_node.items()]
        )
        for key, error in failures.items():
            state = self._states.get(key)
            if state is not None and state.refusal is not None:
                self._failed(state, error)
        return not failures

    async def _ask(
        self,
        node: Node,
        states: list[PartitionState],
        failures: dict[TopicPartition, ClientError],
    ) -> None:
        asked = {each.topic_partition: each.refusal for each in states}
        epochs = {key: each.epoch for key, each in asked.items() if each is not None}
        is_comparable = True
        ends: dict[TopicPartition, EpochEnd] = {}
        try:
            ends, refused = await ask_epoch_ends(self._cluster, node, epochs)
            failures.update(refused)
        except UnsupportedVersionError:
            is_comparable = False
        except ClientError as error:
            failures.update(dict.fromkeys(epochs, error))
        for key, refusal in asked.items():
            state = self._states.get(key)
            if state is None or refusal is None or state.refusal is not refusal:
                continue  # sought elsewhere, or given back, meanwhile
            if not is_comparable:
                self._incomparable(state, refusal)
            elif key in ends:
                older = self._older_leader(state, refusal, ends[key])
                if older is not None:
                    failures[key] = older
                else:
                    self._compared(state, refusal, ends[key])
        self._keeper.told()

    def _failed(self, state: PartitionState, error: ClientError) -> None:
        if is_retriable(error):
            log.info("%s: not compared yet: %s", state.topic_partition, error)
            self._cluster.refresh_soon()
        else:
            state.fail(error)
            self._keeper.told()

    def _incomparable(self, state: PartitionState, refusal: Refusal) -> None:
        """The leader is too old to know epochs: what it says of the position counts."""
        state.refusal = None
        state.validated_epoch = self._cluster.metadata.leader_epoch(*state.topic_partition)
        if refusal.node_id != NOBODY and refusal.is_leader:
            self._keeper.out_of_range(state, refusal._replace(epoch=UNKNOWN))

    def _older_leader(
        self, state: PartitionState, refusal: Refusal, end: EpochEnd
    ) -> ClientError | None:
        """Why the answer of a leader decides nothing, if its epoch is before the position's.

        Somebody else leads since, and the metadata do not say so yet: a leader that is cut off from
        the other brokers may go on answering clients. Its log lacks what was committed after it, so
        it is asked no more until the metadata name a later one. That ends: a position that was kept
        elsewhere may be of a topic that was made anew since, whose epochs begin at 0 again.
        """
        key = state.topic_partition
        if not UNKNOWN < end.asked_under < refusal.epoch or _has(end, refusal):
            return None
        loop = asyncio.get_running_loop()
        known, since = self._outdated.get(key, (None, 0.0))
        if known is not refusal:
            known, since = self._outdated[key] = refusal, loop.time()
        if loop.time() - since > self._patience_s:
            del self._outdated[key]
            return None
        text = f"{key}: its leader is of epoch {end.asked_under}, the position of {refusal.epoch}"
        return error_of(ErrorCode.NOT_LEADER_OR_FOLLOWER, text)

    def _compared(self, state: PartitionState, refusal: Refusal, end: EpochEnd) -> None:
        if _has(end, refusal):
            self._kept(state, refusal, end)
        elif self._keeper.policy is None:
            state.fail(
                LogTruncationError(
                    f"{state.topic_partition}: {REASON} at {end.end_offset}, before the position"
                    f" {state.position}, and auto_offset_reset is none: seek()",
                    end_offset=end.end_offset,
                    leader_epoch=end.leader_epoch,
                )
            )
        elif end.is_known:
            self._truncated(state, end)
        else:
            text = f"{state.topic_partition}: the leader knows nothing of epoch {refusal.epoch}"
            error = error_of(ErrorCode.OFFSET_OUT_OF_RANGE, text)
            self._keeper.by_policy(state, error, REASON)

    def _kept(self, state: PartitionState, refusal: Refusal, end: EpochEnd) -> None:
        state.refusal = None
        if state.fetch_offset == refusal.offset:
            state.validated_epoch = end.asked_under
        if refusal.node_id == NOBODY:
            return
        if refusal.is_leader and refusal.says_nothing:
            # In its history, and refused all the same: it was deleted.
            self._keeper.out_of_range(state, refusal._replace(epoch=UNKNOWN))
            return
        log.info(
            "%s: node %d refused offset %d, which the leader has",
            state.topic_partition,
            refusal.node_id,
            refusal.offset,
        )
        self._cluster.refresh_soon()
        self._keeper.tell(PositionKept(state.topic_partition, refusal.offset, refusal.node_id))

    def _truncated(self, state: PartitionState, end: EpochEnd) -> None:
        position = state.position
        if position is not None and end.end_offset >= position:
            # Only what was fetched ahead is lost, and nobody has seen that.
            state.seek(position, state.position_epoch)
        else:
            log.warning(
                "%s: %s; going on at %d instead of %s",
                state.topic_partition,
                REASON,
                end.end_offset,
                position,
            )
            state.seek(end.end_offset, end.leader_epoch)
            before = UNKNOWN if position is None else position
            self._keeper.tell(LogTruncation(state.topic_partition, before, end.end_offset, REASON))
        state.validated_epoch = end.asked_under


def _has(end: EpochEnd, refusal: Refusal) -> bool:
    """Whether the position is in the leader's log."""
    return end.is_known and end.end_offset >= refusal.offset


async def states_by_leader(
    cluster: Cluster, states: list[PartitionState]
) -> tuple[dict[Node, list[PartitionState]], dict[TopicPartition, ClientError]]:
    """Partitions by the node that leads them, and why some are led by none."""
    by_node: dict[Node, list[PartitionState]] = {}
    failures: dict[TopicPartition, ClientError] = {}
    metadata = cluster.metadata
    cluster.track(each.topic_partition.topic for each in states)
    if any(metadata.partition(*each.topic_partition) is None for each in states):
        # Once for all of them: a topic that is not there must not hold up the others.
        try:
            await cluster.refresh()
        except ClientError as error:
            return {}, {each.topic_partition: error for each in states}
    for state in states:
        key = state.topic_partition
        try:
            by_node.setdefault(leader_in(metadata, *key), []).append(state)
        except LeaderNotAvailableError as error:
            failures[key] = error
            cluster.refresh_soon()
        except ClientError as error:
            failures[key] = error
    return by_node, failures
