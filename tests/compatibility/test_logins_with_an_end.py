"""Other libraries' producers on a listener whose logins end every two seconds (KIP-368)."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars
from kit.secured import CA, PASSWORD, USER

from .locked_node import ports

pytestmark = pytest.mark.slow

SESSION_MS = 2000
COUNT = 60
PAUSE_S = 0.1
"""Between two records, so that sessions end while the producer works, and none is just idle."""


def paced() -> Iterator[int]:
    """Numbers, one after the other, for three sessions."""
    for number in range(COUNT):
        yield number
        time.sleep(PAUSE_S)


def by_confluent(address: str) -> int:
    from confluent_kafka import Producer

    producer = Producer(
        {
            "bootstrap.servers": address,
            "security.protocol": "SASL_SSL",
            "ssl.ca.location": CA,
            "sasl.mechanism": "SCRAM-SHA-256",
            "sasl.username": USER,
            "sasl.password": PASSWORD,
        }
    )
    told: list[object] = []
    for number in paced():
        producer.produce("t", str(number).encode(), callback=lambda error, _: told.append(error))
        assert producer.flush(10) == 0
    return told.count(None)


def by_kafka_python(address: str) -> int:
    from kafka import KafkaProducer

    producer = KafkaProducer(
        bootstrap_servers=address,
        security_protocol="SASL_SSL",
        ssl_cafile=CA,
        sasl_mechanism="PLAIN",
        sasl_plain_username=USER,
        sasl_plain_password=PASSWORD,
    )
    stored = [producer.send("t", str(number).encode()).get(timeout=10) for number in paced()]
    producer.close()
    return len(stored)


@pytest.mark.parametrize("work", [by_confluent, by_kafka_python])
async def test_libraries(tmp_path: Path, work: Callable[[str], int]) -> None:
    """SASL-16..18: it renews its login, or logs in anew, and every record is acknowledged."""
    async with ports(tmp_path, connections_max_reauth_ms=str(SESSION_MS)) as addresses:
        assert await asyncio.to_thread(work, addresses["SASL_SSL"]) == COUNT


@pytest.mark.kafka
async def test_java(tmp_path: Path, kafka_jars: KafkaJars) -> None:
    """SASL-16..18: the same by Kafka's own client, which renews."""
    config = tmp_path / "client.properties"
    module = "org.apache.kafka.common.security.scram.ScramLoginModule"
    config.write_text(
        "security.protocol=SASL_SSL\nssl.truststore.type=PEM\n"
        f"ssl.truststore.location={CA}\nsasl.mechanism=SCRAM-SHA-512\n"
        f'sasl.jaas.config={module} required username="{USER}" password="{PASSWORD}";\n'
    )
    async with ports(tmp_path / "node", connections_max_reauth_ms=str(SESSION_MS)) as addresses:
        work = partial(
            kafka_jars.run,
            "org.apache.kafka.tools.VerifiableProducer",
            *("--bootstrap-server", addresses["SASL_SSL"], "--topic", "t"),
            *("--max-messages", str(COUNT), "--throughput", "10"),
            *("--command-config", str(config)),
        )
        done = await asyncio.to_thread(work)
    assert done.returncode == 0, done.stdout + done.stderr
    assert done.stdout.count("producer_send_success") == COUNT, done.stdout
