"""Nodes that end: P-1, P-2, P-4, P-5."""

from __future__ import annotations

from .rows import Hold, Row
from .scene import Scene

SERVING_WITHIN_S = 20.0
SUCCESSOR_AFTER_KILL_S = 5.0
SUCCESSOR_AFTER_STOP_S = 1.0


async def stop_leader(scene: Scene) -> None:
    """P-1: leaderships are handed over before the process ends."""
    node_id = await scene.busiest()
    await scene.stop(node_id)
    await scene.until_acked()
    await scene.start(node_id)


async def kill_leader(scene: Scene) -> None:
    """P-2: nothing is handed over."""
    node_id = await scene.busiest()
    await scene.kill(node_id)
    scene.measured("serving_s", await scene.until_acked())
    await scene.start(node_id)


async def kill_controller(scene: Scene) -> None:
    """P-4, first half: the others elect a successor."""
    active = await scene.active_controller()
    await scene.kill(active)
    took_s = await scene.until_controller_is_not(active)
    scene.within("new_controller_s", took_s, SUCCESSOR_AFTER_KILL_S)
    await scene.start(active)


async def stop_controller(scene: Scene) -> None:
    """P-4, second half: it resigns, and names its successors."""
    active = await scene.active_controller()
    began_s = scene.history.now_s()
    await scene.stop(active)
    await scene.until_controller_is_not(active)
    # Measured from the signal, since resigning is part of stopping.
    scene.within("new_controller_s", scene.history.now_s() - began_s, SUCCESSOR_AFTER_STOP_S)
    await scene.start(active)


async def kill_all(scene: Scene) -> None:
    """P-5: every process dies at once, and all are started again; the page cache survives."""
    nodes = [node.id for node in scene.cluster.layout.nodes]
    for node_id in nodes:
        await scene.kill(node_id)
    began_s = scene.history.now_s()
    await scene.start(*nodes)
    await scene.until_acked()
    scene.within("serving_s", scene.history.now_s() - began_s, SERVING_WITHIN_S)


DEATHS = (
    Row(
        "P-2",
        "SIGKILL of the leader",
        kill_leader,
        repeats=30,
        hold=Hold(gap_ms=11_000.0),
    ),
    Row(
        "P-1",
        "SIGTERM of the leader",
        stop_leader,
        repeats=20,
        hold=Hold(gap_ms=1_000.0, p99_ms=500.0),
    ),
    Row(
        "P-4",
        "SIGKILL of the active controller",
        kill_controller,
        repeats=20,
        hold=Hold(gap_ms=200.0),
        controllers=3,
    ),
    Row(
        "P-4t",
        "SIGTERM of the active controller",
        stop_controller,
        repeats=20,
        hold=Hold(gap_ms=200.0),
        controllers=3,
    ),
    Row("P-5", "SIGKILL of all nodes at once", kill_all, repeats=20),
)
