"""KIP-501 between whole brokers: a leader whose disk stands still gives its leadership away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from functools import partial
from pathlib import Path
from typing import Any

import pytest
from kit.batches import batch
from kit.fetching import fetch_once
from kit.producing import send
from kit.waiting import until

from barnabas.broker.storage.files import RealFile

from .brokers import Brokers, brokers

NOT_ENOUGH_REPLICAS = 19

SETTINGS: dict[str, Any] = {
    "follower_fetch_process_time_max_ms": 150,
    "replica_lag_time_max_ms": 600,
    "replica_fetch_wait_max_ms": 200,
}


@contextmanager
def stuck_disk(folder: str) -> Iterator[threading.Event]:
    """Nothing of `folder` is in memory, and threads that read it hang until the event is set."""
    released = threading.Event()
    pread, try_pread = RealFile.pread, RealFile.try_pread

    def slow_read(self: RealFile, size: int, offset: int) -> bytes:
        if f"/{folder}/" in self.path:
            assert threading.current_thread() is not threading.main_thread(), "the loop waits"
            assert released.wait(20)
        return pread(self, size, offset)

    def nothing_cached(self: RealFile, size: int, offset: int) -> bytes | bytearray | None:
        return None if f"/{folder}/" in self.path else try_pread(self, size, offset)

    RealFile.pread = slow_read  # type: ignore[method-assign]
    RealFile.try_pread = nothing_cached  # type: ignore[method-assign]
    try:
        yield released
    finally:
        released.set()
        RealFile.pread = pread  # type: ignore[method-assign]
        RealFile.try_pread = try_pread  # type: ignore[method-assign]


async def first_record(cluster: Brokers, topic: str = "t") -> None:
    """Written by broker 1 as soon as all are in sync: on a slow machine that takes a moment."""
    async with cluster.members[1].client() as client:
        code = NOT_ENOUGH_REPLICAS
        while code == NOT_ENOUGH_REPLICAS:
            code = (await send(client, batch(b"a"), topic=topic)).error_code
        assert code == 0


async def test_a_stuck_read_hands_over_while_it_is_stuck(tmp_path: Path) -> None:
    """501-10, 501-12, 501-15: another leads, everybody stays in sync, acks=all goes on."""
    async with brokers(
        tmp_path, follower_fetch_pending_reads_insync_enable=True, **SETTINGS
    ) as cluster:
        cluster.create(min_insync_replicas="3")
        await first_record(cluster)
        loop = asyncio.get_running_loop()
        with stuck_disk("broker-1/t-0") as released:
            async with cluster.members[1].client() as client:
                began = loop.time()
                lost = asyncio.create_task(send(client, batch(b"b"), version=10))
                await until(lambda: cluster.controller.partition().leader != 1)
                took = loop.time() - began
                assert took > 0.14, took
                assert (await lost).error_code == 6, "what it could not replicate is refused"
            partition = cluster.controller.partition()
            assert partition.isr == (2, 3, 1), "the same set, the old leader last"
            assert partition.leader == 2
            assert not released.is_set()
            async with cluster.members[2].client() as client:
                answer = await asyncio.wait_for(send(client, batch(b"c")), 5)
            assert answer.error_code == 0, "with all three in sync"
        await cluster.all_equal(1, 2, 3)


async def test_parked_fetches_are_no_work(tmp_path: Path) -> None:
    """501-10, C2: an idle partition keeps its leader, however long followers wait there."""
    settings = {**SETTINGS, "replica_fetch_wait_max_ms": 400}
    async with brokers(
        tmp_path, follower_fetch_pending_reads_insync_enable=True, **settings
    ) as cluster:
        cluster.create()
        async with cluster.members[1].client() as client:
            assert (await send(client, batch(b"a"))).error_code == 0
        served = cluster.members[1].broker.metrics.requests
        before = served[1]
        await until(lambda: served[1] >= before + 4)
        assert cluster.controller.partition().leader == 1


def _is_led_elsewhere(cluster: Brokers, topic: str) -> bool:
    return bool(cluster.controller.partition(topic).leader != 1)


async def test_what_is_appended_while_a_read_is_stuck_moves_too(tmp_path: Path) -> None:
    """501-10: the watchdog goes on: of what nobody wrote to at first another leads later."""
    async with brokers(
        tmp_path, follower_fetch_pending_reads_insync_enable=True, **SETTINGS
    ) as cluster:
        for topic in "tu":
            cluster.create(topic, min_insync_replicas="3")
            await first_record(cluster, topic)
        with stuck_disk("broker-1"):
            for topic in "tu":
                assert cluster.controller.partition(topic).leader == 1
                async with cluster.members[1].client() as client:
                    lost = asyncio.create_task(send(client, batch(b"b"), version=10, topic=topic))
                    await until(partial(_is_led_elsewhere, cluster, topic))
                    assert (await lost).error_code == 6


@pytest.mark.parametrize("is_on", [True, False])
async def test_a_stuck_read_of_a_consumer_holds_up_nobody_else(tmp_path: Path, is_on: bool) -> None:
    """501-10, 501-14: with the feature and without, the event loop never waits for the disk."""
    async with brokers(
        tmp_path, 1, follower_fetch_pending_reads_insync_enable=is_on, **SETTINGS
    ) as cluster:
        topic_id = cluster.create(replicas=(1,))
        member = cluster.members[1]
        async with member.client() as client, member.client() as other:
            assert (await send(client, batch(b"a"))).error_code == 0
            with stuck_disk("broker-1/t-0") as released:
                reading = asyncio.create_task(fetch_once(client, topic_id, 0, 0))
                assert (await send(other, batch(b"b"))).error_code == 0
                assert not reading.done()
                released.set()
                assert (await reading).error_code == 0
