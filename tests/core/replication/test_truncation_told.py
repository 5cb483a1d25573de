"""Consumers ask how far their epoch went (OffsetForLeaderEpoch), in the model of three replicas.

Each consumer reads from any replica, up to the watermark which that one has. A question carries
the leader epoch that the consumer knows, which is at least that of the replica it read from, so
that a leader which does not know yet that it was replaced does not answer it.
"""

from __future__ import annotations

from pathlib import Path
from random import Random
from types import SimpleNamespace
from typing import Any, cast

from barnabas.broker.core.replication.partition import Partition
from barnabas.broker.handlers import offset_for_leader_epoch
from barnabas.broker.serving.context import BrokerContext
from barnabas.broker.serving.rights import EVERYTHING
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.messages.offset_for_leader_epoch_request import (
    OffsetForLeaderEpochRequest,
    OffsetForLeaderPartition,
    OffsetForLeaderTopic,
)

from .random_cluster import STEPS, Cluster


def end_of_epoch(partition: Partition, epoch: int) -> Any:
    """What the handler of a broker with this replica answers a consumer."""
    wanted = OffsetForLeaderPartition(partition=0, leader_epoch=epoch, current_leader_epoch=-1)
    topic = OffsetForLeaderTopic(topic="t", partitions=[wanted])
    request = OffsetForLeaderEpochRequest(replica_id=-1, topics=[topic])
    replicas = SimpleNamespace(get=lambda *_: partition)
    node = SimpleNamespace(replicas=replicas)
    context = SimpleNamespace(node=node, api_version=4, rights=EVERYTHING)
    answer = offset_for_leader_epoch.handle(request, cast(BrokerContext, context))
    assert not hasattr(answer, "send"), "so small a request is answered at once"
    return cast(Any, answer).topics[0].partitions[0]


class Consumed(Cluster):
    """Remembers how far consumers have come, and asks every leader after each step."""

    def __init__(self, directory: Path, random: Random) -> None:
        self.positions: dict[tuple[int, int], int] = {}
        """(leader epoch known, epoch of the last record read) -> furthest position."""
        self.confirmed = 0
        self.put_off = 0
        super().__init__(directory, random)

    def check(self) -> None:
        super().check()
        partitions = [replica.partition for replica in self.replicas.values()]
        for partition in partitions:
            self.consume(partition)
        for partition in partitions:
            if partition.is_leader:
                self.ask(partition)

    def consume(self, partition: Partition) -> None:
        end = partition.high_watermark
        if end:
            key = (partition.leader_epoch, partition.log.epoch_of(end - 1))
            self.positions[key] = max(end, self.positions.get(key, 0))

    def ask(self, leader: Partition) -> None:
        is_open = leader.high_watermark < leader.as_leader().epoch_start_offset
        for (known, epoch), position in self.positions.items():
            if known > leader.leader_epoch:
                continue
            row = end_of_epoch(leader, epoch)
            if row.error_code == ErrorCode.OFFSET_NOT_AVAILABLE:
                assert is_open, "only until the watermark has reached the epoch's start"
                self.put_off += 1
                continue
            assert (row.error_code, row.leader_epoch) == (0, epoch)
            assert row.end_offset >= position, "392-16: reported as truncated, and it is there"
            self.confirmed += known < leader.leader_epoch


def test_what_was_read_is_not_reported_as_truncated(tmp_path: Path) -> None:
    """392-16: no leader, however new, names an end below what somebody has read; 392-15: while it
    cannot know, it says so (78)."""
    confirmed = put_off = 0
    for seed in range(8):
        cluster = Consumed(tmp_path / str(seed), Random(seed))
        for _ in range(STEPS):
            cluster.step()
        cluster.heal()
        confirmed += cluster.confirmed
        put_off += cluster.put_off
    assert confirmed > 1000, "leaders of later epochs were asked"
    assert put_off > 10, "some of them before they knew"
