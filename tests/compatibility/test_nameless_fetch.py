"""Apache Kafka's controller answers a Fetch of the metadata log that names no replica."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from pathlib import Path

import pytest
from kit.kafka_jars import KafkaJars
from kit.kafka_process import KafkaProcess

from barnabas.broker.core.raft.messages import Fetch, FetchAnswer, ReplicaKey
from barnabas.broker.server.peer_channel import PeerChannel
from barnabas.broker.server.quorum import wire_requests, wire_responses
from barnabas.broker.storage.files import RealClock
from barnabas.protocol.errors import ErrorCode

pytestmark = [pytest.mark.slow, pytest.mark.kafka]

PATIENCE_MS = 20_000.0


@pytest.fixture
def kafka(kafka_jars: KafkaJars, tmp_path: Path) -> Iterator[KafkaProcess]:
    (tmp_path / "kafka").mkdir()
    process = KafkaProcess(kafka_jars, tmp_path / "kafka")
    try:
        process.start()
        yield process
    finally:
        process.stop()


async def test_kafka_s_leader_tells_the_news_to_who_has_no_name(kafka: KafkaProcess) -> None:
    """595-04, 501-15: what a voter with a stalled disk sends; records, watermark, no error."""
    host, _, port = kafka.controller_address.rpartition(":")
    channel = PeerChannel(
        lambda: (host, int(port)),
        client_id="raft-client-2",
        clock=RealClock(),
        connect_timeout_ms=PATIENCE_MS,
    )
    request = Fetch(kafka.cluster_id, ReplicaKey(-1), 0, 0, 0, 0, 1 << 20)

    async def ask() -> FetchAnswer:
        message = wire_requests.to_wire(request)
        versions = wire_requests.versions_of(request, wire_requests.FETCH)
        response = await channel.call(message, timeout_ms=PATIENCE_MS, versions=versions)
        answer = wire_responses.from_wire(wire_requests.FETCH, response)
        assert isinstance(answer, FetchAnswer)
        return answer

    try:
        async with asyncio.timeout(PATIENCE_MS / 1000):
            answer = await ask()
            while answer.error is not ErrorCode.NONE or answer.high_watermark <= 0:
                request.epoch = max(answer.epoch, 0)
                await asyncio.sleep(0.05)  # it has just started
                answer = await ask()
        assert answer.leader_id == 1
        assert answer.records
    finally:
        channel.close()
