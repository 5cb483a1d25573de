"""Cutting a follower's log: divergence, positions out of range, the leader's log start."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from kit.log_batches import BASE_TIME
from kit.logs import read_all
from kit.waiting import PATIENCE_S, until

from barnabas.broker.core.replication.former_leaders import NO_LEADER
from barnabas.broker.core.replication.partition import Partition

from .followers import LEADER, TOPIC_ID, Follower, following
from .leaders import same
from .nodes import NODE_ID

OTHER_ID = bytes(14) + b"\x0b\x08"


async def test_a_diverging_log_is_cut_and_copied_anew(tmp_path: Path) -> None:
    """KIP-320, 279-01: our epoch 1 holds records that the leader of epoch 2 never had."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID, leader_epoch=0)
        led.append(5)
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: same(partition, led) and follower.leader.parked)
        # Broker 1 led for a moment and wrote what nobody copied; then broker 2 leads again.
        partition.log.assign_epoch(1)
        data = bytearray(read_all(led.log)[0])
        partition.log.append_batch(memoryview(data), 0, len(data), 1, BASE_TIME)
        assert partition.log.log_end_offset == 10
        led.leader_epoch = 2
        led.log.assign_epoch(2)
        led.append(2)
        partition.follow(LEADER, 2)
        follower.leader.tell()
        await until(lambda: same(partition, led))
        assert read_all(partition.log) == read_all(led.log)
        assert partition.log.leader_epochs.entries() == [(0, 0), (2, 5)]
        assert follower.fetchers.figures()["ReplicaFetcherManager.Truncations"] == 1
        assert not follower.services.log.events("log truncated below its high watermark")


async def test_parting_below_the_leaders_start_keeps_nothing(tmp_path: Path) -> None:
    """I-2, 279-04: retention took where we part from the leader: nothing below may stay."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID, leader_epoch=0)
        led.append(5)
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: same(partition, led) and follower.leader.parked)
        # Three more that only we hold; the leader of epoch 1 wrote others there, and deleted them.
        for _ in range(3):
            data = bytearray(read_all(led.log)[0])
            partition.log.append_batch(memoryview(data), 0, len(data), 0, BASE_TIME)
        assert partition.log.log_end_offset == 20
        led.leader_epoch = 1
        led.log.assign_epoch(1)
        led.append(1, batches=12)
        led.commit()
        led.log.advance_log_start(15)
        partition.follow(LEADER, 1)
        follower.leader.tell()
        await until(lambda: same(partition, led))
        assert partition.log.log_start_offset == 15
        assert partition.log.segments[0].base_offset == 15
        assert read_all(partition.log) == read_all(led.log)


@pytest.mark.parametrize("had", [0, 1])
async def test_a_leaders_log_may_start_within_a_batch(tmp_path: Path, had: int) -> None:
    """107-04, C9: a replica that is new, or ends below that start, has the whole batch, and starts
    where its leader does; so it comes back in sync after records were deleted up to there."""
    async with following(tmp_path) as follower, asyncio.timeout(PATIENCE_S):
        led = follower.leader.lead(TOPIC_ID, leader_epoch=0)
        led.append(5, batches=had)
        partition = follower.partition()
        if had:
            partition.follow(LEADER, 0)
            await until(lambda: same(partition, led) and follower.leader.parked)
            partition.follow(NO_LEADER, 1)
        led.leader_epoch = 2
        led.log.assign_epoch(2)
        led.append(5, batches=3)
        led.commit()
        start = 5 * had + 7
        led.log.advance_log_start(start)
        partition.follow(LEADER, 2)
        follower.leader.tell()
        await until(lambda: same(partition, led))
        assert partition.log.log_start_offset == start
        assert partition.log.segments[0].base_offset == 5 * had + 5
        assert partition.log.high_watermark == led.high_watermark
        led.append(2)
        follower.leader.tell()
        await until(lambda: same(partition, led))
        assert read_all(partition.log) == read_all(led.log)


@asynccontextmanager
async def about_to_cut(
    tmp_path: Path, checkpoint_error: OSError | None = None
) -> AsyncIterator[tuple[Follower, Partition]]:
    """A follower of 10 records of which its leader has 5, and a disk that does not answer."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID, leader_epoch=0)
        led.append(5)
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: same(partition, led) and follower.leader.parked)
        partition.log.assign_epoch(1)
        data = bytearray(read_all(led.log)[0])
        partition.log.append_batch(memoryview(data), 0, len(data), 1, BASE_TIME)
        led.leader_epoch = 2
        led.log.assign_epoch(2)
        led.append(2)
        follower.services.is_disk_stuck = True
        follower.checkpoint_error = checkpoint_error
        partition.log.flush()
        partition.follow(LEADER, 2)
        follower.leader.tell()
        await until(lambda: follower.services.loads or follower.failures)
        yield follower, partition


