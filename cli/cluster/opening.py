"""Which cluster `barnabas cluster up` means: the one in the folder, or a new one, checked first."""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Final

from barnabas.broker.core.cluster.ids import random_uuid
from barnabas.broker.core.config.listeners import MAP, PREFIX
from barnabas.broker.settings import ENVIRONMENT_PREFIX, load_config
from barnabas.broker.storage.files import real_env
from barnabas.protocol.primitives import uuid_to_text
from barnabas.testing.cluster_layout import COMBINED, ClusterLayout, LayoutError, plan_cluster
from barnabas.testing.process_cluster import ClusterError, ProcessCluster
from barnabas.testing.secured.node_settings import (
    BROKERS,
    CLIENTS,
    CONTROLLER,
    security_settings,
)

NOT_FOR_ALL: Mapping[str, str] = {
    "node.id": "",
    "process.roles": "use --controllers",
    "listeners": "use --port",
    "advertised.listeners": "use --port",
    "controller.listener.names": "",
    "controller.quorum.voters": "use --controllers",
    "log.dirs": "use --dir",
    "metadata.log.dir": "use --dir",
    "broker.rack": "use --racks",
}
"""Settings that each node has for itself, and what to type instead."""


_ALL_OPEN: Final = ",".join(f"{name}:PLAINTEXT" for name in (CLIENTS, BROKERS, CONTROLLER))
"""So that a secured cluster's settings can be checked before there are keys."""


def open_cluster(
    directory: Path,
    *,
    brokers: int,
    controllers: str,
    racks: Sequence[str],
    port: int | None,
    settings: Mapping[str, str],
    secure: bool,
    given: set[str],
) -> ProcessCluster:
    """The cluster in `directory`, or a new one there; `given` names the options that were typed.

    Raises:
        ClusterError: it runs already, or options say something else than what is there.
        LayoutError: options that do not go together.
        ConfigError: a setting that is none, or not such a value.
    """
    if ProcessCluster.is_there(directory):
        cluster = ProcessCluster.load(directory)
        asked: dict[str, object] = {
            "brokers": brokers,
            "controllers": controllers,
            "racks": list(racks),
            "port": port,
            "settings": dict(settings),
            "secure": secure,
        }
        _check_same(cluster, {name: asked[name] for name in sorted(given & set(asked))})
        if len(running := cluster.running()) == len(cluster.layout.nodes):
            nodes = ", ".join(str(node.id) for node in running)
            raise ClusterError(f"the cluster in {directory} runs already (nodes {nodes})")
        return cluster
    for name, instead in NOT_FOR_ALL.items():
        if name in settings:
            reason = f": {instead}" if instead else ""
            raise LayoutError(f"--set is for every node, and each has its own {name}{reason}")
    if secure:
        _check_security(settings)
    layout = plan_cluster(
        cluster_id=settings.get("cluster.id") or uuid_to_text(random_uuid(real_env())),
        brokers=brokers,
        controllers=controllers,
        racks=racks,
        port=port,
        settings=settings,
        is_secured=secure,
    )
    _check_settings(layout)
    return ProcessCluster.create(directory, layout)


def _check_same(cluster: ProcessCluster, asked: Mapping[str, object]) -> None:
    """What was typed again must be what the cluster was made with."""
    made = _made_with(cluster.layout)
    others = [name for name, value in asked.items() if value != made[name]]
    if others:
        options = ", ".join("--" + ("set" if one == "settings" else one) for one in others)
        raise ClusterError(
            f"{cluster.directory} holds a cluster already, made with other options: "
            f"start it without {options}, or take another --dir"
        )


def _made_with(layout: ClusterLayout) -> dict[str, object]:
    brokers = layout.brokers
    apart = [node for node in layout.nodes if not node.is_broker]
    racks = [node.rack for node in brokers if node.rack is not None]
    return {
        "brokers": len(brokers),
        "controllers": str(len(apart)) if apart else COMBINED,
        "racks": list(dict.fromkeys(racks)),
        "port": brokers[0].port,
        "settings": dict(layout.settings),
        "secure": layout.is_secured,
    }


def _check_security(settings: Mapping[str, str]) -> None:
    """What --secure decides is not for --set."""
    decided = security_settings(
        listeners=(), keystore=Path(), truststore=Path(), nodes=(), admin="", first_users={}
    )
    for name in settings:
        if name.startswith((PREFIX, "ssl.", "sasl.")) or name in decided:
            raise LayoutError(f"--secure says what {name} is: leave out one of the two")


def _check_settings(layout: ClusterLayout) -> None:
    """As each node will, but before there is anything to clean up.

    Settings may refer to variables, which the nodes inherit; none is a setting here.
    """
    referred = {
        name: text for name, text in os.environ.items() if not name.startswith(ENVIRONMENT_PREFIX)
    }
    kinds = {node.roles: node for node in layout.nodes}
    for node in kinds.values():
        found = layout.settings_of(node)
        if layout.is_secured:
            found |= {MAP: _ALL_OPEN, "inter.broker.listener.name": BROKERS}
        pairs = [f"{name}={value}" for name, value in found.items()]
        load_config(file=None, environment=referred, assignments=pairs, values={})
