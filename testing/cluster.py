"""A whole cluster inside one program, on its event loop: for users' tests and for ours.

    async with Cluster(brokers=3, racks=("a", "b", "c")) as cluster:
        async with Producer(bootstrap_servers=cluster.bootstrap) as producer:
            ...
        await cluster.kill(await cluster.wait_for_leader("t", 0))

The nodes are those of `barnabas serve`, with real sockets and a real disk. Between them, and
between them and clients, stand relays (`relay.py`), so that ways are cut and nodes fall silent.

What it does not model: a paused node's own clock goes on, so that it sees its time-outs pass,
where a process under SIGSTOP sees none of that before it goes on. A node that is killed loses its
connections at that instant, and nothing that it does afterwards is seen by anybody; but what it
had begun to write to its own disk it may still write. The disk loses nothing. All nodes share one
thread: one that computes for long delays the others.
"""

from __future__ import annotations

import asyncio
import shutil
import tempfile
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from types import TracebackType
from typing import TYPE_CHECKING, Self

from barnabas.broker.core.cluster.ids import random_uuid
from barnabas.broker.core.log.failures import DamagedLogError
from barnabas.broker.core.log.identity import read_meta_properties
from barnabas.broker.node import Node
from barnabas.broker.settings import load_config
from barnabas.broker.storage.files import real_env
from barnabas.protocol.primitives import uuid_to_text

from .cluster_layout import (
    COMBINED,
    HOST,
    OPEN_CLIENTS,
    LayoutError,
    NodeLayout,
    plan_cluster,
)
from .cluster_view import ClusterView
from .links import CLIENTS, Links, Member
from .process_cluster import ClusterError
from .relay import Relay
from .secured.door_tls import DoorTls
from .secured.folder import SecurityFolder
from .secured.grants import grant
from .secured.node_settings import BROKERS, CONTROLLER
from .secured.node_settings import CLIENTS as CLIENTS_LISTENER

if TYPE_CHECKING:
    from barnabas.broker.core.config.broker import BrokerConfig

__all__ = ["CLIENTS", "Cluster", "ClusterError", "LayoutError"]

_QUIET = {"logging.level": "error"}
"""The log level of tests, unless their settings say otherwise: only warnings and errors."""


