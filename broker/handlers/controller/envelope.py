"""Envelope: a client's request as a broker of Kafka hands it on, whole, to the active controller.

Brokers of ours send the request itself (`is_forwarded`). What is inside must be one that they would
send: it is answered as if it had come here, and the answer goes back with its header. An error of
the envelope is one that the broker must act upon, not its client. Nobody is authenticated yet, so
neither principal nor address of the client is looked at.
"""

from __future__ import annotations

from typing import Any  # Any: the request of any API, and its answer

from barnabas.protocol.errors import DecodeError, ErrorCode, KafkaError, ProtocolError
from barnabas.protocol.header import (
    SIZE_BYTES,
    RequestHeader,
    decode_request_header,
    encode_response,
)
from barnabas.protocol.messages.envelope_request import EnvelopeRequest
from barnabas.protocol.messages.envelope_response import EnvelopeResponse

from ...serving.context import NodeContext, RequestContext
from ...serving.handler import Handler
from ...serving.waiting import Waiting, awaited


async def handle(request: EnvelopeRequest, context: NodeContext) -> EnvelopeResponse:
    """The answer to the request inside.

    Raises KafkaError: 41 another controller is active, 35 the version inside is not served, 42 what
    is inside is no request, or none that is handed on.
    """
    node = context.node
    if node.quorum.leader.leader_id != node.node_id:
        raise KafkaError(ErrorCode.NOT_CONTROLLER)
    data = bytes(request.request_data)
    handler, header, inner = _open(data, context)
    answer = await _answer(handler, inner, RequestContext(node, header, context.peer))
    frame = encode_response(answer, header.api_version, header.correlation_id)
    return EnvelopeResponse(response_data=frame[SIZE_BYTES:])


def _open(data: bytes, context: NodeContext) -> tuple[Handler[NodeContext], RequestHeader, Any]:
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
    try:
        inner, end = handler.api.request.decode_at(data, body_at, header.api_version)
    except DecodeError as error:
        raise KafkaError(ErrorCode.INVALID_REQUEST, str(error)) from None
    if end != len(data):
        raise KafkaError(ErrorCode.INVALID_REQUEST, f"{len(data) - end} bytes left over")
    return handler, header, inner


async def _answer(handler: Handler[NodeContext], request: Any, context: NodeContext) -> Any:
    """Raises what is no KafkaError: that is a bug, and the envelope's error."""
    try:
        found = await handler.handle(request, context)
        return await awaited(found) if isinstance(found, Waiting) else found
    except KafkaError as error:
        return handler.refusal(request, error.code, error.message)


HANDLER = Handler(EnvelopeRequest, (0, 0), handle)
