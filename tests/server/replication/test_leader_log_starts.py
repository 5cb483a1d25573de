"""A follower whose log ends where its leader's begins: is what it holds below a copy (I-2)?"""

from __future__ import annotations

from pathlib import Path

import pytest
from kit.log_batches import BASE_TIME, batch
from kit.logs import read_all
from kit.waiting import until

from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.core.replication.partition import Partition

from .followers import LEADER, TOPIC_ID, Follower, following
from .leaders import Led, same


def write(log: PartitionLog, sequence: int, epoch: int, producer_id: int = 7) -> None:
    """A record of an idempotent producer."""
    data = batch(b"x", producer_id=producer_id, epoch=0, sequence=sequence)
    log.append_batch(memoryview(data), 0, len(data), epoch, BASE_TIME)


def producers(log: PartitionLog) -> dict[int, int]:
    """The last sequence of each that the log knows."""
    return {number: entry.last_sequence for number, entry in log.producers.by_id.items()}


async def first_record(follower: Follower) -> tuple[Led, Partition]:
    """A leader in epoch 0, and its copy, of one record."""
    led = follower.leader.lead(TOPIC_ID, leader_epoch=0)
    write(led.log, 0, 0)
    partition = follower.partition()
    partition.follow(LEADER, 0)
    await until(lambda: same(partition, led) and follower.leader.parked)
    return led, partition


def leads_on(led: Led, epoch: int) -> None:
    """The leader's next epoch, in which it writes two records, and deletes all."""
    led.leader_epoch = epoch
    led.log.assign_epoch(epoch)
    for sequence in (1, 2):
        write(led.log, sequence, epoch, producer_id=9)
    led.commit()
    led.log.advance_log_start(led.log.log_end_offset)


@pytest.mark.parametrize("is_anew", [False, True])
async def test_records_that_only_the_follower_holds(tmp_path: Path, *, is_anew: bool) -> None:
    """98-03: it was paused while it led, and wrote as many as the next leader wrote and deleted. It
    knows nothing of who wrote them: else it would take what they send again for duplicates. Nor
    does a leader know better whose own log began anew there."""
    async with following(tmp_path) as follower:
        led, partition = await first_record(follower)
        for sequence in (1, 2):
            write(partition.log, sequence, 0)
        leads_on(led, 1)
        if is_anew:
            led.log.truncate_fully_and_start_at(3)
            led.log.assign_epoch(1)
        assert partition.log.log_end_offset == led.log.log_start_offset == 3
        partition.follow(LEADER, 1)
        follower.leader.tell()
        await until(lambda: partition.log.log_start_offset == 3 and follower.leader.parked)
        assert producers(partition.log) == {}
        write(led.log, 1, 1)
        follower.leader.tell()
        await until(lambda: partition.log.log_end_offset == 4)
        assert read_all(partition.log) == read_all(led.log)
        assert producers(partition.log) == {7: 1}
        assert follower.fetchers.figures()["ReplicaFetcherManager.Truncations"] == 1


async def test_a_copy_keeps_what_it_knows(tmp_path: Path) -> None:
    """98-03: who copied all that was deleted goes on knowing the producers of it."""
    async with following(tmp_path) as follower:
        led, partition = await first_record(follower)
        led.commit()
        for epoch in (1, 2):
            led.leader_epoch = epoch
            led.log.assign_epoch(epoch)
            partition.follow(LEADER, epoch)
            write(led.log, epoch, epoch)
            follower.leader.tell()
            await until(lambda: same(partition, led) and follower.leader.parked)
        led.commit()
        led.log.advance_log_start(3)
        led.leader_epoch = 3
        led.log.assign_epoch(3)
        partition.follow(LEADER, 3)
        follower.leader.tell()
        await until(lambda: partition.log.log_start_offset == 3 and follower.leader.parked)
        write(led.log, 3, 3)
        follower.leader.tell()
        await until(lambda: partition.log.log_end_offset == 4)
        assert producers(partition.log) == {7: 3}
        assert follower.fetchers.figures()["ReplicaFetcherManager.Truncations"] == 0
