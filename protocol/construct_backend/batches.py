"""Record batches through constructs, into the plain classes that all backends fill.

The layouts stand in `batch_layouts` a second time, in another form than in `records`.
"""

from __future__ import annotations

from typing import Any, Final  # Any: construct has no type information
from zlib import crc32

from construct import Array, ConstructError, Struct

from ..batch_errors import CorruptBatchError, InvalidBatchError
from ..batch_json import ParsedBatch
from ..checksum import crc32c
from ..compression import (
    DECOMPRESSED_BYTES_MAX,
    codec_of,
    compress,
    decompress,
    with_lz4_header_checksum,
)
from ..record import CREATE_TIME, LOG_APPEND_TIME, NO_TIMESTAMP_TYPE, Record
from ..record_batch import BatchHeader
from .batch_layouts import BATCH, COVERED, ELEMENTS_MAX, MESSAGE, RECORD, int32, the_end

OUTSIDE_LENGTH: Final = 12
UNCOVERED: Final = 9
"""Leader epoch, magic and CRC: in the length, not under the CRC."""
SMALLEST: Final = 14
LZ4: Final = 3
ZSTD: Final = 4
INT64_MAX: Final = (1 << 63) - 1


class ConstructBatches:
    """Batches through the constructs above; see `batch_json.BatchBackend`."""

    def split(self, data: bytes) -> list[bytes]:
        """The whole batches in a row, without a cut tail."""
        parts = []
        while len(data) >= OUTSIDE_LENGTH:
            size = OUTSIDE_LENGTH + int32.parse(data[8:12])
            if size < OUTSIDE_LENGTH + SMALLEST:
                raise CorruptBatchError(f"a batch of {size} bytes")
            if size > len(data):
                break
            parts.append(data[:size])
            data = data[size:]
        return parts

    def parse(self, data: bytes) -> ParsedBatch:
        """The one batch or entry that `data` holds; BatchError when it is none."""
        if len(data) <= 16 or data[16] > 2:
            raise CorruptBatchError("too short, or of a magic above 2")
        if data[16] < 2:
            return _parse_entry(data)
        try:
            found = BATCH.parse(data)
        except ConstructError as error:
            raise CorruptBatchError(str(error)) from None
        if found.batch_length != len(data) - OUTSIDE_LENGTH:
            raise CorruptBatchError(f"length {found.batch_length} in {len(data)} bytes")
        if crc32c(found.covered.data) != found.crc:
            raise CorruptBatchError("the checksum is another one")
        return _parse_records(found)

    def build(self, batch: ParsedBatch) -> bytes:
        """The batch anew."""
        header = batch.header
        records = b"".join(RECORD.build(_record_fields(header, record)) for record in batch.raw)
        covered = COVERED.build(
            {
                "attributes": header.attributes,
                "last_offset_delta": header.last_offset_delta,
                "base_timestamp": header.base_timestamp,
                "max_timestamp": header.max_timestamp,
                "producer_id": header.producer_id,
                "producer_epoch": header.producer_epoch,
                "base_sequence": header.base_sequence,
                "record_count": len(batch.raw),
                "records": compress(codec_of(header.codec), records),
            }
        )
        built: bytes = BATCH.build(
            {
                "base_offset": header.base_offset,
                "batch_length": len(covered) + UNCOVERED,
                "partition_leader_epoch": header.partition_leader_epoch,
                "magic": 2,
                "crc": crc32c(covered),
                "covered": {"data": covered},
            }
        )
        return built


def _records_of(count: int) -> Any:
    return Struct("records" / Array(count, RECORD), the_end)


def _record_fields(header: BatchHeader, record: Record) -> dict[str, Any]:
    return {
        "attributes": 0,
        "timestamp_delta": record.timestamp - header.base_timestamp,
        "offset_delta": record.offset - header.base_offset,
        "key": record.key,
        "value": record.value,
        "headers": [{"key": name, "value": value} for name, value in record.headers],
    }


