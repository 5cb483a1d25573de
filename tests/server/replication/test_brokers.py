"""Whole brokers that replicate to each other: produce, fail over, come back, fall behind."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.fetching import fetch_once
from kit.logs import read_all
from kit.producing import send
from kit.waiting import until

from barnabas.broker.core.cluster.commands import DeleteTopics

from .brokers import Brokers, brokers


async def produced(cluster: Brokers, leader: int, *values: bytes, **fields: Any) -> Any:
    """Send one batch to this broker; its answer."""
    async with cluster.members[leader].client() as client:
        return await send(client, batch(*values), **fields)


async def test_acknowledged_by_all_is_on_all(tmp_path: Path) -> None:
    """279-03, 966-01: acks=all is answered when three logs hold the records, byte for byte."""
    async with brokers(tmp_path) as cluster:
        cluster.create(min_insync_replicas="3")
        logs = [cluster.members[one].partition().log for one in (1, 2, 3)]
        for number in range(5):
            answer = await produced(cluster, 1, b"v" * 100, b"w")
            assert (answer.error_code, answer.base_offset) == (0, 2 * number)
            assert [log.log_end_offset for log in logs] == [2 * number + 2] * 3
        assert read_all(logs[0]) == read_all(logs[1]) == read_all(logs[2])


async def test_acknowledged_means_flushed_on_followers_too(tmp_path: Path) -> None:
    """Goal: with flush.messages=1, acks=all is answered when three disks hold the records."""
    async with brokers(tmp_path) as cluster:
        cluster.create(flush_messages="1", min_insync_replicas="3")
        for number in range(1, 6):
            assert (await produced(cluster, 1, b"v")).error_code == 0
            logs = [cluster.members[one].partition().log for one in (1, 2, 3)]
            assert [log.recovery_point for log in logs] == [number] * 3


async def test_a_new_topic_is_copied_at_once(tmp_path: Path) -> None:
    """Goal: the first acks=all on a topic does not wait for the parked fetch of another one."""
    async with brokers(tmp_path, 2, replica_fetch_wait_max_ms=9000) as cluster:
        cluster.create("old", (1, 2))
        leader = cluster.members[1].partition("old")
        await until(lambda: leader.waiters.parked_count)
        cluster.create("t", (1, 2))
        answer = await asyncio.wait_for(produced(cluster, 1, b"v"), 5)
        assert answer.error_code == 0


async def test_the_leader_fails_and_comes_back(tmp_path: Path) -> None:
    """KIP-101, 497-04: another leads, all acknowledged records stay, the old one rejoins."""
    async with brokers(tmp_path) as cluster:
        cluster.create(min_insync_replicas="2")
        await produced(cluster, 1, b"first")
        await cluster.end(1, clean=False)
        leader = cluster.controller.partition().leader
        assert leader != 1
        assert (await produced(cluster, leader, b"second")).error_code == 0
        await cluster.start(1)
        await until(lambda: 1 in cluster.isr())
        assert (await produced(cluster, leader, b"third")).error_code == 0
        await cluster.all_equal(1, 2, 3)
        logs = [cluster.members[one].partition().log for one in (1, 2, 3)]
        assert read_all(logs[0]) == read_all(logs[1]) == read_all(logs[2])
        assert [entry[0] for entry in logs[0].leader_epochs.entries()] == [0, 1]


async def test_what_only_the_old_leader_had_is_cut(tmp_path: Path) -> None:
    """279-01, KIP-320: records of acks=1 that nobody copied go when it follows its successor."""
    async with brokers(tmp_path) as cluster:
        cluster.create()
        await produced(cluster, 1, b"common")
        for one in (2, 3):
            await cluster.members[one].replication.fetchers.stop()
        await produced(cluster, 1, b"lonely", acks=1)
        assert cluster.members[1].partition().log.log_end_offset == 2
        for one in (2, 3):
            cluster.members[one].replication.fetchers.start()
        cluster.members[1].is_held = True  # it does not hear that it is replaced
        await cluster.end(1, clean=False)
        leader = cluster.controller.partition().leader
        await produced(cluster, leader, b"other", b"records")
        await cluster.start(1)
        await until(lambda: 1 in cluster.isr())
        await cluster.all_equal(1, 2, 3)
        logs = [cluster.members[one].partition().log for one in (1, 2, 3)]
        assert read_all(logs[0]) == read_all(logs[1]) == read_all(logs[2])
        assert b"lonely" not in b"".join(read_all(logs[0]))


async def test_a_follower_that_was_wiped_gets_everything_again(tmp_path: Path) -> None:
    """279-04, 497-04: an empty directory is filled, and its broker joins the in-sync set."""
    async with brokers(tmp_path) as cluster:
        cluster.create()
        for _ in range(20):
            await produced(cluster, 1, b"v" * 500)
        await cluster.end(3)
        for path in sorted((tmp_path / "broker-3").rglob("*"), reverse=True):
            path.rmdir() if path.is_dir() else path.unlink()
        await cluster.start(3)
        await until(lambda: 3 in cluster.isr())
        await cluster.all_equal(1, 3)
        logs = [cluster.members[one].partition().log for one in (1, 3)]
        assert read_all(logs[0]) == read_all(logs[1])


async def test_a_follower_that_stands_still_leaves_and_comes_back(tmp_path: Path) -> None:
    """501-01, 501-03, 497-02: removed after the lag, so that acks=all goes on; it joins again."""
    settings = {
        "replica_lag_time_max_ms": 200,
        "replica_fetch_wait_max_ms": 50,
        "follower_fetch_process_time_max_ms": 100,
    }
    async with brokers(tmp_path, **settings) as cluster:
        cluster.create(min_insync_replicas="2")
        await produced(cluster, 1, b"v")
        cluster.members[3].cut_off()
        await until(lambda: cluster.members[1].partition().waiters.parked_count < 2)
        loop = asyncio.get_running_loop()
        began = loop.time()
        assert (await asyncio.wait_for(produced(cluster, 1, b"v"), 5)).error_code == 0
        assert loop.time() - began >= 0.1
        assert cluster.isr() == (1, 2)
        cluster.members[3].cut_off(False)
        await until(lambda: cluster.isr() == (1, 2, 3))


async def test_no_controller_for_a_while(tmp_path: Path) -> None:
    """497-02: the change of the in-sync set is asked for until a controller answers."""
    async with brokers(tmp_path) as cluster:
        cluster.create()
        await cluster.end(3)
        assert cluster.isr() == (1, 2)
        cluster.has_controller = False
        await cluster.start(3)
        leader = cluster.members[1].partition()
        await until(lambda: leader.as_leader().in_sync.change is not None)
        assert cluster.isr() == (1, 2)
        cluster.has_controller = True
        await until(lambda: cluster.isr() == (1, 2, 3))


async def test_a_topic_made_anew_under_its_name(tmp_path: Path) -> None:
    """516-01: fetchers of the old id end; no record of the old topic is in the new one's logs."""
    async with brokers(tmp_path) as cluster:
        old_id = cluster.create()
        await produced(cluster, 1, b"old")
        cluster.members[3].is_held = True  # it still fetches the old id for a while
        await cluster.submit(DeleteTopics((old_id,)))
        cluster.create()
        asked = cluster.members[1].broker.metrics.requests
        before = asked[1]
        await until(lambda: asked[1] > before + 2)  # the old id is asked for, and refused
        cluster.members[3].is_held = False
        cluster.tell()
        assert (await produced(cluster, 1, b"new")).error_code == 0
        logs = [cluster.members[one].partition().log for one in (1, 2, 3)]
        assert [log.log_end_offset for log in logs] == [1, 1, 1]
        for log in logs:
            assert b"old" not in b"".join(read_all(log))


