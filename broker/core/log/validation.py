"""What a leader checks and changes in a client's batch when its topic asks for more than framing.

The hot path takes a batch whose records are what its header says. A topic with LogAppendTime, with
a codec of its own, with compaction or with a lower limit on timestamps comes through here (Kafka's
LogValidator).
"""

from __future__ import annotations

from barnabas.protocol.compression import Codec
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import (
    CONTROL_MASK,
    HEADER,
    NO_TIMESTAMP,
    TIMESTAMP_TYPE_MASK,
    read_batch_header,
    stamp_append_time,
)
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.protocol.records import decode_batch

from ..ports import Buffer
from .origin import Origin
from .record_check import RecordFacts, facts_of
from .rules import LogRules, check_size


def validated(
    rules: LogRules,
    batch: memoryview,
    now_ms: int,
    origin: Origin,
    name: str,
    facts: RecordFacts | None = None,
) -> Buffer:
    """The batch to be stored for the batch that came: the same bytes, or new ones.

    `facts`: of its records, if somebody went over them.
    Raises KafkaError: INVALID_RECORD, INVALID_TIMESTAMP.
    """
    fields = HEADER.unpack_from(batch)
    if origin is Origin.RAFT:
        return batch
    if origin is Origin.CLIENT:
        _check_client(fields[5])
    if fields[5] & CONTROL_MASK:
        return batch
    if facts is None and (rules.compact or not rules.log_append_time):
        facts = facts_of(batch, rules.max_decompressed_bytes)
    if facts is not None:
        if not rules.log_append_time:
            _check_times(rules, facts, now_ms)
        if rules.compact and facts.first_keyless >= 0:
            raise KafkaError(
                ErrorCode.INVALID_RECORD, f"{name} is compacted: every record needs a key"
            )
    stored = in_topic_codec(rules, batch)
    if origin is Origin.CLIENT and stored is not batch:
        check_size(rules, len(stored), name)  # again, as in Kafka: it may be another by now
    if not rules.log_append_time:
        return stored
    stamped = bytearray(stored)
    stamp_append_time(stamped, 0, now_ms)
    return memoryview(stamped)


def _check_client(attributes: int) -> None:
    if attributes & CONTROL_MASK:
        raise KafkaError(ErrorCode.INVALID_RECORD, "clients may not write control batches")
    if attributes & TIMESTAMP_TYPE_MASK:
        raise KafkaError(ErrorCode.INVALID_TIMESTAMP, "only a broker may say LogAppendTime")


def _check_times(rules: LogRules, facts: RecordFacts, now_ms: int) -> None:
    largest, smallest = facts.largest_timestamp, facts.smallest_timestamp
    if largest > now_ms + rules.after_max_ms:
        raise KafkaError(
            ErrorCode.INVALID_TIMESTAMP,
            f"timestamp {largest} is more than {rules.after_max_ms} ms ahead of {now_ms}",
        )
    if smallest < now_ms - rules.before_max_ms and smallest != NO_TIMESTAMP:
        raise KafkaError(
            ErrorCode.INVALID_TIMESTAMP,
            f"timestamp {smallest} is more than {rules.before_max_ms} ms behind {now_ms}",
        )


def is_in_topic_codec(rules: LogRules, batch: Buffer) -> bool:
    """Whether the topic stores the batch in the codec in which it came."""
    if rules.codec_name == "producer":
        return True
    return read_batch_header(batch).codec == _codec_of(rules)


def _codec_of(rules: LogRules) -> Codec:
    return Codec.NONE if rules.codec_name == "uncompressed" else Codec[rules.codec_name.upper()]


def in_topic_codec(rules: LogRules, batch: Buffer) -> Buffer:
    """The batch in the topic's codec: itself, or built anew, which takes long, if it came in
    another one."""
    if is_in_topic_codec(rules, batch):
        return batch
    codec = _codec_of(rules)
    header = read_batch_header(batch)
    builder = RecordBatchBuilder(
        codec=codec,
        level=rules.codec_level,
        producer_id=header.producer_id,
        producer_epoch=header.producer_epoch,
        base_sequence=header.base_sequence,
        is_transactional=header.is_transactional,
    )
    for record in decode_batch(batch, 0, rules.max_decompressed_bytes):
        builder.append(record.timestamp, record.key, record.value, record.headers)
    return builder.build()
