"""Answers as the frames that leave."""

from __future__ import annotations

from struct import Struct

from barnabas.protocol.errors import ErrorCode
from barnabas.protocol.header import RequestHeader, encode_response
from barnabas.protocol.message import Message
from barnabas.protocol.messages.api_versions_response import ApiVersion, ApiVersionsResponse
from barnabas.protocol.messages.fetch_response import FetchResponse

from .fast_fetch import Pieces, encode_fetch

API_VERSIONS = 18

_CORRELATION = Struct(">i")


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
