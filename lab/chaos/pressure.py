"""Nodes that are short of something: P-17 (descriptors), P-18 (memory), P-19 (processor)."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
from contextlib import AsyncExitStack
from pathlib import Path

from barnabas.client import Consumer, TopicPartition
from barnabas.client.errors import ClientError

from .rows import Row
from .scene import Scene
from .workload import TOPIC

CROWD = 200
"""The number of connections that come at once (P-17)."""
DESCRIPTORS = (64, 128)
READERS = 50
"""The number of consumers that fetch everything at the same time (P-18)."""
MEMORY_SHARE = 1.5
BURNERS = 4
_ANSWER_S = 5.0
_READ_MS = 2_000


async def few_descriptors(scene: Scene) -> None:
    """P-17: more connections than descriptors; the existing ones go on."""
    node_id = await scene.busiest()
    pid = scene.cluster.pid_of(node_id)
    node = scene.cluster.layout.node(node_id)
    before = resource.prlimit(pid, resource.RLIMIT_NOFILE)
    for most in DESCRIPTORS:
        scene.progress(f"node {node_id}: nofile={most}, {CROWD} connections come")
        resource.prlimit(pid, resource.RLIMIT_NOFILE, (most, before[1]))
        try:
            async with AsyncExitStack() as stack:
                for _ in range(CROWD):
                    await _connect(stack, scene.cluster.layout.host, node.port)
                await asyncio.sleep(scene.lengths.fault_s)
                await scene.until_acked()
                state = scene.cluster.state_of(node_id)
                scene.require(state == "running", f"node {node_id} ended with nofile={most}")
        finally:
            resource.prlimit(pid, resource.RLIMIT_NOFILE, before)
    await _require_new_connections(scene)


async def _connect(stack: AsyncExitStack, host: str, port: int) -> None:
    try:
        async with asyncio.timeout(_ANSWER_S):
            _, writer = await asyncio.open_connection(host, port)
    except (OSError, TimeoutError):
        return  # refused: that is what the limit is for
    stack.callback(writer.close)


async def _require_new_connections(scene: Scene) -> None:
    """When the crowd has gone, everybody is served again."""

    async def is_served() -> bool:
        async with Consumer(bootstrap_servers=scene.cluster.bootstrap) as consumer:
            where = [TopicPartition(TOPIC, one.partition) for one in await scene.partitions()]
            return len(await consumer.end_offsets(where)) == len(where)

    await scene.until("new connections are not served", is_served)


async def little_memory(scene: Scene) -> None:
    """P-18: an address space a little larger than what is in use, and many large fetches."""
    node_id = await scene.busiest()
    pid = scene.cluster.pid_of(node_id)
    used = memory_bytes(pid, "VmSize")
    before = resource.prlimit(pid, resource.RLIMIT_AS)
    resident = memory_bytes(pid, "VmRSS")
    scene.progress(f"node {node_id}: address space limited to {MEMORY_SHARE:g} of {used} bytes")
    resource.prlimit(pid, resource.RLIMIT_AS, (int(used * MEMORY_SHARE), before[1]))
    try:
        await asyncio.gather(*(_read_everything(scene) for _ in range(READERS)))
        await scene.until_acked()
        state = scene.cluster.state_of(node_id)
        scene.require(state == "running", f"node {node_id} ended for lack of memory")
        grown = (memory_bytes(pid, "VmRSS") - resident) / 1e6
        scene.measured("resident_growth_mb", grown)
    finally:
        if scene.cluster.state_of(node_id) == "running":
            resource.prlimit(pid, resource.RLIMIT_AS, before)
        else:
            await scene.start(node_id)


async def _read_everything(scene: Scene) -> None:
    where = [TopicPartition(TOPIC, one.partition) for one in await scene.partitions()]
    async with Consumer(
        bootstrap_servers=scene.cluster.bootstrap, auto_offset_reset="earliest"
    ) as consumer:
        consumer.assign(where)
        try:
            await consumer.getmany(timeout_ms=_READ_MS)
        except ClientError as error:
            scene.history.refused("reader", error)


def memory_bytes(pid: int, name: str) -> int:
    """A figure of /proc/PID/status, such as VmRSS. Raises KeyError."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith(f"{name}:"):
            return int(line.split()[1]) * 1024
    raise KeyError(name)


def _burner() -> subprocess.Popen[bytes]:
    return subprocess.Popen([sys.executable, "-c", "while True: pass"])


async def starved(scene: Scene) -> None:
    """P-19: the leader shares one processor with programs that never rest; it stays alive."""
    node_id = await scene.busiest()
    pid = scene.cluster.pid_of(node_id)
    processors = os.sched_getaffinity(pid)
    one = {min(processors)}
    os.sched_setaffinity(pid, one)
    burners = [_burner() for _ in range(BURNERS)]
    scene.progress(f"node {node_id} on processor {min(one)} with {BURNERS} busy loops")
    smallest = len(scene.brokers)
    ends_s = scene.history.now_s() + scene.lengths.isolation_s
    try:
        for burner in burners:
            os.sched_setaffinity(burner.pid, one)
        while scene.history.now_s() < ends_s:
            smallest = min(smallest, *(len(found.isr) for found in await scene.partitions()))
            await asyncio.sleep(1.0)
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()
        os.sched_setaffinity(pid, processors)
    scene.require(smallest == len(scene.brokers), f"an ISR shrank to {smallest}: fenced falsely")


PRESSURE = (
    Row("P-17", "few file descriptors, many connections", few_descriptors, repeats=5),
    Row("P-18", "little address space, many large fetches", little_memory, repeats=5),
    Row("P-19", "one processor shared with busy loops", starved, repeats=3),
)
