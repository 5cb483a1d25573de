"""Apache Kafka 4.3.1, fetched by Maven: the measure that barnabas is held against."""

from __future__ import annotations

import re
import shutil
import subprocess

from . import paths
from .running import PARTITIONS, SEGMENT_BYTES, Broker, TlsListener, UnavailableError, free_port

VERSION = "4.3.1"
ARTIFACTS = (
    ("org.apache.kafka", "kafka_2.13", VERSION),
    ("org.apache.kafka", "kafka-tools", VERSION),
    ("org.slf4j", "slf4j-nop", "1.7.36"),
)
JVM = ("-Xmx1G", "-Xms1G", "-XX:+UseG1GC", "-XX:MaxGCPauseMillis=20")
LIBRARIES = paths.KAFKA / "lib"
COMPLETE = paths.KAFKA / f"complete-{VERSION}"
COMPLETE_FOR_TESTS = LIBRARIES / ".complete"
"""The tests' own mark: they keep the same jars there, and more."""
MAVEN_TIMEOUT_S = 900
FORMAT_TIMEOUT_S = 120

POM = """\
<project xmlns="http://maven.apache.org/POM/4.0.0">
  <modelVersion>4.0.0</modelVersion>
  <groupId>barnabas</groupId><artifactId>bench</artifactId><version>1</version>
  <dependencies>
{dependencies}
  </dependencies>
</project>
"""
DEPENDENCY = (
    "    <dependency><groupId>{}</groupId><artifactId>{}</artifactId>"
    "<version>{}</version></dependency>"
)


def properties(
    port: int, controller_port: int, directory: str, tls: TlsListener | None = None
) -> str:
    """server.properties of one node that is broker and controller, otherwise Kafka's defaults."""
    settings = {
        "process.roles": "broker,controller",
        "node.id": 1,
        "controller.quorum.bootstrap.servers": f"127.0.0.1:{controller_port}",
        "listeners": f"PLAINTEXT://127.0.0.1:{port},CONTROLLER://127.0.0.1:{controller_port}",
        "controller.listener.names": "CONTROLLER",
        "listener.security.protocol.map": "CONTROLLER:PLAINTEXT,PLAINTEXT:PLAINTEXT",
        "log.dirs": directory,
        "num.partitions": PARTITIONS,
        "log.segment.bytes": SEGMENT_BYTES,
        "offsets.topic.replication.factor": 1,
        "transaction.state.log.replication.factor": 1,
        "transaction.state.log.min.isr": 1,
        "share.coordinator.state.topic.replication.factor": 1,
        "share.coordinator.state.topic.min.isr": 1,
    }
    if tls is not None:
        settings["listeners"] = f"{settings['listeners']},{tls.address}"
        settings["listener.security.protocol.map"] = (
            f"{settings['listener.security.protocol.map']},SSL:SSL"
        )
        settings |= {**tls.settings, "ssl.keystore.type": "PEM"}
    return "".join(f"{name}={value}\n" for name, value in settings.items())


def fetch_libraries() -> None:
    """Kafka's jars and what they need into build/kafka/lib, unless all of them are there."""
    if COMPLETE.exists():
        return
    shutil.rmtree(LIBRARIES, ignore_errors=True)
    paths.KAFKA.mkdir(parents=True, exist_ok=True)
    dependencies = "\n".join(DEPENDENCY.format(*artifact) for artifact in ARTIFACTS)
    (paths.KAFKA / "pom.xml").write_text(POM.format(dependencies=dependencies))
    command = ["mvn", "-q", "-B", "dependency:copy-dependencies", f"-DoutputDirectory={LIBRARIES}"]
    result = subprocess.run(
        command,
        cwd=paths.KAFKA,
        capture_output=True,
        text=True,
        check=False,
        timeout=MAVEN_TIMEOUT_S,
    )
    if result.returncode:
        tail = (result.stdout + result.stderr).strip().splitlines()[-1:]
        raise UnavailableError(f"Maven could not fetch Kafka {VERSION}: {' '.join(tail)}")
    COMPLETE.touch()


class Kafka(Broker):
    """One node, broker and controller, with a heap of 1 GiB."""

    name = "kafka"
    title = f"Apache Kafka {VERSION}"

    def prepare(self) -> None:
        if not shutil.which("java"):
            raise UnavailableError("no java")
        if COMPLETE_FOR_TESTS.exists():
            return
        if not COMPLETE.exists() and not shutil.which("mvn"):
            raise UnavailableError("no mvn to fetch it with")
        fetch_libraries()

    def versions(self) -> dict[str, str]:
        text = subprocess.run(
            ["java", "-version"], capture_output=True, text=True, check=False
        ).stderr
        found = re.search(r'"([^"]+)"', text)
        return {
            "kafka": VERSION,
            "java": found.group(1) if found else "unknown",
            "jvm": " ".join(JVM),
        }

    def format(self) -> list[str]:
        configuration = self.directory / "server.properties"
        data = self.directory / "data"
        text = properties(self.port, free_port(), str(data), self.tls)
        more = "".join(f"{name}={value}\n" for name, value in self.settings.items())
        configuration.write_text(text + more)
        java = ["java", "-cp", f"{LIBRARIES}/*"]
        tool = [*java, "kafka.tools.StorageTool"]
        cluster_id = self._run([*tool, "random-uuid"]).strip()
        self._run([*tool, "format", "--standalone", "-t", cluster_id, "-c", str(configuration)])
        return [java[0], *JVM, *java[1:], "kafka.Kafka", str(configuration)]

    def _run(self, command: list[str]) -> str:
        return subprocess.run(
            command, check=True, capture_output=True, text=True, timeout=FORMAT_TIMEOUT_S
        ).stdout
