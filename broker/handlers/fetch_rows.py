"""Rows of a Fetch answer: what stands in each, and what is found in the records of one."""

from __future__ import annotations

from struct import Struct

from barnabas.protocol.buffer import Buffer
from barnabas.protocol.messages.fetch_response import AbortedTransaction, PartitionData

from ..core.log.stored_records import StoredRecords
from ..core.replication.partition import Partition
from ..core.replication.resting_session import FetchTarget

_BATCH_WALK = Struct(">qi11xi")
"""Base offset, length, last offset delta."""


def new_row(partition: Partition, target: FetchTarget) -> PartitionData:
    """A row without records or error."""
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
    """Aborted transactions in what was read (98-06)."""
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
    at, following = 0, 0
    while at + _BATCH_WALK.size <= len(records):
        base, length, delta = _BATCH_WALK.unpack_from(records, at)
        following = base + delta + 1
        at += 12 + length
    return following
