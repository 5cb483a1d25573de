"""Who may read what of a replica by Fetch (KIP-392).

- 392-01: a follower may read from the leader only; from version 11 on a consumer may read from any
  replica.
- 392-05, 392-06: an offset above the watermark that is in this log, or on a follower below the
  watermark that its leader told, is not available yet (78; before version 11 the answer is empty).
- 392-07, 392-08: any other offset outside of the log is out of range (1).
- 279-02: a fetcher whose last epoch ends earlier in this log is told where the two logs diverge.
- I-2: so is a follower that ends where this log begins and has records below, unless this log
  knows that the record before was of the same epoch. Kafka does not look there, and leaves the
  follower what it knows of producers from records that no other replica may have had.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.messages.fetch_response import EpochEndOffset

from ...core.log.partition_log import PartitionLog
from ...core.replication.partition import Partition
from ...core.replication.resting_session import FetchTarget

FOLLOWER_READS_SINCE = 11
STORAGE_ERROR_SINCE = 6

CONSUMER = -1


class Reader:
    """Who fetches: a follower by its broker id, or a consumer (any id below zero, C11)."""

    __slots__ = ("broker_epoch", "is_follower", "needs_leader", "replica_id", "version")

    def __init__(self, replica_id: int, broker_epoch: int, version: int) -> None:
        self.replica_id = replica_id
        self.broker_epoch = broker_epoch
        """The follower's broker epoch, from version 15 on; else -1."""
        self.version = version
        self.is_follower = replica_id >= 0
        self.needs_leader = self.is_follower or (
            replica_id == CONSUMER and version < FOLLOWER_READS_SINCE
        )


def check_readable(partition: Partition, target: FetchTarget, reader: Reader) -> None:
    """Check epoch, leadership and range. Raises KafkaError 74, 75, 6, 1 or 78.

    At the leader an offset beyond the end of the log is no error if the fetcher names its last
    epoch: `diverging_epoch` then says where the logs diverge (279-02).
    """
    partition.check_leader_epoch(target.current_leader_epoch)
    is_leader = partition.is_leader
    if not is_leader and reader.needs_leader:
        raise KafkaError(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    log = partition.log
    offset = target.fetch_offset
    end = log.log_end_offset
    if not is_leader and partition.leader_high_watermark > end:
        end = partition.leader_high_watermark
    is_compared = is_leader and target.last_fetched_epoch >= 0
    if offset < log.log_start_offset or (offset > end and not is_compared):
        raise KafkaError(ErrorCode.OFFSET_OUT_OF_RANGE)
    if (
        log.high_watermark < offset <= end
        and not reader.is_follower
        and reader.version >= FOLLOWER_READS_SINCE
    ):
        # The record exists but is not committed; such a fetch waits like an empty one (392-05b).
        raise KafkaError(ErrorCode.OFFSET_NOT_AVAILABLE)


def diverging_epoch(
    partition: Partition, target: FetchTarget, reader: Reader
) -> EpochEndOffset | None:
    """Where the fetcher's log diverges from this one (279-02); None if it does not.

    Raises KafkaError OFFSET_OUT_OF_RANGE if this log knows nothing of the epoch.
    """
    log, asked, offset = partition.log, target.last_fetched_epoch, target.fetch_offset
    epoch, end_offset = log.end_offset_for_epoch(asked)
    if epoch < 0 or end_offset < 0:
        raise KafkaError(ErrorCode.OFFSET_OUT_OF_RANGE)
    if epoch < asked or end_offset < offset:
        return EpochEndOffset(epoch=epoch, end_offset=end_offset)
    if reader.is_follower and not _is_copy_below_start(log, target):
        return EpochEndOffset(epoch=asked, end_offset=offset - 1)
    return None


def _is_copy_below_start(log: PartitionLog, target: FetchTarget) -> bool:
    """Whether a follower that ends where this log begins has what was here before (I-2).

    Both go on with the same records; what they know of producers is of those before. A follower
    whose own log begins there too holds none, and once moved its start up for a leader that knew.
    """
    offset = target.fetch_offset
    is_at_start = 0 < offset == log.log_start_offset
    if not is_at_start or target.fetcher_log_start_offset == offset:
        return True
    return log.leader_epochs.epoch_before(offset) == target.last_fetched_epoch
