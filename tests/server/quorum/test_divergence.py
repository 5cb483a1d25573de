"""A follower whose whole log is older than the leader's first epoch, with static voters."""

from __future__ import annotations

from random import Random
from types import SimpleNamespace
from typing import Any

from kit.log_batches import batch
from kit.logs import ManualClock, append, config_of, env_of

from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.raft.leader_log import validate_position
from barnabas.broker.core.raft.messages import EpochEnd, Fetch, FetchAnswer, ReplicaKey
from barnabas.broker.core.raft.ports import LeaderChange, RaftConfig
from barnabas.broker.core.raft.quorum_state import QuorumState
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.core.raft.states import Replica
from barnabas.broker.server.quorum import wire_requests, wire_responses
from barnabas.broker.server.quorum.raft_log import QuorumLog
from barnabas.testing.simulation.disk import SimulatedDisk
from barnabas.testing.simulation.raft.memory_log import MemoryRaftLog


def test_an_epoch_before_all_of_the_leaders_is_cut_to_nothing() -> None:
    """595-06: who led epoch 1 alone and wrote at offset 0 hears from the leader of epoch 2, whose
    log begins with epoch 2, where to cut; and the wire does not lose it."""
    log = MemoryRaftLog()
    log.append_control([LeaderChange(1, (), ())], 2)
    me = ReplicaKey(1, bytes([1]) * 16)
    leader = Replica(RaftConfig(me, "quorum"), log, QuorumState(2, 1), Random(1), 0.0)
    follower = ReplicaKey(2, bytes([2]) * 16)
    request = Fetch("quorum", follower, 2, 1, 1, 500, 1000)
    found = validate_position(leader, request)
    assert found is not None
    response = wire_responses.to_wire(wire_requests.FETCH, 17, request, found)
    answer = wire_responses.from_wire(wire_requests.FETCH, response)
    assert isinstance(answer, FetchAnswer)
    assert answer.diverging == EpochEnd(1, 0)


def test_who_ends_where_the_leaders_snapshot_ends_follows_it() -> None:
    """630-10: the log begins behind the snapshot, with the next epoch. A follower that ends there
    has the snapshot's epoch, of which no record is left: that is no divergence."""
    disk = SimulatedDisk(Random(1))
    directory = LogDirectory("/d", env_of(disk, ManualClock()))
    directory.open()
    log = directory.create("__cluster_metadata", 0, bytes(range(16)), config_of())
    for epoch in (1, 2, 2, 3):
        append(log, batch(b"record"), leader_epoch=epoch)
    log.high_watermark = 4
    log.advance_log_start(3)
    files: Any = SimpleNamespace(ids=[SnapshotId(3, 2)])
    quorum_log = QuorumLog(env_of(disk, ManualClock()), log, files, lambda: 0)
    assert quorum_log.end_of_epoch(3) == EpochEnd(3, 4)
    assert quorum_log.end_of_epoch(2) == EpochEnd(2, 3)
    assert quorum_log.end_of_epoch(1) == EpochEnd(-1, 3)
    files.ids = [SnapshotId(2, 2)]
    assert quorum_log.end_of_epoch(2) == EpochEnd(-1, 3)
