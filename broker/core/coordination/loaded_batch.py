"""Batches of an internal topic as a shard replays them, and how they are made from bytes.

Decoding is done on a thread: nothing here knows of a state (CRT-14).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Final

from barnabas.protocol.batch_walk import BatchFields, walk_buffer
from barnabas.protocol.buffer import Buffer
from barnabas.protocol.control_records import ControlType, read_control_type
from barnabas.protocol.coordinator_records import (
    UnknownRecordType,
    UnknownValueVersionError,
    decode_group_key,
    decode_group_value,
    decode_transaction_key,
    decode_transaction_value,
)
from barnabas.protocol.message import Message
from barnabas.protocol.record import Record as StoredRecord
from barnabas.protocol.record_batch import BatchHeader, read_batch_header
from barnabas.protocol.records import decode_batch

from .machine import Producer, Record


@dataclass(frozen=True, slots=True)
class RecordDecoder:
    """How the records of one topic are read."""

    key: Callable[[bytes], Message | UnknownRecordType]
    value: Callable[[int, bytes], Message]
    skips_later_versions: bool
    """Whether a value of a version that only later brokers know is left unread (CRT-15)."""


GROUP_RECORDS: Final = RecordDecoder(decode_group_key, decode_group_value, False)
TRANSACTION_RECORDS: Final = RecordDecoder(decode_transaction_key, decode_transaction_value, True)


@dataclass(frozen=True, slots=True)
class LoadedBatch:
    """One batch of the log: records and their offsets, or the end of a transaction."""

    base_offset: int
    end_offset: int
    records: Sequence[tuple[Record, int]] = ()
    producer: Producer | None = None
    """Whose transaction the records are part of."""
    ended: Producer | None = None
    """Whose transaction ends here; there are no records then."""
    is_commit: bool = False


@dataclass(slots=True)
class LoadedSlice:
    """The whole batches of some bytes of the log."""

    batches: list[LoadedBatch] = field(default_factory=list)
    size_bytes: int = 0
    unknown: Counter[int] = field(default_factory=Counter)
    """Records of types that are not known, by type: they stay in the log, unread (CRT-15)."""


def decode_slice(data: Buffer, decoder: RecordDecoder = GROUP_RECORDS) -> LoadedSlice:
    """Decode the whole batches of `data`, which begins with one.

    Raises KafkaError 2 or 87 for damaged batches, DecodeError for a key or value that is damaged,
    and UnknownValueVersionError for a value of a version that only later brokers know, unless the
    topic's are skipped (CRT-15).
    """
    found = LoadedSlice()
    for fields in walk_buffer(data):
        found.batches.append(_decoded(data, fields, decoder, found.unknown))
        found.size_bytes = fields.position + fields.size
    return found


def _decoded(
    data: Buffer, fields: BatchFields, decoder: RecordDecoder, unknown: Counter[int]
) -> LoadedBatch:
    records = decode_batch(data, fields.position)
    base, end = fields.base_offset, fields.last_offset + 1
    if fields.magic < 2:
        return LoadedBatch(base, end, _records(records, decoder, unknown))
    header = read_batch_header(data, fields.position)
    if header.is_control:
        return _control(header, records, base, end)
    producer = _producer(header) if header.is_transactional else None
    return LoadedBatch(base, end, _records(records, decoder, unknown), producer)


def _control(
    header: BatchHeader, records: Sequence[StoredRecord], base: int, end: int
) -> LoadedBatch:
    for record in records:
        kind = read_control_type(record.key)
        if kind in (ControlType.COMMIT, ControlType.ABORT):
            is_commit = kind == ControlType.COMMIT
            return LoadedBatch(base, end, ended=_producer(header), is_commit=is_commit)
    return LoadedBatch(base, end)


def _producer(header: BatchHeader) -> Producer:
    return Producer(header.producer_id, header.producer_epoch)


def _records(
    records: Sequence[StoredRecord], decoder: RecordDecoder, unknown: Counter[int]
) -> list[tuple[Record, int]]:
    found = []
    for record in records:
        if record.key is None:
            continue  # nobody writes such a record, and compaction drops it
        key = decoder.key(record.key)
        if isinstance(key, UnknownRecordType):
            unknown[key.type_id] += 1
            continue
        assert key.API_KEY is not None
        if record.value is None:
            found.append((Record(key, None), record.offset))
            continue
        try:
            value = decoder.value(key.API_KEY, record.value)
        except UnknownValueVersionError:
            if not decoder.skips_later_versions:
                raise
            unknown[key.API_KEY] += 1
            continue
        version = int.from_bytes(record.value[:2])
        found.append((Record(key, value, version), record.offset))
    return found
