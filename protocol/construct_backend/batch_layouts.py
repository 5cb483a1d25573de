"""Layouts of record batches as constructs: magic 2, and message sets of magic 0 and 1."""

from __future__ import annotations

from typing import Any, Final  # Any: construct has no type information

from construct import (
    Adapter,
    Construct,
    FixedSized,
    GreedyBytes,
    If,
    Int8sb,
    Int16sb,
    Int32sb,
    Int32ub,
    Int64sb,
    Prefixed,
    RawCopy,
    Struct,
    Terminated,
    stream_read,
    stream_write,
    this,
)

from .primitives import LayoutError, Sized, bytes_left, uvarint

ELEMENTS_MAX: Final = 1_000_000

# construct makes these by decorators that type checkers take for functions.
int8: Final[Any] = Int8sb
int16: Final[Any] = Int16sb
int32: Final[Any] = Int32sb
uint32: Final[Any] = Int32ub
int64: Final[Any] = Int64sb
to_the_end: Final[Any] = GreedyBytes
the_end: Final[Any] = Terminated


class LongVarint(Construct):  # type: ignore[misc]  # construct has no type information
    """Seven bits a byte, lowest first, at most 64 bits in ten bytes."""

    def _parse(self, stream: Any, context: Any, path: str) -> int:
        value = 0
        for position in range(10):
            byte: int = stream_read(stream, 1, path)[0]
            value |= (byte & 0x7F) << (7 * position)
            if byte < 0x80 and value < 1 << 64:
                return value
            if byte < 0x80:
                break
        raise LayoutError("a varint of more than 64 bits", path=path)

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        groups = [obj >> (7 * position) & 0x7F for position in range(10)]
        while len(groups) > 1 and groups[-1] == 0:
            groups.pop()
        data = bytes([group | 0x80 for group in groups[:-1]] + groups[-1:])
        stream_write(stream, data, len(data), path)
        return obj


class Zigzag(Adapter):  # type: ignore[misc]  # construct has no type information
    """0, -1, 1, -2, … as 0, 1, 2, 3, …"""

    def _decode(self, obj: int, context: Any, path: str) -> int:
        return -(obj + 1) // 2 if obj % 2 else obj // 2

    def _encode(self, obj: int, context: Any, path: str) -> int:
        return -2 * obj - 1 if obj < 0 else 2 * obj


class NoNegative(Adapter):  # type: ignore[misc]  # construct has no type information
    """Any negative length is null in Kafka's reader; here it becomes -1."""

    def _decode(self, obj: int, context: Any, path: str) -> int:
        return max(obj, -1)

    def _encode(self, obj: int, context: Any, path: str) -> int:
        return obj


class Utf8(Adapter):  # type: ignore[misc]  # construct has no type information
    """Text; bytes that are none become U+FFFD, as in Java."""

    def _decode(self, obj: bytes, context: Any, path: str) -> str:
        return obj.decode("utf-8", "replace")

    def _encode(self, obj: str, context: Any, path: str) -> bytes:
        return obj.encode("utf-8")


class Counted(Construct):  # type: ignore[misc]  # construct has no type information
    """A count that is never negative, then so many elements of at least two bytes."""

    def __init__(self, count: Any, element: Any) -> None:
        super().__init__()
        self.count = count
        self.element = element

    def _parse(self, stream: Any, context: Any, path: str) -> list[Any]:
        count = self.count._parsereport(stream, context, path)
        if count < 0 or 2 * count > bytes_left(stream) or count > ELEMENTS_MAX:
            raise LayoutError(f"{count} elements", path=path)
        return [self.element._parsereport(stream, context, path) for _ in range(count)]

    def _build(self, obj: Any, stream: Any, context: Any, path: str) -> Any:
        self.count._build(len(obj), stream, context, path)
        for item in obj:
            self.element._build(item, stream, context, path)
        return obj


varint: Final[Any] = Zigzag(uvarint)
varlong: Final[Any] = Zigzag(LongVarint())
nullable_octets: Final[Any] = Sized(NoNegative(varint), nullable=True)

HEADER_OF_RECORD: Final[Any] = Struct(
    "key" / Utf8(Sized(varint, nullable=False)),
    "value" / nullable_octets,
)

RECORD: Final[Any] = Prefixed(
    varint,
    Struct(
        "attributes" / int8,
        "timestamp_delta" / varlong,
        "offset_delta" / varint,
        "key" / nullable_octets,
        "value" / nullable_octets,
        "headers" / Counted(varint, HEADER_OF_RECORD),
        the_end,
    ),
)

COVERED: Final[Any] = Struct(
    "attributes" / int16,
    "last_offset_delta" / int32,
    "base_timestamp" / int64,
    "max_timestamp" / int64,
    "producer_id" / int64,
    "producer_epoch" / int16,
    "base_sequence" / int32,
    "record_count" / int32,
    "records" / to_the_end,
)
"""What the CRC of a batch covers."""

BATCH: Final[Any] = Struct(
    "base_offset" / int64,
    "batch_length" / int32,
    "partition_leader_epoch" / int32,
    "magic" / int8,
    "crc" / uint32,
    "covered" / RawCopy(COVERED),
)
"""A whole batch and nothing behind it."""

MESSAGE: Final[Any] = Struct(
    "offset" / int64,
    "size" / int32,
    "crc" / uint32,
    "covered"
    / RawCopy(
        FixedSized(
            this.size - 4,
            Struct(
                "magic" / int8,
                "attributes" / int8,
                "timestamp" / If(this.magic == 1, int64),
                "key" / Sized(NoNegative(int32), nullable=True),
                "value" / Sized(NoNegative(int32), nullable=True),
                the_end,
            ),
        )
    ),
)
"""An entry of a message set of magic 0 or 1."""
