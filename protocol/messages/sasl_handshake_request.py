"""SaslHandshakeRequest, generated from SaslHandshakeRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    trailing,
    write_string,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":17,"type":"request","listeners":["broker","controller"],"name":"SaslHandshakeReq'
    'uest","validVersions":"0-1","flexibleVersions":"none","fields":[{"name":"Mechanism","type"'
    ':"string","versions":"0+"}]}'
)


class SaslHandshakeRequest(Message):
    """A client says by which mechanism it will log in."""

    __slots__ = ("mechanism",)
    FIELDS: ClassVar[tuple[str, ...]] = ("mechanism",)
    NAME: ClassVar[str] = "SaslHandshakeRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 17
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    mechanism: str  # The mechanism's name, such as PLAIN; upper and lower case differ.

    def __init__(
        self,
        *,
        mechanism: str = "",
    ) -> None:
        self.mechanism = mechanism

    @staticmethod
    def decode(data: bytes, version: int) -> SaslHandshakeRequest:
        message, end = SaslHandshakeRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("SaslHandshakeRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[SaslHandshakeRequest, int]:
        try:
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("SaslHandshakeRequest", version, len(data), error) from None
        raise no_version("SaslHandshakeRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("SaslHandshakeRequest", version, error) from error
        raise no_encoding("SaslHandshakeRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[SaslHandshakeRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SaslHandshakeRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SaslHandshakeRequest.Mechanism", n, size - i)
    m.mechanism = data[i:end].decode()
    i = end
    return m, i


def _encode_0(m: SaslHandshakeRequest, w: BytesWriter, version: int) -> None:
    v1 = m.mechanism
    write_string(w, v1)
