"""What a cluster consists of: its nodes with their roles, racks and ports."""

from __future__ import annotations

import errno
import random
import socket
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import asdict, dataclass, field
from typing import Any, Final

from .secured.node_settings import BROKERS, CLIENTS, CONTROLLER

VOTERS_MAX = 3
"""The number of combined nodes that vote: more would make commits slower, and nothing safer
here."""

COMBINED = "combined"
_RACK_AWARE = "org.apache.kafka.common.replica.RackAwareReplicaSelector"
HOST = "127.0.0.1"
FREE_PORTS: Final = range(10_000, 32_768)
OPEN_CLIENTS: Final = "PLAINTEXT"
"""The listener of a cluster that is not secured, for clients and brokers alike."""


class LayoutError(ValueError):
    """The cluster cannot be built as requested; the text says why."""


@dataclass(frozen=True, slots=True)
class NodeLayout:
    """One node; `port` is 0 for a pure controller, `controller_port` for a pure broker.

    `broker_port` is where brokers reach it if clients use another port, as in secured clusters.
    """

    id: int
    roles: tuple[str, ...]
    port: int = 0
    controller_port: int = 0
    rack: str | None = None
    broker_port: int = 0

    @property
    def is_broker(self) -> bool:
        """Whether it serves clients."""
        return "broker" in self.roles

    @property
    def is_voter(self) -> bool:
        """Whether it is a voter of the metadata quorum."""
        return "controller" in self.roles


@dataclass(frozen=True, slots=True)
class ClusterLayout:
    """All nodes, and the settings that apply to each of them."""

    cluster_id: str
    nodes: tuple[NodeLayout, ...]
    settings: Mapping[str, str] = field(default_factory=dict)
    host: str = HOST
    is_secured: bool = False
    """Whether all listeners have TLS, clients log in, and an authorizer decides what they may
    do."""

    @property
    def brokers(self) -> list[NodeLayout]:
        """The nodes that serve clients."""
        return [node for node in self.nodes if node.is_broker]

    @property
    def bootstrap(self) -> str:
        """The addresses of all brokers, as `host:port,…`."""
        return ",".join(f"{self.host}:{node.port}" for node in self.brokers)

    def node(self, node_id: int) -> NodeLayout:
        """The node with this number. Raises LayoutError, which names the nodes that exist."""
        for one in self.nodes:
            if one.id == node_id:
                return one
        known = ", ".join(str(one.id) for one in self.nodes)
        raise LayoutError(f"there is no node {node_id}; the nodes are {known}")

    def listeners_of(self, node: NodeLayout) -> dict[str, int]:
        """The port of each listener of a node, by the listener's name."""
        found = {}
        if node.is_broker:
            found[CLIENTS if self.is_secured else OPEN_CLIENTS] = node.port
            if self.is_secured:
                found[BROKERS] = node.broker_port
        if node.is_voter:
            found[CONTROLLER] = node.controller_port
        return found

    def settings_of(self, node: NodeLayout) -> dict[str, str]:
        """All settings of one node except its directory and those of its security."""
        listeners = [
            f"{name}://{self.host}:{port}" for name, port in self.listeners_of(node).items()
        ]
        voters = [one for one in self.nodes if one.is_voter]
        settings = {
            "node.id": str(node.id),
            "cluster.id": self.cluster_id,
            "process.roles": ",".join(node.roles),
            "listeners": ",".join(listeners),
            "controller.listener.names": CONTROLLER,
            "controller.quorum.voters": ",".join(
                f"{one.id}@{self.host}:{one.controller_port}" for one in voters
            ),
            "default.replication.factor": str(min(3, len(self.brokers))),
            "offsets.topic.replication.factor": str(min(3, len(self.brokers))),
            "transaction.state.log.replication.factor": str(min(3, len(self.brokers))),
            "transaction.state.log.min.isr": str(min(2, len(self.brokers))),
            "group.initial.rebalance.delay.ms": "0",
        }
        if node.rack is not None:
            settings["broker.rack"] = node.rack
        if any(one.rack is not None for one in self.nodes):
            settings["replica.selector.class"] = _RACK_AWARE
        return {**settings, **self.settings}

    def as_json(self) -> dict[str, Any]:
        """The layout as JSON values; `from_json` reads them."""
        return {
            "cluster_id": self.cluster_id,
            "host": self.host,
            "secured": self.is_secured,
            "settings": dict(self.settings),
            "nodes": [asdict(node) for node in self.nodes],
        }

    @classmethod
    def from_json(cls, found: Mapping[str, Any]) -> ClusterLayout:
        """Raises KeyError or TypeError for a file of another kind."""
        nodes = tuple(
            NodeLayout(**{**node, "roles": tuple(node["roles"])}) for node in found["nodes"]
        )
        is_secured = bool(found.get("secured", False))  # missing in older files
        return cls(found["cluster_id"], nodes, dict(found["settings"]), found["host"], is_secured)


