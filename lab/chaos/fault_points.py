"""A node that dies in the middle: at a call of its disk, or at a point of its code (P-21).

Each point is tried in the situations in which it may be met, one after the other, until the node
dies there: under load, while it stops, while it recovers, when another node comes back, with a new
disk. Then it dies once more while it recovers, and has to boot all the same.
"""

from __future__ import annotations

import asyncio
from contextlib import suppress
from dataclasses import dataclass
from shutil import rmtree
from typing import Final

from barnabas.client import Admin, NewTopic
from barnabas.client.errors import ClientError
from barnabas.testing.process_cluster import ClusterError
from barnabas.testing.simulation.points import POINTS

from .faulty_node import POINT, Fault, arm, died_at
from .rows import Row
from .scene import LOOK_S, NotHealedError, Scene
from .workload import TOPIC

_TOPIC: Final = f"/{TOPIC}-"
_SIDE: Final = "side"
"""A topic that is created and deleted."""
_METADATA: Final = "/__cluster_metadata-0/"
_DISK: Final[tuple[tuple[str, str, tuple[str, ...]], ...]] = (
    ("append", _TOPIC, (".log",)),
    ("append", _METADATA, (".log", ".checkpoint.part")),
    ("pwrite", _TOPIC, (".index", ".timeindex")),
    ("write", "", ("quorum-state.tmp", "leader-epoch-checkpoint.tmp", "bootstrap.checkpoint.tmp")),
    ("fsync", _TOPIC, (".log", ".index", ".timeindex")),
    ("fsync", _METADATA, (".log", ".index", ".checkpoint.part", "-0")),
    ("fsync", "", ("quorum-state.tmp", "partition.metadata", "leader-epoch-checkpoint")),
    ("fsync", "", ("point-offset-checkpoint.tmp", "replication-offset-checkpoint.tmp")),
    ("fsync", "", ("start-offset-checkpoint.tmp", ".kafka_cleanshutdown.tmp")),
    ("fsync", "", ("meta.properties.tmp",)),
    ("rename", "", ("quorum-state.tmp", "partition.metadata.tmp", "leader-epoch-checkpoint.tmp")),
    ("rename", "", ("point-offset-checkpoint.tmp", "replication-offset-checkpoint.tmp")),
    ("rename", "", ("start-offset-checkpoint.tmp", ".kafka_cleanshutdown.tmp")),
    ("rename", "", ("meta.properties.tmp", "bootstrap.checkpoint.tmp")),
    ("rename", "", (".checkpoint.part", ".snapshot.tmp")),
    ("rename", f"/{_SIDE}-", ("-0",)),
    ("truncate", _TOPIC, (".log", ".timeindex")),
    ("remove", "", (".kafka_cleanshutdown", ".snapshot")),
    ("remove", "-delete/", (".log", "partition.metadata")),
    ("mkdir", f"/{_SIDE}-", ("-0",)),
)
_AFTER: Final = (
    ("append", _TOPIC, ".log"),
    ("append", _METADATA, ".log"),
    ("fsync", _METADATA, ".log"),
    ("rename", "", "quorum-state.tmp"),
    ("rename", "", ".checkpoint.part"),
    ("rename", f"/{_SIDE}-", "-0"),
)
_OF_THE_ACTIVE: Final = ("answer-before", "controller-queue", "controller-resigns", "sessions-")
_ONLY_SIMULATED: Final = (
    # Asked for only where files are lost on purpose, when a log is opened.
    "clean-shutdown-lost",
    "index-lost",
    "leader-epochs-lost",
    "producer-snapshot-lost",
    # Met by the active controller while a voter with a new disk fetches a snapshot from it: if both
    # are away for good at once, a quorum of three may lose what it committed, and is allowed to.
    "snapshot-chunk-tiny",
    "snapshot-gone",
)
_ONLY_AT_FIRST: Final = ("meta.properties.tmp", "bootstrap.checkpoint.tmp")
_TRIED_S: Final = 2.5
_BREATH_S: Final = 0.7
"""Longer than deleted files wait for their removal."""
_DIES_LATEST_AT: Final = 3
_DIES_AGAIN_LATEST_AT: Final = 40


@dataclass(frozen=True, slots=True)
class FaultPoint:
    """One place at which a node can die."""

    call: str
    path: str = ""
    ends: str = ""
    is_after: bool = False

    @property
    def name(self) -> str:
        """The point as text."""
        when = "after " if self.is_after else ""
        return f"{when}{self.call} {self.path}{'…' if self.path and self.ends else ''}{self.ends}"

    def fault(self, dies_at: int) -> Fault:
        """The fault by which a node dies at the `dies_at`-th occurrence of this point."""
        return Fault(self.call, self.path, self.ends, dies_at=dies_at, is_after=self.is_after)


def all_points() -> tuple[FaultPoint, ...]:
    """Calls of the disk, before and after they are made, and points of trouble in the code."""
    before = [FaultPoint(call, path, end) for call, path, ends in _DISK for end in ends]
    after = [FaultPoint(call, path, end, is_after=True) for call, path, end in _AFTER]
    code = [FaultPoint(POINT, ends=name) for name in POINTS if name not in _ONLY_SIMULATED]
    return (*before, *after, *code)


async def die_at_points(scene: Scene) -> None:
    """P-21: a node dies at some points, each time twice, and always comes back."""
    count = scene.lengths.points or len(all_points())
    for point in _least_tried(scene, count):
        has_fired = await _die_at(scene, point)
        scene.tried[point.name] = scene.tried.get(point.name, 0) + has_fired
        scene.measured("deaths", has_fired)
        await scene.until_back()
    fired = [name for name, times in scene.tried.items() if times]
    silent = [name for name, times in scene.tried.items() if not times]
    scene.notes["points of death"] = f"{len(fired)} of {len(scene.tried)} tried were met" + (
        f"; not met: {', '.join(silent)}" if silent else ""
    )


