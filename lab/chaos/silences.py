"""Nodes that say nothing, that cannot be heard, or that are only slow: P-25, P-26, P-27."""

from __future__ import annotations

import asyncio
import subprocess
import sys
from collections.abc import Awaitable, Callable, Iterator
from contextlib import closing, contextmanager
from typing import Final

from barnabas.broker.server.peer_errors import PeerError
from barnabas.broker.storage.files import RealClock
from barnabas.testing.end_asker import EndAsker

from .cuts import cut, heal
from .faulty_node import Fault, arm
from .history import Latest
from .rows import Hold, Row, Strike
from .scene import Scene
from .workload import TOPIC

SILENCE_GAP_MS: Final = 3000.0
"""Longest time without an acknowledgement when a node falls silent."""
RESET_CUTS: Final = 4
RESET_CUT_S: Final = 4.0
BURNERS: Final = 4
STALL_S: Final = 1.0
"""Of each fsync, while nobody may be fenced."""
_ASK_PAUSE_S: Final = 0.01
_DIRECT: Final = 1000
"""Numbers of pollers that ask one node begin here."""
_LOOK_S: Final = 1.0
_LOOKS_PER_STALL: Final = 5


def silence(of_whom: Callable[[Scene], Awaitable[int]]) -> Strike:
    """P-25: SIGSTOP; connections stay open, and nobody says that the node is gone."""

    async def strike(scene: Scene) -> None:
        await scene.pause(await of_whom(scene), scene.lengths.cut_s)

    return strike


async def the_busiest(scene: Scene) -> int:
    """A broker that leads; where controllers are nodes of their own, nothing else."""
    return await scene.busiest()


async def the_active(scene: Scene) -> int:
    """The active controller; where brokers are controllers, it leads partitions too."""
    return await scene.active_controller()


async def reset_cuts(scene: Scene) -> None:
    """P-26: the leader loses every connection to the other nodes; clients reach it as before."""
    numbers = [one.partition for one in await scene.partitions()]
    for number in range(RESET_CUTS):
        node_id = await scene.busiest()
        others = [node.id for node in scene.cluster.layout.nodes if node.id != node_id]
        scene.progress(f"node {node_id} cut off from {others} with resets, {number + 1}")
        before = len(scene.history.latest)
        asking = [
            asyncio.create_task(_ask_one_node(scene, one, numbers))
            for one in (*scene.brokers, *scene.brokers)
        ]
        cut(scene, [node_id], others)
        cut(scene, others, [node_id])
        assert scene.relays is not None
        scene.relays.break_off(node_id, others)
        try:
            await asyncio.sleep(RESET_CUT_S)
        finally:
            heal(scene)
        await scene.until_whole()
        await scene.steady()
        for one in asking:
            one.cancel()
        await asyncio.gather(*asking, return_exceptions=True)
        scene.measured("latest_answers", len(scene.history.latest) - before)


async def _ask_one_node(scene: Scene, node_id: int, numbers: list[int]) -> None:
    """A client that believes in one leader for long, as those with a long metadata age do."""
    node = scene.cluster.layout.node(node_id)
    asker = EndAsker((scene.cluster.layout.host, node.port), RealClock(), TOPIC, numbers)
    history = scene.history
    with closing(asker):
        while True:
            asked_s = history.now_s()
            try:
                ends = await asker.ask()
            except PeerError:
                ends = {}
            answered_s = history.now_s()
            history.latest += [
                Latest(asked_s, answered_s, number, offset, _DIRECT + node_id)
                for number, offset in ends.items()
            ]
            await asyncio.sleep(_ASK_PAUSE_S)


async def busy(scene: Scene) -> None:
    """P-27: busy loops on all processors, and slow fsyncs now and then; nobody is fenced."""
    before = {one.partition: one.leader_epoch for one in await scene.partitions()}
    quorum_epoch = (await scene.admin.describe_quorum()).leader_epoch
    smallest = len(scene.brokers)
    ends_s = scene.history.now_s() + scene.lengths.isolation_s
    stalls = _stalls(scene)
    with _burning(BURNERS):
        try:
            while scene.history.now_s() < ends_s:
                next(stalls)
                found = await scene.partitions()
                smallest = min(smallest, *(len(one.isr) for one in found))
                await asyncio.sleep(_LOOK_S)
        finally:
            for node_id in scene.brokers:
                arm(scene.cluster.directory_of(node_id))
    after = {one.partition: one.leader_epoch for one in await scene.partitions()}
    epoch = (await scene.admin.describe_quorum()).leader_epoch
    scene.require(smallest == len(scene.brokers), f"an ISR shrank to {smallest}: fenced falsely")
    scene.require(after == before, f"leaders changed: epochs {before}, then {after}")
    scene.require(epoch == quorum_epoch, f"the quorum's epoch rose from {quorum_epoch} to {epoch}")


def _stalls(scene: Scene) -> Iterator[None]:
    """One node's fsyncs take long for some looks, then those of the next."""
    while True:
        for node_id in scene.brokers:
            directory = scene.cluster.directory_of(node_id)
            arm(directory, Fault("fsync", delay_s=STALL_S))
            for _ in range(_LOOKS_PER_STALL):
                yield
            arm(directory)
            for _ in range(_LOOKS_PER_STALL):
                yield


@contextmanager
def _burning(count: int) -> Iterator[None]:
    burners = [subprocess.Popen([sys.executable, "-c", "while True: pass"]) for _ in range(count)]
    try:
        yield
    finally:
        for burner in burners:
            burner.kill()
            burner.wait()


_SILENT = Hold(gap_ms=SILENCE_GAP_MS)

SILENCES = (
    Row(
        "P-25",
        "a leader falls silent (SIGSTOP)",
        silence(the_busiest),
        repeats=5,
        hold=_SILENT,
        controllers=3,
    ),
    Row(
        "P-25c",
        "the active controller falls silent",
        silence(the_active),
        repeats=5,
        hold=_SILENT,
        controllers=3,
    ),
    Row(
        "P-25b",
        "both in one node fall silent",
        silence(the_active),
        repeats=5,
        hold=_SILENT,
    ),
    Row(
        "P-26",
        "leader cut off with resets, clients reach it",
        reset_cuts,
        repeats=2,
        is_relayed=True,
    ),
    Row("P-27", "busy loops and slow fsyncs, nobody is fenced", busy, repeats=6, is_faulty=True),
)
