"""What a handler file says of itself: the API, the versions that it serves, and its functions."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from typing import Any, Generic, NamedTuple, TypeVar  # Any: one table for messages of all APIs

from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode, ProtocolError
from barnabas.protocol.message import Message

Versions = tuple[int, int]
"""The first and the last."""

ContextT = TypeVar("ContextT")
ContextT_contra = TypeVar("ContextT_contra", contravariant=True)

Handle = Callable[[Any, ContextT], Any]
"""Request and context -> the answer, a `Waiting` for it, or a coroutine of either."""

Refuse = Callable[[Any, Any, str | None], Message]
"""Request, error code and message -> the answer that carries them."""


class Apart(NamedTuple):
    """A request of which a part was answered by the node that was asked, and a part is not its."""

    rest: Message | None
    """What the active controller must answer; None if nothing is left."""

    join: Callable[[Any], Message]
    """The answer to `rest`, or None without one -> the answer to all of the request."""


AnswerOwn = Callable[[Any, ContextT], Awaitable[Apart | None]]
"""Request and context -> what this node has answered itself; None if nothing in it is the node's
own."""


class Handler(Generic[ContextT_contra]):
    """One API that a node serves; the type in brackets is what its requests come with."""

    __slots__ = (
        "advertised",
        "answer_own",
        "api",
        "error_code_since",
        "first",
        "handle",
        "is_forwarded",
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
        is_forwarded: bool = False,
        answer_own: AnswerOwn[ContextT_contra] | None = None,
        error_code_since: int = 0,
    ) -> None:
        """`refuse` answers with an error that concerns the whole request; without it the error
        goes to the answer's own `error_code`. `error_code_since`: before this version only the
        rows that `refuse` makes carry the error. `advertised` is what ApiVersions tells instead of
        `versions` (ENV-10). `is_forwarded`: the active controller decides, so that a broker which
        is not it sends the request on to the controller's listener, and its answer back;
        `answer_own` answers before that what is about the broker itself."""
        assert request.API_KEY is not None, "only requests are answered"
        self.api = api(request.API_KEY)
        self.first, self.last = versions
        self.advertised = advertised or versions
        self.is_forwarded = is_forwarded
        self.answer_own = answer_own
        self.handle = handle
        self.refuse = refuse
        self.error_code_since = error_code_since

    def with_handle(self, handle: Handle[ContextT_contra]) -> Handler[ContextT_contra]:
        """The same API, answered by another function."""
        return Handler(
            self.api.request,
            (self.first, self.last),
            handle,
            refuse=self.refuse,
            advertised=self.advertised,
            is_forwarded=self.is_forwarded,
            answer_own=self.answer_own,
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
