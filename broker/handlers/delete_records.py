"""DeleteRecords: raises a partition's log start, in all its replicas (KIP-107).

-1 stands for the high watermark. Only the leader does it, only up to the high watermark, and only
for topics whose cleanup policy removes records; `__cluster_metadata` never (630-17).
The answer comes when every replica whose broker is active begins there too, and its low watermark
is the lowest of their starts; REQUEST_TIMED_OUT when that takes longer than the request's time. The
leader itself serves nothing below it any more even then.
A partition that is named twice is answered once: its last offset counts.
"""

from __future__ import annotations

from functools import partial

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.delete_records_request import DeleteRecordsRequest
from barnabas.protocol.messages.delete_records_response import (
    DeleteRecordsPartitionResult,
    DeleteRecordsResponse,
    DeleteRecordsTopicResult,
)

from ..core.cluster.topic_image import INTERNAL_TOPICS, METADATA_TOPIC
from ..core.replication.deletions import delete_below, when_deleted
from ..core.replication.partition import Partition
from ..core.replication.waiters import AckWaiter
from ..core.security.resources import Operation, topic_resource
from ..serving.context import BrokerContext
from ..serving.handler import Handler
from ..serving.hosting import hosted_leader
from ..serving.waiting import Turns, Waiting

UNKNOWN_LOW_WATERMARK = -1


async def handle(
    request: DeleteRecordsRequest, context: BrokerContext
) -> Waiting[DeleteRecordsResponse]:
    """Each partition on its own; one that cannot be does not hold up the others."""
    wanted: dict[str, dict[int, int]] = {}
    for topic in request.topics:
        offsets = wanted.setdefault(topic.name, {})
        offsets.update((one.partition_index, one.offset) for one in topic.partitions)
    response, turns = DeleteRecordsResponse(), Turns()
    wait = DeletionWait(response)
    for name, offsets in wanted.items():
        rows = DeleteRecordsTopicResult(name=name)
        response.topics.append(rows)
        for number, offset in offsets.items():
            row = DeleteRecordsPartitionResult(
                partition_index=number, low_watermark=UNKNOWN_LOW_WATERMARK
            )
            rows.partitions.append(row)
            try:
                partition = _deletable(name, number, context)
                wait.add(partition, delete_below(partition, offset), row)
            except KafkaError as error:
                row.error_code = int(error.code)
            await turns.after()
    wait.start()
    if not wait.is_done:
        wait.wait_at_most(context.node, max(request.timeout_ms, 0))
    return wait


def _deletable(topic: str, partition: int, context: BrokerContext) -> Partition:
    """The replica that leads. Raises KafkaError."""
    context.rights.require(Operation.DELETE, topic_resource(topic))
    if topic == METADATA_TOPIC:
        raise KafkaError(ErrorCode.POLICY_VIOLATION)
    if topic in INTERNAL_TOPICS:
        raise KafkaError(ErrorCode.INVALID_TOPIC_EXCEPTION)
    return hosted_leader(context.node, topic, partition)


class DeletionWait(Waiting[DeleteRecordsResponse]):
    """Deletions of one request that wait for the other replicas."""

    __slots__ = ("_open", "_response")

    def __init__(self, response: DeleteRecordsResponse) -> None:
        super().__init__()
        self._response = response
        self._open: dict[int, tuple[Partition, int, AckWaiter]] = {}
        """Of each row that is not filled yet: by the row's `id`."""

    def add(self, partition: Partition, offset: int, row: DeleteRecordsPartitionResult) -> None:
        """The leader's log begins at `offset`: fill the row when the others' do."""
        self._open[id(row)] = (partition, offset, partial(self._fill, partition, offset, row))

    def start(self) -> None:
        """Nothing is added any more: answer when all rows are filled, which may be now."""
        if not self._open:
            self.finish(self._response)
        for partition, offset, waiter in list(self._open.values()):
            when_deleted(partition, offset, waiter)

    def _fill(
        self,
        partition: Partition,
        offset: int,
        row: DeleteRecordsPartitionResult,
        code: ErrorCode,
    ) -> None:
        if self._open.pop(id(row), None) is None:
            return
        row.error_code = int(code)
        leader = partition.leader
        if leader is not None and code in (ErrorCode.NONE, ErrorCode.REQUEST_TIMED_OUT):
            row.low_watermark = leader.low_watermark.offset
        if code is ErrorCode.NONE:
            partition.tell("records-deleted", offset=offset)
        if not self._open:
            self.finish(self._response)

    def on_timeout(self) -> None:
        for partition, _, waiter in list(self._open.values()):
            partition.waiters.stop_awaiting_low_watermark(waiter)
            waiter(ErrorCode.REQUEST_TIMED_OUT)

    def on_end(self) -> None:
        for partition, _, waiter in self._open.values():
            partition.waiters.stop_awaiting_low_watermark(waiter)


def refuse(request: DeleteRecordsRequest, code: int, message: str | None) -> DeleteRecordsResponse:
    """An error for the whole request stands on each partition."""
    del message
    return DeleteRecordsResponse(
        topics=[
            DeleteRecordsTopicResult(
                name=topic.name,
                partitions=[
                    DeleteRecordsPartitionResult(
                        partition_index=one.partition_index,
                        low_watermark=UNKNOWN_LOW_WATERMARK,
                        error_code=code,
                    )
                    for one in topic.partitions
                ],
            )
            for topic in request.topics
        ]
    )


HANDLER = Handler(DeleteRecordsRequest, (0, 2), handle, refuse=refuse)
