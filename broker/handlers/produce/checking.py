"""Checks of a produced batch before it is appended, and the names of its faulty records."""

from __future__ import annotations

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.produce_response import BatchIndexAndErrorMessage
from barnabas.protocol.record_batch import (
    BatchHeader,
    check_batch,
    check_client_batch,
    read_batch_header,
)
from barnabas.protocol.records import decode_batch

from ...core.log.append_result import AppendResult
from ...core.log.record_check import (
    COMPRESSED_AT_ONCE_MAX,
    DECOMPRESSED_AT_ONCE_MAX,
    RecordFacts,
    facts_at_once,
    facts_of,
    with_true_timestamp,
)
from ...core.log.rules import LogRules, check_size
from ...core.log.validation import in_topic_codec, is_in_topic_codec
from ...core.replication.partition import Partition
from .verifying import TransactionalBatch

ZSTD = 4
ZSTD_SINCE = 7
RECORD_ERRORS_MAX = 100
BUILT_AT_ONCE = 256
"""Records of one request that are built anew on the event loop, where a topic has its own codec."""
NAMED_RECORDS_MAX = 2048
"""In a batch with more records than that, faulty ones are not named: it would take too long."""


class ProducedBatch:
    """One batch of a request, and what is known of its records."""

    __slots__ = ("_error", "_facts", "_in_transaction", "_records", "partition")

    def __init__(
        self,
        partition: Partition,
        records: Buffer,
        in_transaction: TransactionalBatch | None = None,
    ) -> None:
        """`records`: one batch that has passed `check_records`."""
        self._in_transaction = in_transaction
        self.partition = partition
        self._records = records
        self._facts: RecordFacts | None = None
        self._error: KafkaError | None = None

    def walk_at_once(self, parts: int) -> bool:
        """Walk over the records if that takes no time; False if `walk` must do it, on a thread.

        `parts`: how many batches the request has.
        """
        limit = self.partition.log.rules.max_decompressed_bytes
        try:
            self._facts = facts_at_once(self._records, limit, parts)
        except KafkaError as error:
            self._error = error
            return True
        if self._facts is None:
            return False
        if is_in_topic_codec(self.partition.log.rules, self._records):
            return True
        return read_batch_header(self._records).record_count <= BUILT_AT_ONCE // parts

    def walk(self) -> None:
        """Walk over the records, and build them anew if their topic has another codec; may take
        long. An error is kept for `append`."""
        rules = self.partition.log.rules
        try:
            self._facts = facts_of(self._records, rules.max_decompressed_bytes)
            if not is_in_topic_codec(rules, self._records):
                check_size(rules, len(self._records), self.partition.log.name)
                built = in_topic_codec(rules, self._records)
                check_size(rules, len(built), self.partition.log.name)  # it waits for its turn
                self._records = built
        except KafkaError as error:
            self._error = error

    def append(self, now_ms: int) -> AppendResult:
        """Append the batch, after `walk_at_once` or `walk`. Raises KafkaError, theirs too."""
        if self._error is not None:
            raise self._error
        if self._in_transaction is not None:
            self._in_transaction.check(self.partition)
        assert self._facts is not None, "the records were not gone over"
        stored = memoryview(with_true_timestamp(self._records, self._facts))
        self._records = b""  # free them: the wait for acknowledgements may be long
        return self.partition.append(stored, 0, len(stored), now_ms, self._facts)


def check_records(records: Buffer | None, version: int) -> BatchHeader:
    """The header of the one batch that each partition of a request must have.

    Raises KafkaError: 2, it is corrupt; 87, it is not exactly one batch of magic 2 as clients write
    them; 76, its codec is not known or not allowed in this version; 32, it has a timestamp type
    that only a broker may set.
    """
    if not records:
        raise KafkaError(ErrorCode.INVALID_RECORD, "no record batch")
    header = check_batch(records, 0, len(records))
    if header.size != len(records):
        raise KafkaError(ErrorCode.INVALID_RECORD, "more than one record batch")
    if header.base_offset != 0:
        raise KafkaError(
            ErrorCode.INVALID_RECORD, f"the base offset should be 0, but it is {header.base_offset}"
        )
    check_client_batch(header)
    if header.codec == ZSTD and version < ZSTD_SINCE:
        raise KafkaError(
            ErrorCode.UNSUPPORTED_COMPRESSION_TYPE, f"zstd in Produce version {version}"
        )
    if header.is_log_append_time:
        raise KafkaError(ErrorCode.INVALID_TIMESTAMP, "only a broker may set the append time")
    return header


def record_errors(rules: LogRules, records: Buffer, now_ms: int) -> list[BatchIndexAndErrorMessage]:
    """The records of a batch that its topic refuses, and why (KIP-467).

    Empty for a long batch: a refusal must not cost more than the request.
    """
    earliest, latest = now_ms - rules.before_max_ms, now_ms + rules.after_max_ms
    errors: list[BatchIndexAndErrorMessage] = []
    try:
        header = read_batch_header(records)
        is_long = header.codec and header.size > COMPRESSED_AT_ONCE_MAX
        if header.record_count > NAMED_RECORDS_MAX or is_long:
            return errors
        decoded = decode_batch(records, 0, DECOMPRESSED_AT_ONCE_MAX)
    except KafkaError:
        return errors  # the batch as a whole is at fault, and its row says so
    for number, record in enumerate(decoded):
        reason = None
        if rules.compact and record.key is None:
            reason = "a compacted topic needs a key"
        elif (
            not rules.log_append_time
            and record.timestamp != -1
            and not earliest <= record.timestamp <= latest
        ):
            reason = f"timestamp {record.timestamp} is not between {earliest} and {latest}"
        if reason is not None:
            errors.append(
                BatchIndexAndErrorMessage(batch_index=number, batch_index_error_message=reason)
            )
            if len(errors) >= RECORD_ERRORS_MAX:
                break
    return errors
