"""Markers that end a transaction in one partition, as its leader writes them (TXN-30 to TXN-32)."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from barnabas.protocol.control_records import ControlType, encode_control
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.end_txn_marker import EndTxnMarker
from barnabas.protocol.record_builder import RecordBatchBuilder

from ..log.append_result import AppendResult
from .own_writes import append_own
from .partition import Partition

EPOCH_BUMPS: Final = 2
"""`transaction.version` of producers whose markers have an epoch that no record has (KIP-890)."""

_EPOCH_MAX: Final = 32767


@dataclass(frozen=True, slots=True)
class EndMarker:
    """What a coordinator says of one producer's transaction."""

    producer_id: int
    epoch: int
    coordinator_epoch: int
    is_commit: bool
    client_version: int = 0
    """`transaction.version` of the producer."""

    def batch(self, now_ms: int) -> bytes:
        """The control batch: one record, transactional, without sequence."""
        builder = RecordBatchBuilder(
            producer_id=self.producer_id,
            producer_epoch=self.epoch,
            is_transactional=True,
            is_control=True,
        )
        kind = ControlType.COMMIT if self.is_commit else ControlType.ABORT
        key, value = encode_control(kind, EndTxnMarker(coordinator_epoch=self.coordinator_epoch))
        builder.append(now_ms, key, value)
        return builder.build()


def append_marker(partition: Partition, marker: EndMarker, now_ms: int) -> AppendResult:
    """Append the marker as the leader, with or without an open transaction (TXN-32).

    `now_ms` is the wall clock. Raises KafkaError: 6 where this broker does not lead, 19 with too
    few replicas in sync, 47 and 52 for epochs that are over (TXN-31), 56 when the disk refused.
    """
    partition.as_leader().in_sync.check_enough()
    _check_epochs(partition, marker)
    return append_own(partition, marker.batch(now_ms), now_ms)


def _check_epochs(partition: Partition, marker: EndMarker) -> None:
    entry = partition.log.producers.by_id.get(marker.producer_id)
    if entry is None:
        return
    # First the coordinator: one that was replaced is to stop, whatever epoch it believes in.
    if marker.coordinator_epoch < entry.coordinator_epoch:
        raise KafkaError(
            ErrorCode.TRANSACTION_COORDINATOR_FENCED,
            f"a marker of coordinator epoch {marker.coordinator_epoch} comes to "
            f"{partition.log.name} after epoch {entry.coordinator_epoch}",
        )
    is_open = entry.transaction_first_offset >= 0
    is_spent = (
        marker.client_version >= EPOCH_BUMPS
        and is_open
        and marker.epoch == entry.epoch
        and marker.epoch != _EPOCH_MAX
    )
    if marker.epoch < entry.epoch or is_spent:
        raise KafkaError(
            ErrorCode.INVALID_PRODUCER_EPOCH,
            f"a marker of epoch {marker.epoch} of producer {marker.producer_id} comes to "
            f"{partition.log.name}, which knows epoch {entry.epoch}",
        )