def _parse_records(found: Any) -> ParsedBatch:
    fields = found.covered.value
    count, last_delta = fields.record_count, fields.last_offset_delta
    header = BatchHeader(
        found.base_offset,
        found.batch_length,
        found.partition_leader_epoch,
        found.magic,
        found.crc,
        fields.attributes,
        last_delta,
        fields.base_timestamp,
        fields.max_timestamp,
        fields.producer_id,
        fields.producer_epoch,
        fields.base_sequence,
        count,
    )
    if count < 0 or count > last_delta + 1:
        raise InvalidBatchError(f"{count} records, last offset delta {last_delta}")
    data = decompress(codec_of(fields.attributes & 7), fields.records, DECOMPRESSED_BYTES_MAX)
    if count > min(len(data), ELEMENTS_MAX) or found.base_offset + last_delta > INT64_MAX:
        raise InvalidBatchError(f"{count} records in {len(data)} bytes")
    try:
        parts = _records_of(count).parse(data).records
    except ConstructError as error:
        raise InvalidBatchError(str(error)) from None
    raw = [_record(header, part) for part in parts]
    if sum(len(part.headers) for part in parts) > ELEMENTS_MAX:
        raise InvalidBatchError("too many headers in one batch")
    if not fields.attributes & 8:
        return ParsedBatch(header, raw, raw)
    stamped = [
        Record(
            record.offset,
            header.max_timestamp,
            record.key,
            record.value,
            record.headers,
            LOG_APPEND_TIME,
            record.leader_epoch,
            record.sequence,
        )
        for record in raw
    ]
    return ParsedBatch(header, stamped, raw)


def _record(header: BatchHeader, part: Any) -> Record:
    if not 0 <= part.offset_delta <= header.last_offset_delta:
        raise InvalidBatchError(f"offset delta {part.offset_delta}")
    timestamp = header.base_timestamp + part.timestamp_delta
    if not -INT64_MAX - 1 <= timestamp <= INT64_MAX:
        raise InvalidBatchError(f"timestamp {timestamp}")
    sequence = -1
    if header.base_sequence >= 0:
        sequence = (header.base_sequence + part.offset_delta) % (1 << 31)
    return Record(
        header.base_offset + part.offset_delta,
        timestamp,
        part.key,
        part.value,
        tuple((each.key, each.value) for each in part.headers),
        CREATE_TIME,
        header.partition_leader_epoch,
        sequence,
    )


def _parse_entry(data: bytes) -> ParsedBatch:
    """One entry of a message set; what it holds when it is a compressed one."""
    outer = _parse_message(data)
    if outer.size + OUTSIDE_LENGTH != len(data):
        raise CorruptBatchError("bytes behind a message")
    fields = outer.covered.value
    timestamp = -1 if fields.timestamp is None else fields.timestamp
    header = BatchHeader(
        outer.offset,
        outer.size,
        -1,
        fields.magic,
        outer.crc,
        fields.attributes,
        0,
        timestamp,
        timestamp,
        -1,
        -1,
        -1,
        1,
    )
    kind = LOG_APPEND_TIME if fields.attributes & 8 else CREATE_TIME
    if fields.magic == 0:
        kind = NO_TIMESTAMP_TYPE
    codec = codec_of(fields.attributes & 7)
    if codec == 0:
        record = Record(outer.offset, timestamp, fields.key, fields.value, (), kind)
        return ParsedBatch(header, [record], [])
    inner = _inner(fields, codec)
    shift = outer.offset - inner[-1].offset if fields.magic == 1 else 0
    records = []
    for part in inner:
        own = -1 if part.covered.value.timestamp is None else part.covered.value.timestamp
        records.append(
            Record(
                part.offset + shift,
                timestamp if kind == LOG_APPEND_TIME else own,
                part.covered.value.key,
                part.covered.value.value,
                (),
                kind,
            )
        )
    return ParsedBatch(header, records, [])


def _inner(fields: Any, codec: int) -> list[Any]:
    if fields.value is None or codec == ZSTD:
        raise InvalidBatchError("a compressed message without a value, or of another time")
    packed = fields.value
    if codec == LZ4 and fields.magic == 0:
        packed = with_lz4_header_checksum(packed)
    data = decompress(codec_of(codec), packed, DECOMPRESSED_BYTES_MAX)
    inner = []
    while data:
        message = _parse_message(data)
        if message.covered.value.magic != fields.magic or message.covered.value.attributes & 7:
            raise InvalidBatchError("a message inside another that does not belong there")
        inner.append(message)
        data = data[message.size + OUTSIDE_LENGTH :]
        if len(inner) > ELEMENTS_MAX:
            raise InvalidBatchError("too many messages in one")
    if not inner:
        raise InvalidBatchError("a compressed message with nothing in it")
    return inner


def _parse_message(data: bytes) -> Any:
    try:
        found = MESSAGE.parse(data)
    except ConstructError as error:
        raise CorruptBatchError(str(error)) from None
    if crc32(found.covered.data) != found.crc or found.covered.value.magic not in (0, 1):
        raise CorruptBatchError("the checksum or the magic is another one")
    return found
