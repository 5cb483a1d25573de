"""Records of batches of any magic: decoded, and checked while they are.

A record of magic 2: length, attributes (one byte, unused), timestamp delta, offset delta, key,
value, count of headers, headers; all numbers are zigzag varints, -1 as a length is null.
"""

# i64 is a C integer when compiled, which pyright does not take for int.
# pyright: reportArgumentType=false, reportReturnType=false, reportAssignmentType=false
from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING, Final

from .batch_errors import CorruptBatchError, InvalidBatchError
from .buffer import Buffer
from .compression import DECOMPRESSED_BYTES_MAX, codec_of, decompress
from .errors import DecodeError
from .record_batch import (
    HEADER_SIZE,
    NO_SEQUENCE,
    SEQUENCE_MAX,
    BatchHeader,
    check_batch,
    iter_batch_headers,
    read_batch_header,
)
from .varints import read_uvarint_rest, read_varlong

if TYPE_CHECKING:
    from mypy_extensions import i64

NO_TIMESTAMP_TYPE: Final = -1
CREATE_TIME: Final = 0
LOG_APPEND_TIME: Final = 1

NO_HEADERS: Final[tuple[tuple[str, bytes | None], ...]] = ()

ELEMENTS_MAX: Final = 1_000_000
"""Records, and headers of records, in one batch: far more than real ones, and bounded memory."""

INT64_MAX: Final = 0x7FFF_FFFF_FFFF_FFFF
INT64_MIN: Final = -0x8000_0000_0000_0000
SHORT_DELTAS: Final = 1 << 14
"""No timestamp delta of two bytes or fewer is as large."""


class Record:
    """One record: where it stands in the log, when it was written, and what it says."""

    __slots__ = (
        "headers",
        "key",
        "leader_epoch",
        "offset",
        "sequence",
        "timestamp",
        "timestamp_type",
        "value",
    )

    def __init__(
        self,
        offset: int,
        timestamp: int,
        key: bytes | None,
        value: bytes | None,
        headers: tuple[tuple[str, bytes | None], ...] = NO_HEADERS,
        timestamp_type: int = CREATE_TIME,
        leader_epoch: int = -1,
        sequence: int = -1,
    ) -> None:
        self.offset = offset
        self.timestamp = timestamp
        self.key = key
        self.value = value
        self.headers = headers
        self.timestamp_type = timestamp_type
        self.leader_epoch = leader_epoch
        self.sequence = sequence

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Record):
            return NotImplemented
        return (
            self.offset == other.offset
            and self.timestamp == other.timestamp
            and self.key == other.key
            and self.value == other.value
            and self.headers == other.headers
            and self.timestamp_type == other.timestamp_type
            and self.leader_epoch == other.leader_epoch
            and self.sequence == other.sequence
        )

    def __hash__(self) -> int:
        return hash((self.offset, self.timestamp, self.key, self.value))

    def __repr__(self) -> str:
        return (
            f"Record(offset={self.offset}, timestamp={self.timestamp}, key={self.key!r}, "
            f"value={self.value!r}, headers={self.headers!r}, "
            f"timestamp_type={self.timestamp_type}, leader_epoch={self.leader_epoch}, "
            f"sequence={self.sequence})"
        )


def decode_batch(
    buf: Buffer, offset: int = 0, limit: int = DECOMPRESSED_BYTES_MAX, check_crc: bool = True
) -> list[Record]:
    """The records of the batch at `offset`, of any magic; `limit` bounds compressed ones (ENV-13).

    Raises CorruptBatchError(2) when the bytes are no batch or the checksum is another one, and
    InvalidBatchError(87) when the batch is intact but its records are not what they should be.
    """
    header = read_batch_header(buf, offset)
    end = offset + header.size
    if end > len(buf):
        raise CorruptBatchError(f"a batch of {header.size} bytes, {len(buf) - offset} are there")
    if header.magic < 2:
        from .legacy_records import decode_entry

        return decode_entry(buf, offset, limit, check_crc)
    if check_crc:
        check_batch(buf, offset, end)
    elif header.size < HEADER_SIZE:
        raise CorruptBatchError(f"a batch of {header.size} bytes is smaller than its header")
    return decode_records(batch_body(buf, offset, header, limit), header)


def batch_body(
    buf: Buffer, offset: int, header: BatchHeader, limit: int = DECOMPRESSED_BYTES_MAX
) -> bytes:
    """The records of a batch of magic 2 as bytes, decompressed up to `limit` bytes (ENV-13).

    Raises InvalidBatchError(87) beyond the limit and for bytes that do not decompress,
    UnsupportedCodecError(76) for a codec that does not exist.
    """
    body = memoryview(buf)[offset + HEADER_SIZE : offset + header.size]
    return decompress(codec_of(header.codec), body, limit)


def decode_records(data: bytes, header: BatchHeader) -> list[Record]:
    """All records of a decompressed body of magic 2.

    Raises InvalidBatchError(87): a length that does not fit, a varint that is too long, a count of
    records or headers that cannot be, bytes behind the last record.
    """
    if not 0 <= header.record_count <= len(data):
        raise InvalidBatchError(f"{header.record_count} records in {len(data)} bytes")
    if header.record_count > ELEMENTS_MAX:
        raise InvalidBatchError(f"more than {ELEMENTS_MAX} records in one batch")
    if header.last_offset > INT64_MAX:
        raise InvalidBatchError(f"base offset {header.base_offset} is too close to the last int64")
    try:
        records = _decode(data, header)
    except IndexError:
        raise InvalidBatchError("a record is cut short") from None
    except DecodeError as error:
        raise InvalidBatchError(str(error)) from None
    if abs(header.base_timestamp) > INT64_MAX - SHORT_DELTAS:
        _check_timestamps(records)
    return records


