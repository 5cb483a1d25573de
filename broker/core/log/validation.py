"""What a leader checks and changes in a client's batch when its topic asks for more than a header.

The hot path takes a batch by its header alone. A topic with LogAppendTime, with a codec of its
own, with compaction or with a lower limit on timestamps comes through here (Kafka's LogValidator).
"""

from __future__ import annotations

from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import read_batch_header, stamp_append_time
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.records import Record, decode_batch

from ..ports import Buffer
from .batch_fields import CONTROL_MASK, HEADER
from .origin import Origin
from .rules import LogRules


def validated(rules: LogRules, batch: memoryview, now_ms: int, origin: Origin, name: str) -> Buffer:
    """The batch to be stored for the batch that came: the same bytes, or new ones.

    Raises KafkaError: INVALID_RECORD, INVALID_TIMESTAMP, MESSAGE_TOO_LARGE.
    """
    fields = HEADER.unpack_from(batch)
    control = bool(fields[5] & CONTROL_MASK)
    if origin is Origin.RAFT:
        return batch
    if origin is Origin.CLIENT and control:
        raise KafkaError(ErrorCode.INVALID_RECORD, "clients may not write control batches")
    if control:
        return batch
    records: list[Record] | None = None
    if not rules.log_append_time:
        records = _check_times(rules, batch, now_ms, fields[7], fields[8])
    if rules.compact:
        records = records or decode_batch(batch, 0)
        if any(record.key is None for record in records):
            raise KafkaError(
                ErrorCode.INVALID_RECORD, f"{name} is compacted: every record needs a key"
            )
    codec = _wanted_codec(rules, batch)
    if codec is None and not rules.log_append_time:
        return batch
    stored = batch if codec is None else _with_codec(batch, records, codec)
    if not rules.log_append_time:
        return stored
    stamped = bytearray(stored)
    stamp_append_time(stamped, 0, now_ms)
    return memoryview(stamped)


def _check_times(
    rules: LogRules, batch: memoryview, now_ms: int, base: int, largest: int
) -> list[Record] | None:
    if largest > now_ms + rules.after_max_ms:
        raise KafkaError(
            ErrorCode.INVALID_TIMESTAMP,
            f"timestamp {largest} is more than {rules.after_max_ms} ms ahead of {now_ms}",
        )
    earliest_allowed = now_ms - rules.before_max_ms
    if earliest_allowed < 0:
        return None
    # The header has the first and the largest timestamp; the smallest may be in between.
    records = decode_batch(batch, 0)
    smallest = min((record.timestamp for record in records), default=base)
    if smallest < earliest_allowed:
        raise KafkaError(
            ErrorCode.INVALID_TIMESTAMP,
            f"timestamp {smallest} is more than {rules.before_max_ms} ms behind {now_ms}",
        )
    return records


def _wanted_codec(rules: LogRules, batch: memoryview) -> Codec | None:
    """The topic's codec, if the batch has another one."""
    if rules.codec_name == "producer":
        return None
    codec = Codec.NONE if rules.codec_name == "uncompressed" else Codec[rules.codec_name.upper()]
    return None if read_batch_header(batch).codec == codec else codec


def _with_codec(batch: memoryview, records: list[Record] | None, codec: Codec) -> bytes:
    header = read_batch_header(batch)
    builder = RecordBatchBuilder(
        codec=codec,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        base_sequence=header.base_sequence,
        is_transactional=header.is_transactional,
    )
    for record in records or decode_batch(batch, 0):
        builder.append(record.timestamp, record.key, record.value, record.headers)
    return builder.build()
