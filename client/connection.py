"""One connection to one broker: requests out, answers by correlation id, versions agreed first.

A connection ends as a whole: on the first request that gets no answer in its time, on bytes that
no broker sends, or when the peer closes. Whoever still waits gets the reason.
"""

from __future__ import annotations

import asyncio
import logging
from collections import deque
from collections.abc import Callable
from typing import Any, Protocol, TypeVar, cast

from barnabas.protocol.errors import ProtocolError
from barnabas.protocol.header import decode_response_header, encode_request
from barnabas.protocol.message import Message

from .errors import (
    ConnectionFailedError,
    MalformedResponseError,
    NotABrokerError,
    RequestTimedOutError,
    UnsupportedVersionError,
)
from .frames import FrameReader, FrameSizeError, describe_greeting

log = logging.getLogger("barnabas.client")

A_co = TypeVar("A_co", covariant=True)

CORRELATION_ID_MAX = 2**31 - 1
A = TypeVar("A")

IN_FLIGHT_MAX = 1_000
"""Requests of one connection that may wait for an answer, whoever sends them."""


class Answer(Protocol[A_co]):
    """The class of a response."""

    NAME: str

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[A_co, int]: ...


class Pending:
    """A request that waits for its answer."""

    __slots__ = ("answer", "api_key", "asked_at", "correlation_id", "deadline", "future", "version")

    def __init__(
        self,
        correlation_id: int,
        api_key: int,
        version: int,
        answer: Answer[Any],
        future: asyncio.Future[Any],
        asked_at: float,
        deadline: float,
    ) -> None:
        self.correlation_id = correlation_id
        self.api_key = api_key
        self.version = version
        self.answer = answer
        self.future = future
        self.asked_at = asked_at
        self.deadline = deadline


