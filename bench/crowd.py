"""Many members that join one group at once, each on a connection of its own."""

from __future__ import annotations

import asyncio
import itertools
import time
import uuid

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.message import Message
from barnabas.protocol.messages.consumer_group_heartbeat_request import (
    ConsumerGroupHeartbeatRequest,
    TopicPartitions,
)
from barnabas.protocol.messages.consumer_group_heartbeat_response import (
    ConsumerGroupHeartbeatResponse,
)
from barnabas.protocol.messages.join_group_request import JoinGroupRequest, JoinGroupRequestProtocol
from barnabas.protocol.messages.join_group_response import JoinGroupResponse
from barnabas.protocol.messages.sync_group_request import (
    SyncGroupRequest,
    SyncGroupRequestAssignment,
)
from barnabas.protocol.messages.sync_group_response import SyncGroupResponse

from .open_transactions import encoded
from .wire import RefusedError

GROUP = "crowd"
JOIN_VERSION, SYNC_VERSION, BEAT_VERSION = 9, 5, 1
REBALANCE_MS = 60_000
SESSION_MS = 60_000
LIMIT_S = 180.0
HEAD_BYTES = 5
"""Correlation id and tags."""
FRAME_BYTES_MAX = 64 * 2**20


class Connection:
    """One request at a time."""

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        self._reader = reader
        self._writer = writer

    @classmethod
    async def to(cls, port: int) -> Connection:
        """A new one."""
        return cls(*await asyncio.open_connection("127.0.0.1", port, limit=FRAME_BYTES_MAX))

    async def call(self, request: Message, version: int) -> bytes:
        """The body of the answer."""
        self._writer.write(encoded(request, version))
        await self._writer.drain()
        size = int.from_bytes(await self._reader.readexactly(4), "big")
        return (await self._reader.readexactly(size))[HEAD_BYTES:]

    def close(self) -> None:
        """At once."""
        self._writer.close()


async def join_classic(connection: Connection, shares: list[bytes]) -> int:
    """Join, assign if this is the leader, and wait for the assignment; how often it joined."""
    member_id, rounds = "", 0
    protocols = [JoinGroupRequestProtocol(name="crowd", metadata=b"")]
    while True:
        rounds += 1
        join = JoinGroupRequest(
            group_id=GROUP,
            session_timeout_ms=SESSION_MS,
            rebalance_timeout_ms=REBALANCE_MS,
            member_id=member_id,
            protocol_type="crowd",
            protocols=protocols,
        )
        joined = JoinGroupResponse.decode(await connection.call(join, JOIN_VERSION), JOIN_VERSION)
        member_id = joined.member_id
        if joined.error_code == ErrorCode.MEMBER_ID_REQUIRED:
            continue
        if joined.error_code:
            raise RefusedError("JoinGroup", joined.error_code)
        sync = SyncGroupRequest(
            group_id=GROUP,
            generation_id=joined.generation_id,
            member_id=member_id,
            protocol_type="crowd",
            protocol_name="crowd",
            assignments=[
                SyncGroupRequestAssignment(member_id=one.member_id, assignment=share)
                for one, share in zip(joined.members, itertools.cycle(shares), strict=False)
            ],
        )
        answer = await connection.call(sync, SYNC_VERSION)
        synced = SyncGroupResponse.decode(answer, SYNC_VERSION)
        if not synced.error_code and len(synced.assignment):
            return rounds
        if synced.error_code not in (ErrorCode.NONE, ErrorCode.REBALANCE_IN_PROGRESS):
            raise RefusedError("SyncGroup", synced.error_code)


class Shared:
    """Which partitions have an owner, by what the members were told."""

    def __init__(self, partitions: int) -> None:
        self.owned: dict[str, int] = {}
        self._partitions = partitions

    @property
    def is_whole(self) -> bool:
        """Everything is given out."""
        return sum(self.owned.values()) == self._partitions


async def join_848(connection: Connection, topic: str, shared: Shared) -> None:
    """Join, and go on with heartbeats until all members together have everything."""
    member_id = str(uuid.uuid4())
    epoch, gained, is_first = 0, None, True
    while True:
        beat = ConsumerGroupHeartbeatRequest(
            group_id=GROUP,
            member_id=member_id,
            member_epoch=epoch,
            rebalance_timeout_ms=REBALANCE_MS if is_first else -1,
            subscribed_topic_names=[topic] if is_first else None,
            topic_partitions=[] if is_first else gained,
        )
        answer = await connection.call(beat, BEAT_VERSION)
        found = ConsumerGroupHeartbeatResponse.decode(answer, BEAT_VERSION)
        if found.error_code:
            raise RefusedError("ConsumerGroupHeartbeat", found.error_code)
        epoch, gained, is_first = found.member_epoch, None, False
        if found.assignment is not None:
            rows = found.assignment.topic_partitions
            shared.owned[member_id] = sum(len(row.partitions) for row in rows)
            gained = [
                TopicPartitions(topic_id=row.topic_id, partitions=row.partitions) for row in rows
            ]
            continue  # what it got or gave up is told at once
        if shared.is_whole:
            return
        await asyncio.sleep(found.heartbeat_interval_ms / 1000)


async def join_at_once(
    port: int, protocol: str, topic: str, members: int, partitions: int
) -> float:
    """Seconds from the first request until everybody has been assigned and everything is."""
    connections = [await Connection.to(port) for _ in range(members)]
    shared = Shared(partitions)
    shares = [b"%06d" % number for number in range(members)]
    try:
        began = time.monotonic()
        async with asyncio.timeout(LIMIT_S):
            await asyncio.gather(
                *(
                    join_classic(one, shares)
                    if protocol == "classic"
                    else join_848(one, topic, shared)
                    for one in connections
                )
            )
        return time.monotonic() - began
    finally:
        for one in connections:
            one.close()
