"""Three nodes of Apache Kafka, each broker and controller, each with a heap of 1 GiB."""

from __future__ import annotations

import re
import shutil
import subprocess

from barnabas.testing.cluster_layout import free_ports

from ..kafka import COMPLETE_FOR_TESTS, FORMAT_TIMEOUT_S, JVM, LIBRARIES, VERSION, fetch_libraries
from ..running import UnavailableError
from .ours import CLUSTER_ID
from .running import HOST, NODES, RACKS, SETTINGS, Cluster


def properties(node: int, ports: dict[int, int], quorum: dict[int, int], directory: str) -> str:
    """server.properties of one node; otherwise Kafka's defaults."""
    settings = {
        "process.roles": "broker,controller",
        "node.id": node,
        "controller.quorum.voters": ",".join(f"{n}@{HOST}:{p}" for n, p in quorum.items()),
        "listeners": f"PLAINTEXT://{HOST}:{ports[node]},CONTROLLER://{HOST}:{quorum[node]}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "broker.rack": RACKS[node],
        "log.dirs": directory,
        "group.initial.rebalance.delay.ms": 0,
        **SETTINGS,
    }
    return "".join(f"{name}={value}\n" for name, value in settings.items())


class Kafka(Cluster):
    """Three brokers that are the quorum too."""

    name = "kafka"
    title = f"Apache Kafka {VERSION}"

    def prepare(self) -> None:
        if not shutil.which("java"):
            raise UnavailableError("no java")
        if not COMPLETE_FOR_TESTS.exists():
            if not shutil.which("mvn"):
                raise UnavailableError("no mvn to fetch it with")
            fetch_libraries()

    def versions(self) -> dict[str, str]:
        command = ["java", "-version"]
        text = subprocess.run(command, capture_output=True, text=True, check=False).stderr
        found = re.search(r'"([^"]+)"', text)
        java = found.group(1) if found else "unknown"
        return {"kafka": VERSION, "java": java, "jvm": " ".join(JVM)}

    def format(self) -> dict[int, list[str]]:
        free = free_ports(2 * len(NODES))
        self.ports = dict(zip(NODES, free[: len(NODES)], strict=True))
        quorum = dict(zip(NODES, free[len(NODES) :], strict=True))
        commands = {}
        for node in NODES:
            file = self.directory / f"server-{node}.properties"
            data = self.directory / f"node-{node}"
            file.write_text(properties(node, self.ports, quorum, str(data)))
            tool = ["java", "-cp", f"{LIBRARIES}/*", "kafka.tools.StorageTool"]
            subprocess.run(
                [*tool, "format", "-t", CLUSTER_ID, "-c", str(file)],
                check=True,
                capture_output=True,
                timeout=FORMAT_TIMEOUT_S,
            )
            java = ["java", *JVM, "-cp", f"{LIBRARIES}/*", "kafka.Kafka", str(file)]
            commands[node] = java
        return commands
