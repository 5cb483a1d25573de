"""Nodes of a metadata quorum on simulated loop, disk and network: real `Quorum`s, real bytes."""

from __future__ import annotations

import asyncio
import gc
import struct
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from dataclasses import replace
from random import Random
from typing import Any

from barnabas.broker.core.config.broker import BrokerConfig
from barnabas.broker.core.log.log_directory import LogDirectory
from barnabas.broker.core.ports import Env
from barnabas.broker.core.raft.messages import LeaderAndEpoch
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.server.peer_channel import PeerChannel
from barnabas.broker.server.quorum.events import QuorumEvents
from barnabas.broker.server.quorum.quorum import Quorum
from barnabas.broker.serving.waiting import Waiting
from barnabas.protocol.apis import api
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.header import decode_request_header, encode_response
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from barnabas.protocol.messages.describe_quorum_request import (
    DescribeQuorumRequest,
    PartitionData,
    TopicData,
)
from barnabas.protocol.messages.feature_level_record import FeatureLevelRecord
from barnabas.protocol.messages.topic_record import TopicRecord
from barnabas.testing.simulation.clock import SimulatedClock
from barnabas.testing.simulation.disk import SimulatedDisk
from barnabas.testing.simulation.incarnation import Incarnation
from barnabas.testing.simulation.loop import SimulatedLoop
from barnabas.testing.simulation.network import SimulatedNetwork

CLUSTER_ID = "sZfQ8mWbTvyYxkH6Ynq0Xg"
PATH = "/data"
METADATA = f"{PATH}/__cluster_metadata-0"
PORT = 9093
QUORUM_KEYS = (1, 52, 53, 54, 55, 59, 80, 81, 82)


class Door(asyncio.Protocol):
    """A controller listener that serves the quorum's requests and nothing else."""

    def __init__(self, quorum: Quorum) -> None:
        self._quorum = quorum
        self._received = b""
        self._line: deque[list[bytes]] = deque()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self._transport = transport

    def data_received(self, data: bytes) -> None:
        self._received += data
        while len(self._received) >= 4:
            (size,) = struct.unpack_from(">i", self._received)
            if not 0 <= size <= 1 << 24:
                self._transport.abort()
                return
            if len(self._received) < 4 + size:
                return
            frame, self._received = self._received[4 : 4 + size], self._received[4 + size :]
            slot: list[bytes] = []
            self._line.append(slot)
            asyncio.get_running_loop().create_task(self._serve(frame, slot))

    async def _serve(self, frame: bytes, slot: list[bytes]) -> None:
        header, at = decode_request_header(frame)
        version = header.api_version

        def answer(response: Message) -> None:
            slot.append(encode_response(response, version, header.correlation_id))
            while self._line and self._line[0]:
                self._transport.write(self._line.popleft()[0])

        if header.api_key == 18:
            answer(ApiVersionsResponse(api_keys=served_keys()))
            return
        request, _ = api(header.api_key).request.decode_at(frame, at, version)
        outcome = self._quorum.handle(request, Context(version))
        if isinstance(outcome, Waiting):
            outcome.on_done(answer)
        else:
            answer(outcome)


def served_keys() -> list[ApiVersion]:
    return [
        ApiVersion(api_key=key, min_version=api(key).min_version, max_version=api(key).max_version)
        for key in (18, *QUORUM_KEYS)
    ]


class Context:
    """As much of a request's context as the quorum looks at."""

    def __init__(self, api_version: int) -> None:
        self.api_version = api_version


class Heard:
    """A listener that keeps what it was told."""

    def __init__(self) -> None:
        self.leaders: list[LeaderAndEpoch] = []
        self.names: list[str] = []
        """Of the topics, in the order of the log."""
        self.snapshots: list[SnapshotId] = []
        self.next_offset = 0

    def on_leader(self, leader: LeaderAndEpoch) -> None:
        self.leaders.append(leader)

    def on_committed(
        self,
        base_offset: int,
        epoch: int,
        records: Sequence[Message],
        append_wall_ms: int,
        last_offset: int,
    ) -> None:
        assert base_offset == self.next_offset, "a gap, or something twice"
        assert epoch >= 0
        assert append_wall_ms > 0
        self.names += [one.name for one in records if isinstance(one, TopicRecord)]
        self.next_offset = last_offset + 1

    def on_snapshot(
        self, snapshot_id: SnapshotId, records: Sequence[Message], append_wall_ms: int
    ) -> None:
        del append_wall_ms
        self.snapshots.append(snapshot_id)
        self.names = [one.name for one in records if isinstance(one, TopicRecord)]
        self.next_offset = snapshot_id.end_offset


