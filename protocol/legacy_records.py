"""Message sets of magic 0 and 1, for reading: entries, and the compressed sets inside entries.

```
 0 offset      int64     16 magic       int8      18 timestamp   int64   magic 1 only
 8 size        int32     17 attributes  int8      .. key, value  int32 length (-1: null) and bytes
12 CRC-32 of all behind
```

A compressed entry (a wrapper) has a message set as its value and the offset of the last message in
it. Inside, offsets are absolute in magic 0 and relative to the first message in magic 1 (KIP-31).
"""

from __future__ import annotations

from struct import Struct, error
from typing import Final
from zlib import crc32

from .batch_errors import CorruptBatchError, InvalidBatchError
from .buffer import Buffer
from .compression import Codec, codec_of, decompress, with_lz4_header_checksum
from .record import (
    CREATE_TIME,
    ELEMENTS_MAX,
    LOG_APPEND_TIME,
    NO_TIMESTAMP_TYPE,
    Record,
)
from .record_batch import (
    CODEC_MASK,
    LEGACY_SIZE_MIN,
    LOG_OVERHEAD,
    MAGIC_AT,
    TIMESTAMP_TYPE_MASK,
)
from .record_columns import NO_HEADERS

_SIZES: Final = Struct(">qiI")
_INT32: Final = Struct(">i")
_INT64: Final = Struct(">q")
_ATTRIBUTES_AT: Final = 17
_TIMESTAMP_AT: Final = 18
NO_TIMESTAMP: Final = -1


class LegacyMessage:
    """One entry of a message set, as it stands there."""

    __slots__ = ("attributes", "key", "magic", "offset", "size", "timestamp", "value")

    def __init__(
        self,
        offset: int,
        size: int,
        magic: int,
        attributes: int,
        timestamp: int,
        key: bytes | None,
        value: bytes | None,
    ) -> None:
        self.offset = offset
        self.size = size
        """Bytes of the entry, offset and size field included."""
        self.magic = magic
        self.attributes = attributes
        self.timestamp = timestamp
        self.key = key
        self.value = value

    @property
    def timestamp_type(self) -> int:
        """The type of a message's timestamp; magic 0 has none (KIP-32)."""
        if self.magic == 0:
            return NO_TIMESTAMP_TYPE
        return LOG_APPEND_TIME if self.attributes & TIMESTAMP_TYPE_MASK else CREATE_TIME


def read_message(buf: Buffer, at: int, check_crc: bool = True) -> LegacyMessage:
    """The entry at `at`; CorruptBatchError(2) when it is cut, damaged, or of another magic."""
    left = len(buf) - at
    if left < LEGACY_SIZE_MIN:
        raise CorruptBatchError(f"{left} bytes are too few for a message")
    offset, length, crc = _SIZES.unpack_from(buf, at)
    size = length + LOG_OVERHEAD
    if size < LEGACY_SIZE_MIN or size > left:
        raise CorruptBatchError(f"a message of {size} bytes, {left} are there")
    magic = buf[at + MAGIC_AT]
    if magic > 1:
        raise CorruptBatchError(f"magic {magic} in a message set")
    end = at + size
    if check_crc and crc32(memoryview(buf)[at + MAGIC_AT : end]) != crc:
        raise CorruptBatchError("a message does not match its checksum")
    at += _TIMESTAMP_AT
    timestamp = NO_TIMESTAMP
    try:
        if magic == 1:
            timestamp = _INT64.unpack_from(buf, at)[0]
            at += 8
        key, at = _read_bytes(buf, at, end)
        value, at = _read_bytes(buf, at, end)
    except error:
        raise CorruptBatchError("a message is cut short") from None
    if at != end:
        raise CorruptBatchError(f"a message ends {at - end} bytes behind its size")
    attributes = buf[end - size + _ATTRIBUTES_AT]
    return LegacyMessage(offset, size, magic, attributes, timestamp, key, value)


def _read_bytes(buf: Buffer, at: int, end: int) -> tuple[bytes | None, int]:
    size = _INT32.unpack_from(buf, at)[0]
    at += 4
    if size < 0:
        return None, at
    if size > end - at:
        raise CorruptBatchError(f"{size} bytes in a message, {end - at} are left")
    return bytes(memoryview(buf)[at : at + size]), at + size


def decode_entry(buf: Buffer, at: int, limit: int, check_crc: bool = True) -> list[Record]:
    """The records of one entry: one, or those of the compressed set that is its value.

    Raises CorruptBatchError(2) and InvalidBatchError(87) as `records.decode_batch` does.
    """
    outer = read_message(buf, at, check_crc)
    codec = codec_of(outer.attributes & CODEC_MASK)
    if codec == Codec.NONE:
        return [_record(outer, outer.offset, outer.timestamp, outer.timestamp_type)]
    if codec == Codec.ZSTD:
        raise InvalidBatchError("zstd is for magic 2 only")
    messages = _inner_messages(outer, codec, limit)
    # Before KIP-31 inner offsets are absolute; after it the wrapper's offset is the last one's.
    shift = outer.offset - messages[-1].offset if outer.magic == 1 else 0
    stamped = outer.timestamp if outer.timestamp_type == LOG_APPEND_TIME else None
    return [
        _record(
            message,
            message.offset + shift,
            message.timestamp if stamped is None else stamped,
            outer.timestamp_type,
        )
        for message in messages
    ]


def _inner_messages(outer: LegacyMessage, codec: Codec, limit: int) -> list[LegacyMessage]:
    if outer.value is None:
        raise InvalidBatchError("a compressed message without a value")
    packed = outer.value
    if codec == Codec.LZ4 and outer.magic == 0:
        packed = with_lz4_header_checksum(packed)
    data = decompress(codec, packed, limit)
    messages: list[LegacyMessage] = []
    at = 0
    while at < len(data):
        message = read_message(data, at)
        if message.attributes & CODEC_MASK:
            raise InvalidBatchError("a compressed message inside a compressed message")
        if message.magic != outer.magic:
            raise InvalidBatchError(f"magic {message.magic} inside magic {outer.magic}")
        if len(messages) >= ELEMENTS_MAX:
            raise InvalidBatchError(f"more than {ELEMENTS_MAX} messages in one")
        messages.append(message)
        at += message.size
    if not messages:
        raise InvalidBatchError("a compressed message with nothing in it")
    return messages


def _record(message: LegacyMessage, offset: int, timestamp: int, timestamp_type: int) -> Record:
    return Record(offset, timestamp, message.key, message.value, NO_HEADERS, timestamp_type)