async def test_nothing_is_cut_or_fetched_while_the_disk_stands_still(tmp_path: Path) -> None:
    """501-10, 501-15, 279-01: the loop goes on, the partition waits, and is cut afterwards."""
    async with about_to_cut(tmp_path) as (follower, partition):
        assert partition.log.log_end_offset == 10
        requests, late = len(follower.leader.requests), len(follower.leader.late)
        other = follower.partition(OTHER_ID)
        led = follower.leader.lead(OTHER_ID)
        led.append(3)
        other.follow(LEADER, 0)
        await until(lambda: same(other, led))
        since = [*follower.leader.requests[requests:], *follower.leader.late[late:]]
        asked = {topic.topic_id for request in since for topic in request.topics}
        assert asked == {OTHER_ID}, "the one is held, the other is not"
        assert partition.log.log_end_offset == 10
        follower.services.is_disk_stuck = False
        follower.services.answer_of_disk()
        await until(lambda: partition.log.leader_epochs.entries() == [(0, 0), (2, 5)])
        assert partition.log.log_end_offset == 7


async def test_who_leads_when_the_disk_answers_cuts_nothing(tmp_path: Path) -> None:
    """279-01, 101-01: another epoch began meanwhile; what the one before decided is left."""
    async with about_to_cut(tmp_path) as (follower, partition):
        partition.follow(NO_LEADER, 3)
        follower.services.answer_of_disk()
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert partition.log.log_end_offset == 10
        assert partition.log.leader_epochs.entries() == [(0, 0), (1, 5)]


async def test_nothing_is_cut_whose_checkpoint_the_disk_refuses(tmp_path: Path) -> None:
    """I-2, 279-01: else a start after a crash would trust what is above the cut."""
    async with about_to_cut(tmp_path, OSError(28, "planted")) as (follower, partition):
        assert follower.failures
        assert partition.is_offline
        assert partition.log.log_end_offset == 10
        assert not follower.checkpoints


async def test_the_checkpoint_is_lowered_before_the_cut_and_on_a_thread(tmp_path: Path) -> None:
    """I-2, 501-10: nothing is cut on the event loop before the file says that it may be."""
    async with about_to_cut(tmp_path) as (follower, partition):
        assert follower.checkpoints == [(10, 5)]
        assert partition.log.recovery_point == 10
        follower.services.is_disk_stuck = False
        follower.services.answer_of_disk()
        await until(lambda: partition.log.log_end_offset == 7)
        assert follower.checkpoints == [(10, 5)]


async def test_a_disk_that_fails_then_takes_the_replica_offline(tmp_path: Path) -> None:
    """279-01: what was to be read for the cut cannot be read."""
    async with about_to_cut(tmp_path) as (follower, partition):
        follower.services.answer_of_disk(OSError(5, "planted"))
        await until(lambda: follower.failures)
        assert partition.is_offline
        assert partition.log.log_end_offset == 10


async def test_files_that_were_exchanged_meanwhile_fail_no_disk(tmp_path: Path) -> None:
    """279-01, CMP-13: they have other names when the thread comes; it is found out once more."""
    async with about_to_cut(tmp_path) as (follower, partition):
        partition.log.reader.forget_places()  # as compaction does
        follower.services.is_disk_stuck = False
        follower.services.answer_of_disk(FileNotFoundError(2, "planted"))
        await until(lambda: partition.log.log_end_offset == 7)
        assert not follower.failures
        assert not partition.is_offline


