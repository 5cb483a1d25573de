"""One TCP connection to another node: request frames out, answers back in the order of requests.

It ends as a whole: when an answer is late, when bytes come that no node sends, or when the peer
goes. Whoever still waits then gets the reason. Used by `peer_channel.PeerChannel` only.
"""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable
from typing import Any, Final, cast

from barnabas.protocol.apis import api
from barnabas.protocol.errors import DecodeError, ErrorCode, ProtocolError
from barnabas.protocol.header import decode_response_header, encode_request
from barnabas.protocol.message import Message

from .peer_errors import PeerError, PeerUnavailableError

ASKED_VERSION: Final = 3
"""Version in which ApiVersions is asked: every node that knows KRaft serves it."""

IN_FLIGHT_MAX: Final = 1000
_SHOWN_BYTES: Final = 32
_CORRELATION_ID_MAX: Final = 2**31 - 1


class Pending:
    """A request whose answer is awaited."""

    __slots__ = ("api_key", "correlation_id", "future", "version")

    def __init__(
        self, correlation_id: int, api_key: int, version: int, future: asyncio.Future[Any]
    ) -> None:
        self.correlation_id = correlation_id
        self.api_key = api_key
        self.version = version
        self.future = future


class PeerConnection(asyncio.Protocol):
    """See the module. `address` is for texts; frames beyond `max_frame_bytes` end it."""

    def __init__(self, address: tuple[str, int], client_id: str, max_frame_bytes: int) -> None:
        self.address = address
        self.versions: dict[int, tuple[int, int]] = {}
        self.on_closed: Callable[[PeerConnection, PeerError], object] | None = None
        self._client_id = client_id
        self._max_frame_bytes = max_frame_bytes
        self._loop = asyncio.get_running_loop()
        self._transport: asyncio.Transport | None = None
        self._chunks: list[bytes] = []
        self._held_bytes = 0
        self._wanted_bytes = 4
        self._pending: deque[Pending] = deque()
        self._correlation_id = 0
        self._error: PeerError | None = None

    def __str__(self) -> str:
        return f"{self.address[0]}:{self.address[1]}"

    @property
    def is_closed(self) -> bool:
        """Whether it can carry no more calls."""
        return self._error is not None

    @property
    def local_port(self) -> int:
        """Our end's port, 0 when it is not connected."""
        name = self._transport.get_extra_info("sockname") if self._transport else None
        return name[1] if name else 0

    def send(self, request: Message, version: int) -> asyncio.Future[Any]:
        """Send now; the future gets the decoded answer or a PeerError.

        Raises PeerUnavailableError if the connection is closed or owes too many answers,
        EncodeError if `version` cannot carry the request.
        """
        if self._error is not None or self._transport is None:
            raise PeerUnavailableError(str(self._error or f"{self} is not connected"))
        if len(self._pending) >= IN_FLIGHT_MAX:
            raise PeerUnavailableError(f"{self} owes {IN_FLIGHT_MAX} answers already")
        assert request.API_KEY is not None
        number = self._correlation_id
        frame = encode_request(request, version, number, self._client_id)
        self._correlation_id = (number + 1) & _CORRELATION_ID_MAX
        future: asyncio.Future[Any] = self._loop.create_future()
        self._pending.append(Pending(number, request.API_KEY, version, future))
        self._transport.write(frame)
        return future

    def close(self, error: PeerError | None = None) -> None:
        """End it; whoever waits fails with `error`. A second call does nothing."""
        if self._error is not None:
            return
        self._error = error or PeerUnavailableError(f"the connection to {self} was closed")
        if self._transport is not None:
            self._transport.abort()
        pending, self._pending = self._pending, deque()
        self._chunks = []
        for one in pending:
            if not one.future.done():
                one.future.set_exception(type(self._error)(*self._error.args))
                # A caller that was cancelled meanwhile looks at it no more.
                one.future.exception()
        if self.on_closed is not None:
            self.on_closed(self, self._error)

    # --- from the event loop ------------------------------------------------------------------

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # uvloop's transports have the methods of asyncio.Transport, but do not inherit from it.
        self._transport = cast("asyncio.Transport", transport)
        if self._error is not None:
            self._transport.abort()

    def connection_lost(self, exc: Exception | None) -> None:
        cause = f": {exc}" if exc else ""
        self.close(PeerUnavailableError(f"{self} closed the connection{cause}"))

    def eof_received(self) -> bool:
        # At once: `connection_lost` comes a turn later, and a client may ask in between.
        self.close(PeerUnavailableError(f"{self} closed the connection"))
        return False

    def data_received(self, data: bytes) -> None:
        if self._error is not None:
            return
        self._held_bytes += len(data)
        self._chunks.append(data)
        if self._held_bytes < self._wanted_bytes:
            return
        held = data if len(self._chunks) == 1 else b"".join(self._chunks)
        try:
            rest = self._take_frames(held)
        except ProtocolError as error:
            self.close(PeerUnavailableError(f"{self} speaks another protocol: {error}"))
            return
        self._chunks = [rest] if rest else []
        self._held_bytes = len(rest)

    # --- inside -------------------------------------------------------------------------------

    def _take_frames(self, held: bytes) -> bytes:
        """Answer with every whole frame; what is left of the bytes. Raises ProtocolError."""
        start = 0
        while True:
            self._wanted_bytes = 4
            if len(held) - start < 4:
                break
            size = int.from_bytes(held[start : start + 4], "big", signed=True)
            if not 0 <= size <= self._max_frame_bytes:
                shown = repr(held[start : start + _SHOWN_BYTES])[1:]
                raise ProtocolError(
                    f"a frame of {size} bytes, at most {self._max_frame_bytes} are read; "
                    f"it begins {shown}"
                )
            self._wanted_bytes = 4 + size
            if len(held) - start < self._wanted_bytes:
                break
            self._answer(held[start + 4 : start + self._wanted_bytes])
            start += self._wanted_bytes
        return held[start:] if start else held

    def _answer(self, frame: bytes) -> None:
        if not self._pending:
            raise ProtocolError("an answer that nothing was asked for")
        pending = self._pending[0]
        number, offset = decode_response_header(frame, 0, pending.api_key, pending.version)
        if number != pending.correlation_id:
            raise ProtocolError(
                f"correlation id {number} where {pending.correlation_id} was due (ENV-08)"
            )
        answer = api(pending.api_key)
        if answer.name == "ApiVersions" and _is_refused(frame, offset):
            raise ProtocolError(f"it does not serve ApiVersions version {pending.version}")
        response, end = answer.response.decode_at(frame, offset, pending.version)
        if end != len(frame):
            raise DecodeError(f"{len(frame) - end} bytes left over after {answer.name}Response")
        self._pending.popleft()
        if not pending.future.done():
            pending.future.set_result(response)


def _is_refused(frame: bytes, offset: int) -> bool:
    """An ApiVersions answer of this code has the layout of version 0 (ENV-03)."""
    code = int.from_bytes(frame[offset : offset + 2], "big", signed=True)
    return code == ErrorCode.UNSUPPORTED_VERSION
