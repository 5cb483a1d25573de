"""The rows of a Fetch answer, one for each partition."""

from __future__ import annotations

from barnabas.protocol.batch_walk import whole_batches
from barnabas.protocol.buffer import Buffer
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.fetch_response import AbortedTransaction, PartitionData

from ...core.log.stored_records import StoredRecords
from ...core.replication.partition import Partition
from ...core.replication.resting_session import FetchTarget

_WITH_OFFSETS = (ErrorCode.OFFSET_OUT_OF_RANGE, ErrorCode.OFFSET_NOT_AVAILABLE)


def new_row(partition: Partition, target: FetchTarget) -> PartitionData:
    """A row with the partition's offsets, without records or error."""
    log = partition.log
    return PartitionData(
        partition_index=target.partition,
        high_watermark=log.high_watermark,
        last_stable_offset=log.last_stable_offset,
        log_start_offset=log.log_start_offset,
        aborted_transactions=None,
    )


def failed_row(partition: Partition | None, target: FetchTarget, code: ErrorCode) -> PartitionData:
    """A row with an error; `partition`: the replica that is here, if there is one."""
    row = PartitionData(
        partition_index=target.partition,
        error_code=int(code),
        high_watermark=-1,
        aborted_transactions=None,
    )
    if partition is not None and code in _WITH_OFFSETS:
        # 392-07, 392-08: an answer "out of range" contains the range.
        log = partition.log
        row.high_watermark = log.high_watermark
        row.last_stable_offset = log.last_stable_offset
        row.log_start_offset = log.log_start_offset
    return row


def aborted_before(end: int, found: list[tuple[int, int]]) -> list[AbortedTransaction]:
    """Of aborted transactions (producer id, first offset) those that begin before `end` (98-06)."""
    return [
        AbortedTransaction(producer_id=producer_id, first_offset=first)
        for producer_id, first in found
        if first < end
    ]


def next_offset(records: Buffer | StoredRecords) -> int:
    """The offset after the last whole batch."""
    if isinstance(records, StoredRecords):
        return records.next_offset
    return max(whole_batches(records, 0)[1], 0)
