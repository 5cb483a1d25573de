"""What the answer for one partition of a fetch means for its position: records, or which error."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Callable

from barnabas.protocol.errors import RETRIABLE, ErrorCode
from barnabas.protocol.messages.fetch_response import PartitionData

from ..config import ConsumerConfig
from ..errors import CorruptMessageError, error_of, known_code
from ..wire.cluster import Cluster
from ..wire.leadership import LEADERSHIP_ERRORS
from ..wire.metadata import Node
from .fetched import FetchedRecords, end_of
from .positions import UNKNOWN, PartitionState
from .preferred import PreferredReplicas
from .refusals import Refusal

log = logging.getLogger("barnabas.client")


class FetchAnswers:
    """Takes answers into partition states."""

    def __init__(
        self,
        cluster: Cluster,
        config: ConsumerConfig,
        preferred: PreferredReplicas,
        out_of_range: Callable[[PartitionState, Refusal], bool],
    ) -> None:
        self._cluster = cluster
        self._config = config
        self._preferred = preferred
        self._out_of_range = out_of_range
        self._loop = asyncio.get_running_loop()

    def take(
        self, state: PartitionState, answer: PartitionData, endpoints: dict[int, Node], node_id: int
    ) -> bool:
        """One partition of one node's response; `endpoints` are nodes that the response named.

        Returns whether the partition is to be read from another node now.
        """
        is_leader = self._cluster.metadata.leader_id(*state.topic_partition) == node_id
        if answer.error_code == ErrorCode.NONE:
            named = answer.preferred_read_replica
            if named >= 0 and named != node_id and not answer.records:
                return self._preferred.prefer(state, named)
            self._preferred.count(node_id, len(answer.records or b""), is_leader=is_leader)
            self._take_records(state, answer, is_leader)
            return state.has_damaged_copy
        code = known_code(answer.error_code)
        was_preferred = state.preferred != UNKNOWN
        self._preferred.refused(state, code.name)
        # A refusal that is repeated at once is of no use to anybody.
        state.backoff_until = self._loop.time() + self._config.retry_backoff_ms / 1000
        if code == ErrorCode.OFFSET_OUT_OF_RANGE:
            refusal = Refusal(
                node_id,
                is_leader,
                state.fetch_offset,
                state.fetch_epoch,
                answer.log_start_offset,
                answer.high_watermark,
            )
            if self._out_of_range(state, refusal) and not is_leader:
                state.backoff_until = 0.0  # the leader has not been asked yet
        elif code in LEADERSHIP_ERRORS:
            log.debug("%s: %s", state.topic_partition, code.name)
            if self._cluster.take_hint(state.topic_partition, answer.current_leader, endpoints):
                state.backoff_until = 0.0
                return True
        elif code in RETRIABLE and code != ErrorCode.CORRUPT_MESSAGE:
            log.info("%s: %s, fetching again", state.topic_partition, code.name)
        else:
            state.fail(error_of(answer.error_code, f"fetching {state.topic_partition}"))
        return was_preferred

    def _take_records(self, state: PartitionState, answer: PartitionData, is_leader: bool) -> None:
        state.high_watermark = answer.high_watermark
        state.last_stable_offset = answer.last_stable_offset
        if answer.log_start_offset >= 0:
            state.log_start_offset = answer.log_start_offset
        data = bytes(answer.records or b"")  # no copy: decoded messages have bytes
        if not data:
            return
        try:
            end, epoch = end_of(data, state.fetch_offset)
        except CorruptMessageError as error:
            if not is_leader:
                state.has_damaged_copy = True
                return
            state.fail(CorruptMessageError(f"{state.topic_partition}: {error.message}"))
            return
        if end == state.fetch_offset:
            # A broker answers with a whole batch at least (74-01); this one did not.
            state.backoff_until = self._loop.time() + self._config.retry_backoff_ms / 1000
            log.warning(
                "%s: %d bytes at offset %d without a whole batch to go on with",
                state.topic_partition,
                len(data),
                state.fetch_offset,
            )
            return
        aborted = None
        if self._config.isolation:
            aborted = [
                (each.producer_id, each.first_offset) for each in answer.aborted_transactions or ()
            ]
        state.buffered.append(
            FetchedRecords(
                state.topic_partition,
                data,
                state.fetch_offset,
                aborted=aborted,
                check_crcs=self._config.check_crcs,
                decompressed_bytes_max=self._config.decompressed_batch_max_bytes,
                from_follower=not is_leader,
            )
        )
        state.fetch_offset = end
        state.fetch_epoch = epoch
        state.refused_below_by = UNKNOWN