class Connection(asyncio.Protocol):
    """Made by `connect()`; after that `call` and `send` may be used until it is closed."""

    def __init__(self, host: str, port: int, client_id: str, receive_bytes_max: int) -> None:
        self.host = host
        self.port = port
        self.versions: dict[int, tuple[int, int]] = {}
        self.last_used = 0.0
        self.when_closed: Callable[[Connection], None] | None = None
        self.when_writable: Callable[[], None] | None = None
        self._client_id = client_id
        self._loop = asyncio.get_running_loop()
        self._reader = FrameReader(receive_bytes_max)
        self._pending: deque[Pending] = deque()
        self._next_correlation_id = 0
        self._transport: asyncio.Transport | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._error: ConnectionFailedError | None = None
        self._is_broker = False
        self._heard_at = 0.0
        self._is_lost = self._loop.create_future()

    def __str__(self) -> str:
        return f"{self.host}:{self.port}"

    @property
    def is_closed(self) -> bool:
        return self._error is not None

    @property
    def in_flight(self) -> int:
        """How many requests wait for an answer."""
        return len(self._pending)

    @property
    def waiting_bytes(self) -> int:
        """Bytes that the peer has not taken off the socket yet."""
        return 0 if self._transport is None else self._transport.get_write_buffer_size()

    def silent_s(self, now: float) -> float:
        """For how long the peer has owed an answer without sending a byte, in seconds."""
        if not self._pending:
            return 0.0
        return now - max(self._pending[0].asked_at, self._heard_at)

    def version_of(self, request: Message | type[Message], at_most: int | None = None) -> int:
        """The highest version of a request that broker and client share.

        Raises:
            UnsupportedVersionError: they share none (that is not above `at_most`).
        """
        assert request.API_KEY is not None
        low, high = self.versions.get(request.API_KEY, (-1, -1))
        limit = request.MAX_VERSION if at_most is None else min(request.MAX_VERSION, at_most)
        version = min(high, limit)
        if high < 0 or version < max(low, request.MIN_VERSION):
            offered = "not at all" if high < 0 else f"in versions {low} to {high}"
            name = request.NAME.removesuffix("Request")
            raise UnsupportedVersionError(
                f"{self} serves {name} {offered}; this client can use versions"
                f" {request.MIN_VERSION} to {limit}"
            )
        return version

    async def call(
        self, request: Message, answer: Answer[A], *, timeout_s: float, at_most: int | None = None
    ) -> A:
        """Send a request in the best common version and wait for its answer.

        Raises:
            UnsupportedVersionError: no common version.
            EncodeError: that version cannot carry a field that is set.
            RequestTimedOutError: no answer in `timeout_s`; the connection is closed.
            ConnectionFailedError: the connection ended.
        """
        version = self.version_of(request, at_most)
        return await self.send(request, answer, version, timeout_s)

    def send(
        self, request: Message, answer: Answer[A], version: int, timeout_s: float
    ) -> asyncio.Future[A]:
        """Send a request now; the future gets its answer, or the reason why there is none."""
        if len(self._pending) >= IN_FLIGHT_MAX:
            raise ConnectionFailedError(f"{self} owes {IN_FLIGHT_MAX} answers already")
        assert request.API_KEY is not None
        correlation_id = self._write(request, version)
        future: asyncio.Future[A] = self._loop.create_future()
        now = self._loop.time()
        deadline = now + timeout_s
        self._pending.append(
            Pending(correlation_id, request.API_KEY, version, answer, future, now, deadline)
        )
        if self._timer is None or deadline < self._timer.when():
            self._arm(deadline)
        return future

    def post(self, request: Message, version: int) -> None:
        """Send a request that gets no answer (Produce with acks=0)."""
        self._write(request, version)

    def _write(self, request: Message, version: int) -> int:
        if self._error is not None or self._transport is None:
            raise copy_of(self._error or ConnectionFailedError(f"{self} is not connected"))
        correlation_id = self._next_correlation_id
        self._next_correlation_id = (correlation_id + 1) & CORRELATION_ID_MAX
        frame = encode_request(request, version, correlation_id, self._client_id)
        self.last_used = self._loop.time()
        self._transport.write(frame)
        return correlation_id

    # ------------------------------------------------------------ from the event loop

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        # Not an isinstance check: the transports of uvloop have a class hierarchy of their own.
        self._transport = cast(asyncio.Transport, transport)

    def data_received(self, data: bytes) -> None:
        self._heard_at = self._loop.time()
        try:
            for frame, offset in self._reader.feed(data):
                self._answer(frame, offset)
                if self._error is not None:
                    return
        except FrameSizeError as error:
            self._fail_of_bytes(str(error), error.seen)
        except ProtocolError as error:
            self._fail_of_bytes(f"it sent an answer that does not decode: {error}", data)

    def resume_writing(self) -> None:
        if self.when_writable is not None:
            self.when_writable()

    def eof_received(self) -> bool:
        return False

    def connection_lost(self, exc: Exception | None) -> None:
        if not self._is_lost.done():
            self._is_lost.set_result(None)
        held = self._reader.held
        if not self._is_broker:
            self.close(
                NotABrokerError(
                    f"{self} is no Kafka broker: it closed the connection when asked for its"
                    f" versions; {describe_greeting(held)}",
                    said_nothing=not held,
                )
            )
        else:
            cause = f": {exc}" if exc else ""
            self.close(ConnectionFailedError(f"{self} closed the connection{cause}"))

    # ------------------------------------------------------------ inside

    def _answer(self, frame: bytes, offset: int) -> None:
        if not self._pending:
            raise ProtocolError("an answer that nothing was asked for")
        pending = self._pending[0]
        correlation_id, body = decode_response_header(
            frame, offset, pending.api_key, pending.version
        )
        if correlation_id != pending.correlation_id:
            raise ProtocolError(
                f"correlation id {correlation_id} where {pending.correlation_id} was due"
            )
        response, end = pending.answer.decode_at(frame, body, pending.version)
        if end != len(frame):
            raise ProtocolError(f"{len(frame) - end} bytes left over after {pending.answer.NAME}")
        self._pending.popleft()
        self._is_broker = True
        if not pending.future.done():
            pending.future.set_result(response)

    def _arm(self, deadline: float) -> None:
        if self._timer is not None:
            self._timer.cancel()
        self._timer = self._loop.call_at(deadline, self._check_deadlines)

    def _check_deadlines(self) -> None:
        self._timer = None
        if not self._pending:
            return
        now = self._loop.time()
        first = min(self._pending, key=lambda each: each.deadline)
        if first.deadline > now:
            self._arm(first.deadline)
            return
        name = first.answer.NAME.removesuffix("Response")
        if self._is_broker:
            self.close(RequestTimedOutError(f"{self} did not answer {name} in its time"))
            return
        self._fail_of_bytes("it did not answer in time when asked for its versions", b"")

    def _fail_of_bytes(self, what: str, seen: bytes) -> None:
        if self._is_broker:
            log.warning("closing the connection to %s: %s", self, what)
            self.close(MalformedResponseError(f"{self}: {what}"))
            return
        seen = seen or self._reader.held
        text = f"{self} is no Kafka broker: {what}; {describe_greeting(seen)}"
        self.close(NotABrokerError(text, said_nothing=not seen))

    def close(self, reason: ConnectionFailedError | None = None) -> None:
        """End it; requests in flight fail with `reason`. Calling it again does nothing."""
        if self._error is not None:
            return
        self._error = reason or ConnectionFailedError(f"the connection to {self} was closed")
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        if self._transport is not None:
            self._transport.abort()
        pending, self._pending = self._pending, deque()
        for each in pending:
            if not each.future.done():
                each.future.set_exception(copy_of(self._error))
        if self.when_closed is not None:
            self.when_closed(self)

    async def wait_closed(self) -> None:
        """Wait until the socket is gone too."""
        if self._transport is not None:
            await asyncio.shield(self._is_lost)


def copy_of(error: ConnectionFailedError) -> ConnectionFailedError:
    """The same error anew: one object raised in many tasks would gather all their tracebacks."""
    made = type(error)(*error.args)
    made.retriable = error.retriable
    return made
