"""Brokers of two versions in one cluster: P-22, there and back."""

from __future__ import annotations

from barnabas.client import NewTopic
from barnabas.testing.process_cluster import ProcessCluster

from .bounces import FULL_AGAIN_WITHIN_S
from .chosen_version import MODULE, choose, previous_revision, unpack
from .rows import MIN_IN_SYNC, Row
from .scene import Scene

_FOLDER = "previous-version"


def obstacle() -> str:
    """Why there is no previous version here; empty when there is."""
    try:
        previous_revision()
    except LookupError as error:
        return str(error)
    return ""


def begin_with_previous(cluster: ProcessCluster) -> None:
    """All nodes are of the previous version at first."""
    packages = unpack(previous_revision(), cluster.directory / _FOLDER)
    cluster.module = MODULE
    for node in cluster.layout.nodes:
        choose(cluster.directory_of(node.id), packages)


async def roll(scene: Scene) -> None:
    """P-22: each node in turn gets the other version; every other time that is the older one."""
    cluster = scene.cluster
    is_back = len(scene.figures.get("in_sync_s", [])) // len(cluster.layout.nodes) % 2 == 1
    packages = cluster.directory / _FOLDER / "src" if is_back else None
    scene.notes["versions"] = f"{previous_revision()[:12]} and the one that runs this"
    for node in cluster.layout.nodes:
        await scene.stop(node.id)
        choose(cluster.directory_of(node.id), packages)
        await scene.start(node.id)
        scene.progress(f"node {node.id} is now of the {'previous' if is_back else 'new'} version")
        scene.within("in_sync_s", await scene.until_back(), FULL_AGAIN_WITHIN_S)
        smallest = min(len(one.isr) for one in await scene.partitions())
        needed = int(MIN_IN_SYNC["min.insync.replicas"])
        scene.require(smallest >= needed, f"an ISR of {smallest} after {node.id} came back")
        name = f"made-with-{node.id}-{len(scene.history.sends)}"
        await scene.admin.create_topics([NewTopic(name, 1, len(scene.brokers))])
        await scene.admin.delete_topics([name])


VERSIONS = (
    Row(
        "P-22",
        "rolling restart between two versions",
        roll,
        repeats=4,
        prepare=begin_with_previous,
        obstacle=obstacle,
    ),
)