# Flat on purpose: a call for each field would take twice the time.
def _decode(data: bytes, header: BatchHeader) -> list[Record]:  # noqa: C901, PLR0912, PLR0915
    base_offset = header.base_offset
    base_timestamp = header.base_timestamp
    append_time = header.max_timestamp if header.is_log_append_time else None
    kind = CREATE_TIME if append_time is None else LOG_APPEND_TIME
    last_delta: i64 = header.last_offset_delta
    epoch = header.partition_leader_epoch
    base_sequence = header.base_sequence
    end: i64 = len(data)
    i: i64 = 0
    size: i64 = 0
    budget: i64 = ELEMENTS_MAX
    offset_delta: i64 = 0
    records: list[Record] = []
    key: bytes | None
    value: bytes | None
    for _ in range(header.record_count):
        # Every varint is read in place when it has one byte, and it nearly always has.
        size, i = data[i], i + 1
        if size > 0x7F:
            size, i = read_uvarint_rest(data, i, size)
        record_end: i64 = i + (size >> 1)
        if size & 1 or record_end > end:
            raise InvalidBatchError(f"a record of {_zigzag(size)} bytes, {end - i} are left")
        i += 1  # attributes: none is defined
        delta, i = data[i], i + 1
        if delta > 0x7F:
            delta, i = _read_timestamp_delta(data, i - 1, base_timestamp)
        else:
            delta = (delta >> 1) ^ -(delta & 1)
        offset_delta, i = data[i], i + 1
        if offset_delta > 0x7F:
            offset_delta, i = read_uvarint_rest(data, i, offset_delta)
        if offset_delta & 1 or offset_delta >> 1 > last_delta:
            raise _bad_offset(offset_delta, last_delta)
        offset_delta >>= 1
        key = None
        size, i = data[i], i + 1
        if size > 0x7F:
            size, i = read_uvarint_rest(data, i, size)
        if not size & 1:
            size >>= 1
            key = data[i : i + size]
            i += size
        value = None
        size, i = data[i], i + 1
        if size > 0x7F:
            size, i = read_uvarint_rest(data, i, size)
        if not size & 1:
            size >>= 1
            value = data[i : i + size]
            i += size
        headers = NO_HEADERS
        size, i = data[i], i + 1
        if size:
            headers, i = _read_headers(data, i, size, record_end, budget)
            budget -= len(headers)
        if i != record_end:
            raise InvalidBatchError(f"a record ends {i - record_end} bytes behind its length")
        sequence = NO_SEQUENCE if base_sequence < 0 else base_sequence + offset_delta & SEQUENCE_MAX
        offset = base_offset + offset_delta
        timestamp = base_timestamp + delta if append_time is None else append_time
        records.append(Record(offset, timestamp, key, value, headers, kind, epoch, sequence))
    if i != end:
        raise InvalidBatchError(f"{end - i} bytes behind the last of {len(records)} records")
    return records


def _read_timestamp_delta(data: bytes, i: i64, base: int) -> tuple[int, int]:
    """A delta of more than one byte; the timestamp it leads to must be an int64."""
    second: i64 = data[i + 1]
    if second < 0x80:
        value: i64 = data[i] & 0x7F | second << 7
        return (value >> 1) ^ -(value & 1), i + 2
    delta, i = read_varlong(data, i)
    if not INT64_MIN <= base + delta <= INT64_MAX:
        raise InvalidBatchError(f"timestamp delta {delta} from {base}")
    return delta, i


def _check_timestamps(records: list[Record]) -> None:
    """Where the base is so near to the end of an int64 that even a short delta leads beyond."""
    for record in records:
        if not INT64_MIN <= record.timestamp <= INT64_MAX:
            raise InvalidBatchError(f"timestamp {record.timestamp} is no int64")


def _bad_offset(encoded: int, last_delta: int) -> InvalidBatchError:
    return InvalidBatchError(f"offset delta {_zigzag(encoded)}, the batch ends at {last_delta}")


def _zigzag(value: int) -> int:
    return (value >> 1) ^ -(value & 1)


def _read_headers(
    data: bytes, i: i64, first: i64, end: i64, budget: i64
) -> tuple[tuple[tuple[str, bytes | None], ...], int]:
    """The headers of a record whose count began with the byte `first`, and the offset behind."""
    count: i64 = first
    if count > 0x7F:
        count, i = read_uvarint_rest(data, i, count)
    if count & 1 or count > end - i:
        # A header takes at least two bytes, and `count` still is twice what it says.
        raise InvalidBatchError(f"{_zigzag(count)} headers in {end - i} bytes")
    if count >> 1 > budget:
        raise InvalidBatchError(f"more than {ELEMENTS_MAX} headers in one batch")
    headers: list[tuple[str, bytes | None]] = []
    for _ in range(count >> 1):
        size: i64 = data[i]
        i += 1
        if size > 0x7F:
            size, i = read_uvarint_rest(data, i, size)
        if size & 1:
            raise InvalidBatchError(f"a header with a key of {_zigzag(size)} bytes")
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


def iter_records(
    buf: Buffer, limit: int = DECOMPRESSED_BYTES_MAX, with_control: bool = False
) -> Iterator[Record]:
    """The records of all whole batches in a row, without those of control batches.

    Raises as `decode_batch` does; `limit` is for each batch.
    """
    for offset, header in iter_batch_headers(buf):
        if with_control or not header.is_control or header.magic < 2:
            yield from decode_batch(buf, offset, limit)
