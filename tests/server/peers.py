"""Other nodes that serve one API, as willingly as a test has it."""

from __future__ import annotations

import asyncio
import struct
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

from barnabas.accepting import close_server
from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.header import decode_request_header, encode_response
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from barnabas.protocol.messages.describe_cluster_response import DescribeClusterResponse

API_VERSIONS, DESCRIBE_CLUSTER = 18, 60


class Peer(asyncio.Protocol):
    """A node that serves DescribeCluster in versions 0 and 1, and answers when it is let."""

    def __init__(self, house: House) -> None:
        self.house = house
        self.received = b""

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport
        self.house.peers.append(self)

    def data_received(self, data: bytes) -> None:
        self.received += data
        while len(self.received) >= 4:
            (size,) = struct.unpack_from(">i", self.received)
            if len(self.received) < 4 + size:
                return
            frame, self.received = self.received[4 : 4 + size], self.received[4 + size :]
            self.serve(frame)

    def serve(self, frame: bytes) -> None:
        header, _ = decode_request_header(frame)
        answer: Message
        if header.api_key == API_VERSIONS:
            answer = ApiVersionsResponse(api_keys=self.house.keys)
            if header.api_version > self.house.versions_up_to:
                answer.error_code = ErrorCode.UNSUPPORTED_VERSION
                header.api_version = 0
        else:
            self.house.asked.append(header.api_version)
            answer = DescribeClusterResponse(cluster_id=f"number {len(self.house.asked)}")
            if self.house.is_mute:
                return
        out = encode_response(answer, header.api_version, header.correlation_id)
        self.transport.write(self.house.spoil(out))


class House:
    """Where peers live."""

    def __init__(self) -> None:
        self.peers: list[Peer] = []
        self.asked: list[int] = []
        self.is_mute = False
        self.versions_up_to = 4
        self.spoil: Callable[[bytes], bytes] = lambda frame: frame
        self.keys = [
            ApiVersion(api_key=API_VERSIONS, min_version=0, max_version=4),
            ApiVersion(api_key=DESCRIBE_CLUSTER, min_version=0, max_version=1),
        ]


@asynccontextmanager
async def listening(house: House) -> AsyncIterator[tuple[str, int]]:
    server = await asyncio.get_running_loop().create_server(lambda: Peer(house), "127.0.0.1", 0)
    try:
        yield server.sockets[0].getsockname()[:2]
    finally:
        await close_server(server)
        for peer in house.peers:
            peer.transport.abort()
        await server.wait_closed()
