"""The decoder of records of magic 2: from the bytes of a batch's records to columns.

The layout of one record, all numbers zigzag varints:

    length | attributes (1 byte) | timestamp delta | offset delta
    | key length or -1 | key | value length or -1 | value
    | header count, each: name length | name | value length or -1 | value

Columns are what decoding costs least into; `records` and the client make objects from them.
Whoever makes nothing from the records walks over them instead: `record_walk`.
"""

# i64 is a C integer when compiled, which pyright does not take for int.
# pyright: reportArgumentType=false, reportReturnType=false, reportAssignmentType=false
from __future__ import annotations

from typing import TYPE_CHECKING, Final

from .batch_errors import InvalidBatchError
from .errors import DecodeError
from .varints import read_uvarint_rest, read_varlong_rest

if TYPE_CHECKING:
    from mypy_extensions import i64

Header = tuple[str, bytes | None]
NO_HEADERS: Final[tuple[Header, ...]] = ()

Columns = tuple[
    list[int], list[int], list[bytes | None], list[bytes | None], list[tuple[Header, ...]]
]
"""Offsets, timestamps (ms), keys, values and headers; all lists have an element a record."""


def decode_columns(
    data: bytes, count: int, base_offset: int, base_timestamp: int, headers_max: int
) -> Columns:
    """Decode `count` records, whose bytes are all of `data`.

    Offsets and timestamps are not judged: a batch's header says what they may be. Raises
    InvalidBatchError(87): the bytes do not hold exactly so many records, or more than
    `headers_max` headers in all of them.
    """
    columns: Columns = ([], [], [], [], [])
    try:
        end = _decode(columns, data, count, base_offset, base_timestamp, headers_max)
    except IndexError:
        raise InvalidBatchError("a record is cut short") from None
    except DecodeError as error:
        raise InvalidBatchError(str(error)) from None
    if end != len(data):
        raise InvalidBatchError(f"{len(data) - end} bytes behind the last of {count} records")
    return columns


# Flat on purpose, and varints of one byte and most of two are read in place: a call costs as much
# as three fields. Slices beyond the end are short, and the next field is an IndexError then.
def _decode(  # noqa: C901, PLR0912, PLR0915
    columns: Columns, data: bytes, count: int, base_offset: int, base_time: int, headers_max: i64
) -> i64:
    offsets, timestamps, keys, values, all_headers = columns
    at: i64 = 0
    size: i64 = 0
    headers_seen: i64 = 0
    delta: int = 0
    for _ in range(count):
        size, at = data[at], at + 1
        if size > 0x7F:
            if data[at] > 0x7F:
                size, at = read_uvarint_rest(data, at, size)
            else:
                size, at = size - 0x80 + (data[at] << 7), at + 1
        if size & 1:
            raise InvalidBatchError("a record of less than no bytes")
        record_end: i64 = at + (size >> 1)
        delta, at = data[at + 1], at + 2  # behind the attributes: none is defined
        if delta > 0x7F:
            if data[at] > 0x7F:
                delta, at = read_varlong_rest(data, at, delta)
            else:
                delta, at = delta - 0x80 + (data[at] << 7), at + 1
                delta = (delta >> 1) ^ -(delta & 1)
        else:
            delta = (delta >> 1) ^ -(delta & 1)
        timestamps.append(base_time + delta)
        delta, at = data[at], at + 1
        if delta > 0x7F:
            if data[at] > 0x7F:
                delta, at = read_uvarint_rest(data, at, delta)
            else:
                delta, at = delta - 0x80 + (data[at] << 7), at + 1
        offsets.append(base_offset + ((delta >> 1) ^ -(delta & 1)))
        size, at = data[at], at + 1
        if size > 0x7F:
            size, at = read_uvarint_rest(data, at, size)
        if size & 1:
            keys.append(None)
        else:
            size >>= 1
            keys.append(data[at : at + size])
            at += size
        size, at = data[at], at + 1
        if size > 0x7F:
            if data[at] > 0x7F:
                size, at = read_uvarint_rest(data, at, size)
            else:
                size, at = size - 0x80 + (data[at] << 7), at + 1
        if size & 1:
            values.append(None)
        else:
            size >>= 1
            values.append(data[at : at + size])
            at += size
        size, at = data[at], at + 1
        if size:
            headers, at = _read_headers(data, at, size, record_end, headers_seen, headers_max)
            headers_seen += len(headers)
            all_headers.append(headers)
        else:
            all_headers.append(NO_HEADERS)
        if at != record_end:
            raise InvalidBatchError(f"a record ends {at - record_end} bytes behind its length")
    return at


def _read_headers(
    data: bytes, i: i64, first: i64, end: i64, seen: i64, most: i64
) -> tuple[tuple[Header, ...], i64]:
    """The headers of a record whose count began with the byte `first`, and the offset behind."""
    count: i64 = first
    if count > 0x7F:
        count, i = read_uvarint_rest(data, i, count)
    if count & 1 or count > end - i:
        # A header takes at least two bytes, and `count` still is twice what it says.
        raise InvalidBatchError(f"{(count >> 1) ^ -(count & 1)} headers in {end - i} bytes")
    if count >> 1 > most - seen:
        raise InvalidBatchError(f"more than {most} headers in one batch")
    headers: list[Header] = []
    for _ in range(count >> 1):
        size: i64 = data[i]
        i += 1
        if size > 0x7F:
            size, i = read_uvarint_rest(data, i, size)
        if size & 1:
            raise InvalidBatchError(f"a header with a key of {(size >> 1) ^ -(size & 1)} bytes")
        size >>= 1
        # Not UTF-8 is no error in Kafka: what cannot be read as such becomes U+FFFD.
        name = data[i : i + size].decode("utf-8", "replace")
        i += size
        value: bytes | None = None
        size = data[i]
        i += 1
        if size > 0x7F:
            size, i = read_uvarint_rest(data, i, size)
        if not size & 1:
            size >>= 1
            value = data[i : i + size]
            i += size
        headers.append((name, value))
    if i > end:
        raise InvalidBatchError(f"headers end {i - end} bytes behind their record")
    return tuple(headers), i
