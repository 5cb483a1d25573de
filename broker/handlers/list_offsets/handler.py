"""ListOffsets: the offset of a time, of the log's two ends, or of the newest record.

- KIP-207 (207-01, 207-02): a leader whose watermark has not yet reached the start of its epoch
  refuses every question of a client, so that the end of a partition never goes back (C30).
- 207-09: a leader whose metadata is older than `leader.metadata.staleness.max.ms` may have been
  replaced without knowing it, and a new leader may have replaced such a one: neither tells an end
  or a time. This is checked when the answer is written, for the leader epoch in which its rows
  were found, and not at once: the answer waits a while for it.
- 392-10: replica id -2 may ask a follower, for its own start and watermark; a follower (id >= 0)
  that asks its leader is told the end of the log (279-04); every other id is a client (C11).
- 207-07: a partition that is asked for twice is refused; special timestamps have their versions.
- The end is the watermark, or the last stable offset for read-committed clients; a time whose first
  record lies beyond it is answered as not found.
- Times are looked up first, off the event loop if the disk must be waited for. Everything that may
  change meanwhile is checked afterwards, without another wait.
- Without tiered storage the local log (-4) begins where the log begins; nothing has been tiered
  (-5), and nothing waits for it (-6, from version 11 on).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine
from typing import Any  # Any: what a coroutine tells its loop

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.list_offsets_request import ListOffsetsPartition, ListOffsetsRequest
from barnabas.protocol.messages.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)

from ...core.reads import Planned, Steps, attempt
from ...core.replication.partition import Partition
from ...core.security.resources import Operation, topic_resource
from ...serving.context import BrokerContext, may_be_broker
from ...serving.handler import Handler
from ...serving.hosting import hosted_replica
from ...serving.waiting import SLICE, Late, Waiting, in_slices
from .answer import OffsetsAnswer, refuse_row
from .time_lookups import MAX_TIMESTAMP, TimeLookups

LATEST, EARLIEST, EARLIEST_LOCAL, LATEST_TIERED = -1, -2, -4, -5
EARLIEST_PENDING_UPLOAD = -6
READ_COMMITTED = 1
CLIENT, ANY_REPLICA = -1, -2

_SINCE = {MAX_TIMESTAMP: 7, EARLIEST_LOCAL: 8, LATEST_TIERED: 9, EARLIEST_PENDING_UPLOAD: 11}
_TIERED = (LATEST_TIERED, EARLIEST_PENDING_UPLOAD)
_WITHOUT_LEASE = (EARLIEST, EARLIEST_LOCAL, *_TIERED)
"""A start only ever grows, whoever tells it."""

_EPOCH_SINCE = 4

Found = tuple[int, int, int]
"""Timestamp, offset, leader epoch; -1 each where there is none."""

_NOTHING: Found = (-1, -1, -1)


Answer = ListOffsetsResponse | Waiting[Late]


def handle(
    request: ListOffsetsRequest, context: BrokerContext
) -> Answer | Coroutine[Any, Any, Answer]:
    """Answer each partition on its own."""
    answer = OffsetsAnswer(context.node, context.api_version)
    steps = _answer_all(request, context, answer)
    if sum(len(topic.partitions) for topic in request.topics) > SLICE:
        return _in_slices(context, answer, steps, None)
    missing = attempt(steps)
    if isinstance(missing, Planned):
        return _in_slices(context, answer, steps, missing)
    return answer.conclude()


async def _in_slices(
    context: BrokerContext, answer: OffsetsAnswer, steps: Steps[None], missing: Planned | None
) -> Answer:
    await in_slices(context.node, steps, missing)
    return answer.conclude()


def _answer_all(
    request: ListOffsetsRequest, context: BrokerContext, answer: OffsetsAnswer
) -> Steps[None]:
    lookups = TimeLookups(context.node)
    yield from lookups.look_up(request)
    times = _times_asked(request)
    told: dict[str, ListOffsetsTopicResponse] = {}
    number = 0
    for topic in request.topics:
        found = told.setdefault(topic.name, ListOffsetsTopicResponse(name=topic.name))
        may_describe = context.rights.may(Operation.DESCRIBE, topic_resource(topic.name))
        for wanted in topic.partitions:
            number += 1
            if number % SLICE == 0:
                yield None
            key = (topic.name, wanted.partition_index)
            asked = times.pop(key, 0)
            if asked == 0:
                continue  # one row says that it was asked for twice
            row = ListOffsetsPartitionResponse(partition_index=wanted.partition_index)
            found.partitions.append(row)
            try:
                if not may_describe:
                    raise KafkaError(ErrorCode.TOPIC_AUTHORIZATION_FAILED)
                if asked > 1:
                    raise KafkaError(ErrorCode.INVALID_REQUEST)
                _answer_one(request, topic.name, wanted, context, row, answer, lookups)
            except KafkaError as error:
                refuse_row(row, error.code, context.api_version)
    answer.response.topics.extend(told.values())


def refuse(
    request: ListOffsetsRequest, code: ErrorCode, message: str | None
) -> ListOffsetsResponse:
    """The same error for every partition."""
    del message
    response = ListOffsetsResponse()
    for topic in request.topics:
        rows = [
            ListOffsetsPartitionResponse(
                partition_index=wanted.partition_index, error_code=int(code)
            )
            for wanted in topic.partitions
        ]
        response.topics.append(ListOffsetsTopicResponse(name=topic.name, partitions=rows))
    return response


def _times_asked(request: ListOffsetsRequest) -> Counter[tuple[str, int]]:
    return Counter(
        (topic.name, wanted.partition_index)
        for topic in request.topics
        for wanted in topic.partitions
    )


def _answer_one(
    request: ListOffsetsRequest,
    topic: str,
    wanted: ListOffsetsPartition,
    context: BrokerContext,
    row: ListOffsetsPartitionResponse,
    answer: OffsetsAnswer,
    lookups: TimeLookups,
) -> None:
    timestamp = wanted.timestamp
    if timestamp < EARLIEST_PENDING_UPLOAD or context.api_version < _SINCE.get(timestamp, 0):
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION)
    partition = hosted_replica(context.node, topic, wanted.partition_index)
    partition.check_leader_epoch(wanted.current_leader_epoch)
    replica_id = request.replica_id
    if replica_id >= 0 and not may_be_broker(context):
        replica_id = CLIENT
    _check_may_answer(partition, replica_id, timestamp)
    if replica_id >= 0:
        end = partition.log.log_end_offset
    else:
        end = partition.readable_end(read_committed=request.isolation_level == READ_COMMITTED)
    row.timestamp, row.offset, epoch = _find(partition, timestamp, end, lookups)
    if context.api_version >= _EPOCH_SINCE:
        row.leader_epoch = epoch
    if partition.is_leader and replica_id < 0 and timestamp not in _WITHOUT_LEASE:
        answer.lease(row, partition, is_any_replica=replica_id == ANY_REPLICA)


def _check_may_answer(partition: Partition, replica_id: int, timestamp: int) -> None:
    """Raises KafkaError 6, or 78 in the window after an election (207-01)."""
    if replica_id == ANY_REPLICA:
        if timestamp >= 0:
            partition.as_leader()
        return
    leader = partition.as_leader()
    is_client = replica_id < 0
    if (
        is_client
        and partition.high_watermark < leader.epoch_start_offset
        and not partition.config.unclean_leader_election_enable
    ):
        raise KafkaError(ErrorCode.OFFSET_NOT_AVAILABLE)


def _find(partition: Partition, timestamp: int, end: int, lookups: TimeLookups) -> Found:
    log = partition.log
    if timestamp == LATEST:
        return -1, end, partition.leader_epoch
    if timestamp in (EARLIEST, EARLIEST_LOCAL):
        return -1, log.log_start_offset, log.epoch_of(log.log_start_offset)
    if timestamp in _TIERED:
        return _NOTHING
    found = lookups.found(partition, timestamp)
    if found is None:
        return _NOTHING
    if timestamp == MAX_TIMESTAMP and partition.high_watermark <= found[1] and end <= found[1]:
        # It is not committed yet, and which of those that are is the newest takes a search.
        raise KafkaError(ErrorCode.OFFSET_NOT_AVAILABLE)
    return found if found[1] < end else _NOTHING


HANDLER = Handler(ListOffsetsRequest, (1, 11), handle, refuse=refuse)
