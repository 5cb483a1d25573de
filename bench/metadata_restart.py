"""How long a controller with many partitions takes to lead again: from its log, from a snapshot.

`python -m bench.metadata_restart` writes a metadata log of 2,000 topics with 100 partitions each,
every partition changed twice, makes a snapshot in a copy of it, and starts a controller on each in
a process of its own. Seconds count from `Node.start` to the end of the reign's first decision.
With `--users 10000` it compares a log with so many users of SCRAM to one without, instead.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import shutil
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.node import Node
from barnabas.protocol.message import Message
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.topic_record import TopicRecord
from barnabas.protocol.messages.user_scram_credential_record import UserScramCredentialRecord
from barnabas.testing.cluster_layout import free_ports

from . import paths, procfs
from .figures import median

PARTITIONS_OF_TOPIC = 100
REPLICAS = (1, 2, 3)
CHANGES = 2
RECORDS_PER_BATCH = 500
NEVER = 2**60
CLUSTER_ID = "AAAAAAAAAAAAAAAAAAAAAQ"
STEP_TIMEOUT_S = 900
BUILD = paths.ROOT / "build" / "bench-cluster" / "metadata"


def records(partitions: int, changes: int) -> Iterator[Message]:
    """Topics with their partitions, then changes of leader of all of them, again and again."""
    topics = [number.to_bytes(16, "big") for number in range(1, partitions // 100 + 1)]
    for number, topic_id in enumerate(topics):
        yield TopicRecord(name=f"topic-{number}", topic_id=topic_id)
        for index in range(PARTITIONS_OF_TOPIC):
            yield PartitionRecord(
                partition_id=index,
                topic_id=topic_id,
                replicas=list(REPLICAS),
                isr=list(REPLICAS),
                leader=REPLICAS[0],
                directories=[bytes(16)] * len(REPLICAS),
            )
    for turn in range(1, changes + 1):
        for topic_id in topics:
            for index in range(PARTITIONS_OF_TOPIC):
                leader = REPLICAS[turn % len(REPLICAS)]
                yield PartitionChangeRecord(partition_id=index, topic_id=topic_id, leader=leader)


def users(count: int) -> Iterator[Message]:
    """Users with credentials of SCRAM-SHA-512."""
    for number in range(count):
        yield UserScramCredentialRecord(
            name=f"user-{number}",
            mechanism=2,
            salt=number.to_bytes(24, "big"),
            stored_key=bytes(64),
            server_key=bytes(64),
            iterations=4096,
        )


def batches(found: Iterator[Message], size: int) -> Iterator[list[Message]]:
    """The records in order, `size` together."""
    batch: list[Message] = []
    for one in found:
        batch.append(one)
        if len(batch) == size:
            yield batch
            batch = []
    if batch:
        yield batch


def config_of(directory: Path) -> BrokerConfig:
    """A controller alone, which makes no snapshot by itself."""
    (port,) = free_ports(1)
    return BrokerConfig(
        node_id=1,
        cluster_id=CLUSTER_ID,
        process_roles=("controller",),
        listeners=(f"CONTROLLER://127.0.0.1:{port}",),
        controller_listener_names=("CONTROLLER",),
        controller_quorum_voters=(f"1@127.0.0.1:{port}",),
        log_dirs=(str(directory),),
        logging_level="error",
        metadata_log_max_record_bytes_between_snapshots=NEVER,
        metadata_log_max_snapshot_interval_ms=0,
        metadata_max_idle_interval_ms=0,
    )


async def write(directory: Path, found: Iterator[Message]) -> int:
    """Fill a new directory; how many records it has."""
    node = await Node.start(config_of(directory))
    quorum, count, offset = node.quorum, 0, 0
    for batch in batches(found, RECORDS_PER_BATCH):
        offset = quorum.append(batch, quorum.leader.epoch)
        count += len(batch)
        if quorum.publisher.applied_offset < offset - 20 * RECORDS_PER_BATCH:
            await quorum.publisher.wait_until_applied(offset)
    await quorum.publisher.wait_until_applied(offset)
    await node.stop()
    return count


async def add_snapshot(directory: Path) -> None:
    """Make a snapshot of all that is there."""
    node = await Node.start(config_of(directory))
    made = await node.quorum.make_snapshot()
    await node.stop()
    if made is None:
        raise SystemExit(f"no snapshot could be made in {directory}")


async def start(directory: Path, pid: int) -> dict[str, float]:
    """Start a controller, and stop it when it decides."""
    began, worked = time.perf_counter(), time.process_time()
    node = await Node.start(config_of(directory))
    assert node.controller is not None
    service, reigns = node.controller.service, asyncio.Event()
    service.reign_listeners.append(lambda reign: reigns.set() if reign is not None else None)
    if not service.is_active:
        await reigns.wait()
    figures = {
        "seconds": time.perf_counter() - began,
        "cpu_seconds": time.process_time(),
        "cpu_seconds_of_start": time.process_time() - worked,
        "partitions": node.image.partition_count(),
        "resident_mb": procfs.resident_mb(pid),
    }
    await node.stop()
    return figures


def step(directory: Path, *arguments: str) -> dict[str, float]:
    """Run one step in a process of its own; its figures."""
    command = [sys.executable, "-m", "bench.metadata_restart", "--dir", str(directory), *arguments]
    result = subprocess.run(
        command, cwd=paths.ROOT, capture_output=True, text=True, check=False, timeout=STEP_TIMEOUT_S
    )
    if result.returncode:
        raise SystemExit(f"{' '.join(command[2:])} failed:\n{result.stderr}")
    return dict(json.loads(result.stdout))


def compare(partitions: int) -> dict[str, dict[str, float]]:
    """Both ways, one after the other."""
    shutil.rmtree(BUILD, ignore_errors=True)
    from_log, from_snapshot = BUILD / "log", BUILD / "snapshot"
    amount = ("--partitions", str(partitions))
    try:
        found = {"write": step(from_log, "--do", "write", *amount)}
        shutil.copytree(from_log, from_snapshot)
        step(from_snapshot, "--do", "snapshot")
        found["log"] = step(from_log, "--do", "start")
        found["snapshot"] = step(from_snapshot, "--do", "start")
    finally:
        shutil.rmtree(BUILD, ignore_errors=True)
    return found


def compare_users(count: int, rounds: int) -> dict[str, float]:
    """Medians of starts in turn: with so many users, and with none."""
    shutil.rmtree(BUILD, ignore_errors=True)
    seconds: dict[int, list[float]] = {0: [], count: []}
    try:
        for number in seconds:
            step(BUILD / str(number), "--do", "write", "--users", str(number))
        for _ in range(rounds):
            for number, found in seconds.items():
                found.append(step(BUILD / str(number), "--do", "start")["cpu_seconds"])
    finally:
        shutil.rmtree(BUILD, ignore_errors=True)
    none, some = median(seconds[0]), median(seconds[count])
    return {"none_cpu_s": none, "users_cpu_s": some, "ratio": some / none}


def main() -> None:
    """Read the command line, run, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.metadata_restart", description=__doc__)
    parser.add_argument("--partitions", type=int, default=200_000)
    parser.add_argument("--users", type=int, help="compare starts with so many users, and none")
    parser.add_argument("--rounds", type=int, default=5, help="of starts with users")
    parser.add_argument("--do", choices=("compare", "write", "snapshot", "start"))
    parser.add_argument("--dir", type=Path)
    options = parser.parse_args()
    began = time.perf_counter()
    if options.do == "write":
        content = users(options.users) if options.users is not None else None
        content = content or records(options.partitions, CHANGES)
        count = asyncio.run(write(options.dir, content))
        found: object = {"records": count, "seconds": time.perf_counter() - began}
    elif options.do == "snapshot":
        asyncio.run(add_snapshot(options.dir))
        found = {"seconds": time.perf_counter() - began}
    elif options.do == "start":
        import os

        found = asyncio.run(start(options.dir, os.getpid()))
    elif options.users is not None:
        found = compare_users(options.users, options.rounds)
    else:
        found = compare(options.partitions)
    json.dump(found, sys.stdout, indent=2)
    print()


if __name__ == "__main__":
    main()
