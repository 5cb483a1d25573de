"""Fetch: batches from the offset that is asked for, when there are enough of them or time is up.

A fetch that finds less than `min_bytes` parks on its partitions (74-02) and reads anew when one of
them says that more has become readable; nothing polls. The answer leaves by `server/fast_fetch.py`,
which writes the records as they were read from the file.
"""

from __future__ import annotations

from struct import Struct
from typing import TYPE_CHECKING

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.fetch_response import (
    AbortedTransaction,
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)

from .hosting import hosted_replica, hosted_replica_by_id
from .waiting import Waiting

if TYPE_CHECKING:
    from barnabas.protocol.messages.fetch_request import FetchRequest

    from ..core.replication.fetch_session import FetchContext, FetchTarget
    from ..core.replication.partition import Partition
    from .context import BrokerServices, RequestContext

VERSIONS = (4, 18)

READ_COMMITTED = 1
_FOLLOWER_READS_SINCE = 11
_STORAGE_ERROR_SINCE = 6
_REPLICA_STATE_SINCE = 15
_BATCH_WALK = Struct(">qi11xi")
"""Base offset, length, last offset delta."""


def handle(
    request: FetchRequest, context: RequestContext
) -> FetchResponse | Waiting[FetchResponse]:
    """Read now, or park."""
    node = context.node
    version = context.api_version
    if version >= _REPLICA_STATE_SINCE:
        replica_id = request.replica_state.replica_id
    else:
        replica_id = request.replica_id
    try:
        wanted = node.sessions.resolve(
            request,
            version,
            is_follower=replica_id >= 0,
            now_ms=node.env.clock.monotonic_ms(),
        )
    except KafkaError as error:
        return FetchResponse(error_code=int(error.code))
    reading = Reading(node, request, wanted, version, replica_id)
    reading.read()
    if reading.is_due or request.max_wait_ms <= 0 or not wanted.targets:
        return reading.answer()
    return ParkedFetch(reading)


def refuse(request: FetchRequest, code: ErrorCode, message: str | None) -> FetchResponse:
    """One error for the whole request."""
    del request, message
    return FetchResponse(error_code=int(code))


class Reading:
    """One fetch's partitions, read once or several times until there is enough."""

    __slots__ = (
        "_is_committed",
        "_max_bytes",
        "_replica_id",
        "_results",
        "_version",
        "_wanted",
        "is_due",
        "max_wait_ms",
        "min_bytes",
        "node",
        "partitions",
        "size",
    )

    def __init__(
        self,
        node: BrokerServices,
        request: FetchRequest,
        wanted: FetchContext,
        version: int,
        replica_id: int,
    ) -> None:
        self.node = node
        self._wanted = wanted
        self._version = version
        self._replica_id = replica_id
        self._is_committed = request.isolation_level == READ_COMMITTED
        self._max_bytes = min(request.max_bytes, node.config.fetch_max_bytes)
        self.min_bytes = min(request.min_bytes, self._max_bytes)
        self.max_wait_ms = request.max_wait_ms
        self._results: list[PartitionData] = []
        self.partitions: list[Partition] = []
        self.size = 0
        self.is_due = False

    def read(self) -> None:
        """Read all partitions in the order of the request (74-01)."""
        self._results = []
        self.partitions = []
        self.size = 0
        self.is_due = False
        left = self._max_bytes
        for target in self._wanted.targets:
            data = self._read_one(target, left)
            self._results.append(data)
            if data.records:
                size = len(data.records)
                self.size += size
                left -= size
        if self.size >= self.min_bytes:
            self.is_due = True

    def _read_one(self, target: FetchTarget, left: int) -> PartitionData:
        partition = None
        try:
            if isinstance(target.topic, str):
                partition = hosted_replica(self.node, target.topic, target.partition)
            else:
                partition = hosted_replica_by_id(self.node, target.topic, target.partition)
            self._check(partition, target)
            return self._read_partition(partition, target, left)
        except KafkaError as error:
            return self._failed(partition, target, error)

    def _check(self, partition: Partition, target: FetchTarget) -> None:
        """Epoch, leadership and range. Raises KafkaError 74, 75, 6, 1 or 78."""
        partition.check_leader_epoch(target.current_leader_epoch)
        if not partition.is_leader and (
            self._replica_id >= 0
            or (self._replica_id == -1 and self._version < _FOLLOWER_READS_SINCE)
        ):
            raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
        log = partition.log
        offset = target.fetch_offset
        if not log.log_start_offset <= offset <= log.log_end_offset:
            raise KafkaError(ErrorCode.OFFSET_OUT_OF_RANGE)
        self.partitions.append(partition)
        if offset > log.high_watermark and self._version >= _FOLLOWER_READS_SINCE:
            # 392-05: the record is there but not yet committed. It parks like an empty read.
            raise KafkaError(ErrorCode.OFFSET_NOT_AVAILABLE)

    def _read_partition(
        self, partition: Partition, target: FetchTarget, left: int
    ) -> PartitionData:
        log = partition.log
        data = PartitionData(
            partition_index=target.partition,
            high_watermark=log.high_watermark,
            last_stable_offset=log.last_stable_offset,
            log_start_offset=log.log_start_offset,
            aborted_transactions=None,
        )
        offset = target.fetch_offset
        if target.last_fetched_epoch >= 0:
            diverging = _diverging(partition, target)
            if diverging is not None:
                data.diverging_epoch = diverging
                self.is_due = True
                return data
        upper = partition.readable_end(read_committed=self._is_committed)
        is_first = self.size == 0
        if offset < upper and (left > 0 or is_first):
            # Any buffer will do, not only `bytes`: `fast_fetch` writes it as it is.
            data.records = log.read(  # type: ignore[assignment]
                offset,
                max(min(target.max_bytes, left), 0),
                upper,
                at_least_one_batch=is_first,
            )
        if self._is_committed:
            data.aborted_transactions = _aborted(partition, offset, upper, data.records)
        return data

    def _failed(
        self, partition: Partition | None, target: FetchTarget, error: KafkaError
    ) -> PartitionData:
        code = error.code
        if code is ErrorCode.KAFKA_STORAGE_ERROR and self._version < _STORAGE_ERROR_SINCE:
            code = ErrorCode.NOT_LEADER_OR_FOLLOWER
        if code is not ErrorCode.OFFSET_NOT_AVAILABLE:
            self.is_due = True
        data = PartitionData(
            partition_index=target.partition,
            error_code=int(code),
            high_watermark=-1,
            aborted_transactions=None,
        )
        if partition is not None and code in _WITH_OFFSETS:
            # 392-07, 392-08: who is out of range is told what the range is.
            log = partition.log
            data.high_watermark = log.high_watermark
            data.last_stable_offset = log.last_stable_offset
            data.log_start_offset = log.log_start_offset
        return data

    def answer(self) -> FetchResponse:
        """What was read last, as far as the session has not told it before."""
        response = FetchResponse(session_id=self._wanted.session_id)
        topic: str | bytes | None = None
        rows: list[PartitionData] = []
        for target, data in self._wanted.select(self._results):
            if target.topic != topic:
                topic = target.topic
                rows = []
                found = FetchableTopicResponse(partitions=rows)
                if isinstance(topic, str):
                    found.topic = topic
                else:
                    found.topic_id = topic
                response.responses.append(found)
            rows.append(data)
        self._results = []
        return response