async def test_acknowledged_records_are_readable_at_followers_soon(tmp_path: Path) -> None:
    """392-12, 392-13: with a selector a consumer parked at a follower hears of a record at once."""
    async with brokers(
        tmp_path,
        replica_selector_class="RackAwareReplicaSelector",
        replica_fetch_wait_max_ms=60_000,  # nothing moves because a time is up
        replica_lag_time_max_ms=120_000,
    ) as cluster:
        topic_id = cluster.create()
        await produced(cluster, 1, b"v")
        follower = cluster.members[2].partition()
        async with cluster.members[1].client() as producer, cluster.members[2].client() as reader:
            for number in range(1, 11):
                parked = asyncio.create_task(fetch_once(reader, topic_id, number, 60_000))
                await until(lambda: follower.waiters.parked_count)
                assert (await send(producer, batch(b"v"))).error_code == 0
                data = await asyncio.wait_for(parked, 30)
                assert data.error_code == 0
                assert data.records


@pytest.mark.slow
@pytest.mark.parametrize("settings", [{"num_replica_fetchers": 3}, {}])
async def test_many_topics(tmp_path: Path, settings: dict[str, Any]) -> None:
    """Goal: forty partitions between three brokers, all of them written to, all of them equal."""
    async with brokers(tmp_path, **settings) as cluster:
        orders = [(1, 2, 3), (2, 3, 1), (3, 1, 2)]
        for number in range(40):
            cluster.create(f"t{number}", orders[number % 3])
        for leader in (1, 2, 3):
            async with cluster.members[leader].client() as client:
                for number in range(leader - 1, 40, 3):
                    answer = await send(client, batch(b"v" * number), topic=f"t{number}")
                    assert answer.error_code == 0
        for number in range(40):
            logs = [cluster.members[one].partition(f"t{number}").log for one in (1, 2, 3)]
            assert read_all(logs[0]) == read_all(logs[1]) == read_all(logs[2])
