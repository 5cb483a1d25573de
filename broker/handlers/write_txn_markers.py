"""WriteTxnMarkers: the ends of transactions, as their coordinators tell them (TXN-30).

Version 2 says by which rules a marker's epoch is checked (KIP-890). Administrators end hanging
transactions with it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from functools import partial
from typing import Final

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.write_txn_markers_request import (
    WritableTxnMarker,
    WriteTxnMarkersRequest,
)
from barnabas.protocol.messages.write_txn_markers_response import (
    WritableTxnMarkerPartitionResult,
    WritableTxnMarkerResult,
    WritableTxnMarkerTopicResult,
    WriteTxnMarkersResponse,
)

from ..core.cluster.topic_image import GROUPS_TOPIC
from ..core.replication.end_markers import EndMarker, append_marker
from ..core.replication.partition import ALL_IN_SYNC, Partition
from ..core.security.resources import CLUSTER, Operation
from ..serving.context import BrokerContext, BrokerServices
from ..serving.handler import Handler
from ..serving.hosting import hosted_leader

APPENDED_AT_ONCE: Final = 32
"""Markers that are written before other requests get their turn; each is a write to a file."""

_OF_COORDINATORS: Final = (
    ErrorCode.COORDINATOR_LOAD_IN_PROGRESS,
    ErrorCode.COORDINATOR_NOT_AVAILABLE,
    ErrorCode.NOT_COORDINATOR,
)


async def handle(
    request: WriteTxnMarkersRequest, context: BrokerContext
) -> WriteTxnMarkersResponse:
    """Write what is led here; each partition has its own answer."""
    rights = context.rights
    if not rights.may(Operation.ALTER, CLUSTER, is_audited=False):
        rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    return await write_markers(request, context.node)


async def write_markers(
    request: WriteTxnMarkersRequest, node: BrokerServices
) -> WriteTxnMarkersResponse:
    """Write the markers of all partitions, and answer when enough replicas have them."""
    response = WriteTxnMarkersResponse()
    async with asyncio.TaskGroup() as writing:  # a node that stops cancels all of them
        for number, (marker, topic, row) in enumerate(_rows(request, response), 1):
            writing.create_task(_write(node, topic, _end_of(marker), row))
            if number % APPENDED_AT_ONCE == 0:
                await asyncio.sleep(0)
    return response


def _rows(
    request: WriteTxnMarkersRequest, response: WriteTxnMarkersResponse
) -> Iterator[tuple[WritableTxnMarker, str, WritableTxnMarkerPartitionResult]]:
    """Each marker with each of its partitions: its topic, and its row in the answer."""
    for marker in request.markers:
        result = WritableTxnMarkerResult(producer_id=marker.producer_id)
        response.markers.append(result)
        for topic in marker.topics:
            rows = WritableTxnMarkerTopicResult(name=topic.name)
            result.topics.append(rows)
            for index in topic.partition_indexes:
                row = WritableTxnMarkerPartitionResult(partition_index=index)
                rows.partitions.append(row)
                yield marker, topic.name, row


def _end_of(marker: WritableTxnMarker) -> EndMarker:
    return EndMarker(
        marker.producer_id,
        marker.producer_epoch,
        marker.coordinator_epoch,
        marker.transaction_result,
        marker.transaction_version,
    )


async def _write(
    node: BrokerServices, topic: str, marker: EndMarker, row: WritableTxnMarkerPartitionResult
) -> None:
    try:
        if topic == GROUPS_TOPIC:
            await _write_with_offsets(node, row.partition_index, marker)
        else:
            partition = hosted_leader(node, topic, row.partition_index)
            appended = append_marker(partition, marker, node.env.clock.wall_ms())
            await _replicated(node, partition, appended.last_offset + 1)
    except KafkaError as error:
        row.error_code = int(error.code)


async def _write_with_offsets(node: BrokerServices, number: int, marker: EndMarker) -> None:
    """The coordinator of groups writes it, with what it decides about offsets (CRT-20)."""
    try:
        await node.groups.end_transaction(number, marker)
    except KafkaError as error:
        if error.code in _OF_COORDINATORS:
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER) from None
        raise


async def _replicated(node: BrokerServices, partition: Partition, end_offset: int) -> None:
    """Wait until enough replicas have it, as with acks=all; raises KafkaError."""
    done: asyncio.Future[ErrorCode] = asyncio.get_running_loop().create_future()

    def settle(code: ErrorCode) -> None:
        if not done.done():
            done.set_result(code)

    partition.when_acknowledged(end_offset, ALL_IN_SYNC, settle)
    timer = node.call_later(
        node.config.request_timeout_ms, partial(settle, ErrorCode.REQUEST_TIMED_OUT)
    )
    try:
        code = await done
    finally:
        timer.cancel()
    if code is not ErrorCode.NONE:
        raise KafkaError(code)


def refuse(
    request: WriteTxnMarkersRequest, code: int, message: str | None
) -> WriteTxnMarkersResponse:
    """The same error for every partition."""
    del message
    return WriteTxnMarkersResponse(
        markers=[
            WritableTxnMarkerResult(
                producer_id=marker.producer_id,
                topics=[
                    WritableTxnMarkerTopicResult(
                        name=topic.name,
                        partitions=[
                            WritableTxnMarkerPartitionResult(
                                partition_index=index, error_code=int(code)
                            )
                            for index in topic.partition_indexes
                        ],
                    )
                    for topic in marker.topics
                ],
            )
            for marker in request.markers
        ]
    )


HANDLER = Handler(WriteTxnMarkersRequest, (1, 2), handle, refuse=refuse)
