"""Builds batches of magic 2: records are appended, the header is written last."""

# librt's parameters are typed as its C integers, which pyright does not take for int.
# pyright: reportArgumentType=false, reportReturnType=false
from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from librt.strings import BytesWriter

from .checksum import crc32c
from .compression import Codec, compress
from .record import CREATE_TIME, LOG_APPEND_TIME
from .record_batch import (
    ATTRIBUTES_AT,
    CONTROL_MASK,
    DELETE_HORIZON_MASK,
    HEADER,
    HEADER_SIZE,
    LOG_OVERHEAD,
    NO_LEADER_EPOCH,
    NO_PRODUCER_EPOCH,
    NO_PRODUCER_ID,
    NO_SEQUENCE,
    NO_TIMESTAMP,
    TIMESTAMP_TYPE_MASK,
    TRANSACTIONAL_MASK,
)
from .varints import SMALL, SMALL_UVARINTS, uvarint, write_uvarint

Headers = Sequence[tuple[str, bytes | None]]

RECORD_OVERHEAD_MAX: Final = 36
"""What a record can take beyond its key, its value and its headers, in bytes."""

ABSENT: Final = 1
"""The size -1 as it is written: that of a key or a value that is null."""

_UINT32_MASK: Final = 0xFFFFFFFF


def varint_size(value: int) -> int:
    """Bytes of a zigzag varint."""
    return uvarint_size(value * 2 if value >= 0 else -value * 2 - 1)


def uvarint_size(value: int) -> int:
    """Bytes of an unsigned varint."""
    return (value.bit_length() + 6) // 7 or 1


def record_size_max(key: bytes | None, value: bytes | None, headers: Headers = ()) -> int:
    """An upper bound of the bytes that a record takes in a batch, before compression."""
    size = RECORD_OVERHEAD_MAX + len(key or b"") + len(value or b"")
    for name, content in headers:
        size += 10 + 3 * len(name) + len(content or b"")
    return size


def batch_size_max(key: bytes | None, value: bytes | None, headers: Headers = ()) -> int:
    """An upper bound of the bytes of a batch with this one record, before compression."""
    return HEADER_SIZE + record_size_max(key, value, headers)


