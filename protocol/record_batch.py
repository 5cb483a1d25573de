"""Headers of record batches: read, checked, stamped; never a record.

```
 0 base offset           int64     23 last offset delta   int32
 8 length                int32     27 base timestamp      int64  (delete horizon: attribute 0x40)
12 leader epoch          int32     35 max timestamp       int64
16 magic                 int8      43 producer id         int64
17 CRC-32C of all behind int32     51 producer epoch      int16
21 attributes            int16     53 base sequence       int32
                                   57 record count        int32
```

The length counts what follows it. The CRC covers none of what a leader stamps: base offset and
leader epoch. Entries of magic 0 and 1 are given the same header as far as they have its fields.
"""

from __future__ import annotations

from collections.abc import Iterator
from struct import Struct
from typing import Final

from .batch_errors import (
    BatchError,
    CorruptBatchError,
    InvalidBatchError,
    UnsupportedCodecError,
    UnsupportedMagicError,
)
from .buffer import Buffer
from .checksum import crc32c

__all__ = [
    "HEADER_SIZE",
    "LOG_OVERHEAD",
    "BatchError",
    "BatchHeader",
    "CorruptBatchError",
    "InvalidBatchError",
    "UnsupportedCodecError",
    "UnsupportedMagicError",
    "check_batch",
    "check_client_batch",
    "iter_batch_headers",
    "read_batch_header",
    "set_base_offset",
    "set_max_timestamp",
    "set_producer",
    "stamp_append_time",
    "stamped_prefix",
]

LOG_OVERHEAD: Final = 12
HEADER_SIZE: Final = 61
PREFIX_SIZE: Final = 21
LEGACY_HEADER_SIZE: Final = 18
LEGACY_SIZE_MIN: Final = 26
"""A message of magic 0 without key and value."""

LENGTH_AT: Final = 8
LEADER_EPOCH_AT: Final = 12
MAGIC_AT: Final = 16
CRC_AT: Final = 17
ATTRIBUTES_AT: Final = 21
LAST_OFFSET_DELTA_AT: Final = 23
BASE_TIMESTAMP_AT: Final = 27
MAX_TIMESTAMP_AT: Final = 35
PRODUCER_ID_AT: Final = 43
PRODUCER_EPOCH_AT: Final = 51
BASE_SEQUENCE_AT: Final = 53
RECORD_COUNT_AT: Final = 57

CODEC_MASK: Final = 0x07
TIMESTAMP_TYPE_MASK: Final = 0x08
TRANSACTIONAL_MASK: Final = 0x10
CONTROL_MASK: Final = 0x20
DELETE_HORIZON_MASK: Final = 0x40

CODECS: Final = 5
NO_PRODUCER_ID: Final = -1
NO_PRODUCER_EPOCH: Final = -1
NO_SEQUENCE: Final = -1
NO_TIMESTAMP: Final = -1
NO_LEADER_EPOCH: Final = -1
SEQUENCE_MAX: Final = 0x7FFFFFFF

HEADER: Final = Struct(">qiibIhiqqqhii")
"""The 13 fields of the header, in order."""
LEGACY_HEADER: Final = Struct(">qiIbb")
"""Offset, size, CRC-32, magic, attributes of an entry of magic 0 or 1."""
PREFIX: Final = Struct(">qii")
"""Base offset, length, leader epoch: what a leader stamps."""
PREFIX_AND_CRC: Final = Struct(">qiibI")
PLACE: Final = Struct(">qi")
"""Base offset and length, which every magic has."""
_INT64: Final = Struct(">q")
_UINT32: Final = Struct(">I")
_INT16: Final = Struct(">h")
_PRODUCER: Final = Struct(">qhi")


