"""Nodes that are silent for a while and then go on as if nothing had happened: P-6."""

from __future__ import annotations

from .rows import Row
from .scene import Scene


async def pause_leader(scene: Scene) -> None:
    """P-6: when it wakes up it believes that it leads; nobody else may believe it."""
    for seconds in scene.lengths.pauses_s:
        await scene.pause(await scene.busiest(), seconds)
        await scene.until_whole()


async def pause_follower(scene: Scene) -> None:
    """P-6: a broker that leads least, here: of which the busiest is not one."""
    for seconds in scene.lengths.pauses_s:
        follower = await scene.other_broker(await scene.busiest(), await scene.active_controller())
        await scene.pause(follower, seconds)
        await scene.until_whole()


async def pause_controller(scene: Scene) -> None:
    """P-6: when it wakes up, another controller may be active."""
    for seconds in scene.lengths.pauses_s:
        await scene.pause(await scene.active_controller(), seconds)
        await scene.until_whole()


PAUSES = (
    Row("P-6", "SIGSTOP of the leader", pause_leader, repeats=10),
    Row("P-6f", "SIGSTOP of a follower", pause_follower, repeats=10),
    Row("P-6c", "SIGSTOP of the active controller", pause_controller, repeats=10, controllers=3),
)
