"""SaslAuthenticateRequest, generated from SaslAuthenticateRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_bytes,
    write_compact_bytes,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":36,"type":"request","listeners":["broker","controller"],"name":"SaslAuthenticate'
    'Request","validVersions":"0-2","flexibleVersions":"2+","fields":[{"name":"AuthBytes","type'
    '":"bytes","versions":"0+"}]}'
)


class SaslAuthenticateRequest(Message):
    """A step of a login: what the client's mechanism says."""

    __slots__ = ("auth_bytes",)
    FIELDS: ClassVar[tuple[str, ...]] = ("auth_bytes",)
    NAME: ClassVar[str] = "SaslAuthenticateRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 36
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    auth_bytes: bytes  # The mechanism's own bytes.

    def __init__(
        self,
        *,
        auth_bytes: bytes = b'',
    ) -> None:
        self.auth_bytes = auth_bytes

    @staticmethod
    def decode(data: bytes, version: int) -> SaslAuthenticateRequest:
        message, end = SaslAuthenticateRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("SaslAuthenticateRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[SaslAuthenticateRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("SaslAuthenticateRequest", version, len(data), error) from None
        raise no_version("SaslAuthenticateRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("SaslAuthenticateRequest", version, error) from error
        raise no_encoding("SaslAuthenticateRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[SaslAuthenticateRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SaslAuthenticateRequest()
    n = read_i32_be(data, i)
    i += 4
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SaslAuthenticateRequest.AuthBytes", n, size - i)
    m.auth_bytes = data[i:end]
    i = end
    return m, i


def _encode_0(m: SaslAuthenticateRequest, w: BytesWriter, version: int) -> None:
    v1 = m.auth_bytes
    write_bytes(w, v1)


def _decode_2(data: bytes, i: i64) -> tuple[SaslAuthenticateRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SaslAuthenticateRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SaslAuthenticateRequest.AuthBytes", n, size - i)
    m.auth_bytes = data[i:end]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: SaslAuthenticateRequest, w: BytesWriter, version: int) -> None:
    v1 = m.auth_bytes
    write_compact_bytes(w, v1)
    w.append(0)
