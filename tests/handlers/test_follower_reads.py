"""Consumers and followers of a follower: KIP-392 over the wire."""

from __future__ import annotations

import asyncio
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import base_offsets, fetch, read, wanted
from kit.producing import send
from kit.replicas import from_leader
from kit.waiting import until

from barnabas.broker.core.replication.partition import Partition

from .clusters import TOPIC_ID, Follower, create_replicated, elect, register
from .offsets import ask_epoch, ask_offset


def following(bench: Bench, *, end: int = 6, high_watermark: int = 4) -> Partition:
    """A replica of t-0 that broker 2 leads: records of one batch each, and the leader's HW."""
    register(bench)
    create_replicated(bench, leader=2)
    partition = bench.broker.replicas.get("t", 0)
    assert partition is not None
    for offset in range(end):
        partition.as_follower(0).append(from_leader(offset), high_watermark, 0)
    return partition


@pytest.mark.parametrize(
    ("version", "replica_id", "code"), [(10, -1, 6), (11, -1, 0), (11, -2, 0), (10, -2, 0)]
)
async def test_who_may_read_a_follower(
    tmp_path: Path, version: int, replica_id: int, code: int
) -> None:
    """392-01, C10: consumers from version 11 on, and those that say so with -2; 392-09: up to this
    replica's watermark."""
    async with running(tmp_path) as bench, bench.connect() as client:
        following(bench)
        data = await read(client, fetch(wanted(1), replica_id=replica_id), version)
        assert data.error_code == code
        assert base_offsets(data.records or b"") == ([1, 2, 3] if code == 0 else [])


async def test_ranges_of_a_follower(tmp_path: Path) -> None:
    """392-05, 392-06, 392-07, 392-08: 78 up to the leader's watermark, 1 beyond, with offsets."""
    async with running(tmp_path) as bench, bench.connect() as client:
        partition = following(bench)
        partition.as_follower(partition.leader_epoch).observe(
            9, 0
        )  # it knows: the leader has committed 9
        assert partition.high_watermark == 6
        partition.log._high_watermark = 4
        partition.log.advance_log_start(1)
        found = {}
        for offset in (0, 1, 4, 5, 6, 7, 9, 10):
            data = await read(client, fetch(wanted(offset)), 11)
            found[offset] = data.error_code
            if data.error_code:
                assert (data.high_watermark, data.log_start_offset) == (4, 1)
        assert found == {0: 1, 1: 0, 4: 0, 5: 78, 6: 78, 7: 78, 9: 78, 10: 1}


async def test_epochs_fence_on_followers(tmp_path: Path) -> None:
    """392-03: the same on a follower: 74 for an older leader epoch, 75 for a newer one."""
    async with running(tmp_path) as bench, bench.connect() as client:
        following(bench)
        elect(bench, 3)
        codes = [
            (await read(client, fetch(wanted(current_leader_epoch=epoch)), 11)).error_code
            for epoch in (-1, 0, 1, 2)
        ]
        assert codes == [0, 74, 0, 75]


@pytest.mark.parametrize("offset", [4, 5, 8])
async def test_consumers_of_a_follower_are_woken(tmp_path: Path, offset: int) -> None:
    """392-05b, 392-13: parked until the watermark is there, also at an offset not yet available."""
    async with running(tmp_path) as bench, bench.connect() as client:
        partition = following(bench)
        partition.as_follower(partition.leader_epoch).observe(9, 0)
        partition.log._high_watermark = 4
        client.send(fetch(wanted(offset), max_wait_ms=60_000), 11)
        await until(lambda: partition.waiters.parked_count)
        for number in range(6, 9):
            partition.as_follower(0).append(from_leader(number), 9, 0)
        answer = await asyncio.wait_for(client.receive(1, 11), 5)
        data = answer.responses[0].partitions[0]
        assert data.error_code == 0
        assert offset in base_offsets(data.records)


async def test_offsets_of_a_follower(tmp_path: Path) -> None:
    """392-10: only with replica id -2: its own start, and its watermark for LATEST."""
    async with running(tmp_path) as bench, bench.connect() as client:
        partition = following(bench)
        partition.log.advance_log_start(2)
        assert (await ask_offset(client, -2, replica_id=-2)).offset == 2
        assert (await ask_offset(client, -1, replica_id=-2)).offset == 4
        for replica_id in (-1, -3, 3):
            assert (await ask_offset(client, -1, replica_id=replica_id)).error_code == 6
        assert (await ask_epoch(client, 0)).error_code == 6  # 392-15: leaders only
        # Who knows an epoch that this broker does not is ahead of it: that is said first.
        assert (await ask_epoch(client, 0, current_leader_epoch=9)).error_code == 75


