"""A quorum with a long past: logs that begin with a snapshot."""

from __future__ import annotations

from typing import Any

from .world import METADATA, SimulatedNode, World, features


def files_of(node: SimulatedNode) -> list[str]:
    names = node.disk.list_directory(METADATA)
    return [name for name in names if name.endswith((".checkpoint", ".part"))]


async def begun(world: World, node: SimulatedNode) -> None:
    """The first record says which versions of the others may be written."""
    node.quorum.append(features(21), node.quorum.leader.epoch)
    await node.commit("first")


async def with_a_long_past(world: World, **settings: Any) -> list[SimulatedNode]:
    """Three voters whose logs begin with a snapshot, and a leader that has more."""
    nodes = await world.voters(
        3,
        controller_snapshot_minimum_records=50,
        metadata_max_retention_bytes=1,
        controller_quorum_fetch_snapshot_max_bytes=1000,
        **settings,
    )
    leader = await world.leader()
    await begun(world, leader)
    for number in range(60):
        await leader.commit(f"topic-{number}")
    await world.until(lambda: all(one.quorum.log.start_offset > 0 for one in nodes))
    await leader.commit("last")
    return nodes


ALL = ["first", *(f"topic-{number}" for number in range(60)), "last"]
