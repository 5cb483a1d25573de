"""Forwards requests that only the active controller can answer."""

from __future__ import annotations

from collections.abc import Awaitable, Callable
from types import CoroutineType
from typing import Any, Protocol  # Any: the answer of any API, or the wait for it

from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.message import Message

from ..serving.context import NodeContext, NodeT_co, RequestContext
from ..serving.handler import Handler


class Forwarding(Protocol):
    """The way to the active controller, for requests that only it can answer."""

    @property
    def is_here(self) -> bool:
        """Whether this node is the active controller, so that nothing is forwarded."""
        ...

    async def forward(self, request: Message, context: NodeContext) -> Message:
        """The active controller's answer to the request. Raises KafkaError."""
        ...


async def forward(
    forwarding: Forwarding,
    handler: Handler[RequestContext[NodeT_co]],
    request: Message,
    context: RequestContext[NodeT_co],
) -> Message:
    """The active controller's answer, combined with what this node answers itself."""
    own = None if handler.forwarded is None else handler.forwarded.answer_own
    apart = None if own is None else await own(request, context)
    if apart is None:
        return await forwarding.forward(request, context)
    rest = apart.rest
    told = None if rest is None else await forwarding.forward(rest, context)
    return apart.join(told)


def decide(
    forwarding: Forwarding | None,
    handler: Handler[RequestContext[NodeT_co]],
    request: Message,
    context: RequestContext[NodeT_co],
    here: Callable[[], Any],
) -> Any:
    """What this node's active controller answers, which `here` asks, or another node's.

    Without `forwarding` there is no other node to ask.
    """
    if forwarding is None:
        return here()
    if not forwarding.is_here:
        return forward(forwarding, handler, request, context)
    decided = here()
    if isinstance(decided, CoroutineType):
        return _here_or_there(forwarding, handler, request, context, decided)
    return decided


async def _here_or_there(
    forwarding: Forwarding,
    handler: Handler[RequestContext[NodeT_co]],
    request: Message,
    context: RequestContext[NodeT_co],
    decided: Awaitable[Any],
) -> Any:
    """What was decided, or what the next active controller decides if this one's reign has ended.

    As in Kafka, no client hears of that: NOT_CONTROLLER (41) is final for many (FWD-05).
    """
    try:
        return await decided
    except KafkaError as error:
        if error.code is not ErrorCode.NOT_CONTROLLER:
            raise
    return await forward(forwarding, handler, request, context)
