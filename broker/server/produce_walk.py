"""Finds the parts of a Produce request in the receive buffer: versions 3 to 13, without objects."""

from __future__ import annotations

import struct
from struct import Struct

from barnabas.protocol.errors import DecodeError
from barnabas.protocol.varints import read_uvarint_rest

FIRST_VERSION, LAST_VERSION = 3, 13
FLEXIBLE_SINCE = 9
TOPIC_IDS_SINCE = 13
ID_SIZE = 16
"""The size of a topic id, which has no length before it."""
PARTITIONS_MAX = 1000
"""Requests for more partitions than this take the general path."""

_INT16 = Struct(">h")
_INT32 = Struct(">i")
_INDEX_AND_LENGTH = Struct(">ii")
_ACKS_AND_TIMEOUT = Struct(">hi")
_ACKS_KNOWN = (-1, 0, 1)

Part = tuple[bytes, int, int, int]
"""Topic name or id, partition index, start and end of its records."""


def read_uvarint(buffer: bytearray, at: int) -> tuple[int, int]:
    """The unsigned varint at `at`, and where it ends. Raises IndexError."""
    value = buffer[at]
    if value <= 0x7F:
        return value, at + 1
    return uvarint_rest(buffer, at + 1, value)


def uvarint_rest(buffer: bytearray, at: int, first: int) -> tuple[int, int]:
    """The rest of a varint whose first byte, `first`, announced more. Raises IndexError.

    One that is too long gives a number that exceeds every frame.
    """
    try:
        value, size = read_uvarint_rest(bytes(buffer[at : at + 4]), 0, first)
    except DecodeError:
        return 1 << 40, at
    return value, at + size


def read_front(
    buffer: bytearray, at: int, end: int, version: int
) -> tuple[int, int, int, int] | None:
    """Acks, timeout, count of topics, and where the first topic begins.

    `at` is where the client id begins. None for what the general road must judge: a transactional
    id, unknown acks, tags in the header, bytes that are no request.
    """
    try:
        (size,) = _INT16.unpack_from(buffer, at)
        at += 2 + max(size, 0)
        if version >= FLEXIBLE_SINCE:
            if buffer[at] or buffer[at + 1]:  # tags of the header; a transactional id
                return None
            acks, timeout_ms = _ACKS_AND_TIMEOUT.unpack_from(buffer, at + 2)
            topic_count, at = read_uvarint(buffer, at + 8)
            topic_count -= 1
        else:
            (size,) = _INT16.unpack_from(buffer, at)
            if size != -1:
                return None
            acks, timeout_ms = _ACKS_AND_TIMEOUT.unpack_from(buffer, at + 2)
            (topic_count,) = _INT32.unpack_from(buffer, at + 8)
            at += 12
    except (IndexError, struct.error):
        return None
    if acks not in _ACKS_KNOWN or at > end:
        return None
    return acks, timeout_ms, topic_count, at


def walk_request(
    buffer: bytearray, at: int, end: int, version: int
) -> tuple[int, int, list[Part]] | None:
    """Acks, timeout and all partitions of the request; None if it must take the general path."""
    if not FIRST_VERSION <= version <= LAST_VERSION:
        return None
    front = read_front(buffer, at, end, version)
    if front is None:
        return None
    acks, timeout_ms, topic_count, at = front
    try:
        if version >= FLEXIBLE_SINCE:
            parts, at = _walk_flexible(buffer, at, end, topic_count, version)
        else:
            parts, at = _walk_plain(buffer, at, end, topic_count)
    except (IndexError, struct.error):
        return None
    if at != end or not parts:
        return None
    return acks, timeout_ms, parts


_GIVEN_UP: tuple[list[Part], int] = ([], -1)


def _walk_flexible(
    buffer: bytearray, at: int, end: int, topic_count: int, version: int
) -> tuple[list[Part], int]:
    parts: list[Part] = []
    for _ in range(topic_count):
        size = ID_SIZE + 1
        if version < TOPIC_IDS_SINCE:
            size, at = read_uvarint(buffer, at)
        topic = bytes(buffer[at : at + size - 1])
        partition_count, at = read_uvarint(buffer, at + size - 1)
        if size <= 1 or partition_count <= 1 or len(parts) + partition_count > PARTITIONS_MAX:
            return _GIVEN_UP
        for _ in range(partition_count - 1):
            (index,) = _INT32.unpack_from(buffer, at)
            size, at = read_uvarint(buffer, at + 4)
            batch_end = at + size - 1
            if size == 0 or batch_end >= end or buffer[batch_end]:
                return _GIVEN_UP
            parts.append((topic, index, at, batch_end))
            at = batch_end + 1
        if buffer[at]:
            return _GIVEN_UP
        at += 1
    return (parts, at + 1) if not buffer[at] else _GIVEN_UP


def _walk_plain(buffer: bytearray, at: int, end: int, topic_count: int) -> tuple[list[Part], int]:
    parts: list[Part] = []
    for _ in range(topic_count):
        (size,) = _INT16.unpack_from(buffer, at)
        at += 2
        topic = bytes(buffer[at : at + size])
        at += size
        (partition_count,) = _INT32.unpack_from(buffer, at)
        at += 4
        if size <= 0 or partition_count <= 0 or len(parts) + partition_count > PARTITIONS_MAX:
            return _GIVEN_UP
        for _ in range(partition_count):
            index, size = _INDEX_AND_LENGTH.unpack_from(buffer, at)
            at += 8
            if size < 0 or at + size > end:
                return _GIVEN_UP
            parts.append((topic, index, at, at + size))
            at += size
    return parts, at
