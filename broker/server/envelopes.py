"""Envelopes: how a broker hands a client's request on to the active controller (FWD-02)."""

from __future__ import annotations

from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.header import (
    SIZE_BYTES,
    RequestHeader,
    decode_response_header,
    encode_request,
)
from barnabas.protocol.message import Message
from barnabas.protocol.messages.envelope_request import EnvelopeRequest
from barnabas.protocol.messages.envelope_response import EnvelopeResponse

from ..core.security.enveloped import address_bytes, principal_bytes
from ..serving.context import NodeContext


def envelope_of(request: Message, context: NodeContext) -> EnvelopeRequest:
    """The request with its header, and who its client is."""
    header = context.header
    frame = encode_request(request, header.api_version, header.correlation_id, header.client_id)
    return EnvelopeRequest(
        request_data=frame[SIZE_BYTES:],
        request_principal=principal_bytes(context.principal),
        client_host_address=address_bytes(context.client_host),
    )


def answer_in(envelope: EnvelopeResponse, header: RequestHeader) -> Message:
    """The answer inside. Raises KafkaError 35, or -1 for any other error of the envelope (FWD-05),
    and DecodeError for what is no answer."""
    code = envelope.error_code
    if code == ErrorCode.UNSUPPORTED_VERSION:
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION)
    if code or envelope.response_data is None:
        raise KafkaError(
            ErrorCode.UNKNOWN_SERVER_ERROR, "The active controller did not take the request."
        )
    data = bytes(envelope.response_data)
    _, at = decode_response_header(data, 0, header.api_key, header.api_version)
    return api(header.api_key).response.decode(data[at:], header.api_version)
