"""Fetchers against a leader that keeps the rules: copying, sessions, errors, changes of leader."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from kit.logs import read_all
from kit.waiting import until

from barnabas.broker.core.replication.leader import LeaderState
from barnabas.protocol.messages.fetch_request import FetchRequest

from .followers import LEADER, TOPIC_ID, Follower, following
from .leaders import same
from .nodes import NODE_ID

OTHER_ID = bytes(14) + b"\x0b\x08"


async def test_records_are_copied_and_the_watermark_follows(tmp_path: Path) -> None:
    """279-03: appended where the log ends; the next fetch asks for what comes after, at once."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID)
        led.append(3)
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: same(partition, led) and follower.leader.parked)
        assert read_all(partition.log) == read_all(led.log)
        assert partition.high_watermark == 0
        first, second = follower.leader.requests
        assert first.topics[0].partitions[0].fetch_offset == 0
        assert second.topics[0].partitions[0].fetch_offset == 3
        led.append()
        led.commit()
        follower.leader.tell()
        await until(lambda: partition.high_watermark == 4)


async def test_who_asks_is_said_with_the_broker_epoch(tmp_path: Path) -> None:
    """903-01, 497-04: every fetch says which registration of the broker it comes from."""
    async with following(tmp_path, replica_fetch_max_bytes=77) as follower:
        follower.leader.lead(TOPIC_ID, leader_epoch=4)
        partition = follower.partition()
        partition.follow(LEADER, 4)
        await until(lambda: follower.leader.parked)
        (request,) = follower.leader.requests
        assert (request.replica_state.replica_id, request.replica_state.replica_epoch) == (
            NODE_ID,
            70,
        )
        (asked,) = request.topics[0].partitions
        assert request.topics[0].topic_id == TOPIC_ID
        assert (asked.current_leader_epoch, asked.last_fetched_epoch) == (4, -1)
        assert (asked.log_start_offset, asked.partition_max_bytes) == (0, 77)
        config = follower.services.config
        assert request.max_wait_ms == config.replica_fetch_wait_max_ms
        assert request.min_bytes == config.replica_fetch_min_bytes
        assert request.max_bytes == config.replica_fetch_response_max_bytes


async def test_fenced_in_the_known_epoch_stops_until_metadata(tmp_path: Path) -> None:
    """279-05: 74 stops the partition; a new epoch begins it again; others are not touched."""
    async with following(tmp_path) as follower:
        led, other = follower.leader.lead(TOPIC_ID, 0, 3), follower.leader.lead(TOPIC_ID, 1)
        partition, second = follower.partition(index=0), follower.partition(index=1)
        partition.follow(LEADER, 2)
        second.follow(LEADER, 0)
        led.append()
        other.append()
        await until(lambda: same(second, other) and follower.leader.parked)
        assert follower.fetchers.figures()["ReplicaFetcherManager.FailedPartitionsCount"] == 1
        asked = [
            one.partition
            for request in follower.leader.requests[1:]
            for topic in request.topics
            for one in topic.partitions
        ]
        assert asked == [1]
        partition.follow(LEADER, 3)
        await until(lambda: same(partition, led))
        assert follower.fetchers.figures()["ReplicaFetcherManager.FailedPartitionsCount"] == 0


@pytest.mark.parametrize("code", [75, 6, 3, 100, 103, 56, -1])
async def test_other_errors_pause_one_partition(tmp_path: Path, code: int) -> None:
    """279-05: a pause that grows to replica.fetch.backoff.ms, for that partition alone."""
    async with following(tmp_path, replica_fetch_backoff_ms=30) as follower:
        led, other = follower.leader.lead(TOPIC_ID, 0), follower.leader.lead(TOPIC_ID, 1)
        led.error_code = code
        partition, second = follower.partition(index=0), follower.partition(index=1)
        partition.follow(LEADER, 0)
        second.follow(LEADER, 0)
        other.append()
        await until(lambda: same(second, other))
        loop = asyncio.get_running_loop()
        began = loop.time()
        tries = len(follower.leader.requests) + len(follower.leader.late)
        await until(lambda: len(follower.leader.requests) + len(follower.leader.late) > tries + 5)
        assert loop.time() - began >= 0.03, "no busy loop"
        event = "a leader refuses a partition; trying again"
        assert len(follower.services.log.events(event)) == 1
        led.error_code = 0
        led.append()
        await until(lambda: same(partition, led))