class BatchHeader:
    """The header of one batch; the properties are what follows from its fields."""

    __slots__ = (
        "attributes",
        "base_offset",
        "base_sequence",
        "base_timestamp",
        "batch_length",
        "crc",
        "last_offset_delta",
        "magic",
        "max_timestamp",
        "partition_leader_epoch",
        "producer_epoch",
        "producer_id",
        "record_count",
    )

    def __init__(  # noqa: PLR0913, PLR0917 -- one argument a field of the header
        self,
        base_offset: int,
        batch_length: int,
        partition_leader_epoch: int,
        magic: int,
        crc: int,
        attributes: int,
        last_offset_delta: int,
        base_timestamp: int,
        max_timestamp: int,
        producer_id: int,
        producer_epoch: int,
        base_sequence: int,
        record_count: int,
    ) -> None:
        self.base_offset = base_offset
        self.batch_length = batch_length
        self.partition_leader_epoch = partition_leader_epoch
        self.magic = magic
        self.crc = crc
        self.attributes = attributes
        self.last_offset_delta = last_offset_delta
        self.base_timestamp = base_timestamp
        self.max_timestamp = max_timestamp
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.base_sequence = base_sequence
        self.record_count = record_count

    @property
    def size(self) -> int:
        """Bytes of the whole batch, base offset and length included."""
        return self.batch_length + LOG_OVERHEAD

    @property
    def last_offset(self) -> int:
        """Offset of the last record, or of the last that was there before compaction."""
        return self.base_offset + self.last_offset_delta

    @property
    def next_offset(self) -> int:
        """The first offset behind this batch."""
        return self.base_offset + self.last_offset_delta + 1

    @property
    def codec(self) -> int:
        """Number of the codec, a value of `compression.Codec` when it is below 5."""
        return self.attributes & CODEC_MASK

    @property
    def is_transactional(self) -> bool:
        return bool(self.attributes & TRANSACTIONAL_MASK)

    @property
    def is_control(self) -> bool:
        return bool(self.attributes & CONTROL_MASK)

    @property
    def is_log_append_time(self) -> bool:
        """Whether all records have `max_timestamp` as their time."""
        return bool(self.attributes & TIMESTAMP_TYPE_MASK)

    @property
    def delete_horizon_ms(self) -> int | None:
        """When tombstones of this batch may go; kept where the base timestamp was (KIP-534)."""
        return self.base_timestamp if self.attributes & DELETE_HORIZON_MASK else None

    @property
    def last_sequence(self) -> int:
        """Sequence of the last record, wrapped at 2^31 (98-03); -1 without sequences."""
        if self.base_sequence < 0:
            return NO_SEQUENCE
        return (self.base_sequence + self.last_offset_delta) & SEQUENCE_MAX

    def __repr__(self) -> str:
        return (
            f"BatchHeader(offsets {self.base_offset}..{self.last_offset}, {self.size} bytes, "
            f"magic {self.magic}, attributes {self.attributes:#x}, {self.record_count} records)"
        )


def read_batch_header(buf: Buffer, offset: int = 0) -> BatchHeader:
    """The header of the batch at `offset`, of any magic, without checking it.

    Raises CorruptBatchError when the buffer does not hold a header there, or for a magic above 2.
    """
    left = len(buf) - offset
    if left < LEGACY_HEADER_SIZE:
        raise CorruptBatchError(f"{left} bytes are too few for a batch")
    magic = buf[offset + MAGIC_AT]
    if magic < 2:
        return _legacy_header(buf, offset, left)
    if magic != 2:
        raise CorruptBatchError(f"magic {magic} is unknown")
    if left < HEADER_SIZE:
        raise CorruptBatchError(f"{left} bytes are too few for the header of a batch")
    return BatchHeader(*HEADER.unpack_from(buf, offset))


def _legacy_header(buf: Buffer, offset: int, left: int) -> BatchHeader:
    """What an entry of magic 0 or 1 says, in the fields of a batch of one record."""
    last_offset, size, crc, magic, attributes = LEGACY_HEADER.unpack_from(buf, offset)
    timestamp = NO_TIMESTAMP
    if magic == 1:
        if left < LEGACY_HEADER_SIZE + 8:
            raise CorruptBatchError(f"{left} bytes are too few for a message of magic 1")
        timestamp = _INT64.unpack_from(buf, offset + LEGACY_HEADER_SIZE)[0]
    return BatchHeader(
        last_offset, size, -1, magic, crc, attributes, 0, timestamp, timestamp, -1, -1, -1, 1
    )


def check_batch(buf: Buffer, offset: int, end: int) -> BatchHeader:
    """The header of the whole batch of magic 2 at `offset`; `end` bounds what belongs to it.

    Checked, in this order: length, magic, CRC-32C, counts. Raises CorruptBatchError(2) for bytes
    that are no batch, UnsupportedMagicError(87) for magic 0 and 1, InvalidBatchError(87) for
    counts that cannot be. What only a client is not allowed is in `check_client_batch`.
    """
    left = end - offset
    if left < LEGACY_HEADER_SIZE:
        raise CorruptBatchError(f"{left} bytes are too few for a batch")
    magic = buf[offset + MAGIC_AT]
    size = PLACE.unpack_from(buf, offset)[1] + LOG_OVERHEAD
    if size < LEGACY_SIZE_MIN:
        raise CorruptBatchError(f"a batch of {size} bytes is smaller than any can be")
    if magic != 2:
        raise _wrong_magic(magic)
    if size < HEADER_SIZE:
        raise CorruptBatchError(f"a batch of {size} bytes is smaller than its header")
    if size > left:
        raise CorruptBatchError(f"a batch of {size} bytes, {left} are there")
    header = BatchHeader(*HEADER.unpack_from(buf, offset))
    found = crc32c(memoryview(buf)[offset + ATTRIBUTES_AT : offset + size])
    if found != header.crc:
        raise CorruptBatchError(f"the checksum is {found:#010x}, the batch says {header.crc:#010x}")
    if not 0 <= header.record_count <= header.last_offset_delta + 1:
        raise InvalidBatchError(
            f"{header.record_count} records, last offset delta {header.last_offset_delta}"
        )
    return header


