"""AddRaftVoterResponse, generated from AddRaftVoterResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

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
    write_compact_nullable_string,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":80,"type":"response","name":"AddRaftVoterResponse","validVersions":"0-1","flexib'
    'leVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"name'
    '":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","vers'
    'ions":"0+","nullableVersions":"0+","ignorable":true}]}'
)


class AddRaftVoterResponse(Message):
    """Whether the node votes."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code", "error_message")
    NAME: ClassVar[str] = "AddRaftVoterResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 80
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the sender should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why it does not.
    error_message: str | None  # The reason in words, or null.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message

    @staticmethod
    def decode(data: bytes, version: int) -> AddRaftVoterResponse:
        message, end = AddRaftVoterResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AddRaftVoterResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AddRaftVoterResponse, int]:
        try:
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AddRaftVoterResponse", version, len(data), error) from None
        raise no_version("AddRaftVoterResponse", version)

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
            raise no_encoding("AddRaftVoterResponse", version, error) from error
        raise no_encoding("AddRaftVoterResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[AddRaftVoterResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = AddRaftVoterResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AddRaftVoterResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: AddRaftVoterResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    w.append(0)
