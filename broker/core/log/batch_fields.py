"""The header fields of a record batch that a log needs, read straight from a buffer.

Two layouts, so that no field is unpacked in vain: the whole header for an append, and the three
facts that walking over batches needs. `protocol.record_batch` has the same header as a class.
"""

from __future__ import annotations

from struct import Struct

from ..ports import Buffer

LOG_OVERHEAD = 12
"""Base offset and length: what precedes the bytes that the length counts."""

HEADER_SIZE = 61
LEGACY_OVERHEAD = 26
"""The smallest message of magic 0: offset, size, CRC, magic, attributes, two lengths."""

HEADER = Struct(">qiiBiHiqqqhii")
"""base offset, length, leader epoch, magic, crc, attributes, last offset delta, base timestamp,
max timestamp, producer id, producer epoch, base sequence, record count."""

PREFIX = Struct(">qii")
"""Base offset, length, leader epoch: what the leader stamps; the CRC covers none of it."""

PREFIX_SIZE = PREFIX.size

WALK = Struct(">qi4xB6xi")
"""base offset, length, magic, last offset delta (meaningless below magic 2)."""

WALK_SIZE = WALK.size

TIMESTAMP_TYPE_MASK = 0x08
TRANSACTIONAL_MASK = 0x10
CONTROL_MASK = 0x20
DELETE_HORIZON_MASK = 0x40

NO_PRODUCER_ID = -1
NO_SEQUENCE = -1
NO_TIMESTAMP = -1
MAX_INT = 0x7FFF_FFFF

_LEGACY_ATTRIBUTES_AT = 17
_LEGACY_TIMESTAMP_AT = 18
_INT64 = Struct(">q")


class BatchFields:
    """The facts of one batch of any magic that the indexes need."""

    __slots__ = ("base_offset", "last_offset", "magic", "max_timestamp", "position", "size")

    def __init__(
        self,
        position: int,
        base_offset: int,
        last_offset: int,
        size: int,
        max_timestamp: int,
        magic: int,
    ) -> None:
        self.position = position
        self.base_offset = base_offset
        self.last_offset = last_offset
        self.size = size
        self.max_timestamp = max_timestamp
        self.magic = magic


def batch_fields(buffer: Buffer, at: int, position: int) -> BatchFields | None:
    """The batch that starts at `at` of `buffer` (`position` of the file); None if cut short.

    A length that cannot be true gives None as well: whoever walks stops there.
    """
    left = len(buffer) - at
    if left < LEGACY_OVERHEAD:
        return None
    base, length, magic, delta = (
        WALK.unpack_from(buffer, at) if left >= WALK_SIZE else (*PREFIX.unpack_from(buffer, at), 0)
    )
    if left < WALK_SIZE:
        magic = buffer[at + 16]
    if magic >= 2:
        if left < HEADER_SIZE or length < HEADER_SIZE - LOG_OVERHEAD or delta < 0:
            return None
        timestamp = _INT64.unpack_from(buffer, at + 35)[0]
        return BatchFields(position, base, base + delta, length + LOG_OVERHEAD, timestamp, magic)
    if length < LEGACY_OVERHEAD - LOG_OVERHEAD:
        return None
    timestamp = NO_TIMESTAMP
    if magic == 1 and left >= _LEGACY_TIMESTAMP_AT + 8:
        timestamp = _INT64.unpack_from(buffer, at + _LEGACY_TIMESTAMP_AT)[0]
    # Below magic 2 the offset of a compressed set is that of its last message.
    return BatchFields(position, base, base, length + LOG_OVERHEAD, timestamp, magic)
