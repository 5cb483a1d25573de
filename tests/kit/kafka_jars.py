"""Apache Kafka's own classes for the tests that ask them: fetched by Maven once, into `build/`.

`BARNABAS_KAFKA_LIB` names a folder that has the jars already. Where neither they nor Maven and
Java are there, the test is skipped and says why.
"""

from __future__ import annotations

import fcntl
import os
import shutil
import subprocess
from collections.abc import Sequence
from pathlib import Path

import pytest

KAFKA_VERSION = "4.3.1"
ROOT = Path(__file__).resolve().parent.parent.parent
_DONE = ".complete"
_FETCH_TIMEOUT_S = 600
_JAVA = ("java", "-Xshare:auto", "-XX:TieredStopAtLevel=1")

Artifact = tuple[str, str, str]
"""Group, name and version, as Maven has them."""

_DEPENDENCIES: tuple[Artifact, ...] = (
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

    def command(self, main_class: str, *arguments: str) -> list[str]:
        """How to run a class, for a process beside the test."""
        return [*_JAVA, "-cp", self.classpath, main_class, *arguments]

    def run(
        self, main_class: str, *arguments: str, timeout_s: float = 120
    ) -> subprocess.CompletedProcess[str]:
        """Run a class to its end, output captured as text."""
        return subprocess.run(
            self.command(main_class, *arguments),
            capture_output=True,
            text=True,
            timeout=timeout_s,
            check=False,
        )


def _pom(artifacts: Sequence[Artifact], with_theirs: bool) -> str:
    nothing_else = (
        ""
        if with_theirs
        else "<exclusions><exclusion><groupId>*</groupId><artifactId>*</artifactId></exclusion>"
        "</exclusions>"
    )
    dependencies = "".join(
        f"<dependency><groupId>{group}</groupId><artifactId>{name}</artifactId>"
        f"<version>{version}</version>{nothing_else}</dependency>"
        for group, name, version in artifacts
    )
    return (
        '<project xmlns="http://maven.apache.org/POM/4.0.0">'
        "<modelVersion>4.0.0</modelVersion><groupId>barnabas</groupId>"
        "<artifactId>for-tests</artifactId><version>1</version><packaging>pom</packaging>"
        f"<dependencies>{dependencies}</dependencies></project>"
    )


def _fetch(folder: Path, text: str) -> str | None:
    """Let Maven copy the jars to `folder`; the reason if it could not."""
    pom = folder.parent / "pom.xml"
    pom.write_text(text)
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
        return f"Maven did not fetch {folder.parent.name} in {_FETCH_TIMEOUT_S} s"
    if done.returncode != 0:
        said = f"{done.stdout[-300:]}{done.stderr[-300:]}"
        return f"Maven could not fetch {folder.parent.name}: {said}"
    (folder / _DONE).touch()
    return None


def fetched(name: str, artifacts: Sequence[Artifact], *, with_theirs: bool = True) -> Path:
    """The folder with these jars and, unless told otherwise, with those that they need.

    Skips the calling test, with the reason, where Maven is missing or cannot have them.
    """
    cache = ROOT / "build" / name
    folder = cache / "lib"
    cache.mkdir(parents=True, exist_ok=True)
    with (cache / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)  # several test processes may ask at once
        if not (folder / _DONE).exists():
            if shutil.which("mvn") is None:
                pytest.skip("no Maven on this machine to fetch jars with")
            reason = _fetch(folder, _pom(artifacts, with_theirs))
            if reason is not None:
                pytest.skip(reason)
    return folder


def find_jars() -> KafkaJars:
    """The jars, fetched if need be; skips the calling test, with the reason, without them."""
    if shutil.which("java") is None:
        pytest.skip("no Java on this machine")
    given = os.environ.get("BARNABAS_KAFKA_LIB")
    if given:
        if not list(Path(given).glob("kafka-clients-*.jar")):
            pytest.skip(f"BARNABAS_KAFKA_LIB={given} holds no kafka-clients jar")
        return KafkaJars(Path(given))
    return KafkaJars(fetched("kafka", _DEPENDENCIES))


@pytest.fixture(scope="session")
def kafka_jars() -> KafkaJars:
    """Apache Kafka's classes; a test that asks for them carries the mark `kafka`."""
    return find_jars()