class Cluster(ClusterView):
    """A number of nodes, started by `async with` or `start`; the brokers are numbered 1, 2, ..."""

    def __init__(
        self,
        brokers: int = 3,
        *,
        racks: Sequence[str] = (),
        controllers: int | str = COMBINED,
        settings: Mapping[str, object] | None = None,
        directory: str | Path | None = None,
        secure: bool = False,
    ) -> None:
        """Plan it; nothing runs yet.

        Args:
            brokers: how many nodes serve clients.
            racks: given to the brokers in turn.
            controllers: "combined" (the first brokers are the quorum too: one, or three if there
                are as many), or how many further nodes are the quorum and nothing else.
            settings: for every node, by Kafka's names.
            directory: where the nodes keep their data: it stays, at the end they are stopped in
                good order, and a later cluster of that folder goes on with it. Without one they use
                a temporary folder, and are ended at once.
            secure: TLS on all listeners, logins, an authorizer, and the users `admin`, who may do
                everything, and `app`, whose are all topics, groups and transactional ids that
                begin with `app-`; see `client_options`.

        Raises LayoutError: numbers that make no cluster.
        """
        self._given = None if directory is None else Path(directory)
        self._directory = self._given
        plan = plan_cluster(
            cluster_id=_id_in(self._given) or uuid_to_text(random_uuid(real_env())),
            brokers=brokers,
            controllers=controllers,
            racks=racks,
            port=1,  # not used: each node is reached through ports of the relays
            settings=_QUIET | {name: _as_text(one) for name, one in (settings or {}).items()},
            is_secured=secure,
        )
        self.links = Links()
        self.nodes = {}
        self._doors = {
            node.id: {name: Relay(node.id, self.links) for name in plan.listeners_of(node)}
            for node in plan.nodes
        }
        self.layout = replace(plan, nodes=tuple(map(self._with_doors, plan.nodes)))
        self.security: SecurityFolder | None = None
        """Keys and users of a secured cluster that has been started."""
        self._starting: dict[int, asyncio.Task[Node]] = {}

    def _with_doors(self, node: NodeLayout) -> NodeLayout:
        doors = {name: door.port for name, door in self._doors[node.id].items()}
        clients = CLIENTS_LISTENER if BROKERS in doors else OPEN_CLIENTS
        return replace(
            node,
            port=doors.get(clients, 0),
            broker_port=doors.get(BROKERS, 0),
            controller_port=doors.get(CONTROLLER, 0),
        )

    # --- all nodes ----------------------------------------------------------------------------

    async def __aenter__(self) -> Self:
        try:
            await self.start()
        except BaseException:
            await self.close()
            raise
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        await self.close()

    async def start(self, *node_ids: int) -> None:
        """Start these nodes (all that do not run), and wait until every running broker knows them.

        Raises ClusterError if one of them runs already; ConfigError for an invalid setting; what
        `Node.start` raises if a node cannot start.
        """
        wanted = node_ids or tuple(
            node.id for node in self.layout.nodes if node.id not in self.nodes
        )
        for node_id in wanted:
            await self.begin_start(node_id)
        await asyncio.gather(*(self._starting[one] for one in wanted if one in self._starting))
        await self.wait_for_brokers(
            one for one in self._running_brokers() if not self.links.is_paused(one)
        )
        if self.security is not None and self._running_brokers():
            await grant(self.security)

    async def begin_start(self, node_id: int) -> asyncio.Task[Node]:
        """Start a node in the background; without an active controller it waits for one.

        The task ends when the node has been admitted; from then on it is among `nodes`. Raises
        ClusterError if it runs already; ConfigError for an invalid setting.
        """
        node = self.layout.node(node_id)
        if node_id in self.nodes or node_id in self._starting:
            raise ClusterError(f"node {node_id} runs already")
        pairs = [f"{name}={value}" for name, value in self._settings_of(node).items()]
        config = load_config(file=self._security_settings_of(node), assignments=pairs)
        self.links.revive(node_id)
        for door in self._doors[node_id].values():
            await door.open()
        task = asyncio.get_running_loop().create_task(self._run(node_id, config))
        self._starting[node_id] = task
        task.add_done_callback(lambda _: self._started(node_id, task))
        return task

    async def _run(self, node_id: int, config: BrokerConfig) -> Node:
        node = await Node.start(config)
        self.nodes[node_id] = node
        return node

    def _started(self, node_id: int, task: asyncio.Task[Node]) -> None:
        if self._starting.get(node_id) is task:
            del self._starting[node_id]
        if not task.cancelled() and task.exception() is not None:
            # Of several that fail for the same reason, `start` raises the first.
            self._cut_off(node_id)

    def _settings_of(self, node: NodeLayout) -> dict[str, str]:
        doors = self._doors[node.id].items()
        own = {name: f"{name}://{HOST}:{door.target_port}" for name, door in doors}
        advertised = {name: f"{name}://{HOST}:{door.port}" for name, door in doors}
        return self.layout.settings_of(node) | {
            "log.dirs": str(self.directory_of(node.id)),
            "listeners": ",".join(own.values()),
            "advertised.listeners": ",".join(advertised.values()),
        }

    def _security_settings_of(self, node: NodeLayout) -> str | None:
        """The file with the settings of a node's security; None in a cluster that is not secured.

        Keys and users are made at the first call.
        """
        if not self.layout.is_secured:
            return None
        if self.security is None:
            folder = SecurityFolder(self._home(), self.layout)
            folder.ensure()
            for node_id, doors in self._doors.items():
                for name, door in doors.items():
                    door.tls = DoorTls(folder, node_id, name)
            self.security = folder
        return str(self.security.settings_of(node.id))

    def _home(self) -> Path:
        if self._directory is None:
            self._directory = Path(tempfile.mkdtemp(prefix="barnabas-"))
        self._directory.mkdir(parents=True, exist_ok=True)
        return self._directory

    def directory_of(self, node_id: int) -> Path:
        """The node's log directory."""
        return self._home() / f"node-{self.layout.node(node_id).id}"

    async def close(self) -> None:
        """End all nodes, and remove their temporary folder if there is one."""
        for member in self.links.paused:
            self.links.resume(member)
        self.links.heal()
        numbers = [*self.nodes, *self._starting]
        end = self.kill if self._given is None else self.stop
        try:
            await asyncio.gather(*map(end, numbers))
        finally:
            for doors in self._doors.values():
                for door in doors.values():
                    door.dispose()
            if self._given is None and self._directory is not None:
                shutil.rmtree(self._directory, ignore_errors=True)

    # --- single nodes -------------------------------------------------------------------------

    async def stop(self, node_id: int) -> None:
        """Stop the node in good order, as SIGTERM does. A node that is still starting is killed."""
        self.layout.node(node_id)
        if node_id in self._starting:
            await self.kill(node_id)
            return
        node = self.node(node_id)
        del self.nodes[node_id]
        await node.stop()
        self._cut_off(node_id)

    async def kill(self, node_id: int) -> None:
        """End the node as SIGKILL does: connections break, nobody is told, nothing is flushed."""
        self.layout.node(node_id)
        starting = self._starting.pop(node_id, None)
        node = None if starting is not None else self.node(node_id)
        self._cut_off(node_id)
        if starting is not None:
            starting.cancel()
            await asyncio.gather(starting, return_exceptions=True)
            node = self.nodes.get(node_id)
        self.nodes.pop(node_id, None)
        if node is not None:
            await node.abort()

    def _cut_off(self, node_id: int) -> None:
        """Cut the node off from everything for good, whatever its tasks still do."""
        self.links.bury(node_id)
        for door in self._doors[node_id].values():
            door.close()
        for doors in self._doors.values():
            for door in doors.values():
                door.break_off(node_id)

    async def restart(self, node_id: int) -> None:
        """Stop the node if it runs, start it, and wait until every running broker knows it."""
        if node_id in self.nodes:
            await self.stop(node_id)
        await self.start(node_id)

    def pause(self, node_id: int) -> None:
        """Let the node receive and send nothing, as SIGSTOP does; its connections stay open."""
        self.node(node_id)
        self.links.pause(node_id)

    def resume(self, node_id: int) -> None:
        """Let the node receive and send again what was held back."""
        self.links.resume(self.layout.node(node_id).id)

    # --- links --------------------------------------------------------------------------------

    def cut(self, one: Member, other: Member, *, one_way: bool = False) -> None:
        """Let nothing pass between two members: nodes by number, or CLIENTS.

        With `one_way` only what `one` sends to `other` is held back. Nothing is refused or reset:
        bytes wait until `heal`, as TCP retransmits them.
        """
        self._check(one, other)
        self.links.cut(one, other)
        if not one_way:
            self.links.cut(other, one)

    def isolate(self, node_id: int) -> None:
        """Cut a node off from all other nodes and from clients."""
        self.cut(node_id, CLIENTS)
        for node in self.layout.nodes:
            if node.id != node_id:
                self.cut(node_id, node.id)

    def heal(self) -> None:
        """End all cuts."""
        self.links.heal()

    def _check(self, *members: Member) -> None:
        for member in members:
            if isinstance(member, int):
                self.layout.node(member)
            elif member != CLIENTS:
                raise LayoutError(f"{member!r} is neither a node nor {CLIENTS!r}")


def _id_in(directory: Path | None) -> str | None:
    """The id of the cluster whose data is in a folder; None if there is none that can be read."""
    if directory is None:
        return None
    for node in sorted(directory.glob("node-*")):
        try:
            found = read_meta_properties(real_env().disk, str(node))
        except (OSError, DamagedLogError):
            continue  # the node itself says what is wrong
        if found is not None:
            return found.cluster_id
    return None


def _as_text(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return str(value)
