"""Which brokers a command talks to when nobody says, and addresses as people type them."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

import click

if TYPE_CHECKING:
    from barnabas.testing.process_cluster import ProcessCluster

DEFAULT_PORT = 9092
DEFAULT_BOOTSTRAP = f"localhost:{DEFAULT_PORT}"
BOOTSTRAP_VARIABLE = "BARNABAS_BOOTSTRAP_SERVER"
CLUSTER_DIRECTORY = "barnabas-cluster"
CLUSTER_DIRECTORY_VARIABLE = "BARNABAS_CLUSTER_DIR"
"""Where `barnabas cluster` keeps its cluster, when --dir does not say it."""

CLIENT_CONFIG_VARIABLE = "BARNABAS_CLIENT_CONFIG"
"""The file of --client-config, when the option does not say it."""


def default_bootstrap() -> str:
    """All brokers of the local cluster, if one runs in its usual folder; else localhost:9092.

    All of them, since any one may be the one that was killed.
    """
    cluster = running_cluster()
    return DEFAULT_BOOTSTRAP if cluster is None else cluster.bootstrap


def running_cluster() -> ProcessCluster | None:
    """The local cluster, if one runs in its usual folder."""
    folder = Path(os.environ.get(CLUSTER_DIRECTORY_VARIABLE) or CLUSTER_DIRECTORY)
    if not (folder / "cluster.json").exists():
        return None
    from barnabas.testing.process_cluster import ProcessCluster

    cluster = ProcessCluster.load(folder)
    return cluster if cluster.running() else None


def with_ports(context: click.Context, option: click.Parameter, given: str) -> str:
    """What was typed for --bootstrap-server, each address with a port."""
    del context, option
    addresses = [with_port(text.strip()) for text in given.split(",") if text.strip()]
    if not addresses:
        raise click.BadParameter("give at least one host or host:port")
    return ",".join(addresses)


def with_port(address: str) -> str:
    """`host` means port 9092, as for kcat; so does `[::1]`, and `::1` as well."""
    scheme, separator, bare = address.rpartition("://")
    is_bare_v6 = bare.count(":") > 1 and not bare.startswith("[")
    if is_bare_v6:
        bare = f"[{bare}]"
    has_port = ":" in bare.rpartition("]")[2]
    return scheme + separator + (bare if has_port else f"{bare}:{DEFAULT_PORT}")