async def test_damaged_records_are_not_appended(tmp_path: Path) -> None:
    """Goal: a flipped bit on the way or on the leader's disk does not spread; it is asked again."""
    async with following(tmp_path, replica_fetch_backoff_ms=5) as follower:
        led = follower.leader.lead(TOPIC_ID)
        led.append(3)
        led.spoil = lambda records: records[:-1] + bytes([records[-1] ^ 1])
        partition = follower.partition()
        partition.follow(LEADER, 0)
        event = "records of a leader cannot be appended"
        await until(lambda: follower.services.log.events(event))
        assert partition.log.log_end_offset == 0
        led.spoil = lambda records: records
        await until(lambda: same(partition, led))
        assert read_all(partition.log) == read_all(led.log)


async def test_an_answer_of_an_old_epoch_is_left(tmp_path: Path) -> None:
    """279-03: the partition gets a new leader epoch while its records are on the way."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID)
        led.append(3)
        partition = follower.partition()

        def elect(request: FetchRequest) -> None:
            # The answer to this request was asked for in epoch 0.
            partition.follow(-1, 1)

        follower.leader.script.append(elect)
        partition.follow(LEADER, 0)
        await until(lambda: follower.leader.requests)
        for _ in range(20):
            await asyncio.sleep(0)
        assert partition.log.log_end_offset == 0
        assert len(follower.fetchers) == 0


async def test_becoming_the_leader_ends_the_copying(tmp_path: Path) -> None:
    """Goal: no record of another leader reaches a log whose broker leads."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID)
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: follower.leader.parked)
        partition._enter(LeaderState(partition, follower.surroundings, 1))
        led.append()
        follower.leader.tell()
        await until(lambda: len(follower.leader.requests) > 1 or not follower.leader.parked)
        for _ in range(20):
            await asyncio.sleep(0)
        assert partition.log.log_end_offset == 0


async def test_a_latecomer_is_not_held_up_by_a_parked_fetch(tmp_path: Path) -> None:
    """Goal: a new partition is copied while the fetch of the others is parked for long."""
    async with following(tmp_path, replica_fetch_wait_max_ms=20_000) as follower:
        follower.leader.lead(TOPIC_ID)
        first = follower.partition()
        first.follow(LEADER, 0)
        await until(lambda: follower.leader.parked)
        led = follower.leader.lead(OTHER_ID)
        led.append(3)
        late = follower.partition(OTHER_ID)
        late.follow(LEADER, 0)
        await until(lambda: same(late, led))
        assert len(follower.leader.requests) == 1, "the fetch of the others is still parked"
        assert follower.leader.late[0].session_epoch == -1
        # When the main request returns, the partition is in its session, and nowhere else.
        follower.leader.led[(TOPIC_ID, 0)].append()
        follower.leader.tell()
        await until(lambda: len(follower.leader.requests) == 2 and follower.leader.parked == 1)
        led.append()
        follower.leader.tell()
        asked_late = len(follower.leader.late)
        await until(lambda: same(late, led))
        assert len(follower.leader.late) == asked_late
        assert read_all(late.log) == read_all(led.log)


async def test_a_big_catch_up_yields(tmp_path: Path) -> None:
    """Goal: megabytes of small batches are appended in slices; the loop has turns between them."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID, segment_bytes=1 << 28)
        led.append(1, 10, batches=3000)
        partition = follower.partition(segment_bytes=1 << 28)
        ends = set[int]()

        def look() -> bool:
            ends.add(partition.log.log_end_offset)
            return same(partition, led)

        partition.follow(LEADER, 0)
        await until(look)
        assert len(ends) > 3000 // 256
        assert read_all(partition.log, max_bytes=1 << 20) == read_all(led.log, max_bytes=1 << 20)


async def test_a_partition_that_goes_while_its_answer_is_appended(tmp_path: Path) -> None:
    """Goal: between two slices the replica is deleted; nothing more is written to its log."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID, segment_bytes=1 << 28)
        led.append(1, 10, batches=2000)
        partition = follower.partition(segment_bytes=1 << 28)
        partition.follow(LEADER, 0)
        await until(lambda: partition.log.log_end_offset)
        partition.retire()
        end = partition.log.log_end_offset
        assert end < 2000
        for _ in range(50):
            await asyncio.sleep(0)
        assert partition.log.log_end_offset == end
        assert len(follower.fetchers) == 0