async def test_a_cut_below_the_watermark_is_reported(tmp_path: Path) -> None:
    """279-03, I-4: after an unclean election committed records go; that is counted and logged."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID, leader_epoch=0)
        led.append(5)
        led.commit()
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: partition.high_watermark == 5)
        partition.log.flush()
        led.log.truncate_to(0)
        led.log.assign_epoch(3)
        led.leader_epoch, led.high_watermark = 3, 0
        partition.follow(LEADER, 3)
        follower.leader.tell()
        await until(lambda: partition.log.log_end_offset == 0)
        figures = follower.fetchers.figures()
        assert figures["ReplicaFetcherManager.TruncationsBelowHighWatermark"] == 1
        (line,) = follower.services.log.events("log truncated below its high watermark")
        assert (line["end_offset"], line["new_end_offset"], line["high_watermark"]) == (5, 0, 5)
        # Before the cut: whatever a disk leaves of it is then read after a crash.
        assert follower.checkpoints == [(5, 0)], "the recovery point was above the new end"


async def test_a_follower_that_was_wiped_begins_where_the_leader_begins(tmp_path: Path) -> None:
    """279-04: the leader starts behind our end: drop all, and begin at its start."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID)
        led.append(10)
        led.append(2)
        led.commit()
        led.log.advance_log_start(10)
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: partition.high_watermark == 12)
        assert partition.log.log_start_offset == 10
        assert read_all(partition.log) == read_all(led.log)
        latest, earliest = follower.leader.listed
        assert latest.replica_id == earliest.replica_id == NODE_ID
        asked = [one.topics[0].partitions[0].timestamp for one in (latest, earliest)]
        assert asked == [-1, -2]


async def test_a_position_that_cannot_be_cut_to_now_is_looked_for_again(tmp_path: Path) -> None:
    """279-04: while segments below are exchanged nothing is cut there; neither that partition nor
    those that were asked about with it are given up for it."""
    async with following(tmp_path, replica_fetch_backoff_ms=5) as follower:
        leds = [follower.leader.lead(TOPIC_ID, index, leader_epoch=4) for index in range(2)]
        partitions = [follower.partition(index=index) for index in range(2)]
        for partition, led in zip(partitions, leds, strict=True):
            led.append(5)
            data = bytearray(read_all(led.log)[0])
            partition.log.append_batch(memoryview(data), 0, len(data), 5, BASE_TIME)
            partition.log.flush()
            partition.log.append_batch(memoryview(data), 0, len(data), 5, BASE_TIME)
        compaction = partitions[0].log.compaction
        compaction.exchanged_upto = 5
        for partition, led in zip(partitions, leds, strict=True):
            led.leader_epoch = 6  # of epoch 5 this leader knows nothing: out of range
            partition.follow(LEADER, 6)
        await until(lambda: same(partitions[1], leds[1]))
        await until(lambda: len(follower.leader.listed) > 3)
        assert partitions[0].log.log_end_offset == 10
        compaction.exchanged_upto = -1
        await until(lambda: same(partitions[0], leds[0]))


@pytest.mark.parametrize("flushed", [5, 10])
async def test_a_cut_that_had_to_wait_is_made_before_more_is_copied(
    tmp_path: Path, flushed: int
) -> None:
    """279-03: records without epochs cannot be compared, so nothing would show later that what is
    not committed should have gone. Nor does the metadata's listener fail for it."""
    async with following(tmp_path, replica_fetch_backoff_ms=5) as follower:
        led = follower.leader.lead(TOPIC_ID)
        led.append(5)
        partition = follower.partition()
        data = memoryview(bytearray(read_all(led.log)[0]))
        for _ in range(2):
            partition.log.append_batch(data, 0, len(data), -1, BASE_TIME)
            if partition.log.log_end_offset == flushed:
                partition.log.flush()
        partition.log.high_watermark = 5
        led.append(5, size=12, batches=2)
        compaction = partition.log.compaction
        compaction.exchanged_upto = 5
        partition.follow(LEADER, 0)
        log, event = follower.services.log, "log cannot be cut"
        await until(lambda: len(log.events(event)) > 1 or same(partition, led))
        compaction.exchanged_upto = -1
        await until(lambda: same(partition, led))
        assert read_all(partition.log)[1:] == read_all(led.log)[1:]


async def test_the_leaders_start_is_followed(tmp_path: Path) -> None:
    """C9: a follower deletes nothing by itself, and follows the leader's log start."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID)
        led.append(1, batches=4)
        led.commit()
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: partition.high_watermark == 4)
        led.log.advance_log_start(3)
        led.append()
        follower.leader.tell()
        await until(lambda: partition.log.log_start_offset == 3)
