"""Compaction of one log: how fast, and how long it holds up the event loop.

`python -m bench.compaction` writes a log of keyed batches, compacts it as a broker does, on a
thread in pieces, and prints JSON: bytes a second, the loop's longest stalls, memory of the map.
"""

from __future__ import annotations

import argparse
import asyncio
import dataclasses
import json
import resource
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random

from barnabas.broker.core.config.topic import TopicConfig
from barnabas.broker.core.log.compaction.cleaning import CleanerLimits
from barnabas.broker.core.log.compaction.log_compaction import CHECKPOINT, Round
from barnabas.broker.core.log.open_log import open_log
from barnabas.broker.core.log.origin import Origin
from barnabas.broker.core.log.partition_log import PartitionLog
from barnabas.broker.server.log_compactor import Breather
from barnabas.broker.storage.files import real_env
from barnabas.protocol.record_builder import RecordBatchBuilder

BATCH_BYTES = 16_384
SEGMENT_BYTES = 32 * 1024 * 1024
TICK_S = 0.001
NOW_MS = 1_780_000_000_000


def filled(folder: Path, megabytes: int, value_bytes: int, keys: int) -> PartitionLog:
    """A log of so many bytes in closed segments, flushed."""
    random = Random(1)
    config = dataclasses.replace(
        TopicConfig(), cleanup_policy=("compact",), internal_segment_bytes=SEGMENT_BYTES
    )
    log = open_log(str(folder), real_env(), config, topic="t", partition=0)
    value = random.randbytes(value_bytes)
    while log.size_bytes < megabytes << 20:
        builder = RecordBatchBuilder()
        for number in range(max(BATCH_BYTES // (value_bytes + 30), 1)):
            builder.append(NOW_MS + number, b"key-%012d" % random.randrange(keys), value, ())
        data = memoryview(bytearray(builder.build()))
        log.append_batch(data, 0, len(data), 0, NOW_MS, Origin.CLIENT)
    log.high_watermark = log.log_end_offset
    log.roll()
    log.flush()
    return log


class Ticker:
    """Wakes up every millisecond on the loop, and notes how late it was."""

    def __init__(self) -> None:
        self.late_ms: list[float] = []

    async def run(self) -> None:
        """Until it is cancelled."""
        while True:
            begun = time.perf_counter()
            await asyncio.sleep(TICK_S)
            self.late_ms.append((time.perf_counter() - begun - TICK_S) * 1000)


async def drive(running: Round) -> None:
    """As the broker does: work on a thread, the rest here."""
    loop = asyncio.get_running_loop()
    with ThreadPoolExecutor(1) as pool:
        sent: int | None = None
        while True:
            try:
                work = next(running) if sent is None else running.send(sent)
            except StopIteration:
                return
            sent = 0 if work == CHECKPOINT or isinstance(work, str) else None
            if sent is None:
                assert not isinstance(work, str)
                sent = await loop.run_in_executor(pool, work)


async def measured(log: PartitionLog, map_bytes: int) -> dict[str, float]:
    """One round over all of the log."""
    limits = CleanerLimits(map_bytes, 0.9, 262_144, Breather())
    part = log.compaction.assessment(log.rules, log.log_end_offset, log.recovery_point)()
    before = log.size_bytes
    ticker = Ticker()
    ticking = asyncio.create_task(ticker.run())
    await asyncio.sleep(0.2)
    idle_ms = max(ticker.late_ms)
    ticker.late_ms.clear()
    begun, cpu = time.perf_counter(), time.process_time()
    await drive(log.compaction.run(part, lambda: log.rules, limits))
    took_s, cpu_s = time.perf_counter() - begun, time.process_time() - cpu
    ticking.cancel()
    late = sorted(ticker.late_ms)
    return {
        "bytes_before": before,
        "bytes_after": log.size_bytes,
        "seconds": round(took_s, 2),
        "mb_per_s": round(part.dirty_bytes / took_s / 1e6, 1),
        "mb_per_cpu_s": round(part.dirty_bytes / cpu_s / 1e6, 1),
        "longest_stall_ms": round(late[-1], 2),
        "stall_p999_ms": round(late[int(len(late) * 0.999)], 2),
        "longest_stall_idle_ms": round(idle_ms, 2),
        "max_rss_mb": resource.getrusage(resource.RUSAGE_SELF).ru_maxrss >> 10,
    }


def main() -> None:
    """Print one line of JSON for each size of values."""
    parser = argparse.ArgumentParser(prog="python -m bench.compaction")
    parser.add_argument("--megabytes", type=int, default=200)
    parser.add_argument("--keys", type=int, default=100_000)
    parser.add_argument("--values", type=int, nargs="*", default=[100, 1000], metavar="BYTES")
    parser.add_argument("--map-bytes", type=int, default=128 << 20)
    parser.add_argument("--folder", type=Path, help="where the log is written")
    options = parser.parse_args()
    for value_bytes in options.values:
        with tempfile.TemporaryDirectory(dir=options.folder) as folder:
            log = filled(Path(folder) / "t-0", options.megabytes, value_bytes, options.keys)
            found = asyncio.run(measured(log, options.map_bytes))
            log.close(clean=False)
        print(json.dumps({"value_bytes": value_bytes, "keys": options.keys, **found}), flush=True)


if __name__ == "__main__":
    main()
