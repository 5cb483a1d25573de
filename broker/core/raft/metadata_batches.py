"""Record batches of the metadata log and its snapshots: metadata records and control records.

A metadata record is the value of a record without a key, framed (`protocol/stored.py`). A control
record has the key `version, type` and a message as its value; control batches hold nothing else.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import NamedTuple

from barnabas.protocol.batch_errors import InvalidBatchError
from barnabas.protocol.buffer import Buffer
from barnabas.protocol.control_records import control_type_of, decode_control, encode_control
from barnabas.protocol.errors import DecodeError
from barnabas.protocol.message import Message
from barnabas.protocol.record_batch import iter_batch_headers
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.records import decode_batch
from barnabas.protocol.stored import decode_metadata_record, encode_metadata_record

from ..cluster.record_versions import record_version


class Entry(NamedTuple):
    """One record of the metadata log."""

    offset: int
    epoch: int
    timestamp: int
    message: Message
    is_control: bool


def metadata_batch(
    records: Iterable[Message], metadata_version: int, *, base_offset: int, epoch: int, now_ms: int
) -> bytes:
    """One batch of metadata records, in the versions that the cluster's nodes can read."""
    builder = RecordBatchBuilder(base_offset=base_offset, leader_epoch=epoch)
    for record in records:
        version = record_version(record, metadata_version)
        builder.append(now_ms, None, encode_metadata_record(record, version))
    return builder.build()


def control_batch(
    messages: Iterable[Message], *, base_offset: int, epoch: int, now_ms: int
) -> bytes:
    """One batch of control records, each in version 0, as Kafka writes them."""
    builder = RecordBatchBuilder(base_offset=base_offset, leader_epoch=epoch, is_control=True)
    for message in messages:
        builder.append(now_ms, *encode_control(control_type_of(message), message))
    return builder.build()


def entries(data: Buffer) -> Iterator[Entry]:
    """All records of whole batches in a row, checksums verified.

    Raises KafkaError (CORRUPT_MESSAGE) for a damaged batch, DecodeError for a record that is no
    metadata record.
    """
    for offset, header in iter_batch_headers(data):
        for record in decode_batch(data, offset):
            value = record.value or b""
            if header.is_control:
                message = _control_message(record.key, value)
            else:
                message = decode_metadata_record(value)
            yield Entry(
                record.offset,
                header.partition_leader_epoch,
                record.timestamp,
                message,
                header.is_control,
            )


def _control_message(key: bytes | None, value: bytes) -> Message:
    try:
        control = decode_control(key, value)
    except InvalidBatchError as error:
        raise DecodeError(str(error)) from None
    message = control.value
    if message is None or control.is_marker:
        raise DecodeError(f"a control record of the unknown type {control.type_id}")
    if control.version > message.MAX_VERSION:
        raise DecodeError(f"a {message.NAME} of version {control.version}")
    return message
