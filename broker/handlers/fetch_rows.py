"""The rows of a Fetch answer, one for each partition."""

from __future__ import annotations

from barnabas.protocol.batch_walk import whole_batches
from barnabas.protocol.buffer import Buffer
from barnabas.protocol.messages.fetch_response import AbortedTransaction, PartitionData

from ..core.log.stored_records import StoredRecords
from ..core.replication.partition import Partition
from ..core.replication.resting_session import FetchTarget


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


def aborted_in(
    partition: Partition, offset: int, upper: int, records: Buffer | StoredRecords | None
) -> list[AbortedTransaction]:
    """The aborted transactions that overlap with `records`, read from `offset` (98-06)."""
    if not records:
        return []
    found = partition.log.aborted_transactions(offset, upper)
    if not found:
        return []
    end = next_offset(records)
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