def plan_cluster(
    *,
    cluster_id: str,
    brokers: int = 3,
    controllers: int | str = COMBINED,
    racks: Sequence[str] = (),
    port: int | None = None,
    settings: Mapping[str, str] | None = None,
    is_secured: bool = False,
) -> ClusterLayout:
    """Work out a cluster.

    With `controllers` "combined" the first brokers are the quorum too (one, or three if there are
    as many); a number asks for so many nodes that are nothing else. Racks are given to the brokers
    in turn. `port` is the first broker's, the following ports are taken in order, first for all
    brokers, then for all controllers, and in a secured cluster for all brokers as others reach
    them; without it the system chooses.

    Raises:
        LayoutError: numbers that make no cluster.
        OSError: no free ports.
    """
    if brokers < 1:
        raise LayoutError(f"a cluster has at least one broker, not {brokers}")
    if len(racks) > brokers:
        raise LayoutError(f"{len(racks)} racks for {brokers} brokers: a rack would be empty")
    is_combined = controllers == COMBINED
    count = _combined_voters(brokers) if is_combined else _count(controllers)
    ports = _ports(port, brokers + count + (brokers if is_secured else 0))
    controller_ports, broker_ports = ports[brokers : brokers + count], ports[brokers + count :]
    nodes = []
    for index in range(brokers):
        votes = is_combined and index < count
        nodes.append(
            NodeLayout(
                id=index + 1,
                roles=("broker", "controller") if votes else ("broker",),
                port=ports[index],
                controller_port=controller_ports[index] if votes else 0,
                rack=racks[index % len(racks)] if racks else None,
                broker_port=broker_ports[index] if is_secured else 0,
            )
        )
    if not is_combined:
        nodes += [
            NodeLayout(
                brokers + 1 + index, ("controller",), controller_port=controller_ports[index]
            )
            for index in range(count)
        ]
    return ClusterLayout(cluster_id, tuple(nodes), dict(settings or {}), is_secured=is_secured)


def _combined_voters(brokers: int) -> int:
    return VOTERS_MAX if brokers >= VOTERS_MAX else 1


def _count(controllers: int | str) -> int:
    text = str(controllers)
    if not (text.isascii() and text.isdigit()) or int(text) < 1:
        raise LayoutError(f"controllers: {text!r} is neither a number above zero nor {COMBINED!r}")
    return int(text)


def _ports(first: int | None, count: int) -> list[int]:
    if first is not None:
        if not 0 < first <= 65_536 - count:
            raise LayoutError(f"port {first}: {count} ports from there on are needed")
        return list(range(first, first + count))
    return free_ports(count)


def free_ports(count: int) -> list[int]:
    """Ports that are unused at this moment, all different. Raises OSError if there are too few.

    They lie below those that systems give to outgoing connections (32768 and up on Linux, 49152 on
    others), so that no connection takes one before its node has started, or while it is down.
    """
    with ExitStack() as stack:
        found: list[int] = []
        # Not the module's own generator: who seeds that in each of several processes would have
        # them try the same ports.
        for port in random.Random().sample(FREE_PORTS, len(FREE_PORTS)):
            if len(found) == count:
                break
            one = stack.enter_context(socket.socket())
            try:
                one.bind((HOST, port))
            except OSError as error:
                if error.errno not in (errno.EADDRINUSE, errno.EACCES):
                    raise
            else:
                found.append(port)
    if len(found) < count:
        raise OSError(errno.EADDRINUSE, f"{count} unused ports are needed, {len(found)} are there")
    return found
