"""Apache Kafka's own classes for the tests that ask them: fetched by Maven once, into `build/`.

`BARNABAS_KAFKA_LIB` names a folder that has the jars already. Where neither they nor Maven and
Java are there, the test is skipped and says why.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from pathlib import Path

import pytest

KAFKA_VERSION = "4.3.1"
ROOT = Path(__file__).resolve().parent.parent
CACHE = ROOT / "build" / "kafka"
_DONE = ".complete"
_FETCH_TIMEOUT_S = 600
_JAVA = ("java", "-Xshare:auto", "-XX:TieredStopAtLevel=1")

_DEPENDENCIES = (
    ("org.apache.kafka", "kafka_2.13", KAFKA_VERSION),
    ("org.apache.kafka", "kafka-tools", KAFKA_VERSION),
    ("org.apache.kafka", "kafka-shell", KAFKA_VERSION),
    ("org.slf4j", "slf4j-nop", "1.7.36"),
)


class KafkaJars:
    """A folder of jars, and how to run a class out of it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder

    @property
    def classpath(self) -> str:
        """For `java -cp`."""
        return f"{self.folder}/*"

    def run(
        self, main_class: str, *arguments: str, timeout_s: float = 120
    ) -> subprocess.CompletedProcess[str]:
        """Run a class to its end, output captured as text."""
        return subprocess.run(
            [*_JAVA, "-cp", self.classpath, main_class, *arguments],
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )


def _pom() -> str:
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>"
        f"<version>{version}</version></dependency>"
        for group, name, version in _DEPENDENCIES
    )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0">'
        "<modelVersion>4.0.0</modelVersion><groupId>barnabas</groupId>"
        "<artifactId>kafka-beside</artifactId><version>1</version><packaging>pom</packaging>"
        f"<dependencies>{dependencies}</dependencies></project>"
    )


def _fetch(folder: Path) -> str | None:
    """Let Maven copy the jars to `folder`; the reason if it could not."""
    pom = folder.parent / "pom.xml"
    pom.write_text(_pom())
    command = ["mvn", "-q", "-B", "-f", str(pom), "dependency:copy-dependencies"]
    try:
        done = subprocess.run(
            [*command, f"-DoutputDirectory={folder}"],
            capture_output=True,
            text=True,
            timeout=_FETCH_TIMEOUT_S,
            check=False,
        )
    except subprocess.TimeoutExpired:
        return f"Maven did not fetch Kafka's jars in {_FETCH_TIMEOUT_S} s"
    if done.returncode != 0:
        return f"Maven could not fetch Kafka's jars: {done.stdout[-300:]}{done.stderr[-300:]}"
    (folder / _DONE).touch()
    return None


def find_jars() -> KafkaJars:
    """The jars, fetched if need be; skips the calling test, with the reason, without them."""
    if shutil.which("java") is None:
        pytest.skip("no Java on this machine")
    given = os.environ.get("BARNABAS_KAFKA_LIB")
    if given:
        if not list(Path(given).glob("kafka-clients-*.jar")):
            pytest.skip(f"BARNABAS_KAFKA_LIB={given} holds no kafka-clients jar")
        return KafkaJars(Path(given))
    folder = CACHE / "lib"
    CACHE.mkdir(parents=True, exist_ok=True)
    with (CACHE / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes may ask at once
        if not (folder / _DONE).exists():
            if shutil.which("mvn") is None:
                pytest.skip("no Maven on this machine to fetch Kafka's jars with")
            reason = _fetch(folder)
            if reason is not None:
                pytest.skip(reason)
    return KafkaJars(folder)


@pytest.fixture(scope="session")
def kafka_jars() -> KafkaJars:
    """Apache Kafka's classes; a test that asks for them carries the mark `kafka`."""
    return find_jars()
