"""Disks that hang or fail: P-11, P-12, P-14."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from barnabas.client import NewTopic

from .availability import percentile
from .damage import MOVED
from .faulty_node import Fault, arm
from .rows import Row, Strike
from .scene import Scene
from .workload import TOPIC

METADATA = "__cluster_metadata"
STALL_S = 25.0
SLOW_FSYNC_S = 2.0
COMMITS = 5
COMMIT_P99_S = 1.0
MOVED_WITHIN_S = 1.5


async def stalled_reads(scene: Scene) -> None:
    """P-11: reads of the leader take 25 s; whether the ISR shrinks is what KIP-501 decides."""
    node_id = await scene.busiest()
    led = [one.partition for one in await scene.partitions() if one.leader == node_id]
    is_501 = "follower.fetch.pending.reads.insync.enable" in scene.cluster.layout.settings
    began_s = scene.history.now_s()
    _arm(scene, node_id, Fault("pread", f"/{TOPIC}-", delay_s=STALL_S))
    smallest = len(scene.brokers)
    try:

        async def has_moved() -> bool:
            nonlocal smallest
            found = await scene.partitions()
            smallest = min(smallest, *(len(one.isr) for one in found))
            return all(found[one].leader != node_id for one in led)

        if is_501:
            await scene.until("a leader whose disk stands still stays leader", has_moved, STALL_S)
            scene.within("moved_s", scene.history.now_s() - began_s, MOVED_WITHIN_S)
            scene.require(smallest == len(scene.brokers), f"an ISR shrank to {smallest} with 501")
        else:
            await asyncio.sleep(scene.lengths.fault_s)
    finally:
        arm(scene.cluster.directory_of(node_id))


def slow_fsync(of_whom: Callable[[Scene], Awaitable[int]]) -> Strike:
    """P-12: each fsync of the metadata log takes two seconds on one controller."""

    async def strike(scene: Scene) -> None:
        node_id = await of_whom(scene)
        before = (await scene.admin.describe_quorum()).leader_epoch
        _arm(scene, node_id, Fault("fsync", METADATA, delay_s=SLOW_FSYNC_S))
        took_s: list[float] = []
        try:
            for _ in range(COMMITS):
                began_s = scene.history.now_s()
                name = f"commit-{len(scene.history.sends)}"
                await scene.admin.create_topics([NewTopic(name, 1, len(scene.brokers))])
                took_s.append(scene.history.now_s() - began_s)
        finally:
            arm(scene.cluster.directory_of(node_id))
        after = await scene.admin.describe_quorum()
        scene.measured("epoch_bumps", after.leader_epoch - before)
        slowest_s = percentile(took_s, 0.99)
        if node_id == after.leader_id:
            scene.measured("commit_p99_s", slowest_s)
        else:
            scene.within("commit_p99_s", slowest_s, COMMIT_P99_S)

    return strike


async def a_follower(scene: Scene) -> int:
    """A controller that is not active."""
    active = await scene.active_controller()
    return next(one for one in scene.voters if one != active)


async def the_active(scene: Scene) -> int:
    """The active controller."""
    return await scene.active_controller()


def failing(call: str) -> Strike:
    """P-14: the disk of the busiest broker fails; it must not go on as if nothing had happened."""

    async def strike(scene: Scene) -> None:
        node_id = await scene.busiest()
        path = METADATA if call == "fsync" else f"/{TOPIC}-"
        _arm(scene, node_id, Fault(call, path, errno="EIO"))
        try:
            if call == "pread":
                await asyncio.sleep(scene.lengths.fault_s)
            else:
                took_s = await scene.until_out_of_isr(node_id)
                scene.measured("out_of_isr_s", took_s)
            await scene.until_acked()
        finally:
            arm(scene.cluster.directory_of(node_id))
        if scene.cluster.state_of(node_id) != "stopped":
            await scene.stop(node_id)
        await scene.start(node_id)

    return strike


def _arm(scene: Scene, node_id: int, fault: Fault) -> None:
    scene.progress(f"node {node_id}: {fault}")
    arm(scene.cluster.directory_of(node_id), fault)


_KIP_501 = {"follower.fetch.pending.reads.insync.enable": "true"}

DISKS = (
    Row("P-11", "reads of the leader stall", stalled_reads, repeats=5, is_faulty=True),
    Row(
        "P-11k",
        "reads of the leader stall, KIP-501",
        stalled_reads,
        repeats=5,
        settings=_KIP_501,
        is_faulty=True,
    ),
    Row(
        "P-12",
        "fsync takes 2 s on one controller",
        slow_fsync(a_follower),
        repeats=5,
        controllers=3,
        is_faulty=True,
    ),
    Row(
        "P-12a",
        "fsync takes 2 s on the active controller",
        slow_fsync(the_active),
        repeats=5,
        controllers=3,
        is_faulty=True,
    ),
    Row("P-14", "EIO on writes of a broker", failing("append"), 5, MOVED, is_faulty=True),
    Row("P-14r", "EIO on reads of a broker", failing("pread"), repeats=5, is_faulty=True),
    Row("P-14f", "EIO on fsync of a node", failing("fsync"), repeats=5, is_faulty=True),
)
