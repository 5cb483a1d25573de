"""What a handler file says of itself: the API, the versions that it serves, and its functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Final, Generic, NamedTuple, TypeVar  # Any: one table, for all messages

from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode, KafkaError, ProtocolError
from barnabas.protocol.message import Message

Versions = tuple[int, int]
"""The first and the last."""

ContextT = TypeVar("ContextT")
ContextT_contra = TypeVar("ContextT_contra", contravariant=True)

Handle = Callable[[Any, ContextT], Any]
"""Request and context -> the answer, a `Waiting` for it, or a coroutine of either."""

HandleInTurns = Callable[[Any, ContextT], Awaitable[Message]]
"""The same answer, with turns of the event loop for others: for requests that name so many things
that an answer without a pause would keep everybody waiting."""

Refuse = Callable[[Any, Any, str | None], Message]
"""Request, error code and message -> the answer that carries them."""


class Apart(NamedTuple):
    """A request of which a part was answered by the node that was asked, and a part is not its."""

    rest: Message | None
    """What the active controller must answer; None if nothing is left."""

    join: Callable[[Any], Message]
    """The answer to `rest`, or None without one -> the answer to all of the request."""


COUNT_MAX: Final = 10_000
"""So many things are decided in one step, as in Kafka: nobody else has a turn meanwhile."""

AnswerOwn = Callable[[Any, ContextT], Awaitable[Apart | None]]
"""Request and context -> what this node has answered itself; None if nothing in it is the node's
own."""


class Forwarded(NamedTuple):
    """The active controller decides: a broker which is not it sends the request on to the
    controller's listener, and its answer back."""

    answer_own: AnswerOwn[Any] | None = None
    """Answers before that what is about the broker itself."""

    things: Callable[[Any], int] | None = None
    """How many things a request asks to be decided, all in one step."""

    def check_count(self, request: Message) -> None:
        """Raise KafkaError 44 (POLICY_VIOLATION) if that is too much."""
        if self.things is not None and (count := self.things(request)) > COUNT_MAX:
            raise KafkaError(
                ErrorCode.POLICY_VIOLATION,
                f"One request may name {COUNT_MAX} things, but this one names {count}.",
            )


class Handler(Generic[ContextT_contra]):
    """One API that a node serves; the type in brackets is what its requests come with."""

    __slots__ = (
        "advertised",
        "api",
        "error_code_since",
        "first",
        "forwarded",
        "handle",
        "handle_in_turns",
        "last",
        "refuse",
    )

    def __init__(
        self,
        request: type[Message],
        versions: Versions,
        handle: Handle[ContextT_contra],
        *,
        refuse: Refuse | None = None,
        advertised: Versions | None = None,
        forwarded: Forwarded | None = None,
        error_code_since: int = 0,
        handle_in_turns: HandleInTurns[ContextT_contra] | None = None,
    ) -> None:
        """`handle_in_turns` answers large requests instead of `handle`. `refuse` answers with an
        error that concerns the whole request; without it the error goes to the answer's own
        `error_code`. `error_code_since`: before this version only the
        rows that `refuse` makes carry the error. `advertised` is what ApiVersions tells instead of
        `versions` (ENV-10)."""
        assert request.API_KEY is not None, "only requests are answered"
        self.api = api(request.API_KEY)
        self.first, self.last = versions
        self.advertised = advertised or versions
        self.forwarded = forwarded
        self.handle = handle
        self.handle_in_turns = handle_in_turns
        self.refuse = refuse
        self.error_code_since = error_code_since

    @property
    def is_forwarded(self) -> bool:
        """Whether the active controller decides."""
        return self.forwarded is not None

    def with_handle(self, handle: Handle[ContextT_contra]) -> Handler[ContextT_contra]:
        """The same API, answered by another function."""
        return Handler(
            self.api.request,
            (self.first, self.last),
            handle,
            refuse=self.refuse,
            advertised=self.advertised,
            forwarded=self.forwarded,
            error_code_since=self.error_code_since,
        )

    def refusal(
        self, request: Message, version: int, code: ErrorCode, message: str | None
    ) -> Message:
        """The answer of this version that carries an error which concerns the whole request.

        Raises ProtocolError if this API's answer has no room for one: then only closing is left.
        """
        if self.refuse is not None:
            refused = self.refuse(request, code, message)
            if version < self.error_code_since:
                own: Any = refused
                own.error_code = 0
            return refused
        response: Message = self.api.response()
        if "error_code" not in response.FIELDS:
            raise ProtocolError(f"{self.api.name} failed: {code.name}")
        fields: Any = response  # which fields it has is known at run time only
        fields.error_code = int(code)
        if "error_message" in response.FIELDS:
            fields.error_message = message
        return response
