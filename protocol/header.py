"""Headers of requests and responses, and whole frames made of header and body.

ENV-01: a frame is an int32 length, then that many bytes; `connection/frames.py` reads them.
ENV-02: a flexible version of an API has the header with tagged fields, others the older one;
the client id is never compact, so that a server can read it before it knows anything.
"""

# librt's index parameters are typed as its C integers, which pyright does not take for int.
# pyright: reportArgumentType=false
from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be

from .apis import api
from .errors import DecodeError, EncodeError
from .message import Message
from .primitives import bad_length, decode_failure, skip_tagged_fields, write_nullable_string

SIZE_BYTES: Final = 4
"""Bytes of the length at the start of a frame."""


class RequestHeader:
    """What stands before a request body."""

    __slots__ = ("api_key", "api_version", "client_id", "correlation_id")

    def __init__(
        self, api_key: int, api_version: int, correlation_id: int, client_id: str | None
    ) -> None:
        self.api_key = api_key
        self.api_version = api_version
        self.correlation_id = correlation_id
        self.client_id = client_id

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, RequestHeader):
            return NotImplemented
        return (self.api_key, self.api_version, self.correlation_id, self.client_id) == (
            other.api_key,
            other.api_version,
            other.correlation_id,
            other.client_id,
        )

    __hash__ = None  # type: ignore[assignment]  # its fields can change

    def __repr__(self) -> str:
        return (
            f"RequestHeader(api_key={self.api_key}, api_version={self.api_version}, "
            f"correlation_id={self.correlation_id}, client_id={self.client_id!r})"
        )


def decode_request_header(data: bytes, offset: int = 0) -> tuple[RequestHeader, int]:
    """The header at `offset` of a frame's content, and where the body begins.

    Raises ProtocolError for an unknown api key (ENV-05) and DecodeError for what is no header.
    The version is not checked: ApiVersions answers versions that do not exist (ENV-03).
    """
    try:
        api_key = read_i16_be(data, offset)
        version = read_i16_be(data, offset + 2)
        correlation_id = read_i32_be(data, offset + 4)
        client_id, offset = _read_client_id(data, offset + 8)
        if api(api_key).is_flexible(version):
            # Nobody sends tagged fields here: one byte says so.
            offset = offset + 1 if data[offset] == 0 else skip_tagged_fields(data, offset)
    except (IndexError, ValueError, DecodeError) as error:
        raise decode_failure("RequestHeader", 1, len(data), error) from None
    return RequestHeader(api_key, version, correlation_id, client_id), offset


def _read_client_id(data: bytes, offset: int) -> tuple[str | None, int]:
    size = read_i16_be(data, offset)
    offset += 2
    if size == -1:
        return None, offset
    end = offset + size
    if size < 0 or end > len(data):
        raise bad_length("RequestHeader.ClientId", size, len(data) - offset)
    return data[offset:end].decode(), end


def write_request_header(
    writer: BytesWriter, api_key: int, version: int, correlation_id: int, client_id: str | None
) -> None:
    """Append a header in the version that (`api_key`, `version`) asks for (ENV-02).

    Raises EncodeError for what does not fit.
    """
    try:
        write_i16_be(writer, api_key)
        write_i16_be(writer, version)
        write_i32_be(writer, correlation_id)
        write_nullable_string(writer, client_id)
    except (ValueError, OverflowError) as error:
        header = RequestHeader(api_key, version, correlation_id, client_id)
        raise EncodeError(f"{header}: {error}") from error
    if api(api_key).is_flexible(version):
        writer.append(0)


def encode_request(
    request: Message, version: int, correlation_id: int, client_id: str | None
) -> bytes:
    """A whole frame, length included. EncodeError when `version` cannot carry the request."""
    assert request.API_KEY is not None, "only requests have a request header"
    writer = _start_frame()
    write_request_header(writer, request.API_KEY, version, correlation_id, client_id)
    request.encode_into(writer, version)
    return _finish_frame(writer)


def decode_response_header(data: bytes, offset: int, api_key: int, version: int) -> tuple[int, int]:
    """Correlation id of the response to (`api_key`, `version`), and where its body begins."""
    try:
        correlation_id = read_i32_be(data, offset)
        offset += 4
        if api(api_key).response_header_version(version) == 1:
            offset = offset + 1 if data[offset] == 0 else skip_tagged_fields(data, offset)
    except (IndexError, ValueError, DecodeError) as error:
        raise decode_failure("ResponseHeader", 1, len(data), error) from None
    return correlation_id, offset


def write_response_header(
    writer: BytesWriter, api_key: int, version: int, correlation_id: int
) -> None:
    """Append the header of a response to (`api_key`, `version`) (ENV-02)."""
    write_i32_be(writer, correlation_id)
    if api(api_key).response_header_version(version) == 1:
        writer.append(0)


def encode_response(response: Message, version: int, correlation_id: int) -> bytes:
    """A whole frame, length included. EncodeError when `version` cannot carry the response."""
    assert response.API_KEY is not None, "only responses have a response header"
    writer = _start_frame()
    write_response_header(writer, response.API_KEY, version, correlation_id)
    response.encode_into(writer, version)
    return _finish_frame(writer)


def _start_frame() -> BytesWriter:
    """A writer that has room for the length in front."""
    writer = BytesWriter()
    write_i32_be(writer, 0)
    return writer


def _finish_frame(writer: BytesWriter) -> bytes:
    """The whole frame, its length put in; `writer` came from `_start_frame`."""
    size = len(writer) - SIZE_BYTES
    if size > 0x7FFFFFFF:
        raise EncodeError(f"a frame of {size} bytes")
    writer[0] = size >> 24
    writer[1] = size >> 16 & 0xFF
    writer[2] = size >> 8 & 0xFF
    writer[3] = size & 0xFF
    return writer.getvalue()
