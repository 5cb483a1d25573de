"""A client that sends frames by hand, in any order and as broken as a test likes."""

from __future__ import annotations

import asyncio
import itertools
import struct
from typing import Any

from barnabas.protocol.apis import api
from barnabas.protocol.header import decode_response_header, encode_request
from barnabas.protocol.message import Message

CLOSES_WITHIN_S = 10.0


class RawClient:
    """Sends requests and reads answers, in any order and as broken as a test likes."""

    def __init__(self, host: str, port: int) -> None:
        self._address = (host, port)
        self._correlation = itertools.count(1)
        self.client_id = "raw"

    async def __aenter__(self) -> RawClient:
        self.reader, self.writer = await asyncio.open_connection(*self._address)
        return self

    async def __aexit__(self, *_: object) -> None:
        if not self.writer.is_closing():  # TLS in Python 3.11.2 bears no abort after two of them
            self.writer.close()
        try:
            async with asyncio.timeout(CLOSES_WITHIN_S):
                await self.writer.wait_closed()
        except OSError:
            # The broker has closed it, or takes nothing any more of what was written.
            self.writer.transport.abort()

    def frame(self, request: Message, version: int) -> bytes:
        """The whole frame of a request."""
        return encode_request(request, version, next(self._correlation), self.client_id)

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
