"""Brokers for tests: the generated codecs over real sockets, doing what a test scripts."""

from __future__ import annotations

import asyncio
import enum
import random
from collections.abc import Awaitable, Callable
from types import TracebackType
from typing import Any, Self

from barnabas.accepting import close_server
from barnabas.protocol.apis import api
from barnabas.protocol.header import decode_request_header, encode_response
from barnabas.protocol.message import Message
from barnabas.protocol.messages.produce_request import ProduceRequest

from . import fake_handlers
from .fake_log import FakePartition, FakeTopic

SERVED = {
    0: (3, 12),
    1: (4, 17),
    2: (1, 10),
    3: (0, 12),
    18: (0, 4),
    19: (2, 7),
    20: (1, 6),
    22: (0, 5),
    23: (2, 4),
}
"""API key -> versions; a test may change them."""


class Action(enum.Enum):
    """What to do with a request instead of answering it."""

    DROP = enum.auto()
    """Close the connection; nothing was done."""
    DROP_AFTER = enum.auto()
    """Do it, then close the connection without an answer."""
    HANG = enum.auto()
    """Never answer, nor anything after it."""
    MUTATE = enum.auto()
    """Answer, with some bytes of the frame changed."""


Script = Callable[["FakeNode", Any], "Message | Action | bytes | None"]
"""Sees each request before it is served; None: serve it, bytes: send them as they are."""


Handler = Callable[["FakeNode", Any, int], Awaitable[Message]]
"""Serves an API that the fake itself does not know: node, request, version."""


class FakeNode:
    """One broker on a port of its own."""

    def __init__(self, cluster: FakeCluster, node_id: int) -> None:
        self.cluster = cluster
        self.node_id = node_id
        self.port = 0
        self.requests: list[tuple[int, Message]] = []
        self.connections = 0
        self._came = asyncio.Event()
        self.sessions: dict[int, fake_handlers.Session] = {}
        self._server: asyncio.Server | None = None
        self._tasks: set[asyncio.Task[None]] = set()
        self._writers: set[asyncio.StreamWriter] = set()

    async def start(self) -> None:
        self._server = await asyncio.start_server(self._serve, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    async def stop(self) -> None:
        server, self._server = self._server, None
        if server is not None:
            await close_server(server)
        tasks = list(self._tasks)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
        for writer in list(self._writers):
            writer.transport.abort()
        self._writers.clear()
        if server is not None:
            await server.wait_closed()  # from Python 3.12 on it waits for the connections too

    def _mutated(self, frame: bytes) -> bytes:
        randomness = self.cluster.randomness
        changed = bytearray(frame)
        for _ in range(randomness.randint(1, 3)):
            # Mostly behind the length and the correlation id, which are caught at once.
            first = 8 if randomness.random() < 0.9 and len(changed) > 8 else 0
            changed[randomness.randrange(first, len(changed))] = randomness.randrange(256)
        return bytes(changed)

    def count(self, name: str) -> int:
        """How many requests of one API came (`"Fetch"`)."""
        return len(self.of(name))

    async def until(self, name: str, count: int) -> None:
        """Wait until so many requests of one API came."""
        async with asyncio.timeout(10):
            while self.count(name) < count:
                self._came.clear()
                await self._came.wait()

    def of(self, name: str) -> list[Any]:
        """The requests of one API, in order."""
        return [each for _, each in self.requests if f"{name}Request" == each.NAME]

    async def _serve(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        if self._server is None:  # accepted in the turn in which the node stopped
            writer.transport.abort()
            return
        task = asyncio.current_task()
        assert task is not None
        self._tasks.add(task)
        self._writers.add(writer)
        self.connections += 1
        try:
            while await self._serve_one(reader, writer):
                pass
        except (asyncio.IncompleteReadError, ConnectionError, asyncio.CancelledError):
            pass
        finally:
            self._tasks.discard(task)
            self._writers.discard(writer)
            writer.transport.abort()

    async def _serve_one(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> bool:
        size = int.from_bytes(await reader.readexactly(4), "big")
        frame = await reader.readexactly(size)
        header, body = decode_request_header(frame)
        request = api(header.api_key).request.decode(frame[body:], header.api_version)
        self.requests.append((header.api_version, request))
        self._came.set()
        scripted = self.cluster.script(self, request) if self.cluster.script else None
        if scripted is Action.DROP:
            return False
        if scripted is Action.HANG:
            await asyncio.Event().wait()
        if isinstance(scripted, bytes):
            writer.write(scripted)
            return True
        if isinstance(scripted, Message):
            response = scripted
        else:
            response = await fake_handlers.serve(self, request, header.api_version)
        if scripted is Action.DROP_AFTER:
            return False
        if not isinstance(request, ProduceRequest) or request.acks != 0:
            answer = encode_response(response, header.api_version, header.correlation_id)
            writer.write(self._mutated(answer) if scripted is Action.MUTATE else answer)
        return True


class FakeCluster:
    """Nodes that share topics; `async with FakeCluster(nodes=2) as cluster`."""

    def __init__(self, nodes: int = 1) -> None:
        self.nodes = {number: FakeNode(self, number) for number in range(1, nodes + 1)}
        self.topics: dict[str, FakeTopic] = {}
        self.served = dict(SERVED)
        self.script: Script | None = None
        self.more: dict[str, Handler] = {}
        self.next_producer_id = 1000
        self.data = asyncio.Condition()
        self.with_topic_ids = True
        self.racks: dict[int, str] = {}
        """Node id -> rack; a leader sends consumers of a rack to a follower there (KIP-392)."""
        self.auto_create = False
        self.features: dict[str, int] = {}
        """Features that the cluster has finalised, by name."""
        self.randomness = random.Random(0)

    async def __aenter__(self) -> Self:
        for node in self.nodes.values():
            await node.start()
        return self

    async def __aexit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for node in self.nodes.values():
            await node.stop()

    @property
    def bootstrap(self) -> str:
        return ",".join(f"127.0.0.1:{node.port}" for node in self.nodes.values())

    @property
    def node(self) -> FakeNode:
        """The first node."""
        return self.nodes[1]

    def add_topic(self, name: str, partitions: int = 1) -> FakeTopic:
        """A topic with its partitions spread over the nodes."""
        count = len(self.nodes)
        topic = FakeTopic([number % count + 1 for number in range(partitions)])
        self.topics[name] = topic
        return topic

    def partition(self, topic: str, number: int = 0) -> FakePartition:
        return self.topics[topic].partitions[number]

    def move(self, topic: str, number: int, leader: int) -> None:
        """Another node leads from now on."""
        partition = self.partition(topic, number)
        partition.leader = leader
        partition.epoch += 1

    async def wake(self) -> None:
        """Whoever waits for data looks again."""
        async with self.data:
            self.data.notify_all()
