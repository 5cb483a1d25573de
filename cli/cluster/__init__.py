"""`barnabas cluster`: a cluster of processes on this machine, to try things out and to break it."""

from __future__ import annotations

import shlex
from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING

import click

from ..bootstrap import (
    CLIENT_CONFIG_VARIABLE,
    CLUSTER_DIRECTORY,
    CLUSTER_DIRECTORY_VARIABLE,
    default_bootstrap,
)
from ..connecting import json_option, parse_settings
from ..output import print_json

if TYPE_CHECKING:
    from barnabas.testing.process_cluster import ProcessCluster

directory_option = click.option(
    "--dir",
    "directory",
    type=click.Path(file_okay=False, path_type=Path),
    default=CLUSTER_DIRECTORY,
    show_default=True,
    envvar=CLUSTER_DIRECTORY_VARIABLE,
    show_envvar=True,
    help="The folder that holds the cluster; other commands look there for its brokers.",
)


@click.group()
def command() -> None:
    """Run a whole cluster on this machine, one process a node."""


@command.command()
@click.option("--brokers", type=click.IntRange(1, 100), default=3, show_default=True)
@click.option(
    "--controllers",
    default="combined",
    show_default=True,
    metavar="N|combined",
    help="Nodes of their own for the metadata quorum, or let brokers do it too.",
)
@click.option("--racks", default="", metavar="A,B,…", help="Racks, given to the brokers in turn.")
@directory_option
@click.option("--port", type=click.IntRange(1, 65_535), help="Port of the first broker.")
@click.option("--set", "settings", multiple=True, metavar="NAME=VALUE", help="For every node.")
@click.option(
    "--secure",
    is_flag=True,
    help="TLS, logins and an authorizer on every node; keys and users are made in DIR.",
)
@click.option("--detach", is_flag=True, help="Come back when it runs, and leave it running.")
@json_option
def up(
    brokers: int,
    controllers: str,
    racks: str,
    directory: Path,
    port: int | None,
    settings: tuple[str, ...],
    secure: bool,
    detach: bool,
    as_json: bool,
) -> None:
    """Start a cluster, new or stopped before; ends when every node is in the metadata.

    Without --detach it runs until Ctrl-C, which stops all nodes cleanly. Of a cluster that is in
    DIR already the nodes that do not run are started, as they were made: options that say something
    else are refused.
    """
    from .clients import show_clients
    from .opening import open_cluster
    from .running import run_until_told, start

    cluster = open_cluster(
        directory,
        brokers=brokers,
        controllers=controllers,
        racks=[one for one in racks.split(",") if one],
        port=port,
        settings=parse_settings(settings),
        secure=secure,
        given=_given(),
    )
    start(cluster, as_json=as_json)
    if as_json:
        print_json(cluster.describe())
    else:
        _show(cluster)
        show_clients(cluster)
    if not detach:
        run_until_told(cluster, quiet=as_json)


def _given() -> set[str]:
    """The options of `up` that were typed, not defaulted."""
    context = click.get_current_context()
    typed = (click.core.ParameterSource.COMMANDLINE, click.core.ParameterSource.ENVIRONMENT)
    return {name for name in context.params if context.get_parameter_source(name) in typed}


@command.command()
@directory_option
@json_option
def status(directory: Path, as_json: bool) -> None:
    """Show the nodes, and which of them run."""
    cluster = _load(directory)
    if as_json:
        print_json(cluster.describe())
    else:
        _show(cluster)


@command.command()
@directory_option
@json_option
def down(directory: Path, as_json: bool) -> None:
    """Stop all nodes; their data stays."""
    cluster = _load(directory)
    before = [node.id for node in cluster.running()]
    killed = cluster.down()
    if as_json:
        print_json({"stopped": [one for one in before if one not in killed], "killed": killed})
        return
    for node_id in killed:
        click.echo(f"node {node_id} did not end in time and was killed")
    click.echo(f"stopped; `barnabas cluster up --dir {directory}` starts it again")


def _node_command(
    name: str, text: str, done: str, act: Callable[[ProcessCluster, int], int | None]
) -> None:
    @command.command(name, help=text)
    @click.argument("node", type=int)
    @directory_option
    @json_option
    def run(node: int, directory: Path, as_json: bool) -> None:
        cluster = _load(directory)
        missing = act(cluster, node)
        if as_json:
            state = cluster.state_of(node)
            print_json({"node": node, "action": name, "state": state, "voters_missing": missing})
            return
        if missing:
            # Nobody can be let in so far: the other nodes may be what is started next.
            click.echo(f"no quorum until {missing} more of the controllers run")
        click.echo(f"node {node} {done}")


def _restart(cluster: ProcessCluster, node: int) -> int:
    """Returns how many controllers are missing for a quorum; with one, the node is ready."""
    import asyncio

    cluster.restart(node)
    missing = cluster.voters_missing()
    if not missing:
        asyncio.run(cluster.wait_until_ready())
    return missing


_node_command("stop", "Stop a node cleanly (SIGTERM).", "stopped", lambda c, n: c.stop(n))
_node_command("kill", "Kill a node (SIGKILL).", "killed", lambda c, n: c.kill(n))
_node_command("pause", "Hold a node (SIGSTOP).", "paused", lambda c, n: c.pause(n))
_node_command("resume", "Let a node go on (SIGCONT).", "resumed", lambda c, n: c.resume(n))
_node_command("restart", "Stop a node if it runs, and start it.", "restarted", _restart)


def _load(directory: Path) -> ProcessCluster:
    from barnabas.testing.process_cluster import ProcessCluster

    return ProcessCluster.load(directory)


def _show(cluster: ProcessCluster) -> None:
    from barnabas.testing.secured.folder import ADMIN

    from ..output import print_table

    found = cluster.describe()
    print_table(
        f"cluster {found['cluster_id']} in {found['directory']}",
        ("node", "state", "roles", "rack", "port", "controller port", "pid"),
        [
            (
                str(row["id"]),
                row["state"],
                "+".join(row["roles"]),
                row.get("rack"),
                row.get("port"),
                row.get("controller_port"),
                row["pid"],
            )
            for row in found["nodes"]
        ],
    )
    click.echo(f"bootstrap servers: {found['bootstrap']}")
    if not cluster.running():
        return
    if cluster.security is not None:
        of_admin = str(cluster.security.client_file(ADMIN, "java"))
        click.echo(
            "other commands find it, as the admin, with: export"
            f" {CLIENT_CONFIG_VARIABLE}={shlex.quote(of_admin)}"
        )
    elif default_bootstrap() != found["bootstrap"]:
        click.echo(
            "other commands find it with: export"
            f" {CLUSTER_DIRECTORY_VARIABLE}={shlex.quote(found['directory'])}"
        )
