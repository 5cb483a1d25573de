"""Records of batches of any magic as objects: decoded, and checked against the batch's header.

Those of magic 2 are made from the columns of `record_columns`, the only decoder. Compiled, making
columns first costs 0.1 µs a record (127 µs for 500 of them, where decoding them to objects at once
took 77); as Python it costs nothing.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from .batch_errors import CorruptBatchError, InvalidBatchError
from .buffer import Buffer
from .compression import DECOMPRESSED_BYTES_MAX, codec_of, decompress
from .record_batch import (
    HEADER_SIZE,
    NO_SEQUENCE,
    SEQUENCE_MAX,
    BatchHeader,
    check_batch,
    iter_batch_headers,
    read_batch_header,
)
from .record_columns import NO_HEADERS, Header, decode_columns

NO_TIMESTAMP_TYPE: Final = -1
CREATE_TIME: Final = 0
LOG_APPEND_TIME: Final = 1

ELEMENTS_MAX: Final = 1_000_000
"""Records, and headers of records, in one batch: far more than real ones, and bounded memory."""

INT64_MAX: Final = 0x7FFF_FFFF_FFFF_FFFF
INT64_MIN: Final = -0x8000_0000_0000_0000


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
        headers: tuple[Header, ...] = NO_HEADERS,
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
    offsets, timestamps, keys, values, headers = decode_columns(
        data, header.record_count, header.base_offset, header.base_timestamp, ELEMENTS_MAX
    )
    for extreme in (min(timestamps, default=0), max(timestamps, default=0)):
        if not INT64_MIN <= extreme <= INT64_MAX:
            raise InvalidBatchError(f"timestamp {extreme} is no int64")
    if header.is_log_append_time:
        timestamps = [header.max_timestamp] * len(offsets)
    kind = LOG_APPEND_TIME if header.is_log_append_time else CREATE_TIME
    base_offset = header.base_offset
    last_offset = header.last_offset
    base_sequence = header.base_sequence
    epoch = header.partition_leader_epoch
    sequence = NO_SEQUENCE
    records: list[Record] = []
    for at in range(len(offsets)):
        offset = offsets[at]
        if offset > last_offset or offset < base_offset:
            raise InvalidBatchError(f"offset {offset}, the batch is {base_offset} to {last_offset}")
        if base_sequence >= 0:
            sequence = base_sequence + offset - base_offset & SEQUENCE_MAX
        records.append(
            Record(offset, timestamps[at], keys[at], values[at], headers[at], kind, epoch, sequence)
        )
    return records


def iter_records(
    buf: Buffer, limit: int = DECOMPRESSED_BYTES_MAX, with_control: bool = False
) -> Iterator[Record]:
    """The records of all whole batches in a row, without those of control batches.

    Raises as `decode_batch` does; `limit` is for each batch.
    """
    for offset, header in iter_batch_headers(buf):
        if with_control or not header.is_control or header.magic < 2:
            yield from decode_batch(buf, offset, limit)