class RecordBatchBuilder:
    """Takes records until it is full, then gives the batch.

    `max_bytes` bounds the batch before compression, header included; the first record always goes
    in. With `timestamp_type` LOG_APPEND_TIME all records have the time `append_time`.
    """

    __slots__ = (
        "_append_time",
        "_base_offset",
        "_base_timestamp",
        "_codec",
        "_control",
        "_count",
        "_delete_horizon_ms",
        "_last_delta",
        "_leader_epoch",
        "_level",
        "_max_bytes",
        "_max_timestamp",
        "_producer",
        "_scratch",
        "_transactional",
        "_writer",
    )

    def __init__(  # noqa: PLR0913 -- one argument a field of the header
        self,
        *,
        codec: Codec = Codec.NONE,
        level: int | None = None,
        base_offset: int = 0,
        leader_epoch: int = NO_LEADER_EPOCH,
        producer_id: int = NO_PRODUCER_ID,
        producer_epoch: int = NO_PRODUCER_EPOCH,
        base_sequence: int = NO_SEQUENCE,
        is_transactional: bool = False,
        is_control: bool = False,
        timestamp_type: int = CREATE_TIME,
        append_time: int = NO_TIMESTAMP,
        delete_horizon_ms: int | None = None,
        max_bytes: int | None = None,
    ) -> None:
        self._codec = codec
        self._level = level
        self._base_offset = base_offset
        self._leader_epoch = leader_epoch
        self._producer = (producer_id, producer_epoch, base_sequence)
        self._transactional = is_transactional
        self._control = is_control
        self._append_time = append_time if timestamp_type == LOG_APPEND_TIME else None
        self._delete_horizon_ms = delete_horizon_ms
        self._max_bytes = max_bytes
        self._writer = BytesWriter()
        self._scratch = BytesWriter()
        self._count = 0
        self._last_delta = -1
        self._base_timestamp = NO_TIMESTAMP if delete_horizon_ms is None else delete_horizon_ms
        self._max_timestamp = NO_TIMESTAMP

    def another(self) -> RecordBatchBuilder:
        """An empty one without a bound: of the same codec, and transactional if this one is."""
        return RecordBatchBuilder(
            codec=self._codec, level=self._level, is_transactional=self._transactional
        )

    @property
    def record_count(self) -> int:
        return self._count

    @property
    def size(self) -> int:
        """Bytes of the batch if it is built now and not compressed."""
        return HEADER_SIZE + len(self._writer)

    def has_room_for(self, key: bytes | None, value: bytes | None, headers: Headers = ()) -> bool:
        """Whether `append` would take this record; judged by an upper bound of its size."""
        if self._max_bytes is None or self._count == 0:
            return True
        taken = HEADER_SIZE + len(self._writer)
        return taken + record_size_max(key, value, headers) <= self._max_bytes

    def append(
        self,
        timestamp: int,
        key: bytes | None,
        value: bytes | None,
        headers: Headers = (),
        offset: int | None = None,
    ) -> int | None:
        """Add a record; its offset relative to the batch, or None when the batch is full.

        `offset` is the record's offset in the log where a batch has gaps (compaction).
        """
        if not self.has_room_for(key, value, headers):
            return None
        delta = self._last_delta + 1 if offset is None else offset - self._base_offset
        if not self._last_delta < delta <= 0x7FFFFFFF:
            raise ValueError(f"offset delta {delta} after {self._last_delta}")
        if self._count == 0 and self._delete_horizon_ms is None:
            self._base_timestamp = timestamp
        scratch = self._scratch
        scratch.truncate(0)
        _write_record(scratch, timestamp - self._base_timestamp, delta, key, value, headers)
        record = scratch.getvalue()
        size = len(record) * 2
        self._writer.write(SMALL_UVARINTS[size] if size < SMALL else uvarint(size))
        self._writer.write(record)
        # Only now: a record that cannot be written leaves no trace in the header.
        if timestamp > self._max_timestamp:  # noqa: PLR1730 - a call of max costs more
            self._max_timestamp = timestamp
        self._count += 1
        self._last_delta = delta
        return delta

    def build(
        self, last_offset_delta: int | None = None, max_timestamp: int | None = None
    ) -> bytes:
        """The batch.

        `last_offset_delta` and `max_timestamp` are given where they are those of records that
        compaction took away.
        """
        body = compress(self._codec, self._writer.getvalue(), self._level)
        last_delta = self._last_delta if last_offset_delta is None else last_offset_delta
        assert last_delta >= self._last_delta
        latest = self._max_timestamp if self._append_time is None else self._append_time
        values = [
            self._base_offset,
            HEADER_SIZE - LOG_OVERHEAD + len(body),
            self._leader_epoch,
            2,
            0,
            self._attributes(),
            last_delta,
            self._base_timestamp,
            latest if max_timestamp is None else max_timestamp,
            *self._producer,
            self._count,
        ]
        crc = crc32c(HEADER.pack(*values)[ATTRIBUTES_AT:])
        values[4] = crc32c(body, crc) & _UINT32_MASK
        return HEADER.pack(*values) + body

    def _attributes(self) -> int:
        return (
            int(self._codec)
            | (0 if self._append_time is None else TIMESTAMP_TYPE_MASK)
            | (TRANSACTIONAL_MASK if self._transactional else 0)
            | (CONTROL_MASK if self._control else 0)
            | (0 if self._delete_horizon_ms is None else DELETE_HORIZON_MASK)
        )


# Numbers are small in nearly all records; a call for each would take longer than the rest.
def _write_record(
    writer: BytesWriter,
    timestamp_delta: int,
    offset_delta: int,
    key: bytes | None,
    value: bytes | None,
    headers: Headers,
) -> None:
    """One record without its length, which goes in front of it."""
    writer.append(0)  # attributes: none is defined
    time = timestamp_delta * 2 if timestamp_delta >= 0 else -timestamp_delta * 2 - 1
    writer.write(SMALL_UVARINTS[time] if time < SMALL else uvarint(time))
    place = offset_delta * 2
    writer.write(SMALL_UVARINTS[place] if place < SMALL else uvarint(place))
    if key is None:
        writer.append(ABSENT)
    else:
        _write_bytes(writer, key)
    if value is None:
        writer.append(ABSENT)
    else:
        size = len(value) * 2
        writer.write(SMALL_UVARINTS[size] if size < SMALL else uvarint(size))
        writer.write(value)
    if not headers:
        writer.append(0)
        return
    write_uvarint(writer, len(headers) * 2)
    for name, content in headers:
        _write_bytes(writer, name.encode())
        if content is None:
            writer.append(ABSENT)
        else:
            _write_bytes(writer, content)


def _write_bytes(writer: BytesWriter, data: bytes) -> None:
    size = len(data) * 2
    writer.write(SMALL_UVARINTS[size] if size < SMALL else uvarint(size))
    writer.write(data)
