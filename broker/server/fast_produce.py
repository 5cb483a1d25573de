"""The hot path: a Produce request of the usual kind, walked in place and answered in bytes.

No object of the request is made. A batch is judged by its header, its CRC and the framing of its
records, and goes to the log as the bytes that lie in the receive buffer. Everything else, every
doubt included, returns None, before anything was appended: `dispatch` then takes the same frame
along the general road (generated classes, `handlers/produce.py`). That return is the one place
where the two roads meet.

What a client says first hardly changes from one request to the next: client id, acks, timeout,
topic. Those bytes are remembered with what they meant; equal bytes need no second parsing.
"""

from __future__ import annotations

import struct
from struct import Struct
from typing import TYPE_CHECKING

from barnabas.protocol.checksum import crc32c
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.record_batch import ATTRIBUTES_AT, HEADER, HEADER_SIZE, LOG_OVERHEAD
from barnabas.protocol.varints import uvarint

from ..core.log.record_check import is_true_at_once
from .produce_walk import (
    FLEXIBLE_SINCE,
    read_front,
    read_uvarint,
    uvarint_rest,
    walk_request,
)

if TYPE_CHECKING:
    from collections.abc import Callable

    from ..core.log.partition_log import AppendResult
    from ..core.replication.partition import Partition
    from ..observe.metrics import Metrics
    from .connection import Connection
    from .produce_answers import ProduceAnswers, Rows

_ZSTD = 4
_ZSTD_SINCE = 7

FIRST_VERSION, LAST_VERSION = 3, 11
ERRORS_SINCE = 8
LOG_START_SINCE = 5
BODY_AT = 12  # length, API key, version, correlation id
_INT16 = Struct(">h")
_INT32 = Struct(">i")
_NO_TAGS = b"\0\0\0"


class Plan:
    """What the constant front of a client's requests means, and the bytes around its answers.

    The front goes from the client id to the count of partitions, of a request with one partition.
    """

    __slots__ = (
        "_head",
        "_layout",
        "_tail",
        "acks",
        "front",
        "is_flexible",
        "timeout_ms",
        "topic",
        "version",
    )

    def __init__(
        self, version: int, topic: bytes, acks: int, timeout_ms: int, front: bytes
    ) -> None:
        self.version = version
        self.topic = topic
        self.acks = acks
        self.timeout_ms = timeout_ms
        self.front = front
        self.is_flexible = version >= FLEXIBLE_SINCE
        self._head, self._tail = _around(version, topic)
        numbers = "ihqqq" if version >= LOG_START_SINCE else "ihqq"
        self._layout = Struct(f">ii{len(self._head)}s{numbers}{len(self._tail)}s")

    def answer(self, correlation_id: int, index: int, result: AppendResult) -> bytes:
        """The whole frame that says where the batch went."""
        layout = self._layout
        base_offset, append_time_ms = result.base_offset, result.append_time_ms
        size, head, tail = layout.size - 4, self._head, self._tail
        if self.version >= LOG_START_SINCE:
            return layout.pack(
                size,
                correlation_id,
                head,
                index,
                0,
                base_offset,
                append_time_ms,
                result.log_start_offset,
                tail,
            )
        return layout.pack(size, correlation_id, head, index, 0, base_offset, append_time_ms, tail)


def _around(version: int, topic: bytes) -> tuple[bytes, bytes]:
    """The bytes of a one-partition answer before and after the partition's numbers."""
    if version >= FLEXIBLE_SINCE:
        # Header tags, one topic, its name, one partition … no record errors, no message, tags of
        # partition and topic, throttle time, tags.
        head = b"\0\2" + uvarint(len(topic) + 1) + topic + b"\2"
        return head, b"\1\0\0\0" + _INT32.pack(0) + b"\0"
    head = _INT32.pack(1) + _INT16.pack(len(topic)) + topic + _INT32.pack(1)
    errors = _INT32.pack(0) + _INT16.pack(-1) if version >= ERRORS_SINCE else b""
    return head, errors + _INT32.pack(0)


