"""Full disks and I/O errors: that log takes no more, says so, and everything else goes on."""

from __future__ import annotations

import asyncio
import errno
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path

from kit.batches import batch
from kit.broker import Bench, running
from kit.fetching import fetch_all
from kit.producing import produce, send

from barnabas.broker.core.ports import Buffer
from barnabas.broker.storage.files import RealFile


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
