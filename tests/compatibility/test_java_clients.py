"""The Java kafka-clients drive a node: producer, consumer and admin of Apache Kafka 4.3.1."""

from __future__ import annotations

import subprocess
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars

from barnabas.testing.process import NodeProcess

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

SOURCE = Path(__file__).parent / "RoundTrip.java"


def test_java_clients_round_trip(node: NodeProcess, kafka_jars: KafkaJars) -> None:
    """Goal: idempotent and transactional producers, the consumer's sessions (227-01) and admin."""
    result = subprocess.run(
        ["java", "-cp", kafka_jars.classpath, str(SOURCE), node.bootstrap],
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )
    assert result.returncode == 0, result.stdout + result.stderr
    assert result.stdout.endswith("all ok\n")
