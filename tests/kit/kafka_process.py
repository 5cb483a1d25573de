"""Apache Kafka as a process beside the tests, where its jars and Java are there."""

from __future__ import annotations

import socket
import subprocess
import time
from collections.abc import Mapping
from pathlib import Path

from barnabas.testing.cluster_layout import free_ports

from .kafka_jars import KafkaJars

START_TIMEOUT_S = 150.0


class KafkaProcess:
    """One node, broker and controller, formatted anew."""

    def __init__(
        self, jars: KafkaJars, directory: Path, settings: Mapping[str, str] | None = None
    ) -> None:
        self._jars = jars
        self._directory = directory
        self._settings = dict(settings or {})
        self._process: subprocess.Popen[bytes] | None = None
        self.address = ""
        self.controller_address = ""
        self.cluster_id = ""
        self.data = directory / "data"

    def start(self) -> None:
        """Format, start, wait until it takes connections."""
        port, controller = free_ports(2)
        self.address = f"127.0.0.1:{port}"
        self.controller_address = f"127.0.0.1:{controller}"
        properties = self._directory / "server.properties"
        properties.write_text(
            f"process.roles=broker,controller\nnode.id=1\nlog.dirs={self.data}\n"
            f"controller.quorum.bootstrap.servers=127.0.0.1:{controller}\n"
            f"listeners=PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller}\n"
            "controller.listener.names=CONTROLLER\n"
            "listener.security.protocol.map=CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT\n"
            "offsets.topic.replication.factor=1\ntransaction.state.log.replication.factor=1\n"
            "transaction.state.log.min.isr=1\n"
            + "".join(f"{name}={value}\n" for name, value in self._settings.items())
        )
        tool = "kafka.tools.StorageTool"
        self.cluster_id = self._jars.run(tool, "random-uuid").stdout.strip()
        formatted = self._jars.run(
            tool, "format", "--standalone", "-t", self.cluster_id, "-c", str(properties)
        )
        assert formatted.returncode == 0, formatted.stderr
        self._run(port)

    def _run(self, port: int) -> None:
        properties = self._directory / "server.properties"
        output = (self._directory / "output.txt").open("ab")
        command = ["java", "-Xmx512M", "-XX:+UseSerialGC", "-cp", self._jars.classpath]
        with output:
            self._process = subprocess.Popen(
                [*command, "kafka.Kafka", str(properties)], stdout=output, stderr=output
            )
        self._await_port(port)

    def restart(self) -> None:
        """Stop it cleanly and start it again, on the same port and data."""
        self.stop()
        self._run(int(self.address.rpartition(":")[2]))

    def _await_port(self, port: int) -> None:
        deadline = time.monotonic() + START_TIMEOUT_S
        while time.monotonic() < deadline:
            try:
                socket.create_connection(("127.0.0.1", port), timeout=1).close()
                return
            except OSError:
                assert self._process is not None
                assert self._process.poll() is None, (self._directory / "output.txt").read_text()
                time.sleep(0.1)  # another process: nothing to wait on but its port
        raise AssertionError(f"Kafka did not listen on {port} in {START_TIMEOUT_S} s")

    def stop(self) -> None:
        """SIGTERM, then SIGKILL."""
        if self._process is None:
            return
        self._process.terminate()
        try:
            self._process.wait(20)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
