"""RequestHeader, generated from RequestHeader.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_nullable_string,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"header","name":"RequestHeader","validVersions":"1-2","flexibleVersions":"2+","fie'
    'lds":[{"name":"RequestApiKey","type":"int16","versions":"0+"},{"name":"RequestApiVersion",'
    '"type":"int16","versions":"0+"},{"name":"CorrelationId","type":"int32","versions":"0+"},{"'
    'name":"ClientId","type":"string","versions":"1+","nullableVersions":"1+","flexibleVersions'
    '":"none"}]}'
)


class RequestHeader(Message):
    """What stands before every request."""

    __slots__ = ("request_api_key", "request_api_version", "correlation_id", "client_id")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "request_api_key",
        "request_api_version",
        "correlation_id",
        "client_id",
    )
    NAME: ClassVar[str] = "RequestHeader"
    KIND: ClassVar[str] = "header"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    request_api_key: int  # Which API is asked.
    request_api_version: int  # In which version of it the body is written.
    correlation_id: int  # A number that the answer repeats.
    client_id: str | None  # What the client calls itself, or null.

    def __init__(
        self,
        *,
        request_api_key: int = 0,
        request_api_version: int = 0,
        correlation_id: int = 0,
        client_id: str | None = "",
    ) -> None:
        self.request_api_key = request_api_key
        self.request_api_version = request_api_version
        self.correlation_id = correlation_id
        self.client_id = client_id

    @staticmethod
    def decode(data: bytes, version: int) -> RequestHeader:
        message, end = RequestHeader.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("RequestHeader", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[RequestHeader, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("RequestHeader", version, len(data), error) from None
        raise no_version("RequestHeader", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("RequestHeader", version, error) from error
        raise no_encoding("RequestHeader", version)


def _decode_1(data: bytes, i: i64) -> tuple[RequestHeader, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = RequestHeader()
    m.request_api_key = read_i16_be(data, i)
    m.request_api_version = read_i16_be(data, i + 2)
    m.correlation_id = read_i32_be(data, i + 4)
    n = read_i16_be(data, i + 8)
    i += 10
    if n == -1:
        m.client_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("RequestHeader.ClientId", n, size - i)
        m.client_id = data[i:end].decode()
        i = end
    return m, i


def _encode_1(m: RequestHeader, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.request_api_key)
    write_i16_be(w, m.request_api_version)
    write_i32_be(w, m.correlation_id)
    v1 = m.client_id
    write_nullable_string(w, v1)


def _decode_2(data: bytes, i: i64) -> tuple[RequestHeader, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = RequestHeader()
    m.request_api_key = read_i16_be(data, i)
    m.request_api_version = read_i16_be(data, i + 2)
    m.correlation_id = read_i32_be(data, i + 4)
    n = read_i16_be(data, i + 8)
    i += 10
    if n == -1:
        m.client_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("RequestHeader.ClientId", n, size - i)
        m.client_id = data[i:end].decode()
        i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: RequestHeader, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.request_api_key)
    write_i16_be(w, m.request_api_version)
    write_i32_be(w, m.correlation_id)
    v1 = m.client_id
    write_nullable_string(w, v1)
    w.append(0)
