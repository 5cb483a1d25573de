"""SaslHandshakeResponse, generated from SaslHandshakeResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, UNSET_LIST)
from ..primitives import (
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    trailing,
    write_string,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":17,"type":"response","name":"SaslHandshakeResponse","validVersions":"0-1","flexi'
    'bleVersions":"none","fields":[{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":'
    '"Mechanisms","type":"[]string","versions":"0+"}]}'
)


class SaslHandshakeResponse(Message):
    """Whether the login may begin."""

    __slots__ = ("error_code", "mechanisms")
    FIELDS: ClassVar[tuple[str, ...]] = ("error_code", "mechanisms")
    NAME: ClassVar[str] = "SaslHandshakeResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 17
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    error_code: int  # Why it may not; 0 if it may.
    mechanisms: list[str]  # What this listener takes, in no order.

    def __init__(
        self,
        *,
        error_code: int = 0,
        mechanisms: list[str] = UNSET_LIST,
    ) -> None:
        self.error_code = error_code
        self.mechanisms = [] if mechanisms is UNSET_LIST else mechanisms

    @staticmethod
    def decode(data: bytes, version: int) -> SaslHandshakeResponse:
        message, end = SaslHandshakeResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("SaslHandshakeResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[SaslHandshakeResponse, int]:
        try:
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("SaslHandshakeResponse", version, len(data), error) from None
        raise no_version("SaslHandshakeResponse", version)

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
            raise no_encoding("SaslHandshakeResponse", version, error) from error
        raise no_encoding("SaslHandshakeResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[SaslHandshakeResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = SaslHandshakeResponse()
    m.error_code = read_i16_be(data, i)
    n = read_i32_be(data, i + 2)
    i += 6
    if n < 0 or n * 2 > size - i:
        raise bad_count("SaslHandshakeResponse.Mechanisms", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("SaslHandshakeResponse.Mechanisms", 10000000)
    count1 = n
    found1: list[str] = []
    m.mechanisms = found1
    for _ in range(count1):
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SaslHandshakeResponse.Mechanisms", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    return m, i


def _encode_0(m: SaslHandshakeResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.mechanisms
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_string(w, s1)