_WITH_OFFSETS = (ErrorCode.OFFSET_OUT_OF_RANGE, ErrorCode.OFFSET_NOT_AVAILABLE)


def _diverging(partition: Partition, target: FetchTarget) -> EpochEndOffset | None:
    """Where the fetcher's log leaves ours (279-02); None if it does not.

    Raises KafkaError OFFSET_OUT_OF_RANGE for an epoch that we know nothing of.
    """
    epoch, end_offset = partition.log.end_offset_for_epoch(target.last_fetched_epoch)
    if epoch < 0 or end_offset < 0:
        raise KafkaError(ErrorCode.OFFSET_OUT_OF_RANGE)
    if epoch < target.last_fetched_epoch or end_offset < target.fetch_offset:
        return EpochEndOffset(epoch=epoch, end_offset=end_offset)
    return None


def _aborted(
    partition: Partition, offset: int, upper: int, records: bytes | None
) -> list[AbortedTransaction]:
    """Aborted transactions in what was read (98-06)."""
    if not records:
        return []
    found = partition.log.aborted_transactions(offset, upper)
    if not found:
        return []
    end = _next_offset(records)
    return [
        AbortedTransaction(producer_id=producer_id, first_offset=first)
        for producer_id, first in found
        if first < end
    ]


def _next_offset(records: bytes) -> int:
    """The offset after the last whole batch."""
    at, following = 0, 0
    while at + _BATCH_WALK.size <= len(records):
        base, length, delta = _BATCH_WALK.unpack_from(records, at)
        following = base + delta + 1
        at += 12 + length
    return following


class ParkedFetch(Waiting[FetchResponse]):
    """A fetch that waits for bytes, for a change of its partitions, or for its deadline."""

    __slots__ = ("_missing", "_must_answer", "_parked_on", "_reading")

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self._reading = reading
        self._must_answer = False
        self._missing = max(reading.min_bytes - reading.size, 1)
        self._parked_on = reading.partitions
        for partition in self._parked_on:
            partition.park(self)
        self.wait_at_most(reading.node, reading.max_wait_ms)

    def on_bytes(self, size: int) -> None:
        """More has become readable: enough is worth another look."""
        self._missing -= size
        if self._missing <= 0:
            self._reading.node.wakeups.add(self)

    def on_change(self) -> None:
        """A partition went away or changed its leader: answer with what there is."""
        self._must_answer = True
        self._reading.node.wakeups.add(self)

    def wake_up(self) -> None:
        if self.is_done:
            return
        reading = self._reading
        reading.read()
        if reading.is_due or self._must_answer:
            self.finish(reading.answer())
        else:
            # Read-committed readers see less than was appended.
            self._missing = max(reading.min_bytes - reading.size, 1)

    def on_timeout(self) -> None:
        self._reading.read()
        self.finish(self._reading.answer())

    def on_end(self) -> None:
        for partition in self._parked_on:
            partition.unpark(self)
