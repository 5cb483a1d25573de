"""ListOffsets: the offset of a time, of the log's two ends, or of the newest record.

- KIP-207 (207-01, 207-02): a leader whose watermark has not yet reached the start of its epoch
  refuses clients, so that the end of a partition never goes back (all questions; conflict C30).
- 207-07: a partition that is asked for twice is refused; special timestamps have their versions.
- The end is the watermark, or the last stable offset for read-committed clients; a time whose first
  record lies beyond it is answered as not found.
- Without tiered storage the local log begins where the log begins (-4); nothing was tiered (-5).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Coroutine, Iterator
from typing import TYPE_CHECKING, Any

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.list_offsets_response import (
    ListOffsetsPartitionResponse,
    ListOffsetsResponse,
    ListOffsetsTopicResponse,
)

from .hosting import hosted_replica
from .waiting import SLICE, at_once, in_slices

if TYPE_CHECKING:
    from barnabas.protocol.messages.list_offsets_request import (
        ListOffsetsPartition,
        ListOffsetsRequest,
    )

    from ..core.replication.partition import Partition
    from .context import RequestContext

VERSIONS = (1, 10)

LATEST, EARLIEST, MAX_TIMESTAMP, EARLIEST_LOCAL, LATEST_TIERED = -1, -2, -3, -4, -5
READ_COMMITTED = 1
CLIENT, ANY_REPLICA = -1, -2

_SINCE = {MAX_TIMESTAMP: 7, EARLIEST_LOCAL: 8, LATEST_TIERED: 9}
_EPOCH_SINCE = 4
_OFFSET_NOT_AVAILABLE_SINCE = 5

Found = tuple[int, int, int]
"""Timestamp, offset, leader epoch; -1 each where there is none."""

_NOTHING: Found = (-1, -1, -1)


def handle(
    request: ListOffsetsRequest, context: RequestContext
) -> ListOffsetsResponse | Coroutine[Any, Any, ListOffsetsResponse]:
    """Answer each partition on its own."""
    response = ListOffsetsResponse()
    if sum(len(topic.partitions) for topic in request.topics) > SLICE:
        return _in_slices(request, context, response)
    at_once(_answer_all(request, context, response))
    return response


async def _in_slices(
    request: ListOffsetsRequest, context: RequestContext, response: ListOffsetsResponse
) -> ListOffsetsResponse:
    await in_slices(_answer_all(request, context, response))
    return response


def _answer_all(
    request: ListOffsetsRequest, context: RequestContext, response: ListOffsetsResponse
) -> Iterator[None]:
    twice = _asked_twice(request)
    number = 0
    for topic in request.topics:
        answer = ListOffsetsTopicResponse(name=topic.name)
        response.topics.append(answer)
        for wanted in topic.partitions:
            number += 1
            if number % SLICE == 0:
                yield
            row = ListOffsetsPartitionResponse(partition_index=wanted.partition_index)
            answer.partitions.append(row)
            try:
                if (topic.name, wanted.partition_index) in twice:
                    raise KafkaError(ErrorCode.INVALID_REQUEST)
                found = _find(request, topic.name, wanted, context)
            except KafkaError as error:
                row.error_code = int(_code(error, context.api_version))
                continue
            row.timestamp, row.offset = found[0], found[1]
            if context.api_version >= _EPOCH_SINCE:
                row.leader_epoch = found[2]


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


def _asked_twice(request: ListOffsetsRequest) -> set[tuple[str, int]]:
    counts = Counter(
        (topic.name, wanted.partition_index)
        for topic in request.topics
        for wanted in topic.partitions
    )
    return {key for key, count in counts.items() if count > 1}


def _code(error: KafkaError, version: int) -> ErrorCode:
    if error.code is ErrorCode.OFFSET_NOT_AVAILABLE and version < _OFFSET_NOT_AVAILABLE_SINCE:
        return ErrorCode.LEADER_NOT_AVAILABLE  # 207-04
    return error.code


def _find(
    request: ListOffsetsRequest, topic: str, wanted: ListOffsetsPartition, context: RequestContext
) -> Found:
    timestamp = wanted.timestamp
    if timestamp < LATEST_TIERED or context.api_version < _SINCE.get(timestamp, 0):
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION)
    partition = hosted_replica(context.node, topic, wanted.partition_index)
    partition.check_leader_epoch(wanted.current_leader_epoch)
    if request.replica_id != ANY_REPLICA:  # 392-10
        partition.check_leader()
    elif not partition.is_leader and timestamp >= 0:
        raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    if (
        partition.is_leader
        and request.replica_id == CLIENT
        and partition.high_watermark < partition.epoch_start_offset
        and not partition.config.unclean_leader_election_enable
    ):
        raise KafkaError(ErrorCode.OFFSET_NOT_AVAILABLE)
    return _answer(partition, timestamp, request.isolation_level == READ_COMMITTED)


def _answer(partition: Partition, timestamp: int, read_committed: bool) -> Found:
    log = partition.log
    end = partition.readable_end(read_committed=read_committed)
    if timestamp == LATEST:
        return -1, end, partition.leader_epoch
    if timestamp in (EARLIEST, EARLIEST_LOCAL):
        return -1, log.log_start_offset, log.epoch_of(log.log_start_offset)
    if timestamp == LATEST_TIERED:
        return _NOTHING
    if timestamp == MAX_TIMESTAMP:
        found = log.max_timestamp()
    else:
        found = log.offset_for_timestamp(timestamp)
    if found is None or (timestamp != MAX_TIMESTAMP and found[1] >= end):
        return _NOTHING
    return found
