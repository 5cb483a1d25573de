"""What the constant front of a client's Produce requests means, remembered by its connection."""

from __future__ import annotations

import struct
from struct import Struct

from barnabas.protocol.varints import uvarint

from ..core.log.append_result import AppendResult
from ..core.security.authorizer import Rules
from ..core.security.principal import Principal
from .produce_walk import (
    FIRST_VERSION,
    FLEXIBLE_SINCE,
    ID_SIZE,
    LAST_VERSION,
    TOPIC_IDS_SINCE,
    read_front,
    read_uvarint,
)

ERRORS_SINCE = 8
LOG_START_SINCE = 5
_INT16 = Struct(">h")
_INT32 = Struct(">i")


class Plan:
    """What the constant front of a client's requests means, and the bytes around its answers.

    The front goes from the client id to the count of partitions, of a request with one partition.
    """

    __slots__ = (
        "_head",
        "_layout",
        "_tail",
        "acks",
        "allowed_by",
        "allowed_to",
        "front",
        "has_id",
        "is_flexible",
        "timeout_ms",
        "topic",
        "version",
    )

    def __init__(
        self, version: int, topic: bytes, acks: int, timeout_ms: int, front: bytes
    ) -> None:
        """`topic` is its name, or from version 13 on its id."""
        self.version = version
        self.topic = topic
        self.has_id = version >= TOPIC_IDS_SINCE
        self.acks = acks
        self.timeout_ms = timeout_ms
        self.front = front
        self.allowed_by: Rules | None = None
        self.allowed_to: Principal | None = None
        """The state of the access control entries, and the principal, for which writing was
        allowed."""
        self.is_flexible = version >= FLEXIBLE_SINCE
        self._head, self._tail = _around(version, topic)
        numbers = "ihqqq" if version >= LOG_START_SINCE else "ihqq"
        self._layout = Struct(f">ii{len(self._head)}s{numbers}{len(self._tail)}s")

    @property
    def client_id(self) -> str:
        """The client id; empty if there is none."""
        return client_id_of(self.front, 0)

    def throttled_answer(
        self, correlation_id: int, index: int, result: AppendResult, throttle_ms: int
    ) -> bytes:
        """The answer as `answer` makes it, with a throttle time."""
        frame = self.answer(correlation_id, index, result)
        end = len(frame) - (1 if self.is_flexible else 0)  # empty tags stand behind the time
        return frame[: end - 4] + _INT32.pack(throttle_ms) + frame[end:]

    def answer(self, correlation_id: int, index: int, result: AppendResult) -> bytes:
        """The answer that tells where the batch was appended, as a whole frame."""
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


def client_id_of(buffer: bytes | bytearray, at: int) -> str:
    """The client id at `at`, where the front of a request begins; empty if there is none."""
    (size,) = _INT16.unpack_from(buffer, at)
    return buffer[at + 2 : at + 2 + max(size, 0)].decode(errors="replace")


def _around(version: int, topic: bytes) -> tuple[bytes, bytes]:
    """The bytes of a one-partition answer before and after the partition's numbers."""
    if version >= FLEXIBLE_SINCE:
        # Header tags, one topic, its name or id, one partition … no record errors, no message, tags
        # of partition and topic, throttle time, tags.
        size = b"" if version >= TOPIC_IDS_SINCE else uvarint(len(topic) + 1)
        head = b"\0\2" + size + topic + b"\2"
        return head, b"\1\0\0\0" + _INT32.pack(0) + b"\0"
    head = _INT32.pack(1) + _INT16.pack(len(topic)) + topic + _INT32.pack(1)
    errors = _INT32.pack(0) + _INT16.pack(-1) if version >= ERRORS_SINCE else b""
    return head, errors + _INT32.pack(0)


def read_plan(buffer: bytearray, at: int, end: int, version: int) -> Plan | None:
    """Parse the front of a request for one partition; None if it is any other request."""
    if not FIRST_VERSION <= version <= LAST_VERSION:
        return None
    first = at
    front = read_front(buffer, at, end, version)
    if front is None or front[2] != 1:
        return None
    acks, timeout_ms, _, at = front
    try:
        if version >= FLEXIBLE_SINCE:
            size = ID_SIZE + 1
            if version < TOPIC_IDS_SINCE:
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
