"""Fetch: batches from the offset that is asked for, when there are enough of them or time is up.

A fetch that finds less than `min_bytes` parks on its partitions (74-02) and reads anew when one of
them says that more has become readable; nothing polls. The answer leaves by `server/fast_fetch.py`,
which writes the records as they were read from the file.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterable, Iterator
from struct import Struct
from typing import TYPE_CHECKING, Any

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.fetch_response import (
    AbortedTransaction,
    EpochEndOffset,
    FetchableTopicResponse,
    FetchResponse,
    PartitionData,
)

from .hosting import hosted_replica, hosted_replica_by_id
from .waiting import SLICE, Late, Waiting, at_once, in_slices

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


Answer = FetchResponse | Waiting[Late]


def handle(request: FetchRequest, context: RequestContext) -> Answer | Coroutine[Any, Any, Answer]:
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
    if len(wanted.targets) > SLICE:
        return _read_in_slices(reading)
    at_once(reading.read())
    return reading.answer_or_park()


async def _read_in_slices(reading: Reading) -> Answer:
    await in_slices(reading.read())
    return reading.answer_or_park()


def refuse(request: FetchRequest, code: ErrorCode, message: str | None) -> FetchResponse:
    """One error for the whole request."""
    del request, message
    return FetchResponse(error_code=int(code))


PARKED_BYTES_MAX = 65_536
"""More than that a parked fetch does not keep: it reads again when its time has come."""


class Reading:
    """One fetch's partitions, read once or several times until there is enough."""

    __slots__ = (
        "_is_committed",
        "_max_bytes",
        "_news",
        "_replica_id",
        "_results",
        "_version",
        "_wanted",
        "has_error",
        "max_wait_ms",
        "min_bytes",
        "node",
        "places",
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
        self._news: dict[int, None] = {}
        self.places: dict[Partition, int] = {}
        """Of each partition that is here: which of the targets it is."""
        self.size = 0
        self.has_error = False

    def read(self) -> Iterator[None]:
        """Read all partitions in the order of the request (74-01); yields after every slice."""
        for number, target in enumerate(self._wanted.targets):
            if number % SLICE == SLICE - 1:
                yield
            data = self._read_one(number, target)
            self._results.append(data)
            if data.records:
                self.size += len(data.records)

    def read_again(self, numbers: Iterable[int]) -> None:
        """Read those partitions anew of which there is news."""
        for number in numbers:
            before = self._results[number]
            if before.records:
                self.size -= len(before.records)
            data = self._read_one(number, self._wanted.targets[number])
            self._results[number] = data
            if data.records:
                self.size += len(data.records)

    def put_down(self) -> None:
        """Let go of records that a waiting fetch would hold; they are read again for the answer."""
        if self.size <= PARKED_BYTES_MAX:
            return
        for number, data in enumerate(self._results):
            if data.records:
                self._news[number] = None
                data.records = b""
        self.size = 0

    def note_news(self, partition: Partition) -> None:
        """This partition must be read again before the answer."""
        self._news[self.places[partition]] = None

    def look_again(self) -> None:
        """Read the partitions of which there is news, in the order of the request."""
        news, self._news = self._news, {}
        self.read_again(sorted(news))

    @property
    def row_count(self) -> int:
        """How many rows the answer has at most."""
        return len(self._results)

    def make(self) -> FetchResponse:
        """The answer, now that its turn has come."""
        self.look_again()
        return self.answer()

    @property
    def has_enough(self) -> bool:
        """Whether the answer need not wait: `min_bytes` are there, or an error is."""
        return self.has_error or self.size >= self.min_bytes

    def answer_or_park(self) -> Answer:
        """The answer, if there is enough or nothing to wait for; else a parked fetch."""
        if self.has_enough or self.max_wait_ms <= 0 or not self._wanted.targets:
            return self.answer()
        return ParkedFetch(self)

    def _read_one(self, number: int, target: FetchTarget) -> PartitionData:
        partition = None
        try:
            if isinstance(target.topic, str):
                partition = hosted_replica(self.node, target.topic, target.partition)
            else:
                partition = hosted_replica_by_id(self.node, target.topic, target.partition)
            self.places[partition] = number
            self._check(partition, target)
            return self._read_partition(partition, target)
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
        if offset > log.high_watermark and self._version >= _FOLLOWER_READS_SINCE:
            # 392-05: the record is there but not yet committed. It parks like an empty read.
            raise KafkaError(ErrorCode.OFFSET_NOT_AVAILABLE)

    def _read_partition(self, partition: Partition, target: FetchTarget) -> PartitionData:
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
                self.has_error = True
                return data
        upper = partition.readable_end(read_committed=self._is_committed)
        is_first = self.size == 0
        left = self._max_bytes - self.size
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
            self.has_error = True
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


class ParkedFetch(Waiting[Late]):
    """A fetch that waits for bytes, for a change of its partitions, or for its deadline."""

    __slots__ = ("_has_change", "_missing", "_reading")

    def __init__(self, reading: Reading) -> None:
        super().__init__()
        self._reading = reading
        self._has_change = False
        self._wait_for_more()
        for partition in reading.places:
            partition.park(self)
        self.wait_at_most(reading.node, reading.max_wait_ms)

    def on_bytes(self, partition: Partition, size: int) -> None:
        """More has become readable: enough is worth another look."""
        self._reading.note_news(partition)
        self._missing -= size
        if self._missing <= 0:
            self._reading.node.wakeups.add(self)

    def on_change(self, partition: Partition) -> None:
        """A partition went away or changed its leader: answer with what there is."""
        self._reading.note_news(partition)
        self._has_change = True
        self._reading.node.wakeups.add(self)

    def on_high_watermark(self, partition: Partition) -> None:
        """The watermark moved: followers hear of it with their next answer."""

    def wake_up(self) -> None:
        if self.is_done:
            return
        reading = self._reading
        reading.look_again()
        if reading.has_enough or self._has_change:
            self.finish(reading)
        else:
            # Read-committed readers see less than was appended.
            self._wait_for_more()

    def _wait_for_more(self) -> None:
        reading = self._reading
        self._missing = max(reading.min_bytes - reading.size, 1)
        reading.put_down()

    def on_timeout(self) -> None:
        self.finish(self._reading)

    def on_end(self) -> None:
        for partition in self._reading.places:
            partition.unpark(self)
