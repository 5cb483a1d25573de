"""Envelopes: how a broker hands a client's request on to the active controller (FWD-02)."""

from __future__ import annotations

from barnabas.protocol.apis import api
from barnabas.protocol.errors import ErrorCode, KafkaError
from barnabas.protocol.header import SIZE_BYTES, decode_response_header, encode_request
from barnabas.protocol.message import Message
from barnabas.protocol.messages.envelope_request import EnvelopeRequest
from barnabas.protocol.messages.envelope_response import EnvelopeResponse

from ..core.security.enveloped import ForwardedClient, address_bytes, principal_bytes


def envelope_of(request: Message, version: int, client: ForwardedClient) -> EnvelopeRequest:
    """An envelope with the request, its header, and the client's identity."""
    frame = encode_request(request, version, client.correlation_id, client.client_id)
    return EnvelopeRequest(
        request_data=frame[SIZE_BYTES:],
        request_principal=principal_bytes(client.principal),
        client_host_address=address_bytes(client.host),
    )


def answer_in(envelope: EnvelopeResponse, key: int, version: int) -> Message:
    """The answer in the envelope. Raises KafkaError 35, or -1 for any other error of the envelope
    (FWD-05), and DecodeError for bytes that are no answer."""
    code = envelope.error_code
    if code == ErrorCode.UNSUPPORTED_VERSION:
        raise KafkaError(ErrorCode.UNSUPPORTED_VERSION)
    if code or envelope.response_data is None:
        raise KafkaError(
            ErrorCode.UNKNOWN_SERVER_ERROR, "The active controller did not take the request."
        )
    data = bytes(envelope.response_data)
    _, at = decode_response_header(data, 0, key, version)
    return api(key).response.decode(data[at:], version)
