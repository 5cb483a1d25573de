"""AlterUserScramCredentialsResponse, generated from AlterUserScramCredentialsResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":51,"type":"response","name":"AlterUserScramCredentialsResponse","validVersions":'
    '"0","flexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"'
    '0+"},{"name":"Results","type":"[]AlterUserScramCredentialsResult","versions":"0+","fields"'
    ':[{"name":"User","type":"string","versions":"0+"},{"name":"ErrorCode","type":"int16","vers'
    'ions":"0+"},{"name":"ErrorMessage","type":"string","versions":"0+","nullableVersions":"0+"'
    '}]}]}'
)


class AlterUserScramCredentialsResult(Struct):
    """One entry a user."""

    __slots__ = ("user", "error_code", "error_message")
    FIELDS: ClassVar[tuple[str, ...]] = ("user", "error_code", "error_message")
    user: str  # The user.
    error_code: int  # Why nothing was changed for this user; 0 if it was.
    error_message: str | None  # The same in words; null if there are none.

    def __init__(
        self,
        *,
        user: str = "",
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message


class AlterUserScramCredentialsResponse(Message):
    """What became of each user's credentials."""

    __slots__ = ("throttle_time_ms", "results")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "results")
    NAME: ClassVar[str] = "AlterUserScramCredentialsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 51
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before its next request, in milliseconds.
    results: list[AlterUserScramCredentialsResult]  # One entry a user.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[AlterUserScramCredentialsResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET_LIST else results

    @staticmethod
    def decode(data: bytes, version: int) -> AlterUserScramCredentialsResponse:
        message, end = AlterUserScramCredentialsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterUserScramCredentialsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterUserScramCredentialsResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterUserScramCredentialsResponse", version, len(data), error) from None
        raise no_version("AlterUserScramCredentialsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AlterUserScramCredentialsResponse", version, error) from error
        raise no_encoding("AlterUserScramCredentialsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[AlterUserScramCredentialsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AlterUserScramCredentialsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("AlterUserScramCredentialsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterUserScramCredentialsResponse.Results", 10000000)
    count1 = n
    found1: list[AlterUserScramCredentialsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = AlterUserScramCredentialsResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterUserScramCredentialsResponse.Results.User", n, size - i)
        s1.user = data[i:end].decode()
        i = end
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("AlterUserScramCredentialsResponse.Results.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: AlterUserScramCredentialsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.user
        write_compact_string(w, v2)
        write_i16_be(w, s1.error_code)
        v3 = s1.error_message
        write_compact_nullable_string(w, v3)
        w.append(0)
    w.append(0)