def _least_tried(scene: Scene, count: int) -> list[FaultPoint]:
    points = list(all_points())
    scene.random.shuffle(points)
    points.sort(key=lambda one: one.name in scene.tried)
    return points[:count]


async def _die_at(scene: Scene, point: FaultPoint) -> bool:
    """Whether the node died there in any of the situations; afterwards it runs, or recovers."""
    is_of_active = point.ends.startswith(_OF_THE_ACTIVE)
    node_id = await (scene.active_controller() if is_of_active else scene.busiest())
    directory = scene.cluster.directory_of(node_id)
    is_first = point.ends in _ONLY_AT_FIRST
    arm(directory, point.fault(1 if is_first else scene.random.randint(1, _DIES_LATEST_AT)))
    situations = (_new_disk,) if is_first else (_load, _neighbour, _stop, _crash)
    has_fired = False
    for situation in situations:
        await situation(scene, node_id)
        if has_fired := bool(died_at(directory)):
            break
        arm(directory, point.fault(1))
    scene.progress(f"node {node_id}, {point.name}: {'died' if has_fired else 'not met'}")
    if scene.cluster.state_of(node_id) == "stopped":
        call, latest = scene.random.choice(["append", "fsync", "rename"]), _DIES_AGAIN_LATEST_AT
        arm(directory, Fault(call, dies_at=scene.random.randint(1, latest)))
        await scene.start(node_id)
        await _dies_or_is_ready(scene, node_id)
        scene.measured("deaths_in_recovery", bool(died_at(directory)))
    arm(directory)
    if scene.cluster.state_of(node_id) == "stopped":
        await scene.start(node_id)
    return has_fired


# --- situations -----------------------------------------------------------------------------------


async def _load(scene: Scene, node_id: int) -> None:
    """Clients work, and topics are created and deleted."""
    ends_s = scene.history.now_s() + _TRIED_S
    while scene.history.now_s() < ends_s:
        name = f"{_SIDE}-{len(scene.history.sends)}"
        with suppress(ClientError, OSError, TimeoutError):
            await asyncio.wait_for(_come_and_go(scene.admin, name), _TRIED_S)
        if await _dies(scene, node_id, _BREATH_S):
            return


async def _come_and_go(admin: Admin, name: str) -> None:
    await admin.create_topics([NewTopic(name, 1, 3)])
    await admin.delete_topics([name])


async def _stop(scene: Scene, node_id: int) -> None:
    """The node stops in good order, and starts again."""
    if scene.cluster.state_of(node_id) != "stopped":
        await scene.stop(node_id)
    await _start(scene, node_id)


async def _crash(scene: Scene, node_id: int) -> None:
    """The node was killed, and recovers its logs."""
    if scene.cluster.state_of(node_id) != "stopped":
        await scene.kill(node_id)
    await _start(scene, node_id)


async def _neighbour(scene: Scene, node_id: int) -> None:
    """Another node is away for a while, and catches up from this one."""
    other = await scene.other_broker(node_id)
    await scene.kill(other)
    await _dies(scene, node_id, _BREATH_S)
    await scene.start(other)
    await _dies_or_is_ready(scene, node_id)


async def _new_disk(scene: Scene, node_id: int) -> None:
    """The node's directory is new."""
    await scene.until_whole()
    await scene.kill(node_id)
    rmtree(scene.cluster.directory_of(node_id))
    await _start(scene, node_id)


async def _start(scene: Scene, node_id: int) -> None:
    if not died_at(scene.cluster.directory_of(node_id)):
        await scene.start(node_id)
        await _dies_or_is_ready(scene, node_id)


async def _dies_or_is_ready(scene: Scene, node_id: int) -> None:
    """Wait for either. Raises ClusterError or NotHealedError if neither happens."""
    loop = asyncio.get_running_loop()
    ready: asyncio.Task[object] = loop.create_task(scene.until_back())
    dies: asyncio.Task[object] = loop.create_task(
        _dies(scene, node_id, scene.lengths.healed_within_s * 2)
    )
    await asyncio.wait((ready, dies), return_when=asyncio.FIRST_COMPLETED)
    is_over = dies.done()
    for task in (ready, dies):
        task.cancel()
    (outcome, _) = await asyncio.gather(ready, dies, return_exceptions=True)
    if isinstance(outcome, (ClusterError, NotHealedError)) and not is_over:
        raise outcome


async def _dies(scene: Scene, node_id: int, within_s: float) -> bool:
    """Whether the node's process ends within this time."""
    ends_s = scene.history.now_s() + within_s
    while scene.cluster.state_of(node_id) != "stopped":
        if scene.history.now_s() > ends_s:
            return False
        await asyncio.sleep(LOOK_S)
    return True


FAULT_POINTS = (
    Row(
        "P-21",
        "SIGKILL at calls of the disk and points of the code",
        die_at_points,
        repeats=5,
        settings={
            "log.roll.ms": "1000",
            "log.flush.interval.ms": "300",
            "log.flush.scheduler.interval.ms": "300",
            "log.segment.delete.delay.ms": "500",
            "metadata.log.max.record.bytes.between.snapshots": "1",
            "metadata.log.segment.ms": "1000",
            "controller.snapshot.minimum.records": "20",
            "replica.lag.time.max.ms": "6000",
        },
        is_faulty=True,
    ),
)