async def test_offsets_for_followers(tmp_path: Path) -> None:
    """279-04, C11: LATEST is the log's end for a follower, the watermark for any id below 0."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench)
        create_replicated(bench)
        assert (await send(client, batch(b"a"), acks=1)).error_code == 0
        found = [(await ask_offset(client, -1, replica_id=id_)).offset for id_ in (3, -1, -2, -3)]
        assert found == [1, 0, 0, 0]


# --- preferred replicas ---

RACKS: dict[str, Any] = {"b1": "here", "b2": "there", "b3": "there"}


@pytest.mark.parametrize(
    ("rack", "offset", "preferred"),
    [
        ("there", 0, 2),  # 2 has more than 3
        ("there", 1, 2),
        ("here", 0, -1),
        ("THERE", 0, -1),
        ("elsewhere", 0, -1),
        ("", 0, -1),
    ],
)
async def test_nearer_replicas(tmp_path: Path, rack: str, offset: int, preferred: int) -> None:
    """392-04, 392-04b: told at once and without records; else the leader is read as ever."""
    settings: dict[str, Any] = {"replica_selector_class": "RackAwareReplicaSelector"}
    async with running(tmp_path, **settings) as bench, bench.connect() as client:
        register(bench, **RACKS)
        create_replicated(bench)
        for _ in range(3):
            assert (await send(client, batch(b"v"), acks=1)).error_code == 0
        await Follower(client, 2).fetch(2)
        await Follower(client, 3).fetch(1)
        request = fetch(wanted(offset), rack_id=rack, max_wait_ms=60_000 if preferred > 0 else 0)
        data = await read(client, request, 11)
        assert data.preferred_read_replica == preferred
        if preferred > 0:
            assert (data.error_code, data.records or b"") == (0, b"")
            assert (data.high_watermark, data.log_start_offset) == (1, 0)
        data = await read(client, fetch(wanted(0), rack_id=rack), 10)
        assert base_offsets(data.records) == [0], "there is no such field before version 11"


async def test_equals_are_chosen_by_time_and_id(tmp_path: Path) -> None:
    """392-04b, 392-04c: of equals who was caught up last, then the highest id; each time anew."""
    settings: dict[str, Any] = {"replica_selector_class": "RackAwareReplicaSelector"}
    async with running(tmp_path, **settings) as bench, bench.connect() as client:
        register(bench, **RACKS)
        create_replicated(bench)
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        for broker_id in (2, 3):
            await Follower(client, broker_id).fetch(0)
            partition.as_leader().followers[broker_id].last_caught_up_ms = 5.0
        assert (await read(client, fetch(wanted(), rack_id="there"))).preferred_read_replica == 3
        partition.as_leader().followers[2].last_caught_up_ms = 6.0
        assert (await read(client, fetch(wanted(), rack_id="there"))).preferred_read_replica == 2


async def test_who_is_no_candidate(tmp_path: Path) -> None:
    """392-04, 392-04c: not in sync, fenced; and a follower itself never tells of another."""
    settings: dict[str, Any] = {"replica_selector_class": "RackAwareReplicaSelector"}
    async with running(tmp_path, **settings) as bench, bench.connect() as client:
        register(bench, fenced=(3,), **RACKS)
        create_replicated(bench, isr=(1, 3))
        for broker_id in (2, 3):
            await Follower(client, broker_id).fetch(0)
        request = fetch(wanted(), rack_id="there")
        assert (await read(client, request)).preferred_read_replica == -1
        elect(bench, 2)
        assert (await read(client, request)).preferred_read_replica == -1


async def test_without_a_selector_everybody_stays(tmp_path: Path) -> None:
    """392-04, C15: no selector is configured: no consumer is sent elsewhere."""
    async with running(tmp_path) as bench, bench.connect() as client:
        register(bench, **RACKS)
        create_replicated(bench)
        await Follower(client, 2).fetch(0)
        assert (await read(client, fetch(wanted(), rack_id="there"))).preferred_read_replica == -1
        assert bench.metadata.image.topics_by_id[TOPIC_ID].name == "t"
