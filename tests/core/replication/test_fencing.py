"""The controller fences a follower whose fetch is pending: KIP-501 beside KIP-841."""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.controllers import Cluster
from kit.replicas import LAG_MS, Replica

from barnabas.broker.core.cluster.commands import FenceBroker, StopBroker


@pytest.mark.parametrize("command", [FenceBroker, StopBroker])
def test_a_pending_fetch_keeps_nobody_whom_the_controller_removes(
    tmp_path: Path, command: type
) -> None:
    """501-09: fenced or stopping, it is out at once; the watermark waits no longer for it."""
    cluster = Cluster(3)
    cluster.create("t", assignments=((0, (1, 2, 3)),))
    one = Replica(tmp_path, keeps_pending=True)
    partition = one.partition
    partition.lead(cluster.partition())
    one.fetched(2, 0)
    one.fetched(3, 0)
    pending = partition.as_leader().begin_fetch(2, 0)
    assert pending is not None
    one.append(1)
    one.fetched(3, 1)
    one.clock.now_ms = 10 * LAG_MS
    one.fetched(3, 1)
    assert partition.as_leader().expire(one.clock.now_ms) == ()
    assert one.high_watermark == 0

    cluster.do(command(2, cluster.epoch(2)))
    one.cluster.inactive.add(2)
    partition.lead(cluster.partition())
    assert partition.as_leader().pending_count == 1
    assert (
        partition.as_leader().in_sync.committed == partition.as_leader().in_sync.maximal == (1, 3)
    )
    assert one.high_watermark == 1


def test_the_end_of_a_pending_fetch_brings_nobody_back(tmp_path: Path) -> None:
    """501-09: however caught up it is then, a fenced broker is not asked for again."""
    one = Replica(tmp_path, keeps_pending=True)
    partition = one.lead(1, 2, 3)
    one.fetched(2, 0)
    pending = partition.as_leader().begin_fetch(2, 0)
    assert pending is not None
    one.cluster.inactive.add(2)
    one.lead(1, 3, partition_epoch=1)
    one.clock.now_ms = 1000
    partition.as_leader().end_fetch(pending, one.clock.now_ms)
    one.fetched(2, 0)
    assert one.controller.open == []
    one.cluster.inactive.clear()
    one.fetched(2, 0)
    asked = [member for member, _ in one.controller.change.isr]
    assert asked == [1, 3, 2], "let in again, it is asked for"
