"""The general path of a request: decode header and body, call the handler, encode the response.

There are three kinds of error:
- the peer broke the protocol (`ProtocolError`): its connection is closed, in `connection.py`;
- an answer (`KafkaError`): it goes into the response, in `refusals.py`;
- our bug (anything else): logged with the request's header, answered as UNKNOWN_SERVER_ERROR.

Requests that only the active controller can decide are forwarded to it (`Forwarding`).
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from functools import partial
from types import CoroutineType
from typing import Any, Generic, TypeVar  # Any: what a handler of any API returns

from barnabas.protocol.errors import EncodeError, ProtocolError
from barnabas.protocol.header import RequestHeader, decode_request_header
from barnabas.protocol.message import Message

from ..observe.logging import Logger
from ..observe.metrics import Metrics
from ..serving.context import NodeServices, RequestContext
from ..serving.handler import Handle, HandleInTurns
from ..serving.waiting import Late, Waiting
from .answer_budget import AnswerBudget
from .answer_line import Place
from .connection import CheckHead, Connection
from .encoded_answers import encode_answer, no_such_version
from .fast_fetch import Pieces
from .forwarding import Forwarding, decide
from .late_answers import LateAnswer, Load, make_now
from .limits import Limits
from .long_answers import ROWS_MAX, is_long
from .order import is_before_the_next
from .refusals import Refusals
from .request_body import decode_body
from .request_tasks import RequestTasks
from .served_frames import Served, ServedFrames

PRODUCE, JOIN_GROUP, SYNC_GROUP, API_VERSIONS = 0, 11, 14, 18

PARKED = (JOIN_GROUP, SYNC_GROUP)
"""Other clients decide when these are answered: they are not in work while they wait."""

LARGE_QUESTION_BYTES = 32_768
"""Requests of this size name a thousand things or more. Where the answer is made from what the node
knows, that is done with turns for others."""


Result = Message | Late | Waiting[Message] | Waiting[Late] | Exception | None
"""What a handler returns, after an await if it is a coroutine, or raises; None means no answer at
all."""


NodeT = TypeVar("NodeT", bound=NodeServices)


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
        self._log = log
        self._metrics = metrics
        self._answers = answers
        self._forwarding = forwarding
        self.refusals = Refusals(log, metrics, handlers)
        self._offload_from = node.config.request_decode_offload_min_bytes
        self._served = ServedFrames(handlers, limits)
        self.check_head: CheckHead = self._served.find
        self._load = load
        self._tasks = RequestTasks(limits.requests_in_work_max, log)

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
        handler = self._served.find(key, version, end - start - 4)
        self._metrics.requests[key] += 1
        if key == API_VERSIONS and not handler.first <= version <= handler.last:
            connection.answers.give(no_such_version(handler.advertised, buffer, start))
            return
        frame = bytes(memoryview(buffer)[start + 4 : end])
        header, body_at = decode_request_header(frame)
        size = len(frame)
        if key == PRODUCE and self._quotas.counts_produce:
            self._quotas.produced(connection, header.client_id, size)
        must_wait = self._answers.must_wait(key, size)
        in_turns = handler.handle_in_turns if size >= LARGE_QUESTION_BYTES else None
        if not (in_turns or must_wait or size >= self._offload_from):
            request = decode_body(handler.api, frame, body_at, version)
            self._work(connection, None, handler, header, request)
            return
        place = connection.answers.reserve(None)
        connection.link.hold()
        decode = partial(decode_body, handler.api, frame, body_at, version)
        if in_turns:
            work = self._in_turns(connection, place, handler, header, decode, in_turns)
        else:
            work = self._elsewhere(connection, place, handler, header, decode, size)
        # Who waits for memory is not in work: each connection has one such request at most, and all
        # together they must not keep out those that need not wait.
        is_work = not (in_turns or must_wait)
        self._tasks.spawn(connection, self._apart(connection, work), is_work=is_work)

    async def _apart(self, connection: Connection, work: Coroutine[Any, Any, bool]) -> None:
        """Let the connection go on after `work`, unless that says that it is held back longer."""
        try:
            if not await work:
                connection.link.release()
        except ProtocolError as error:
            connection.close(str(error))

    async def _elsewhere(
        self,
        connection: Connection,
        place: Place,
        handler: Served[NodeT],
        header: RequestHeader,
        decode: Callable[[], Message],
        size: int,
    ) -> bool:
        """Decode a long frame on a thread, so that other connections need not wait. If its answer
        may be long, wait for memory first."""
        request = await self._node.in_thread(decode)
        if self._answers.must_wait(header.api_key, size):
            await self._answers.room()
        return self._work(connection, place, handler, header, request)

    async def _in_turns(
        self,
        connection: Connection,
        place: Place,
        handler: Served[NodeT],
        header: RequestHeader,
        decode: Callable[[], Message],
        handle: HandleInTurns[RequestContext[NodeT]],
    ) -> bool:
        """Answer one large question after the other, and let smaller requests come between."""
        async with self._answers.in_the_making:
            await self._answers.room()
            if connection.is_closed:
                return True
            request = await self._node.in_thread(decode)
            context = RequestContext(self._node, header, connection)
            try:
                response = await self._call(connection, header, request, context, handle)
            except Exception as error:
                response = self.refusals.refusal(handler, header, request, error)
            self._quotas.settle(connection, header.client_id, request, response)
            encode = partial(self._encode, handler, header, request, response)
            await self._encode_elsewhere(connection, place, encode)
        return False

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
                result: Any = self._call(connection, header, request, context, handler.handle)
            else:
                handler.forwarded.check_count(request)
                here = partial(self._call, connection, header, request, context, handler.handle)
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
        header: RequestHeader,
        request: Message,
        context: RequestContext[NodeT],
        handle: Handle[RequestContext[NodeT]],
    ) -> Any:
        if not self._quotas.counts_time:
            return handle(request, context)
        work = partial(handle, request, context)
        return self._quotas.timed(connection, header.client_id, request, work)

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