def _wrong_magic(magic: int) -> BatchError:
    if magic < 2:
        return UnsupportedMagicError(f"magic {magic}: only record batches of magic 2 are taken")
    return CorruptBatchError(f"magic {magic} is unknown")


def check_client_batch(header: BatchHeader) -> None:
    """What a leader refuses in a checked batch of a client (Kafka's LogValidator).

    Raises InvalidBatchError(87): no records, offsets with gaps, a producer id without sequences,
    a control batch; UnsupportedCodecError(76) for a codec that does not exist.
    """
    count = header.record_count
    if count <= 0 or count != header.last_offset_delta + 1:
        raise InvalidBatchError(f"{count} records, last offset delta {header.last_offset_delta}")
    if header.producer_id >= 0 and header.base_sequence < 0:
        raise InvalidBatchError(
            f"producer id {header.producer_id} with base sequence {header.base_sequence}"
        )
    if header.is_control:
        raise InvalidBatchError("clients may not write control batches")
    if header.codec >= CODECS:
        raise UnsupportedCodecError(f"codec {header.codec} is unknown")


def iter_batch_headers(
    buf: Buffer, offset: int = 0, end: int | None = None
) -> Iterator[tuple[int, BatchHeader]]:
    """(where it begins, header) of batch after batch, of any magic, up to a cut tail.

    Raises CorruptBatchError where the bytes are no batch: nobody can know where the next begins.
    """
    stop = len(buf) if end is None else end
    while stop - offset >= LOG_OVERHEAD:
        size = PLACE.unpack_from(buf, offset)[1] + LOG_OVERHEAD
        if size < LEGACY_SIZE_MIN:
            raise CorruptBatchError(f"a batch of {size} bytes is smaller than any can be")
        if size > stop - offset:
            return
        header = read_batch_header(buf, offset)
        if header.magic == 2 and size < HEADER_SIZE:
            raise CorruptBatchError(f"a batch of {size} bytes is smaller than its header")
        yield offset, header
        offset += size


def set_base_offset(buf: bytearray | memoryview, offset: int, base: int, leader_epoch: int) -> None:
    """Stamp base offset and leader epoch in place; the checksum covers neither."""
    _INT64.pack_into(buf, offset, base)
    _UINT32.pack_into(buf, offset + LEADER_EPOCH_AT, leader_epoch & 0xFFFFFFFF)


def stamped_prefix(base_offset: int, leader_epoch: int, buf: Buffer, offset: int) -> bytes:
    """The first 21 bytes of a batch as its leader stores it; the rest goes as it came."""
    _, length, _, magic, crc = PREFIX_AND_CRC.unpack_from(buf, offset)
    return PREFIX_AND_CRC.pack(base_offset, length, leader_epoch, magic, crc)


def stamp_append_time(buf: bytearray | memoryview, offset: int, now_ms: int) -> None:
    """Make it LogAppendTime: attribute, max timestamp, and the CRC anew."""
    attributes = _INT16.unpack_from(buf, offset + ATTRIBUTES_AT)[0] | TIMESTAMP_TYPE_MASK
    _INT16.pack_into(buf, offset + ATTRIBUTES_AT, attributes)
    _INT64.pack_into(buf, offset + MAX_TIMESTAMP_AT, now_ms)
    _stamp_crc(buf, offset)


def set_max_timestamp(buf: bytearray | memoryview, offset: int, timestamp: int) -> None:
    """Stamp the largest timestamp of a batch's records, and the CRC anew."""
    _INT64.pack_into(buf, offset + MAX_TIMESTAMP_AT, timestamp)
    _stamp_crc(buf, offset)


def set_producer(
    buf: bytearray | memoryview,
    offset: int,
    producer_id: int,
    producer_epoch: int,
    base_sequence: int,
) -> None:
    """Stamp who wrote a finished batch, and the CRC anew."""
    _PRODUCER.pack_into(buf, offset + PRODUCER_ID_AT, producer_id, producer_epoch, base_sequence)
    _stamp_crc(buf, offset)


def _stamp_crc(buf: bytearray | memoryview, offset: int) -> None:
    size = PLACE.unpack_from(buf, offset)[1] + LOG_OVERHEAD
    crc = crc32c(memoryview(buf)[offset + ATTRIBUTES_AT : offset + size])
    _UINT32.pack_into(buf, offset + CRC_AT, crc)