class SimulatedNode:
    """One node and all its lives."""

    def __init__(self, world: World, node_id: int, config: BrokerConfig) -> None:
        self.world = world
        self.node_id = node_id
        self.name = f"node{node_id}"
        self.config = config
        self.disk = SimulatedDisk(Random(node_id * 1000 + world.seed))
        self.lives = 0
        self.incarnation: Incarnation | None = None
        self.quorum: Quorum
        self.heard = Heard()
        self.failures: list[KafkaError] = []
        self.alarms: list[str] = []
        self.clock = SimulatedClock(world.loop)

    async def start(self) -> None:
        """Begin a life; raises what opening raises."""
        self.lives += 1
        self.incarnation = Incarnation(self.name, self.lives)
        self.heard = Heard()
        self.failures = []
        self.alarms = []
        await self.world.loop.spawn(self.incarnation, self._start())

    async def _start(self) -> None:
        env = Env(clock=self.clock, disk=self.disk, random=Random(self.lives * 77 + self.node_id))
        directory = LogDirectory(PATH, env)
        directory.open()
        self.quorum = Quorum.open(self.config, env, [directory])
        self.directory = directory
        self.quorum.add_listener(self.heard)
        loop = asyncio.get_running_loop()
        await loop.create_server(lambda: Door(self.quorum), self.name, PORT)
        await self.quorum.start(
            QuorumEvents(failed=self.failures.append, alarmed=self.alarms.append)
        )

    def crash(self, *, lose_power: bool = True) -> None:
        """Dead in an instant."""
        assert self.incarnation is not None
        self.world.loop.crash(self.incarnation)
        self.world.network.reset_all_of(self.incarnation)
        if lose_power:
            self.disk.lose_power()
        self.incarnation = None

    async def stop(self) -> None:
        """In good order."""
        assert self.incarnation is not None
        await self.world.loop.spawn(self.incarnation, self._stop())
        self.world.network.reset_all_of(self.incarnation)
        self.incarnation = None

    async def _stop(self) -> None:
        await self.quorum.stop()
        self.directory.close()

    @property
    def is_up(self) -> bool:
        return self.incarnation is not None

    def append(self, *names: str) -> int:
        """Topics in one batch."""
        records: list[Message] = [
            TopicRecord(name=name, topic_id=Random(name).randbytes(16)) for name in names
        ]
        return self.quorum.append(records, self.quorum.leader.epoch)

    async def commit(self, *names: str) -> None:
        """Append topics, and wait until they are committed and applied here."""
        offset = self.append(*names)
        await self.world.until(lambda: self.heard.next_offset > offset)


class World:
    """A cluster's machines and wires."""

    def __init__(self, seed: int = 1) -> None:
        self.seed = seed
        self.loop = SimulatedLoop(Random(seed))
        self.network = SimulatedNetwork(self.loop, Random(seed + 1))
        self.nodes: dict[int, SimulatedNode] = {}

    def run(self, scenario: Coroutine[Any, Any, None]) -> None:
        gc.disable()
        try:
            self.loop.run_until_complete(scenario)
            assert self.loop.unhandled == []
        finally:
            self.loop.close()
            gc.enable()

    def node(self, node_id: int, *, voters: Sequence[int] = (), **settings: Any) -> SimulatedNode:
        """A node with static voters, or with none where the settings say otherwise."""
        values: dict[str, Any] = {
            "node_id": node_id,
            "cluster_id": CLUSTER_ID,
            "log_dirs": (PATH,),
            "process_roles": ("controller",) if node_id in voters or not voters else ("broker",),
            "listeners": (f"CONTROLLER://node{node_id}:{PORT}",),
            "controller_listener_names": ("CONTROLLER",),
            "controller_quorum_voters": tuple(f"{one}@node{one}:{PORT}" for one in voters),
            **settings,
        }
        node = SimulatedNode(self, node_id, replace(BrokerConfig(), **values))
        self.nodes[node_id] = node
        return node

    async def voters(self, count: int, **settings: Any) -> list[SimulatedNode]:
        """That many voters, started."""
        ids = range(1, count + 1)
        found = [self.node(one, voters=ids, **settings) for one in ids]
        for one in found:
            await one.start()
        return found

    async def until(self, condition: Callable[[], object], timeout_s: float = 60.0) -> None:
        """Let virtual time go on until the condition holds."""
        deadline = self.loop.time() + timeout_s
        while not condition():  # the nodes know no events of ours
            assert self.loop.time() < deadline, f"not within {timeout_s} s"
            await asyncio.sleep(0.005)

    async def ask(self, node: SimulatedNode, request: Message, version: int | None = None) -> Any:
        """Call a node from outside."""
        channel = PeerChannel(lambda: (node.name, PORT), client_id="test", clock=node.clock)
        bounds = None if version is None else (version, version)
        try:
            return await channel.call(request, timeout_ms=10_000, versions=bounds)
        finally:
            channel.close()

    def leaders(self) -> list[SimulatedNode]:
        """Nodes that lead in the newest epoch that any node knows."""
        up = [one for one in self.nodes.values() if one.is_up]
        epoch = max((one.quorum.leader.epoch for one in up), default=0)
        return [one for one in up if one.quorum.is_leader and one.quorum.leader.epoch == epoch]

    async def leader(self) -> SimulatedNode:
        """Wait for one that can commit."""
        found: list[SimulatedNode] = []

        def is_there() -> bool:
            found[:] = self.leaders()
            return bool(found)

        await self.until(is_there)
        return found[0]


def describe_request() -> DescribeQuorumRequest:
    """About the metadata log."""
    partition = PartitionData(partition_index=0)
    topic = TopicData(topic_name="__cluster_metadata", partitions=[partition])
    return DescribeQuorumRequest(topics=[topic])


def features(level: int) -> list[Message]:
    """The record that says which versions of records may be written."""
    return [FeatureLevelRecord(name="metadata.version", feature_level=level)]
