"""SaslAuthenticateResponse, generated from SaslAuthenticateResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
    write_i16_be,
    write_i64_be,
)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_bytes,
    write_compact_bytes,
    write_compact_nullable_string,
    write_nullable_string,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":36,"type":"response","name":"SaslAuthenticateResponse","validVersions":"0-2","fl'
    'exibleVersions":"2+","fields":[{"name":"ErrorCode","type":"int16","versions":"0+"},{"name"'
    ':"ErrorMessage","type":"string","versions":"0+","nullableVersions":"0+"},{"name":"AuthByte'
    's","type":"bytes","versions":"0+"},{"name":"SessionLifetimeMs","type":"int64","versions":"'
    '1+","default":"0","ignorable":true}]}'
)


class SaslAuthenticateResponse(Message):
    """A step of a login: what the server's mechanism says, or why it is over."""

    __slots__ = ("error_code", "error_message", "auth_bytes", "session_lifetime_ms")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "error_message",
        "auth_bytes",
        "session_lifetime_ms",
    )
    NAME: ClassVar[str] = "SaslAuthenticateResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 36
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    error_code: int  # Why the login failed; 0 if it goes on or has succeeded.
    error_message: str | None  # The same in words, without secrets; null without an error.
    auth_bytes: bytes  # The mechanism's own bytes.
    session_lifetime_ms: int  # After so many milliseconds the client must have logged in again; 0: never.

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        auth_bytes: bytes = b'',
        session_lifetime_ms: int = 0,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.auth_bytes = auth_bytes
        self.session_lifetime_ms = session_lifetime_ms

    @staticmethod
    def decode(data: bytes, version: int) -> SaslAuthenticateResponse:
        message, end = SaslAuthenticateResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("SaslAuthenticateResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[SaslAuthenticateResponse, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("SaslAuthenticateResponse", version, len(data), error) from None
        raise no_version("SaslAuthenticateResponse", version)

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
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("SaslAuthenticateResponse", version, error) from error
        raise no_encoding("SaslAuthenticateResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[SaslAuthenticateResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SaslAuthenticateResponse()
    m.error_code = read_i16_be(data, i)
    n = read_i16_be(data, i + 2)
    i += 4
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SaslAuthenticateResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SaslAuthenticateResponse.AuthBytes", n, size - i)
    m.auth_bytes = data[i:end]
    i = end
    return m, i


def _encode_0(m: SaslAuthenticateResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_nullable_string(w, v1)
    v2 = m.auth_bytes
    write_bytes(w, v2)


def _decode_1(data: bytes, i: i64) -> tuple[SaslAuthenticateResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SaslAuthenticateResponse()
    m.error_code = read_i16_be(data, i)
    n = read_i16_be(data, i + 2)
    i += 4
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SaslAuthenticateResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SaslAuthenticateResponse.AuthBytes", n, size - i)
    m.auth_bytes = data[i:end]
    i = end
    m.session_lifetime_ms = read_i64_be(data, i)
    i += 8
    return m, i


def _encode_1(m: SaslAuthenticateResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_nullable_string(w, v1)
    v2 = m.auth_bytes
    write_bytes(w, v2)
    write_i64_be(w, m.session_lifetime_ms)


def _decode_2(data: bytes, i: i64) -> tuple[SaslAuthenticateResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SaslAuthenticateResponse()
    m.error_code = read_i16_be(data, i)
    n = data[i + 2]
    i += 3
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("SaslAuthenticateResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SaslAuthenticateResponse.AuthBytes", n, size - i)
    m.auth_bytes = data[i:end]
    i = end
    m.session_lifetime_ms = read_i64_be(data, i)
    if data[i + 8] == 0:
        i += 9
    else:
        i = skip_tagged_fields(data, i + 8)
    return m, i


def _encode_2(m: SaslAuthenticateResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.auth_bytes
    write_compact_bytes(w, v2)
    write_i64_be(w, m.session_lifetime_ms)
    w.append(0)
