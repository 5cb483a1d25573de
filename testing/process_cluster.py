"""A cluster of processes: `barnabas cluster`, the flights, chaos and benchmarks all use this.

The directory holds `cluster.json` (layout and processes), and for each node its log directory
`node-N` and what it printed, `node-N.log`; a secured cluster's has the folder `security`, too.
Whoever has the directory can go on where another program stopped: nodes outlive their starter.
"""

from __future__ import annotations

import asyncio
import json
import os
import signal
import time
from collections.abc import Collection, Iterable
from contextlib import closing
from dataclasses import asdict
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from barnabas.broker.server.peer_channel import PeerChannel, PeerError
from barnabas.broker.server.security.peer_security import OPEN, PeerSecurity
from barnabas.broker.storage.files import RealClock
from barnabas.protocol.messages.describe_cluster_request import DescribeClusterRequest

from .cluster_layout import ClusterLayout, NodeLayout
from .node_process import NODE_MODULE, Pid, exit_status, spawn, wait_for_end
from .secured.folder import SecurityFolder

STATE_FILE = "cluster.json"
START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 30.0
_LOOK_S = 0.02
_ANSWER_MS = 2000.0
_LINES_SHOWN = 20


class ClusterError(RuntimeError):
    """Something that the cluster cannot do, or why it did not start; a text for the user."""


