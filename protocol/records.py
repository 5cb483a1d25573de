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
from .legacy_records import decode_entry
from .record import CREATE_TIME, ELEMENTS_MAX, LOG_APPEND_TIME, Record
from .record_batch import (
    HEADER_SIZE,
    NO_SEQUENCE,
    SEQUENCE_MAX,
    BatchHeader,
    check_batch,
    iter_batch_headers,
    read_batch_header,
)
from .record_columns import decode_columns

INT64_MAX: Final = 0x7FFF_FFFF_FFFF_FFFF
INT64_MIN: Final = -0x8000_0000_0000_0000


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