class FastProduce:
    """Bound to a node's partitions; called once per Produce request."""

    __slots__ = ("_answers", "_metrics", "_topics", "_wall_ms")

    def __init__(
        self,
        topics: dict[bytes, dict[int, Partition]],
        wall_ms: Callable[[], int],
        metrics: Metrics,
        answers: ProduceAnswers,
    ) -> None:
        self._topics = topics
        self._wall_ms = wall_ms
        self._metrics = metrics
        self._answers = answers

    def __call__(  # noqa: C901, PLR0912 - in one piece on purpose: a call costs as much
        self,
        connection: Connection,
        buffer: bytearray,
        start: int,
        end: int,
        version: int,
        correlation_id: int,
    ) -> bytes | None:
        """The answer; b"" if there is none (yet); None if the general road must be taken.

        Raises ProtocolError when acks=0 and the batch was refused (ENV-09).
        """
        plan = connection.produce_plan
        if (
            plan is None
            or plan.version != version
            or not buffer.startswith(plan.front, start + BODY_AT)
        ):
            plan = _read_plan(buffer, start + BODY_AT, end, version)
            if plan is None:
                return self._many(connection, buffer, start, end, version, correlation_id)
            connection.produce_plan = plan
        at = start + BODY_AT + len(plan.front)
        partitions = self._topics.get(plan.topic)
        if partitions is None or at + 5 + HEADER_SIZE > end:
            return None
        # The one partition: index, length of the records, records; behind them only empty tags.
        (index,) = _INT32.unpack_from(buffer, at)
        if plan.is_flexible:
            length = buffer[at + 4]
            at += 5
            if length > 0x7F:
                length, at = uvarint_rest(buffer, at, length)
            length -= 1
            batch_end = at + length
            if batch_end + 3 != end or not buffer.endswith(_NO_TAGS, batch_end, end):
                return None
        else:
            (length,) = _INT32.unpack_from(buffer, at + 4)
            at += 8
            batch_end = at + length
            if batch_end != end:
                return None
        partition = partitions.get(index)
        view = connection.view
        if partition is None or not is_usual(view, at, batch_end, partition, version):
            return None
        try:
            result = partition.append(view, at, batch_end, self._wall_ms())
        except KafkaError as error:
            rows: Rows = [(plan.topic, index, partition, error, bytes(view[at:batch_end]))]
            return self._slowly(connection, correlation_id, plan, rows)
        metrics = self._metrics
        metrics.produce_requests += 1
        metrics.bytes_in += length
        acks = plan.acks
        if not acks:
            return b""
        last = result.last_offset
        if partition.log.high_watermark <= last and not partition.is_acknowledged(last + 1, acks):
            self._answers.later(connection, plan, correlation_id, index, partition, result)
            return b""
        if partition.hooks is not None:
            partition.tell_acknowledged(result, acks)
        return plan.answer(correlation_id, index, result)

    def _slowly(self, connection: Connection, correlation_id: int, plan: Plan, rows: Rows) -> bytes:
        return self._answers(
            connection, plan.version, correlation_id, plan.acks, plan.timeout_ms, rows
        )

    def _many(
        self,
        connection: Connection,
        buffer: bytearray,
        start: int,
        end: int,
        version: int,
        correlation_id: int,
    ) -> bytes | None:
        """A request of several partitions: all are judged before the first is appended to."""
        request = walk_request(buffer, start + BODY_AT, end, version)
        if request is None:
            return None
        acks, timeout_ms, parts = request
        view = connection.view
        found: list[Partition] = []
        for topic, index, at, batch_end in parts:
            partition = self._topics.get(topic, _NOTHING).get(index)
            if partition is None or not is_usual(
                view, at, batch_end, partition, version, len(parts)
            ):
                return None
            found.append(partition)
        now = self._wall_ms()
        rows: Rows = []
        for partition, (topic, index, at, batch_end) in zip(found, parts, strict=True):
            try:
                result = partition.append(view, at, batch_end, now)
                rows.append((topic, index, partition, result, b""))
            except KafkaError as error:
                rows.append((topic, index, partition, error, bytes(view[at:batch_end])))
            self._metrics.bytes_in += batch_end - at
        self._metrics.produce_requests += 1
        return self._answers(connection, version, correlation_id, acks, timeout_ms, rows)


_NOTHING: dict[int, Partition] = {}


def is_usual(
    view: memoryview, at: int, end: int, partition: Partition, version: int, parts: int = 1
) -> bool:
    """Whether the bytes are one batch that can be appended as it is, and soon found to be right.

    `parts`: how many batches the request has.

    The CRC and the records are looked at last: they are what costs.
    """
    leader = partition.leader
    if leader is None or not leader.is_plain or end - at < HEADER_SIZE:
        return False
    (base, length, _, magic, crc, attributes, delta, first, newest, pid, epoch, sequence, count) = (
        HEADER.unpack_from(view, at)
    )
    if (
        length != end - at - LOG_OVERHEAD
        or magic != 2
        or not 0 <= attributes <= _ZSTD  # anything but a codec: time type, transactional, control
        or base != 0
        or count <= 0
        or delta != count - 1
        or (pid != -1 and (pid < 0 or epoch < 0 or sequence < 0))
        or (attributes == _ZSTD and version < _ZSTD_SINCE)
        or crc32c(view[at + ATTRIBUTES_AT : end]) != crc
    ):
        return False
    body = view[at + HEADER_SIZE : end]
    limit = partition.log.rules.max_decompressed_bytes
    return is_true_at_once(body, attributes, count, first, newest, limit, parts)


def _read_plan(buffer: bytearray, at: int, end: int, version: int) -> Plan | None:
    """Parse the front of a request for one partition; None if it is anything else."""
    if not FIRST_VERSION <= version <= LAST_VERSION:
        return None
    first = at
    front = read_front(buffer, at, end, version)
    if front is None or front[2] != 1:
        return None
    acks, timeout_ms, _, at = front
    try:
        if version >= FLEXIBLE_SINCE:
            size, at = read_uvarint(buffer, at)
            topic_end = at + size - 1
            partition_count, after = read_uvarint(buffer, topic_end)
            partition_count -= 1
        else:
            (size,) = _INT16.unpack_from(buffer, at)
            at += 2
            topic_end = at + size
            (partition_count,) = _INT32.unpack_from(buffer, topic_end)
            after = topic_end + 4
    except (IndexError, struct.error):
        return None
    if partition_count != 1 or topic_end <= at or after > end:
        return None
    topic = bytes(buffer[at:topic_end])
    return Plan(version, topic, acks, timeout_ms, bytes(buffer[first:after]))