async def test_a_new_leader_takes_over_at_once(tmp_path: Path) -> None:
    """Goal: the same partition from another broker, without waiting for the old one's answer."""
    async with following(tmp_path, replica_fetch_wait_max_ms=20_000) as follower:
        led = follower.leader.lead(TOPIC_ID)
        partition = follower.partition()
        partition.follow(LEADER, 0)
        await until(lambda: follower.leader.parked)
        led.leader_epoch = 1
        led.log.assign_epoch(1)
        led.append()
        partition.follow(LEADER + 1, 1)
        await until(lambda: same(partition, led))
        assert [channel.is_closed for channel in follower.leader.channels] == [True] * 2 + [
            False
        ] * 2


async def test_a_new_leader_hears_only_of_what_is_flushed(tmp_path: Path) -> None:
    """Goal: with `flush.messages`, records of the leader before, whose flush is under way when it
    is left, are asked for no more only once they are flushed."""
    async with following(tmp_path) as follower:
        led = follower.leader.lead(TOPIC_ID)
        partition = follower.partition(flush_messages=1)
        led.append(2)
        partition.follow(LEADER, 0)
        await until(lambda: bool(follower.flushes.wanted))
        assert partition.log.log_end_offset == 2
        led.leader_epoch = 1
        led.log.assign_epoch(1)
        begun = len(follower.leader.requests)
        partition.follow(LEADER + 1, 1)
        await until(lambda: len(follower.flushes.wanted) == 2)
        assert len(follower.leader.requests) == begun
        follower.flushes.run()
        await until(lambda: len(follower.leader.requests) > begun)
        asked = follower.leader.requests[begun].topics[0].partitions[0]
        assert (asked.fetch_offset, asked.current_leader_epoch) == (2, 1)


async def test_what_came_before_a_damaged_batch_is_flushed_first(tmp_path: Path) -> None:
    """Goal: with `flush.messages`, also the good slices of an answer that ends in damage are asked
    for no more only once they are flushed: the leader counts them as safe here then."""
    async with following(tmp_path, replica_fetch_backoff_ms=5) as follower:
        led = follower.leader.lead(TOPIC_ID, segment_bytes=1 << 28)
        led.append(1, 10, batches=300)
        led.spoil = lambda records: records[:-1] + bytes([records[-1] ^ 1])
        partition = follower.partition(flush_messages=1, segment_bytes=1 << 28)
        partition.follow(LEADER, 0)
        event = "records of a leader cannot be appended"
        await until(lambda: follower.services.log.events(event))
        assert 0 < partition.log.log_end_offset < 300
        led.spoil = lambda records: records
        await until(lambda: bool(follower.flushes.wanted) or len(follower.leader.requests) > 1)
        requests = [*follower.leader.requests, *follower.leader.late]
        asked = [topic.partitions[0].fetch_offset for one in requests for topic in one.topics]
        assert asked == [0]
        follower.flushes.run()
        await until(lambda: bool(follower.flushes.wanted))
        follower.flushes.run()
        await until(lambda: same(partition, led))


async def test_fetchers_share_the_partitions(tmp_path: Path) -> None:
    """Goal: `num.replica.fetchers` connections, every partition on one of them."""
    async with following(tmp_path, num_replica_fetchers=2) as follower:
        for index in range(4):
            follower.leader.lead(TOPIC_ID, index)
            follower.partition(index=index).follow(LEADER, 0)
        await until(lambda: follower.leader.parked == 2)
        asked = [
            sorted(one.partition for one in request.topics[0].partitions)
            for request in follower.leader.requests
        ]
        assert sorted(asked) == [[0, 2], [1, 3]]


async def test_a_failing_disk_stops_that_partition(tmp_path: Path) -> None:
    """Goal: a log that takes no more is fetched no more; the others go on."""
    async with following(tmp_path) as follower:
        led, other = follower.leader.lead(TOPIC_ID, 0), follower.leader.lead(TOPIC_ID, 1)
        partition, second = follower.partition(index=0), follower.partition(index=1)
        partition.follow(LEADER, 0)
        second.follow(LEADER, 0)
        await until(lambda: follower.leader.parked)
        partition.log.fail("writing to", OSError(5, "planted"))
        led.append()
        other.append()
        follower.leader.tell()
        await until(lambda: same(second, other) and follower.leader.parked)
        assert partition.log.log_end_offset == 0
        assert follower.fetchers.figures()["ReplicaFetcherManager.FailedPartitionsCount"] == 1
        assert follower.failures


def test_follower_is_a_store(tmp_path: Path) -> None:
    """Goal: what the fetchers use of a `ReplicaStore` is there under the same names."""
    from barnabas.broker.core.replication.replica_store import ReplicaStore

    for name in ("directory_of",):
        assert hasattr(ReplicaStore, name)
        assert hasattr(Follower, name)
