"""What the numbers of a snapshot mean: its end offset is exclusive (630-00, conflict C22)."""

from __future__ import annotations

import pytest

from barnabas.broker.core.raft.messages import Fetch
from barnabas.broker.core.raft.snapshot_file import SnapshotId

from .replicas import Driven, key
from .snapshots import acknowledge, committed, downloading, give


def test_the_end_offset_is_one_more_than_the_last_record() -> None:
    """630-00: with the last committed record at x the newest snapshot is x + 1, not x + 2."""
    node = committed()
    last = node.append(2)
    with pytest.raises(ValueError, match="above the high watermark"):
        node.raft.check_snapshot(SnapshotId(last + 1, 1))
    acknowledge(node, 2)
    snapshot = node.make_snapshot()
    assert (snapshot.end_offset, snapshot.epoch) == (last + 1, 1)
    assert snapshot.end_offset == node.raft.high_watermark
    assert node.append() == snapshot.end_offset, "the first record that it does not hold"


def test_a_log_may_begin_where_its_snapshot_ends() -> None:
    """630-00: start of the log <= end offset <= high watermark, equal at both ends."""
    node = Driven(max_replication_lag_ms=0).lead()
    node.append(2)
    acknowledge(node, 2)
    snapshot = node.make_snapshot()
    assert node.raft.raise_log_start(snapshot, node.now)
    assert node.log.start_offset == snapshot.end_offset == node.raft.high_watermark
    after = node.append(2)
    assert after - 1 == snapshot.end_offset, "nothing is missing between snapshot and log"


def test_who_has_loaded_it_asks_for_its_end_offset() -> None:
    """630-00: (40, 1) holds 0 to 39: the next fetch is from 40, the last epoch is 1."""
    node = downloading()
    give(node, 0, 150)
    snapshot = SnapshotId(40, 1)
    node.log.freeze(snapshot)
    node.raft.on_frozen(snapshot, True, node.now)
    node.settle()
    [fetch] = node.take(Fetch)
    assert (fetch.request.offset, fetch.request.last_epoch) == snapshot
    assert fetch.request.replica == key(1)
