"""Records that an administrator deletes, and when they are gone from every replica (KIP-107).

The leader's log begins later at once. Followers hear of it in the answers to their fetches, and
tell in the next ones where their own logs begin. Before that the records are not gone: a follower
that is elected meanwhile would serve them again.
"""

from __future__ import annotations

from barnabas.protocol.errors import ErrorCode, KafkaError

from .partition import Partition
from .waiters import AckWaiter

HIGH_WATERMARK = -1
"""As an offset that is asked for: everything that is committed."""


def delete_below(partition: Partition, offset: int) -> int:
    """Delete what is below `offset` (-1: below the high watermark), as the leader; that offset.

    Raises KafkaError: 6 if this broker does not lead, 44 where the topic keeps the last record of
    each key for ever, 1 below zero or above the high watermark; LogDirectoryFailure.
    """
    partition.as_leader()
    if not partition.config.is_deleted_by_age_or_size and partition.config.cleanup_policy:
        raise KafkaError(ErrorCode.POLICY_VIOLATION)
    high_watermark = partition.high_watermark
    target = high_watermark if offset == HIGH_WATERMARK else offset
    if not 0 <= target <= high_watermark:
        raise KafkaError(ErrorCode.OFFSET_OUT_OF_RANGE)
    if partition.advance_log_start(target):
        # Those that wait for records would else hear of it when that wait is over, half a second
        # later, and whoever asked for the deletion waits for them.
        partition.waiters.wake_followers()
    return target


def when_deleted(partition: Partition, offset: int, waiter: AckWaiter) -> None:
    """Call back when no replica that counts has records below `offset` any more.

    With an error when this broker will not get to know of that.
    """
    leader = partition.leader
    if partition.log.failure is not None:
        waiter(ErrorCode.KAFKA_STORAGE_ERROR)
    elif leader is None:
        waiter(ErrorCode.NOT_LEADER_OR_FOLLOWER)
    elif leader.low_watermark.offset >= offset:
        waiter(ErrorCode.NONE)
    else:
        partition.waiters.await_low_watermark(offset, waiter)