class ProcessCluster:
    """A cluster in a directory; made by `create` or `load`."""

    def __init__(self, directory: Path, layout: ClusterLayout, pids: dict[int, Pid]) -> None:
        self.directory = directory
        self.layout = layout
        self.pids = pids
        self.module = NODE_MODULE
        """The module that each node's process runs."""
        self.environment: dict[str, str] | None = None
        """The environment of each node's process; None: that of this process."""
        self.security: SecurityFolder | None = None
        """Keys and users, if the cluster is secured."""
        if layout.is_secured:
            self.security = SecurityFolder(directory, layout)

    # --- the directory ------------------------------------------------------------------------

    @classmethod
    def create(cls, directory: str | Path, layout: ClusterLayout) -> ProcessCluster:
        """Plan a new cluster; nothing runs yet.

        Raises ClusterError if the directory holds something already.
        """
        directory = Path(directory).absolute()
        if directory.exists() and any(directory.iterdir()):
            raise ClusterError(f"{directory} is not empty: a new cluster needs a folder of its own")
        directory.mkdir(parents=True, exist_ok=True)
        cluster = cls(directory, layout, {})
        cluster.save()
        return cluster

    @classmethod
    def load(cls, directory: str | Path) -> ProcessCluster:
        """The cluster in `directory`. Raises ClusterError if there is none."""
        directory = Path(directory).absolute()
        path = directory / STATE_FILE
        try:
            found = json.loads(path.read_text(encoding="utf-8"))
            layout = ClusterLayout.from_json(found)
            pids = {int(number): Pid(**pid) for number, pid in found["pids"].items()}
        except FileNotFoundError:
            raise ClusterError(
                f"{directory} holds no cluster ({STATE_FILE} is missing); "
                "`barnabas cluster up` makes one"
            ) from None
        except (ValueError, KeyError, TypeError) as error:
            raise ClusterError(f"{path} is damaged: {error!r}") from None
        return cls(directory, layout, pids)

    @staticmethod
    def is_there(directory: str | Path) -> bool:
        """Whether there is a cluster in `directory`."""
        return (Path(directory) / STATE_FILE).exists()

    def save(self) -> None:
        """Write `cluster.json`, completely or not at all."""
        state = self.layout.as_json()
        state["pids"] = {str(number): asdict(pid) for number, pid in self.pids.items()}
        path = self.directory / STATE_FILE
        draft = path.with_suffix(".part")
        draft.write_text(json.dumps(state, indent=2) + "\n", encoding="utf-8")
        os.replace(draft, path)

    # --- looking ------------------------------------------------------------------------------

    @property
    def bootstrap(self) -> str:
        """The addresses of all brokers, as `host:port,…`."""
        return self.layout.bootstrap

    def state_of(self, node_id: int) -> str:
        """The state of a node: `running`, `paused` or `stopped`."""
        pid = self.pids.get(self.layout.node(node_id).id)
        if pid is None or not pid.is_alive:
            return "stopped"
        return "paused" if pid.is_paused else "running"

    def running(self) -> list[NodeLayout]:
        """The nodes whose process exists, including paused ones."""
        return [node for node in self.layout.nodes if self.state_of(node.id) != "stopped"]

    def voters_missing(self) -> int:
        """How many more of the configured controllers must run before one can lead."""
        voters = [node.id for node in self.layout.nodes if node.is_voter]
        active = sum(self.state_of(node_id) == "running" for node_id in voters)
        return max(len(voters) // 2 + 1 - active, 0)

    def pid_of(self, node_id: int) -> int:
        """Raise ClusterError if the node does not run."""
        return self._pid(node_id).number

    def output_of(self, node_id: int) -> Path:
        """The file with the node's output."""
        return self.directory / f"node-{node_id}.log"

    def directory_of(self, node_id: int) -> Path:
        """The node's log directory."""
        return self.directory / f"node-{node_id}"

    def describe(self) -> dict[str, Any]:
        """The state of the cluster, as `--json` prints it."""
        nodes = []
        for node in self.layout.nodes:
            row: dict[str, Any] = {"id": node.id, "state": self.state_of(node.id)}
            pid = self.pids.get(node.id)
            row["pid"] = pid.number if pid is not None and row["state"] != "stopped" else None
            row["roles"] = list(node.roles)
            if node.is_broker:
                row |= {"port": node.port, "rack": node.rack}
            if node.is_voter:
                row["controller_port"] = node.controller_port
            nodes.append(row)
        found: dict[str, Any] = {
            "bootstrap": self.bootstrap,
            "cluster_id": self.layout.cluster_id,
            "directory": str(self.directory),
            "nodes": nodes,
        }
        if self.security is not None:
            found["security"] = self.security.describe()
        return found

    def _pid(self, node_id: int) -> Pid:
        if self.state_of(node_id) == "stopped":
            raise ClusterError(f"node {node_id} does not run")
        return self.pids[node_id]

    # --- starting and ending nodes ------------------------------------------------------------

    def spawn(self, nodes: Iterable[int] | None = None) -> None:
        """Start processes (all that do not run, or these), without waiting for them.

        Raises ClusterError if one of these runs already; SecurityFolderError if keys or users are
        missing.
        """
        if self.security is not None:
            self.security.ensure()
        wanted = [node.id for node in self.layout.nodes] if nodes is None else list(nodes)
        for node_id in wanted:
            node = self.layout.node(node_id)
            if self.state_of(node_id) != "stopped":
                if nodes is None:
                    continue
                raise ClusterError(
                    f"node {node_id} runs already, as process {self.pid_of(node_id)}"
                )
            self.pids[node_id] = spawn(
                self.directory_of(node_id),
                self.layout.settings_of(node),
                self.output_of(node_id),
                self.module,
                self.environment,
                None if self.security is None else self.security.settings_of(node_id),
            )
        self.save()

    def start(self, timeout_s: float = START_TIMEOUT_S) -> Self:
        """Start what does not run, and wait until every broker is unfenced and known to all."""
        self.spawn()
        asyncio.run(self._begin(timeout_s))
        return self

    async def _begin(self, timeout_s: float) -> None:
        await self.wait_until_ready(timeout_s)
        if self.security is not None and not self.security.has_granted:
            # Not at the top: a program that only looks at a cluster needs no client.
            from .secured.grants import grant

            await grant(self.security)

    async def wait_until_ready(self, timeout_s: float = START_TIMEOUT_S) -> None:
        """Wait until each running broker's metadata names every running broker, unfenced.

        Paused nodes are not waited for. Raises ClusterError with the last lines of a node that
        ended, or that stays away.
        """
        deadline = time.monotonic() + timeout_s
        waiting = [node for node in self.layout.brokers if self.state_of(node.id) == "running"]
        expected = {node.id for node in waiting}
        for node in waiting:
            with closing(self._channel(node)) as channel:
                while not expected <= await _active_brokers(channel, self.layout.cluster_id):
                    self._check_alive()
                    if time.monotonic() > deadline:
                        raise ClusterError(
                            f"node {node.id} does not know all of {sorted(expected)} as active "
                            f"after {timeout_s:.0f} s:\n{self._last_lines(node.id)}"
                        )
                    await asyncio.sleep(_LOOK_S)

    def _channel(self, node: NodeLayout) -> PeerChannel:
        address, security = (self.layout.host, node.port), OPEN
        if self.security is not None:
            # With the certificate of the node itself, so that changes of users do not matter.
            address = (self.layout.host, node.broker_port)
            security = PeerSecurity(self.security.context_of_node(node.id))
        return PeerChannel(
            lambda: address, client_id="barnabas-cluster", clock=RealClock(), security=security
        )

    def _check_alive(self) -> None:
        for node_id in self.pids:
            status = exit_status(self.pids[node_id])
            if status is not None and status > 0:
                raise ClusterError(
                    f"node {node_id} ended with status {status}:\n{self._last_lines(node_id)}"
                )

    def _last_lines(self, node_id: int) -> str:
        try:
            text = self.output_of(node_id).read_text(encoding="utf-8", errors="replace")
        except OSError:
            return ""
        return "\n".join(text.splitlines()[-_LINES_SHOWN:])

    def stop(self, node_id: int, timeout_s: float = STOP_TIMEOUT_S) -> None:
        """Send SIGTERM and wait for the end. Raises ClusterError if the node does not end."""
        pid = self._pid(node_id)
        pid.signal(signal.SIGCONT)
        pid.signal(signal.SIGTERM)
        self._wait(node_id, timeout_s)

    def kill(self, node_id: int) -> None:
        """Send SIGKILL and wait for the end: the node cleans nothing up."""
        self._pid(node_id).signal(signal.SIGKILL)
        self._wait(node_id, STOP_TIMEOUT_S)

    def pause(self, node_id: int) -> None:
        """Send SIGSTOP: the process keeps its sockets and stays silent."""
        self._pid(node_id).signal(signal.SIGSTOP)

    def resume(self, node_id: int) -> None:
        """Send SIGCONT: the process goes on."""
        self._pid(node_id).signal(signal.SIGCONT)

    def restart(self, node_id: int) -> None:
        """Stop the node if it runs, then start it; does not wait until it is ready."""
        if self.state_of(node_id) != "stopped":
            self.stop(node_id)
        self.spawn([node_id])

    def down(
        self, timeout_s: float = STOP_TIMEOUT_S, *, without: Collection[int] = ()
    ) -> list[int]:
        """Stop all nodes at the same time, except some; returns those that had to be killed."""
        pids = {node.id: self.pids[node.id] for node in self.running() if node.id not in without}
        for pid in pids.values():
            pid.signal(signal.SIGCONT)
            pid.signal(signal.SIGTERM)
        deadline = time.monotonic() + timeout_s
        killed = []
        for node_id, pid in pids.items():
            if not wait_for_end(pid, max(deadline - time.monotonic(), 0.1)):
                pid.signal(signal.SIGKILL)
                wait_for_end(pid, STOP_TIMEOUT_S)
                killed.append(node_id)
        return killed

    def _wait(self, node_id: int, timeout_s: float) -> None:
        if not wait_for_end(self.pids[node_id], timeout_s):
            raise ClusterError(f"node {node_id} has not ended within {timeout_s:.0f} s")

    def __enter__(self) -> Self:
        try:
            return self if self.running() else self.start()
        except BaseException:
            self.down()
            raise

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.down()


async def _active_brokers(channel: PeerChannel, cluster_id: str) -> set[int]:
    """The unfenced brokers in one node's metadata; none if it does not answer, or if another
    cluster does, which had the port before."""
    try:
        asked = DescribeClusterRequest(include_fenced_brokers=True)
        found = await channel.call(asked, timeout_ms=_ANSWER_MS)
    except PeerError:
        return set()
    if found.cluster_id != cluster_id:
        return set()
    return {broker.broker_id for broker in found.brokers if not broker.is_fenced}
