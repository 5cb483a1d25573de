"""A broker without a metadata log, on a free port, and a client that sends frames by hand."""

from __future__ import annotations

import asyncio
import itertools
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace
from typing import Any

from barnabas.broker.core.cluster.commands import AllocateProducerIds, ProducerIdBlock
from barnabas.broker.core.cluster.image import RESOURCE_TOPIC, ClusterImage
from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.ports import Env
from barnabas.broker.core.replication.log_loading import LogLoader
from barnabas.broker.observe.logging import Logger
from barnabas.broker.observe.metrics import Metrics
from barnabas.broker.server.broker import Broker
from barnabas.broker.storage.files import real_env
from barnabas.protocol.apis import api
from barnabas.protocol.header import decode_response_header, encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages.config_record import ConfigRecord
from barnabas.protocol.messages.partition_change_record import PartitionChangeRecord
from barnabas.protocol.messages.partition_record import PartitionRecord
from barnabas.protocol.messages.remove_topic_record import RemoveTopicRecord
from barnabas.protocol.messages.topic_record import TopicRecord

NODE_ID = 1


async def until(condition: Callable[[], object]) -> None:
    """Let the broker, which runs on this loop, go on until the condition holds."""
    while not condition():  # noqa: ASYNC110 - the broker knows no events of ours
        await asyncio.sleep(0)


class ListLogger(Logger):
    """Keeps what is logged."""

    def __init__(self) -> None:
        super().__init__()
        self.lines: list[tuple[str, str, dict[str, object]]] = []

    def _write(self, level: str, event: str, fields: dict[str, object]) -> None:
        self.lines.append((level, event, fields))

    def events(self, event: str) -> list[dict[str, object]]:
        """Fields of the lines with this event."""
        return [fields for _, found, fields in self.lines if found == event]


class LocalMetadata:
    """Applies records at once; hands out producer ids."""

    def __init__(self) -> None:
        self.image = ClusterImage("a-cluster")
        self.next_producer_id = 1000

    async def submit(self, command: Any) -> Any:
        assert isinstance(command, AllocateProducerIds)
        first = self.next_producer_id
        self.next_producer_id += 1000
        return ProducerIdBlock(first, 1000)


class LocalMembership:
    """A broker that is its own cluster: nothing is sent on, and what it knows is fresh."""

    quorum: Any = SimpleNamespace(kraft_version=1)
    controllers: Any = None
    broker_epoch = 1
    is_here = True

    def __init__(self, metadata: LocalMetadata, env: Env) -> None:
        self.metadata = metadata
        self._env = env
        self.staleness_ms = 0.0

    @property
    def image(self) -> ClusterImage:
        return self.metadata.image

    @property
    def metadata_fresh_since_ms(self) -> float:
        return self._env.clock.monotonic_ms() - self.staleness_ms

    def forward(self, request: Any, version: int) -> Any:
        raise AssertionError("nothing is sent on")


class Bench:
    """A running broker, and what a test wants to do to it."""

    def __init__(self, broker: Broker, metadata: LocalMetadata, log: ListLogger) -> None:
        self.broker = broker
        self.metadata = metadata
        self.log = log
        self._ids = itertools.count(1)

    @property
    def port(self) -> int:
        return self.broker.listeners[0].port

    def apply(self, *records: Message) -> None:
        """Take records into the image, and tell the replica store."""
        image = self.metadata.image
        for record in records:
            image.apply(record, image.last_offset + 1)
        self.broker.replicas.on_image(image, image.take_changes())

    def create_topic(self, name: str, partitions: int = 1, **configs: object) -> bytes:
        """A topic whose partitions live here; configs with _ for . in their names."""
        topic_id = next(self._ids).to_bytes(16, "big")
        records: list[Message] = [TopicRecord(name=name, topic_id=topic_id)]
        records += [
            ConfigRecord(
                resource_type=RESOURCE_TOPIC,
                resource_name=name,
                name=key.replace("_", "."),
                value=str(value),
            )
            for key, value in configs.items()
        ]
        records += [
            PartitionRecord(
                partition_id=index,
                topic_id=topic_id,
                replicas=[NODE_ID],
                isr=[NODE_ID],
                leader=NODE_ID,
                leader_epoch=0,
                partition_epoch=0,
            )
            for index in range(partitions)
        ]
        self.apply(*records)
        return topic_id

    def new_epoch(self, topic_id: bytes, index: int = 0, leader: int = NODE_ID) -> None:
        """Begin a new leader epoch of a partition."""
        self.apply(PartitionChangeRecord(partition_id=index, topic_id=topic_id, leader=leader))

    def delete_topic(self, topic_id: bytes) -> None:
        self.apply(RemoveTopicRecord(topic_id=topic_id))

    def connect(self) -> RawClient:
        return RawClient("127.0.0.1", self.port)


class RawClient:
    """Sends requests and reads answers, in any order and as broken as a test likes."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._correlation = itertools.count(1)

    async def __aenter__(self) -> RawClient:
        self.reader, self.writer = await asyncio.open_connection(*self._address)
        return self

    async def __aexit__(self, *_: object) -> None:
        self.writer.close()
        with suppress(OSError):
            await self.writer.wait_closed()

    def frame(self, request: Message, version: int) -> bytes:
        """The whole frame of a request."""
        return encode_request(request, version, next(self._correlation), "raw")

    def send(self, request: Message, version: int) -> None:
        """Send without waiting for the answer."""
        self.writer.write(self.frame(request, version))

    async def read_frame(self) -> bytes:
        """One frame's content. Raises IncompleteReadError if the broker closed."""
        (size,) = struct.unpack(">i", await self.reader.readexactly(4))
        return await self.reader.readexactly(size)

    async def receive(self, key: int, version: int) -> Any:
        """The answer to a request of this API and version, decoded."""
        frame = await self.read_frame()
        _, at = decode_response_header(frame, 0, key, version)
        return api(key).response.decode(frame[at:], version)

    async def ask(self, request: Message, version: int) -> Any:
        """Send, and wait for the answer."""
        self.send(request, version)
        assert request.API_KEY is not None
        return await asyncio.wait_for(self.receive(request.API_KEY, version), 10)

    async def closed(self, timeout_s: float = 5.0) -> bool:
        """Whether the broker closes the connection in time; what comes before is thrown away."""
        try:
            await asyncio.wait_for(self.reader.read(-1), timeout_s)
        except TimeoutError:
            return False
        except ConnectionError:
            return True
        return True


@asynccontextmanager
async def running(directory: Path, env: Env | None = None, **settings: Any) -> AsyncIterator[Bench]:
    """A broker on a free port, stopped at the end; settings by field name."""
    config = replace(BrokerConfig(log_dirs=(str(directory),)), **settings)
    env = env or real_env()
    logs = LogDirectory(str(directory), env)
    logs.open()
    metadata = LocalMetadata()
    log = ListLogger()
    broker = Broker(
        NODE_ID,
        config,
        env,
        membership=LocalMembership(metadata, env),
        directories=[logs],
        log=log,
        metrics=Metrics(),
    )
    LogLoader(broker.replicas).load(metadata.image)
    await broker.bind("PLAINTEXT", "127.0.0.1", 0)
    await broker.serve()
    bench = Bench(broker, metadata, log)
    try:
        yield bench
    finally:
        await broker.stop()
        logs.close()
    bugs = [line for line in log.lines if line[0] == "error"]
    assert not bugs, bugs
