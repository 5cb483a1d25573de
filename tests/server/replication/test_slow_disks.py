"""KIP-501 between whole brokers: a leader whose disk stands still gives its leadership away."""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest

from barnabas.broker.storage.files import RealFile
from server.batches import batch
from server.harness import until
from server.test_produce_wire import send

from .brokers import brokers

SETTINGS: dict[str, Any] = {
    "follower_fetch_process_time_max_ms": 150,
    "replica_lag_time_max_ms": 600,
    "replica_fetch_wait_max_ms": 200,
}


@contextmanager
def stuck_disk(folder: str) -> Iterator[threading.Event]:
    """Reads of files of `folder` that come from a thread hang until the event is set."""
    released = threading.Event()
    original = RealFile.pread

    def pread(self: RealFile, size: int, offset: int) -> bytes:
        is_on_loop = threading.current_thread() is threading.main_thread()
        if f"/{folder}/" in self.path and not is_on_loop:
            assert released.wait(20)
        return original(self, size, offset)

    RealFile.pread = pread  # type: ignore[method-assign]
    try:
        yield released
    finally:
        released.set()
        RealFile.pread = original  # type: ignore[method-assign]


async def test_a_stuck_read_hands_over_while_it_is_stuck(tmp_path: Path) -> None:
    """501-10, 501-12, 501-15: another leads, everybody stays in sync, acks=all goes on."""
    async with brokers(
        tmp_path, follower_fetch_pending_reads_insync_enable=True, **SETTINGS
    ) as cluster:
        cluster.create(min_insync_replicas="3")
        async with cluster.members[1].client() as client:
            assert (await send(client, batch(b"a"))).error_code == 0
        loop = asyncio.get_running_loop()
        with stuck_disk("broker-1/t-0") as released:
            async with cluster.members[1].client() as client:
                began = loop.time()
                lost = asyncio.create_task(send(client, batch(b"b"), version=10))
                await until(lambda: cluster.controller.partition().leader != 1)
                took = loop.time() - began
                assert 0.14 < took < 2.0, took
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


@pytest.mark.parametrize("is_on", [True, False])
async def test_the_feature_reads_ahead_and_nothing_else_does(tmp_path: Path, is_on: bool) -> None:
    """501-14: off, no read for a follower leaves the event loop."""
    async with brokers(
        tmp_path, 2, follower_fetch_pending_reads_insync_enable=is_on, **SETTINGS
    ) as cluster:
        assert (cluster.members[1].broker.replicas.read_ahead is not None) == is_on
        cluster.create(replicas=(1, 2))
        async with cluster.members[1].client() as client:
            assert (await send(client, batch(b"a"))).error_code == 0
        await cluster.all_equal(1, 2)
