"""All brokers in turn: P-3."""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from .rows import MIN_IN_SYNC, Hold, Row
from .scene import Scene

FULL_AGAIN_WITHIN_S = 15.0


async def bounce_cleanly(scene: Scene) -> None:
    """P-3 with SIGTERM."""
    await _bounce(scene, scene.stop)


async def bounce_hard(scene: Scene) -> None:
    """P-3 with SIGKILL."""
    await _bounce(scene, scene.kill)


async def _bounce(scene: Scene, end: Callable[[int], Awaitable[None]]) -> None:
    for _ in range(scene.lengths.bounces):
        for node_id in scene.brokers:
            await end(node_id)
            await scene.start(node_id)
            scene.within("in_sync_s", await scene.until_back(), FULL_AGAIN_WITHIN_S)
            smallest = min(len(one.isr) for one in await scene.partitions())
            needed = int(MIN_IN_SYNC["min.insync.replicas"])
            scene.require(smallest >= needed, f"an ISR of {smallest} after {node_id} came back")


BOUNCES = (
    Row("P-3", "SIGTERM of each broker in turn", bounce_cleanly, repeats=10, hold=Hold()),
    Row("P-3k", "SIGKILL of each broker in turn", bounce_hard, repeats=10, hold=Hold()),
)
