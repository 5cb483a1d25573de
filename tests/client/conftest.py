"""What the tests against real brokers run on: a node in this process, and Apache Kafka."""

from __future__ import annotations

from collections.abc import AsyncIterator, Iterator
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess

from .brokers import start_node


@pytest.fixture(scope="session")
def kafka_broker(
    kafka_jars: KafkaJars, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[KafkaProcess]:
    """Apache Kafka, started once; tests keep apart by topics of their own."""
    process = KafkaProcess(kafka_jars, tmp_path_factory.mktemp("kafka"))
    process.start()
    yield process
    process.stop()


@pytest.fixture(
    params=["barnabas", pytest.param("kafka", marks=[pytest.mark.kafka, pytest.mark.slow])]
)
async def address(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[str]:
    """`host:port` of a broker that the test has for itself, apart from Kafka's other topics."""
    if request.param == "kafka":
        yield request.getfixturevalue("kafka_broker").address
        return
    node = await start_node(tmp_path)
    try:
        yield f"127.0.0.1:{node.port}"
    finally:
        await node.stop()


@pytest.fixture
def topic(request: pytest.FixtureRequest) -> str:
    """A name that no other test uses."""
    name: str = request.node.name
    return name.replace("[", ".").replace("]", "")
