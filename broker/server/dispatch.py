"""The general path of a request: decode header and body, call the handler, encode the response.

There are three kinds of error:
- the peer broke the protocol (`ProtocolError`): its connection is closed, in `connection.py`;
- an answer (`KafkaError`): it goes into the response, in `refusals.py`;
- our bug (anything else): logged with the request's header, answered as UNKNOWN_SERVER_ERROR.

Requests that only the active controller can decide are forwarded to it (`Forwarding`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from struct import Struct
from types import CoroutineType
from typing import Any, Generic, TypeVar  # Any: what a handler of any API returns

from barnabas.protocol.errors import EncodeError, ErrorCode, ProtocolError
from barnabas.protocol.header import RequestHeader, decode_request_header, encode_response
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from barnabas.protocol.messages.fetch_response import FetchResponse

from ..observe.logging import Logger
from ..observe.metrics import Metrics
from ..serving.context import NodeServices, RequestContext
from ..serving.handler import Handler
from ..serving.waiting import SLICE, Late, Waiting
from .answer_budget import AnswerBudget
from .answer_line import Place
from .connection import Connection
from .fast_fetch import Pieces, encode_fetch
from .forwarding import Forwarding, decide
from .late_answers import LateAnswer, Load, make_now
from .limits import Limits
from .long_answers import ROWS_MAX, is_long
from .refusals import Refusals
from .request_body import decode_body
from .request_tasks import RequestTasks

PRODUCE, FETCH, OFFSET_COMMIT, JOIN_GROUP, SYNC_GROUP = 0, 1, 8, 11, 14
SASL_HANDSHAKE, API_VERSIONS, SASL_AUTHENTICATE, ENVELOPE = 17, 18, 36, 58
ENVELOPE_ROOM = 131_072
"""What an envelope adds to the request in it: principal, address, a header of its own."""
BULK = (PRODUCE, FETCH)
"""On one connection, a request of these APIs must have had its effect before the next one
begins."""

PARKED = (JOIN_GROUP, SYNC_GROUP)
"""Other clients decide when these are answered: they are not in work while they wait."""

HANDSHAKE = (SASL_HANDSHAKE, API_VERSIONS, SASL_AUTHENTICATE)

_CORRELATION = Struct(">i")


Result = Message | Late | Waiting[Message] | Waiting[Late] | Exception | None
"""What a handler returns, after an await if it is a coroutine, or raises; None means no answer at
all."""


NodeT = TypeVar("NodeT", bound=NodeServices)

Served = Handler[RequestContext[NodeT]]
"""A handler for this kind of node (broker or controller)."""


def is_before_the_next(key: int, request: Any) -> bool:
    """Whether the connection's next request must not begin before this one has had its effect.

    Short commits have it at once; one of many partitions lets others have turns in between, and a
    later commit of a client that does not wait for answers would be overwritten by it.
    """
    if key != OFFSET_COMMIT:
        return key in BULK
    return sum(1 + len(topic.partitions) for topic in request.topics) >= SLICE


class Dispatch(Generic[NodeT]):
    """Takes whole frames from connections, has them handled, and delivers the answers."""

    def __init__(
        self,
        node: NodeT,
        handlers: Mapping[int, Served[NodeT]],
        load: Load,
        *,
        limits: Limits,
        log: Logger,
        metrics: Metrics,
        answers: AnswerBudget,
        forwarding: Forwarding | None = None,
    ) -> None:
        """`load` reads from the disk what an answer needs; `answers` says whether there is memory
        for one more; `forwarding` takes the requests that the active controller must answer."""
        self._quotas = node.quotas
        self._node = node
        self._limits = limits
        self._log = log
        self._metrics = metrics
        self._answers = answers
        self._forwarding = forwarding
        self.refusals = Refusals(log, metrics, handlers)
        self._offload_from = node.config.request_decode_offload_min_bytes
        self._table = handlers
        self._load = load
        self._tasks = RequestTasks(limits.requests_in_work_max, log)

    # --- what is read at all ------------------------------------------------------------------

    def check_head(self, key: int, version: int, size: int) -> None:
        """Check a frame by its first 8 bytes, before the rest is waited for.

        Raises ProtocolError for an API or version that is not served (ENV-05) and for a frame that
        is too long for its API (ENV-12).
        """
        self._find(key, version, size)

    def _find(self, key: int, version: int, size: int) -> Served[NodeT]:
        handler = self._table.get(key)
        if handler is None:
            raise ProtocolError(f"API key {key} is not served")
        if not handler.first <= version <= handler.last and key != API_VERSIONS:
            raise ProtocolError(f"{handler.api.name} version {version} is not served")
        limits = self._limits
        if key in HANDSHAKE:
            longest = limits.frame_max_handshake
        else:
            longest = limits.frame_max if key == PRODUCE else limits.frame_max_other
            if key == ENVELOPE:
                longest += ENVELOPE_ROOM
        if size > longest:
            raise ProtocolError(f"{handler.api.name} of {size} bytes, at most {longest}")
        return handler

    # --- a request's way ----------------------------------------------------------------------

    def __call__(
        self,
        connection: Connection,
        buffer: bytearray,
        start: int,
        end: int,
        key: int,
        version: int,
    ) -> None:
        """Handle the frame `buffer[start:end]`. Raises ProtocolError."""
        handler = self._find(key, version, end - start - 4)
        self._metrics.requests[key] += 1
        if key == API_VERSIONS and not handler.first <= version <= handler.last:
            connection.answers.give(no_such_version(handler.advertised, buffer, start))
            return
        frame = bytes(memoryview(buffer)[start + 4 : end])
        header, body_at = decode_request_header(frame)
        if key == PRODUCE and self._quotas.counts_produce:
            self._quotas.produced(connection, header.client_id, len(frame))
        must_wait = self._answers.must_wait(key, len(frame))
        if must_wait or len(frame) >= self._offload_from:
            place = connection.answers.reserve(None)
            connection.link.hold()
            work = self._decode_elsewhere(connection, place, handler, header, frame, body_at)
            # Who waits for memory is not in work: each connection has one such request at most, and
            # all together they must not keep out those that need not wait.
            self._tasks.spawn(connection, work, is_work=not must_wait)
        else:
            request = decode_body(handler.api, frame, body_at, version)
            self._work(connection, None, handler, header, request)

    async def _decode_elsewhere(
        self,
        connection: Connection,
        place: Place,
        handler: Served[NodeT],
        header: RequestHeader,
        frame: bytes,
        body_at: int,
    ) -> None:
        """Decode a long frame on a thread, so that other connections need not wait. If its answer
        may be long, wait for memory first."""
        decode = partial(decode_body, handler.api, frame, body_at, header.api_version)
        try:
            request = await self._node.in_thread(decode)
            if self._answers.must_wait(header.api_key, len(frame)):
                await self._answers.room()
            has_begun = self._work(connection, place, handler, header, request)
        except ProtocolError as error:
            connection.close(str(error))
            return
        if not has_begun:
            connection.link.release()

    def _work(
        self,
        connection: Connection,
        place: Place | None,
        handler: Served[NodeT],
        header: RequestHeader,
        request: Message,
    ) -> bool:
        """Call the handler; True if it runs in a task that holds back the connection's next
        requests."""
        try:
            context = RequestContext(self._node, header, connection)
            if handler.forwarded is None:
                result: Any = self._call(connection, handler, header, request, context)
            else:
                handler.forwarded.check_count(request)
                here = partial(self._call, connection, handler, header, request, context)
                result = decide(self._forwarding, handler, request, context, here)
        except ProtocolError:
            raise
        except Exception as error:
            result = error
        if isinstance(result, CoroutineType):
            place = place or connection.answers.reserve(None)
            is_ordered = is_before_the_next(header.api_key, request)
            if is_ordered:
                # No later request of this connection may be appended before this one.
                connection.link.hold()
            work = self._await(
                connection, place, handler, header, request, result, is_ordered=is_ordered
            )
            self._tasks.spawn(connection, work, is_work=header.api_key not in PARKED)
            return is_ordered
        self._conclude(connection, place, handler, header, request, result)
        return False

    def _call(
        self,
        connection: Connection,
        handler: Served[NodeT],
        header: RequestHeader,
        request: Message,
        context: RequestContext[NodeT],
    ) -> Any:
        if not self._quotas.counts_time:
            return handler.handle(request, context)
        call = partial(handler.handle, request, context)
        return self._quotas.timed(connection, header.client_id, request, call)

    async def _await(
        self,
        connection: Connection,
        place: Place,
        handler: Served[NodeT],
        header: RequestHeader,
        request: Message,
        coroutine: Awaitable[Result],
        *,
        is_ordered: bool,
    ) -> None:
        try:
            if self._answers.must_wait(header.api_key, 0):
                await self._answers.room()  # the coroutine has not started to run yet
            result = await coroutine
        except ProtocolError as error:
            connection.close(str(error))
            return
        except Exception as error:
            result = error
        if is_ordered:
            connection.link.release()
        self._conclude(connection, place, handler, header, request, result)

    def _conclude(
        self,
        connection: Connection,
        place: Place | None,
        handler: Served[NodeT],
        header: RequestHeader,
        request: Message,
        result: Result,
    ) -> None:
        if not isinstance(result, Waiting):
            self._deliver(connection, place, handler, header, request, result)
            return
        if place is None:
            place = connection.answers.reserve(result.abandon)
        elif connection.is_closed:
            result.abandon()
        else:
            place.on_abandon(result.abandon)
        if (weight := result.weight) and not result.is_done:
            connection.answers.weigh(place, weight)
        deliver = partial(self._deliver, connection, place, handler, header, request)
        result.on_done(deliver)

    def _deliver(
        self,
        connection: Connection,
        place: Place | None,
        handler: Served[NodeT],
        header: RequestHeader,
        request: Message,
        response: Message | Late | Exception | None,
    ) -> None:
        """Encode the answer and put it in its place; None means that there is no answer at all."""
        if self._node.env.maybe("connection-closed"):
            connection.close("the simulator makes trouble")
            return
        if not isinstance(response, Late):
            self._put(connection, place, handler, header, request, response)
            return
        assert place is not None, "who waits has a place"
        if response.row_count <= ROWS_MAX:
            refuse = partial(self.refusals.refusal, handler, header, request)
            encode = partial(self._encode, handler, header, request)
            encode = partial(self._quotas.answer, connection, header.client_id, request, encode)
            LateAnswer(place, response, self._load, refuse, encode).stand_in_line()
        else:
            put = partial(self._put, connection, place, handler, header, request)
            make_now(response, self._load, put)

    def _put(
        self,
        connection: Connection,
        place: Place | None,
        handler: Served[NodeT],
        header: RequestHeader,
        request: Message,
        response: Message | Exception | None,
    ) -> None:
        """Encode the answer, or that for an error, and put it in its place."""
        try:
            if isinstance(response, Exception):
                response = self.refusals.refusal(handler, header, request, response)
            if response is not None and is_long(header.api_key, response):
                place = place or connection.answers.reserve(None)
                self._quotas.settle(connection, header.client_id, request, response)
                encode = partial(self._encode, handler, header, request, response)
                self._tasks.spawn(connection, self._encode_elsewhere(connection, place, encode))
                return
            if self._quotas.is_on:
                make = partial(self._encode, handler, header, request)
                pieces = self._quotas.answer(connection, header.client_id, request, make, response)
            else:
                pieces = self._encode(handler, header, request, response)
            if place is not None:
                place.fill(pieces)
            elif pieces:
                connection.answers.give_pieces(pieces)
        except ProtocolError as error:  # there is an error that no answer can carry
            connection.close(str(error))

    def _encode(
        self,
        handler: Served[NodeT],
        header: RequestHeader,
        request: Message,
        response: Message | None,
    ) -> Pieces:
        if response is None:
            return ()
        try:
            return encode_answer(header, response)
        except Exception as error:
            refusal = self.refusals.refusal(handler, header, request, error)
            try:
                return encode_answer(header, refusal)
            except EncodeError as second:
                raise ProtocolError(f"no answer can carry this error: {second}") from error

    async def _encode_elsewhere(
        self, connection: Connection, place: Place, encode: Callable[[], Pieces]
    ) -> None:
        """Encode an answer of very many rows on a thread, since that takes long."""
        try:
            place.fill(await self._node.in_thread(encode))
        except ProtocolError as error:
            connection.close(str(error))

    async def stop(self) -> None:
        """Cancel the requests that are still in work: their connections are gone."""
        await self._tasks.stop()


def no_such_version(advertised: tuple[int, int], buffer: bytearray, start: int) -> bytes:
    """An ApiVersions answer in version 0: error 35, and the range of versions to choose from
    (ENV-03)."""
    first, last = advertised
    own = ApiVersion(api_key=API_VERSIONS, min_version=first, max_version=last)
    response = ApiVersionsResponse(error_code=int(ErrorCode.UNSUPPORTED_VERSION), api_keys=[own])
    (correlation_id,) = _CORRELATION.unpack_from(buffer, start + 8)
    return encode_response(response, 0, correlation_id)


def encode_answer(header: RequestHeader, response: Message) -> Pieces:
    """The frame of a response, in pieces to be written one after the other."""
    version = header.api_version
    if isinstance(response, FetchResponse):
        return encode_fetch(response, version, header.correlation_id)
    return (encode_response(response, version, header.correlation_id),)
