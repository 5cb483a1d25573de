"""Which frames a node reads at all: by API, version and length."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Generic, TypeVar

from barnabas.protocol.errors import ProtocolError

from ..serving.context import NodeServices, RequestContext
from ..serving.handler import Handler
from .limits import Limits

PRODUCE, SASL_HANDSHAKE, API_VERSIONS, SASL_AUTHENTICATE, ENVELOPE = 0, 17, 18, 36, 58
ENVELOPE_ROOM = 131_072
"""What an envelope adds to the request in it: principal, address, a header of its own."""

HANDSHAKE = (SASL_HANDSHAKE, API_VERSIONS, SASL_AUTHENTICATE)

NodeT = TypeVar("NodeT", bound=NodeServices)

Served = Handler[RequestContext[NodeT]]
"""A handler for this kind of node (broker or controller)."""


class ServedFrames(Generic[NodeT]):
    """The handlers of a node, each for the frames that it takes."""

    def __init__(self, handlers: Mapping[int, Served[NodeT]], limits: Limits) -> None:
        self._handlers = handlers
        self._limits = limits

    def find(self, key: int, version: int, size: int) -> Served[NodeT]:
        """The handler for a frame of this API, version and length.

        Raises ProtocolError for an API or version that is not served (ENV-05) and for a frame that
        is too long for its API (ENV-12).
        """
        handler = self._handlers.get(key)
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
