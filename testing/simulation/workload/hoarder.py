"""Clients that have a node hold memory for them: answers that they do not read, requests that they
do not end, sessions of what does not exist, and requests that wait.

All of a run's go to the same node at the same time, which is another one each second. What the node
holds then is looked at (`checks/memory.py`).
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from random import Random
from typing import Final

from barnabas.client import Admin, NewTopic
from barnabas.protocol.header import encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages.describe_configs_request import (
    DescribeConfigsRequest,
    DescribeConfigsResource,
)
from barnabas.protocol.messages.fetch_request import FetchPartition, FetchRequest, FetchTopic
from barnabas.protocol.messages.produce_request import (
    PartitionProduceData,
    ProduceRequest,
    TopicProduceData,
)
from barnabas.protocol.record_builder import RecordBatchBuilder
from barnabas.testing.simulation.clock import EPOCH_MS
from barnabas.testing.simulation.settings import CLIENT_PORT, HOARDED_FRAME_BYTES

from .clients import Office
from .retrying import started, until_done

TOPIC: Final = "hoard"
TURN_S: Final = 1.0
"""Time after which they go to the next node."""
PAUSE_S: Final = 0.1
STAY_S: Final = 0.4
"""Time for which one holds on to what it has."""
LOOKS_S: Final = (0.03, 0.3)
"""Times between looks at the node: when it has taken the first, and when it has taken all."""

CONNECTIONS: Final = 4
DESCRIPTIONS: Final = 30
HALF_OF_100: Final = 90
SESSIONS: Final = 4
SESSION_PARTITIONS: Final = 450
WAITING: Final = 12
VALUE_BYTES: Final = 30_000
PARKED: Final = 90
FETCHED_BYTES: Final = 100_000
BROKER: Final = 4

Look = Callable[[int], object]
"""Looks at what a node holds, by its id."""


class Hoarder:
    """One such client."""

    def __init__(self, office: Office, name: str, random: Random, look: Look) -> None:
        self._office = office
        self._name = name
        self._random = random
        self._look = look

    async def run(self) -> None:
        """Until the run is healed."""
        ways = (self._deaf, self._half, self._sessions, self._waiting, self._parked)
        while not self._office.is_over:
            await asyncio.sleep(self._random.expovariate(1.0 / PAUSE_S))
            node_id = 1 + int(self._office.now_s / TURN_S) % self._office.profile.brokers
            frames, connections = self._random.choice(ways)(node_id)
            held = [self._hold(node_id, frames) for _ in range(connections)]
            await asyncio.gather(self._look_soon(node_id), *held)

    async def _look_soon(self, node_id: int) -> None:
        for seconds in LOOKS_S:
            await asyncio.sleep(seconds)
            self._look(node_id)

    async def _hold(self, node_id: int, frames: list[bytes]) -> None:
        writer = None
        try:
            async with asyncio.timeout(STAY_S):
                _, writer = await asyncio.open_connection(f"node-{node_id}", CLIENT_PORT, limit=1)
                writer.write(b"".join(frames))
                await asyncio.sleep(STAY_S)
        except OSError:  # TimeoutError is one
            pass
        finally:
            if writer is not None:
                writer.close()

    def _frame(self, request: Message, version: int) -> bytes:
        return encode_request(request, version, 1, self._name)

    # --- ways to have memory held: frames, and over how many connections ------------------------

    def _deaf(self, node_id: int) -> tuple[list[bytes], int]:
        """Small questions with large answers, which nobody reads."""
        resource = DescribeConfigsResource(resource_type=BROKER, resource_name=str(node_id))
        resource.configuration_keys = None
        request = DescribeConfigsRequest(
            resources=[resource], include_synonyms=True, include_documentation=True
        )
        return [self._frame(request, 4)] * DESCRIPTIONS, CONNECTIONS

    def _half(self, node_id: int) -> tuple[list[bytes], int]:
        """Most of a large request."""
        del node_id
        frame = self._frame(_produced(bytes(HOARDED_FRAME_BYTES * 9 // 10)), 9)
        return [frame[: len(frame) * HALF_OF_100 // 100]], CONNECTIONS

    def _sessions(self, node_id: int) -> tuple[list[bytes], int]:
        """Fetch sessions of partitions that do not exist."""
        del node_id
        partitions = [FetchPartition(partition=number) for number in range(SESSION_PARTITIONS)]
        topic = FetchTopic(topic_id=bytes(15) + b"\x66", partitions=partitions)
        request = FetchRequest(session_id=0, session_epoch=0, topics=[topic])
        return [self._frame(request, 16)] * SESSIONS, 1

    def _waiting(self, node_id: int) -> tuple[list[bytes], int]:
        """Records that wait for acknowledgements; with a second partition they go the slow way."""
        del node_id
        builder = RecordBatchBuilder()
        at_ms = EPOCH_MS + int(self._office.now_s * 1000)
        builder.append(at_ms, None, self._random.randbytes(VALUE_BYTES))
        return [self._frame(_produced(bytes(builder.build())), 9)] * WAITING, 1

    def _parked(self, node_id: int) -> tuple[list[bytes], int]:
        """Fetches that find much and ask for more."""
        del node_id
        asked = FetchPartition(partition=0, fetch_offset=0, partition_max_bytes=FETCHED_BYTES)
        request = FetchRequest(
            max_wait_ms=2000,
            min_bytes=1 << 30,
            max_bytes=1 << 30,
            session_epoch=-1,
            topics=[FetchTopic(topic=TOPIC, partitions=[asked])],
        )
        return [self._frame(request, 11)] * PARKED, 1


def _produced(records: bytes) -> ProduceRequest:
    rows = [
        PartitionProduceData(index=0, records=records),
        PartitionProduceData(index=99, records=records[:1]),
    ]
    return ProduceRequest(
        acks=-1, timeout_ms=2000, topic_data=[TopicProduceData(name=TOPIC, partition_data=rows)]
    )


async def create_topic(office: Office) -> None:
    """Make the topic that they write to; tries until it is there."""
    note = office.history.note_error
    admin = await started(office, lambda: Admin(**office.options("setup")), note)
    assert admin is not None
    new = NewTopic(TOPIC, 1, office.profile.replication_factor)
    await until_done(lambda: admin.create_topics([new]), note)
    await admin.stop()
