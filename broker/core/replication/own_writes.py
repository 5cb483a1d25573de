"""What brokers write themselves: batches of coordinators, and markers of transactions."""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.record_batch import HEADER

from ..log.append_result import AppendResult
from ..log.failures import LogDirectoryFailure
from ..log.origin import Origin
from .partition import Partition


def append_own(partition: Partition, batch: bytes, now_ms: int) -> AppendResult:
    """Append one batch as the leader, with the consent of enough replicas.

    A batch that is part of a producer's transaction has no sequence of its own: only the epoch is
    checked, and no batch is taken for an earlier one. `now_ms` is the wall clock.
    Raises KafkaError: 6 where this broker does not lead, 19 with too few replicas in sync, 47 for
    an epoch that is over, 56 when the disk refused.
    """
    leader = partition.as_leader()
    leader.in_sync.check_enough()
    fields = HEADER.unpack_from(batch)
    producer_id, epoch = fields[9], fields[10]
    entry = partition.log.producers.by_id.get(producer_id) if producer_id >= 0 else None
    if entry is not None and epoch < entry.epoch:
        raise KafkaError(
            ErrorCode.INVALID_PRODUCER_EPOCH,
            f"epoch {epoch} of producer {producer_id} comes to {partition.log.name} after "
            f"epoch {entry.epoch}",
        )
    size, leader_epoch = len(batch), leader.leader_epoch
    try:
        appended = partition.log.append_batch(
            batch, 0, size, leader_epoch, now_ms, Origin.COORDINATOR
        )
    except LogDirectoryFailure as failure:
        partition.on_disk_failure(failure)
        raise
    partition.waiters.on_append(size)
    leader.settle()
    return appended
