"""The brokers that the flights go through: three processes in three racks, one quorum."""

from __future__ import annotations

import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from barnabas.broker.core.cluster.ids import random_uuid
from barnabas.broker.storage.files import real_env
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.cluster_layout import plan_cluster
from barnabas.testing.process_cluster import STATE_FILE, ProcessCluster

RACKS = ("a", "b", "c")
MIN_IN_SYNC = 2


class DirectoryInTheWayError(RuntimeError):
    """The directory for the nodes' logs holds something that no cluster wrote."""


@contextmanager
def three_nodes(directory: Path) -> Iterator[ProcessCluster]:
    """Three combined nodes on free ports, in a fresh directory; told to stop at the end.

    Raises:
        ClusterError: with what a node printed.
        DirectoryInTheWayError: `directory` holds something else than a cluster.
    """
    clear(directory)
    layout = plan_cluster(
        cluster_id=uuid_to_text(random_uuid(real_env())),
        brokers=len(RACKS),
        racks=RACKS,
        settings={"min.insync.replicas": str(MIN_IN_SYNC)},
    )
    cluster = ProcessCluster.create(directory, layout)
    try:
        cluster.start()
        yield cluster
    finally:
        cluster.down()


def clear(directory: Path) -> None:
    """Remove the cluster (or single node) of an earlier run, and nothing that is none."""
    if not directory.exists():
        return
    is_ours = any((directory / name).exists() for name in (STATE_FILE, "meta.properties"))
    if any(directory.iterdir()) and not is_ours:
        raise DirectoryInTheWayError(
            f"{directory} is not empty and not the log of a node; please move it away"
        )
    if (directory / STATE_FILE).exists():
        ProcessCluster.load(directory).down()
    shutil.rmtree(directory)
