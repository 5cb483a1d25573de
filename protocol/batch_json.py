"""Record batches as the JSON of the golden vectors, and back to bytes.

Each backend reads a batch into the same plain classes; this module turns those into JSON, so
that the files can be checked with either.
"""

from __future__ import annotations

from typing import Any, Protocol  # Any: JSON

from .batch_errors import CorruptBatchError
from .compression import Codec
from .control_records import decode_control
from .json_form import to_json
from .record import CREATE_TIME, LOG_APPEND_TIME, NO_TIMESTAMP_TYPE, Record
from .record_batch import TIMESTAMP_TYPE_MASK, BatchHeader, iter_batch_headers, read_batch_header
from .record_builder import RecordBatchBuilder
from .records import batch_body, decode_batch, decode_records

Json = dict[str, Any]

TIMESTAMP_TYPES = {
    NO_TIMESTAMP_TYPE: "NoTimestampType",
    CREATE_TIME: "CreateTime",
    LOG_APPEND_TIME: "LogAppendTime",
}


class ParsedBatch:
    """One batch of magic 2, or one entry of a message set: its header and its records."""

    __slots__ = ("header", "raw", "records")

    def __init__(self, header: BatchHeader, records: list[Record], raw: list[Record]) -> None:
        self.header = header
        self.records = records
        self.raw = raw
        """The records with the timestamps that they were written with (magic 2 only)."""


class BatchBackend(Protocol):
    """A way to read and to write batches."""

    def split(self, data: bytes) -> list[bytes]:
        """The whole batches in a row, without a cut tail."""
        ...

    def parse(self, data: bytes) -> ParsedBatch:
        """The one batch or entry that `data` holds; BatchError when it is none."""
        ...

    def build(self, batch: ParsedBatch) -> bytes:
        """A batch of magic 2 anew; with a codec, other bytes may mean the same."""
        ...


class PythonBatches:
    """The codecs that the broker and the client use."""

    def split(self, data: bytes) -> list[bytes]:
        """See `BatchBackend`."""
        return [data[at : at + header.size] for at, header in iter_batch_headers(data)]

    def parse(self, data: bytes) -> ParsedBatch:
        """See `BatchBackend`."""
        header = read_batch_header(data)
        records = decode_batch(data)
        if header.size != len(data):
            raise CorruptBatchError(f"{len(data) - header.size} bytes behind a batch")
        if header.magic < 2:
            return ParsedBatch(header, records, [])
        return ParsedBatch(header, records, _raw(data, header))

    def build(self, batch: ParsedBatch) -> bytes:
        """See `BatchBackend`."""
        header = batch.header
        builder = RecordBatchBuilder(
            codec=Codec(header.codec),
            base_offset=header.base_offset,
            leader_epoch=header.partition_leader_epoch,
            producer_id=header.producer_id,
            producer_epoch=header.producer_epoch,
            base_sequence=header.base_sequence,
            is_transactional=header.is_transactional,
            is_control=header.is_control,
            timestamp_type=LOG_APPEND_TIME if header.is_log_append_time else CREATE_TIME,
            append_time=header.max_timestamp,
            delete_horizon_ms=header.delete_horizon_ms,
        )
        for record in batch.raw:
            builder.append(
                record.timestamp, record.key, record.value, record.headers, record.offset
            )
        return builder.build(header.last_offset_delta, header.max_timestamp)


def _raw(data: bytes, header: BatchHeader) -> list[Record]:
    """The records as written, where LogAppendTime hides their own timestamps."""
    plain = read_batch_header(data)
    plain.attributes &= ~TIMESTAMP_TYPE_MASK
    return decode_records(batch_body(data, 0, header), plain)


def batch_json(batch: ParsedBatch) -> Json:
    """The JSON of one batch of magic 2."""
    header = batch.header
    found = _common_json(header, batch.records)
    found.update(
        base_offset=header.base_offset,
        last_offset=header.last_offset,
        max_timestamp=header.max_timestamp,
        partition_leader_epoch=header.partition_leader_epoch,
        base_timestamp=header.base_timestamp,
        delete_horizon_ms=header.delete_horizon_ms,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        base_sequence=header.base_sequence,
        last_sequence=header.last_sequence,
        transactional=header.is_transactional,
        control_batch=header.is_control,
        count=header.record_count,
    )
    for record, part in zip(batch.records, found["records"], strict=True):
        part["sequence"] = record.sequence
        if header.is_control:
            part["control"] = _control_json(record)
    return found


def message_set_json(entries: list[ParsedBatch]) -> Json:
    """The JSON of a message set of magic 0 or 1: the header is that of the first entry."""
    records = [record for entry in entries for record in entry.records]
    header = entries[0].header
    found = _common_json(header, records)
    found.update(
        size=sum(entry.header.size for entry in entries),
        base_offset=records[0].offset,
        last_offset=records[-1].offset,
        max_timestamp=header.max_timestamp,
    )
    if len(entries) > 1:
        found["batches"] = len(entries)
    return found


def _common_json(header: BatchHeader, records: list[Record]) -> Json:
    kind = LOG_APPEND_TIME if header.is_log_append_time else CREATE_TIME
    return {
        "size": header.size,
        "magic": header.magic,
        "attributes": header.attributes,
        "compression": Codec(header.codec).name.lower(),
        "timestamp_type": TIMESTAMP_TYPES[NO_TIMESTAMP_TYPE if header.magic == 0 else kind],
        "crc": header.crc,
        "records": [_record_json(record) for record in records],
    }


def _record_json(record: Record) -> Json:
    return {
        "offset": record.offset,
        "timestamp": record.timestamp,
        "key": _hex(record.key),
        "value": _hex(record.value),
        "headers": [[name, _hex(value)] for name, value in record.headers],
    }


def _hex(data: bytes | None) -> str | None:
    return None if data is None else data.hex()


def _control_json(record: Record) -> Json:
    control = decode_control(record.key, record.value)
    kind = control.type
    found: Json = {
        "type": "UNKNOWN" if kind is None else kind.name,
        "type_id": control.type_id,
        "key_version": control.key_version,
    }
    if control.value is None:
        return found
    value = to_json(control.value, min(control.version, control.value.MAX_VERSION))
    if control.is_marker:
        found.update(value_version=control.version, coordinator_epoch=value["coordinatorEpoch"])
    else:
        found["value"] = value
    return found
