"""How `barnabas cluster up` starts and watches a cluster."""

from __future__ import annotations

import signal
import threading
from types import FrameType
from typing import Any

import click

from barnabas.stop_orders import stop_orders
from barnabas.testing.process_cluster import ProcessCluster

WATCH_S = 0.5


def start(cluster: ProcessCluster, *, as_json: bool) -> None:
    """Start what does not run, with a spinner for people; if that fails, these are ended again."""
    from rich.console import Console

    console = Console(stderr=True, quiet=as_json)
    before = {node.id for node in cluster.running()}
    try:
        with console.status(f"starting {len(cluster.layout.nodes) - len(before)} nodes"):
            cluster.start()
    except BaseException:
        cluster.down(without=before)
        raise


def run_until_told(cluster: ProcessCluster, *, quiet: bool) -> None:
    """Watch until SIGINT, SIGTERM or SIGHUP, say which nodes come and go, then stop all."""
    told = threading.Event()

    def tell(number: int, frame: FrameType | None) -> None:
        del number, frame
        told.set()

    # Also where SIGINT was ignored when we were started, as a shell does for background jobs.
    before: dict[signal.Signals, Any] = {
        number: signal.signal(number, tell) for number in stop_orders()
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
