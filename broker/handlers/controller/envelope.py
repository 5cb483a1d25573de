"""Envelope: a client's request as a broker hands it on, whole, to the active controller (FWD-01).

What is inside must be one that brokers hand on (`is_forwarded`): it is answered as if its client
had sent it here, with that client's rights, and the answer goes back with its header. An error of
the envelope is one that the broker must act upon, not its client.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import Any  # Any: the request of any API, and its answer

from barnabas.protocol.errors import DecodeError, ErrorCode, KafkaError, ProtocolError
from barnabas.protocol.header import (
    SIZE_BYTES,
    RequestHeader,
    decode_request_header,
    encode_response,
)
from barnabas.protocol.message import Message
from barnabas.protocol.messages.envelope_request import EnvelopeRequest
from barnabas.protocol.messages.envelope_response import EnvelopeResponse

from ...core.security.enveloped import address_from, principal_from
from ...core.security.principal import Principal
from ...core.security.resources import CLUSTER, Operation
from ...serving.context import NodeContext, Peer, RequestContext
from ...serving.handler import Handler
from ...serving.waiting import Waiting, awaited


def _nobody_else(context: NodeContext) -> None:
    """Where CLUSTER_ACTION is all that is asked of who sends an envelope."""


async def handle(
    request: EnvelopeRequest,
    context: NodeContext,
    check_sender: Callable[[NodeContext], None] = _nobody_else,
) -> EnvelopeResponse:
    """The answer to the request inside; `check_sender` may refuse who speaks for it (FWD-04).

    Raises KafkaError: 31 who sent it is no node, 41 another controller is active, 35 the version
    inside is not served, 97 the principal cannot be read, 42 what is inside is no request, or none
    that is handed on, or the address is none.
    """
    node = context.node
    context.rights.require(Operation.CLUSTER_ACTION, CLUSTER)
    if node.quorum.leader.leader_id != node.node_id:
        raise KafkaError(ErrorCode.NOT_CONTROLLER)
    data = bytes(request.request_data)
    handler, header, body_at = _open(data, context)
    decode = partial(_inner, handler, header, data, body_at)
    is_long = len(data) >= node.config.request_decode_offload_min_bytes
    inner = await node.in_thread(decode) if is_long else decode()
    client = _Client(
        context.peer,
        principal_from(request.request_principal),
        address_from(request.client_host_address),
    )
    check_sender(context)
    sender = str(context.principal)
    answer = await _answer(handler, inner, RequestContext(node, header, client, sender))
    frame = encode_response(answer, header.api_version, header.correlation_id)
    return EnvelopeResponse(response_data=frame[SIZE_BYTES:])


class _Client:
    """The client of a request that was handed on: its own name and address, our connection."""

    client_software = ""

    def __init__(self, sender: Peer, principal: Principal, client_host: str) -> None:
        """`sender`: the broker at the other end of the connection."""
        self._sender = sender
        self.principal = principal
        self.client_host = client_host

    @property
    def local_host(self) -> str:
        return self._sender.local_host

    @property
    def local_port(self) -> int:
        return self._sender.local_port

    @property
    def listener_name(self) -> str:
        return self._sender.listener_name

    @property
    def is_closed(self) -> bool:
        return self._sender.is_closed


def _open(data: bytes, context: NodeContext) -> tuple[Handler[NodeContext], RequestHeader, int]:
    """Who answers what is inside, its header, and where its body begins."""
    try:
        header, body_at = decode_request_header(data)
    except ProtocolError as error:
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"no request: {error}") from None
    handler = context.node.handlers.get(header.api_key)
    if handler is None or not handler.is_forwarded:
        raise KafkaError(
            ErrorCode.INVALID_REQUEST, f"API key {header.api_key} is not handed on to controllers"
        )
    if not handler.first <= header.api_version <= handler.last:
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION)
    return handler, header, body_at


def _inner(
    handler: Handler[NodeContext], header: RequestHeader, data: bytes, body_at: int
) -> Message:
    try:
        inner, end = handler.api.request.decode_at(data, body_at, header.api_version)
    except DecodeError as error:
        raise KafkaError(ErrorCode.INVALID_REQUEST, str(error)) from None
    if end != len(data):
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"{len(data) - end} bytes left over")
    return inner


async def _answer(handler: Handler[NodeContext], request: Any, context: NodeContext) -> Any:
    """Raises what is no KafkaError: that is a bug, and the envelope's error.

    So is NOT_CONTROLLER: the broker must look for another controller (FWD-05).
    """
    try:
        assert handler.forwarded is not None
        handler.forwarded.check_count(request)
        found = await handler.handle(request, context)
        return await awaited(found) if isinstance(found, Waiting) else found
    except KafkaError as error:
        if error.code is ErrorCode.NOT_CONTROLLER:
            raise
        return handler.refusal(request, context.api_version, error.code, error.message)


HANDLER = Handler(EnvelopeRequest, (0, 0), handle)
