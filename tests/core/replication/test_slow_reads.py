"""A leader whose reads take 25 s, with and without the feature (KIP-501's own example)."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.replicas import LAG_MS, Replica

from barnabas.protocol.errors import ErrorCode, KafkaError

READ_MS = 25_000


def stall(one: Replica) -> None:
    """Both followers ask for the end, and their reads hang while a producer goes on."""
    partition = one.partition
    one.append(1002)
    one.wait_for_ack(1002)
    for follower in (2, 3):
        one.fetched(follower, 1002)
    one.clock.now_ms = 1000
    for follower in (2, 3):
        partition.as_leader().begin_fetch(follower, 1002)
    one.append(1)
    one.wait_for_ack(1003)
    while one.clock.now_ms < READ_MS:
        one.clock.now_ms += LAG_MS // 2
        partition.as_leader().expire(one.clock.now_ms)
        if one.controller.open:
            one.controller.grant()


def test_without_the_feature_the_set_shrinks_to_the_leader(tmp_path: Path) -> None:
    """501-15: off: both leave, who waits is told 20, and the next one 19."""
    one = Replica(tmp_path, min_insync_replicas=2)
    partition = one.lead()
    stall(one)
    assert partition.as_leader().in_sync.committed == (1,)
    assert one.acks == [(1002, "NONE"), (1003, "NOT_ENOUGH_REPLICAS_AFTER_APPEND")]
    with pytest.raises(KafkaError) as refused:
        partition.as_leader().in_sync.check_enough()
    assert refused.value.code is ErrorCode.NOT_ENOUGH_REPLICAS


def test_with_the_feature_all_stay_and_it_can_be_handed_over(tmp_path: Path) -> None:
    """501-15: on: nobody leaves, no producer sees 19 or 20, and the leadership goes to one that
    has everything."""
    one = Replica(tmp_path, min_insync_replicas=2, keeps_pending=True)
    partition = one.lead()
    stall(one)
    assert partition.as_leader().in_sync.committed == (1, 2, 3)
    partition.as_leader().in_sync.check_enough()
    assert one.acks == [(1002, "NONE")]
    assert partition.as_leader().in_sync.relinquish() is None
    assert [member for member, _ in one.controller.change.isr] == [2, 3, 1]
