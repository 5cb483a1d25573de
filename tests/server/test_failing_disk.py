"""Full disks and I/O errors: that log takes no more, says so, and everything else goes on."""

from __future__ import annotations

import asyncio
import errno
import threading
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

import pytest
from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import fetch_all
from kit.producing import produce, send
from kit.waiting import until

from barnabas.broker.core.ports import Buffer
from barnabas.broker.storage.files import RealFile
from barnabas.client import Admin, NewTopic, Producer
from barnabas.testing import Cluster

LONG_S = 30


@contextmanager
def failing(what: str, folder: str, error: int) -> Iterator[None]:
    """Every `append` or `fsync` of files of this partition fails."""
    original = getattr(RealFile, what)

    def fail(self: RealFile, buffers: Sequence[Buffer] = ()) -> int:
        if f"/{folder}/" in self.path:
            raise OSError(error, "planted", self.path)
        result: int = original(self, buffers) if what == "append" else original(self)
        return result

    setattr(RealFile, what, fail)
    try:
        yield
    finally:
        setattr(RealFile, what, original)


def forgive(bench: Bench) -> None:
    """The harness takes errors in the log for bugs; the planted ones are none."""
    bench.log.lines = [line for line in bench.log.lines if line[0] != "error"]


async def test_full_disk(tmp_path: Path) -> None:
    """Goal: 56 and stays 56; what was acked is read; other partitions take records."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        bench.create_topic("u")
        assert (await send(client, batch(b"kept"))).base_offset == 0
        with failing("append", "t-0", errno.ENOSPC):
            assert (await send(client, batch(b"lost"))).error_code == 56
            assert (await send(client, batch(b"fine"), topic="u")).error_code == 0
        assert (await send(client, batch(b"still"))).error_code == 56
        answer = await client.ask(fetch_all("t"), 11)
        data = answer.responses[0].partitions[0]
        assert (data.error_code, data.high_watermark) == (0, 1)
        assert b"kept" in data.records
        assert "lost" not in str(data.records)
        assert any("offline" in event for _, event, _ in bench.log.lines)
        assert bench.broker.figures()["ReplicaManager.OfflineReplicaCount"] == 1


async def test_acks_0_closes(tmp_path: Path) -> None:
    """ENV-09: there is no answer that could carry the error."""
    async with running(tmp_path) as bench, bench.connect() as client:
        bench.create_topic("t")
        with failing("append", "t-0", errno.EIO):
            client.send(produce(batch(b"v"), acks=0), 9)
            assert await client.closed()


async def test_a_failed_fsync_acknowledges_nothing(tmp_path: Path) -> None:
    """Goal: with flush.messages=1 nobody is told that records are safe which are not."""
    async with running(tmp_path) as bench, bench.connect() as client, bench.connect() as other:
        bench.create_topic("t", flush_messages=1)
        bench.create_topic("u", flush_messages=1)
        with failing("fsync", "t-0", errno.EIO):
            row, fine = await asyncio.gather(
                send(client, batch(b"v")), send(other, batch(b"v"), topic="u")
            )
        assert row.error_code == 56
        assert fine.error_code == 0
        partition = bench.broker.replicas.get("t", 0)
        assert partition is not None
        assert partition.high_watermark == 0
        forgive(bench)


async def test_a_deleted_partition_whose_fsync_fails() -> None:
    """Goal: what fails after the deletion concerns nobody else; the next round begins."""
    async with (
        Cluster(brokers=1) as cluster,
        Admin(bootstrap_servers=cluster.bootstrap) as admin,
        Producer(bootstrap_servers=cluster.bootstrap, acks="all") as producer,
    ):
        settings = {"flush.messages": "1"}
        await admin.create_topics([NewTopic(name, 1, 1, topic_configs=settings) for name in "tu"])
        for name in "tu":
            await producer.send_and_wait(name, b"a", partition=0)
        fsync, begun, go = RealFile.fsync, threading.Event(), threading.Event()

        def fail_when_told(self: RealFile) -> None:
            if "/t-0" not in self.path:
                return fsync(self)
            begun.set()
            assert go.wait(LONG_S)
            raise OSError(errno.EIO, "planted", self.path)

        log = cluster.replica(1, "u").log
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(RealFile, "fsync", fail_when_told)
            first = await producer.send("t", b"b", partition=0)
            await until(begun.is_set)
            second = await producer.send("u", b"b", partition=0)
            await until(lambda: log.log_end_offset == 2)
            await admin.delete_topics(["t"])
            go.set()
            await asyncio.wait_for(second, LONG_S)
            await asyncio.wait_for(cluster.node(1).broker.flushes.drain(), LONG_S)
        await asyncio.wait_for(first, LONG_S)  # it has made the topic anew
