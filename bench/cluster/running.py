"""Three processes that are one cluster: started on empty directories, broken, measured, stopped."""

from __future__ import annotations

import shutil
import signal
import subprocess
import time
from abc import ABC, abstractmethod
from collections.abc import Sequence
from pathlib import Path

from .. import paths, procfs
from ..running import STOP_TIMEOUT_S
from ..wire import RefusedError, Wire, one_record_batch
from .requests import create_topic_request, read_created, read_members

BUILD = paths.ROOT / "build" / "bench-cluster"
DATA = BUILD / "data"
LOGS = BUILD / "logs"
NODES: tuple[int, ...] = (1, 2, 3)
RACKS: dict[int, str] = {1: "a", 2: "b", 3: "c"}
HOST = "127.0.0.1"
START_TIMEOUT_S = 90.0
LOOK_S = 0.002
ATTEMPT_TIMEOUT_S = 2.0
SETTINGS = {
    "num.partitions": "3",
    "default.replication.factor": "3",
    "min.insync.replicas": "2",
    "replica.selector.class": "org.apache.kafka.common.replica.RackAwareReplicaSelector",
}
"""What both are told; everything else is each one's default."""


class Cluster(ABC):
    """Three nodes that are brokers in three racks, and voters."""

    name: str
    title: str

    def __init__(self) -> None:
        self.directory = DATA / self.name
        self.ports: dict[int, int] = {}
        self.processes: dict[int, subprocess.Popen[bytes]] = {}
        self.commands: dict[int, list[str]] = {}

    @abstractmethod
    def prepare(self) -> None:
        """Fetch or build what is needed, once; `UnavailableError` says why it cannot be."""

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """What is measured, for the report."""

    @abstractmethod
    def format(self) -> dict[int, list[str]]:
        """Choose ports, make directories ready; the command line of each node."""

    def environment(self) -> dict[str, str] | None:
        """The nodes' environment; None: this program's."""
        return None

    @property
    def bootstrap(self) -> str:
        """`host:port,…` of all brokers."""
        return ",".join(f"{HOST}:{port}" for port in self.ports.values())

    def start(self) -> dict[str, float]:
        """Start all nodes at once; seconds until each knows three brokers, and to the first record
        that is acknowledged by all of three replicas. `TimeoutError` if it does not come."""
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        LOGS.mkdir(parents=True, exist_ok=True)
        self.commands = self.format()
        started = time.perf_counter()
        for node in NODES:
            self.spawn(node)
        self.wait_for_members(NODES)
        members_s = time.perf_counter() - started
        self.create_topic("first", 3)
        leaders = self.wait_for_leaders("first", 3)
        with Wire(self.ports[leaders[0]]) as connection:
            connection.produce_one("first", 0, one_record_batch(b"first", int(time.time() * 1000)))
        return {
            "start.three_brokers_s": members_s,
            "start.first_ack_s": time.perf_counter() - started,
        }

    def spawn(self, node: int) -> None:
        """Start one node's process; does not wait for it."""
        with self.log_path(node).open("ab") as output:
            self.processes[node] = subprocess.Popen(
                self.commands[node],
                stdout=output,
                stderr=output,
                stdin=subprocess.DEVNULL,
                cwd=self.directory,
                env=self.environment(),
            )

    def log_path(self, node: int) -> Path:
        """What the node printed."""
        return LOGS / f"{self.name}-{node}.log"

    def wait_for_members(self, nodes: Sequence[int]) -> None:
        """Until each of these nodes has all of them in its metadata."""
        deadline = time.perf_counter() + START_TIMEOUT_S
        for node in nodes:
            while not set(nodes) <= self._members(node):
                self._look_again(deadline, f"node {node} does not know all of {list(nodes)}")

    def _members(self, node: int) -> set[int]:
        try:
            with Wire(self.ports[node], ATTEMPT_TIMEOUT_S) as connection:
                return read_members(connection)
        except (OSError, EOFError):
            return set()

    def _look_again(self, deadline: float, reason: str) -> None:
        if time.perf_counter() > deadline:
            raise TimeoutError(f"{self.title}: {reason}; its output is in {LOGS}")
        for node, process in self.processes.items():
            if process.poll() not in (None, 0, -signal.SIGKILL):
                raise TimeoutError(f"{self.title}: node {node} ended, see {self.log_path(node)}")
        time.sleep(LOOK_S)

    def create_topic(
        self, topic: str, partitions: int, assignment: Sequence[Sequence[int]] | None = None
    ) -> None:
        """Create a topic of three replicas, or as assigned; `RefusedError`."""
        with Wire(self.ports[self.running()[0]], START_TIMEOUT_S) as connection:
            read_created(connection.call(create_topic_request(topic, partitions, assignment)))

    def wait_for_leaders(self, topic: str, partitions: int) -> dict[int, int]:
        """Partition to the id of its leader, once all running nodes say the same of all of them."""
        deadline = time.perf_counter() + START_TIMEOUT_S
        running = self.running()
        while True:
            found = [self._leaders(node, topic) for node in running]
            if len(found[0]) == partitions and all(one == found[0] for one in found):
                return found[0]
            self._look_again(deadline, f"{topic} has no leaders")

    def _leaders(self, node: int, topic: str) -> dict[int, int]:
        try:
            with Wire(self.ports[node], ATTEMPT_TIMEOUT_S) as connection:
                state = connection.topic(topic)
        except (OSError, EOFError, RefusedError):
            return {}
        running = self.running()
        if not state.is_ready() or any(one not in running for _, one in state.partitions.values()):
            return {}
        return {index: leader for index, (_, leader) in state.partitions.items()}

    def running(self) -> list[int]:
        """Nodes whose process is there."""
        return [node for node, one in self.processes.items() if one.poll() is None]

    def resident_mb(self) -> float:
        """Resident memory of all nodes, MB."""
        return sum(procfs.resident_mb(self.processes[node].pid) for node in self.running())

    def cpu_seconds(self) -> float:
        """CPU time that all nodes have used."""
        return sum(procfs.cpu_seconds(self.processes[node].pid) for node in self.running())

    def end(self, node: int, number: signal.Signals) -> float:
        """Send SIGKILL or SIGTERM, wait for the end; how many seconds that took."""
        began = time.perf_counter()
        self.processes[node].send_signal(number)
        self.processes[node].wait(STOP_TIMEOUT_S)
        return time.perf_counter() - began

    def bring_back(self, node: int) -> None:
        """Start a node that ended, and wait until everybody knows it."""
        self.spawn(node)
        self.wait_for_members(NODES)

    def stop(self) -> float:
        """SIGTERM to all; seconds until the last is gone. What is left is killed; data goes."""
        began = time.perf_counter()
        for node in self.running():
            self.processes[node].send_signal(signal.SIGTERM)
        for process in self.processes.values():
            try:
                process.wait(STOP_TIMEOUT_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
        return time.perf_counter() - began
