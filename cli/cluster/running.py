"""How `barnabas cluster up` makes, starts and watches a cluster."""

from __future__ import annotations

import signal
import threading
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import FrameType
from typing import Any

import click

from barnabas.broker.core.cluster.ids import random_uuid
from barnabas.broker.storage.files import real_env
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.cluster_layout import plan_cluster
from barnabas.testing.process_cluster import ClusterError, ProcessCluster

WATCH_S = 0.5
SHAPE = frozenset({"brokers", "controllers", "racks", "port", "settings"})
"""Options of `up` that are settled when a cluster is made."""


def open_cluster(
    directory: Path,
    *,
    brokers: int,
    controllers: str,
    racks: Sequence[str],
    port: int | None,
    settings: Mapping[str, str],
    given: set[str],
) -> ProcessCluster:
    """The cluster in `directory`, or a new one there.

    Raises ClusterError or LayoutError: options that do not go together, or with what is there.
    """
    if ProcessCluster.is_there(directory):
        cluster = ProcessCluster.load(directory)
        if typed := sorted(given & SHAPE):
            options = ", ".join("--" + ("set" if one == "settings" else one) for one in typed)
            raise ClusterError(
                f"{directory} holds a cluster already: start it without {options}, "
                "or take another --dir"
            )
        if running := cluster.running():
            nodes = ", ".join(str(node.id) for node in running)
            raise ClusterError(f"the cluster in {directory} runs already (nodes {nodes})")
        return cluster
    layout = plan_cluster(
        cluster_id=uuid_to_text(random_uuid(real_env())),
        brokers=brokers,
        controllers=controllers,
        racks=racks,
        port=port,
        settings=settings,
    )
    return ProcessCluster.create(directory, layout)


def start(cluster: ProcessCluster, *, as_json: bool) -> None:
    """Start it, with a spinner for people; whatever goes wrong, nothing is left running."""
    from rich.console import Console

    console = Console(stderr=True, quiet=as_json)
    try:
        with console.status(f"starting {len(cluster.layout.nodes)} nodes"):
            cluster.start()
    except BaseException:
        cluster.down()
        raise


def run_until_told(cluster: ProcessCluster, *, quiet: bool) -> None:
    """Watch until SIGINT or SIGTERM, say which nodes come and go, then stop all."""
    told = threading.Event()

    def tell(number: int, frame: FrameType | None) -> None:
        del number, frame
        told.set()

    # Also where SIGINT was ignored when we were started, as a shell does for background jobs.
    before: dict[signal.Signals, Any] = {
        number: signal.signal(number, tell) for number in (signal.SIGINT, signal.SIGTERM)
    }
    try:
        if not quiet:
            click.echo("Ctrl-C stops it.")
        _watch(cluster, told, quiet)
    finally:
        cluster = ProcessCluster.load(cluster.directory)
        cluster.down()
        for number, handler in before.items():
            signal.signal(number, handler)
    if not quiet:
        click.echo("stopped")


def _watch(cluster: ProcessCluster, told: threading.Event, quiet: bool) -> None:
    states = {node.id: cluster.state_of(node.id) for node in cluster.layout.nodes}
    while not told.wait(WATCH_S):
        # Other commands (`kill`, `restart`) change the file while we look.
        cluster = ProcessCluster.load(cluster.directory)
        for node_id, before in states.items():
            state = cluster.state_of(node_id)
            if state != before:
                states[node_id] = state
                if not quiet:
                    click.echo(f"node {node_id} is {state}, was {before}")
