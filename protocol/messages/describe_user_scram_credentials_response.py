"""DescribeUserScramCredentialsResponse, generated from DescribeUserScramCredentialsResponse.json: do not edit, run `make generate`."""

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
    write_i8,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":50,"type":"response","name":"DescribeUserScramCredentialsResponse","validVersion'
    's":"0","flexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions'
    '":"0+"},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":'
    '"string","versions":"0+","nullableVersions":"0+"},{"name":"Results","type":"[]DescribeUser'
    'ScramCredentialsResult","versions":"0+","fields":[{"name":"User","type":"string","versions'
    '":"0+"},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":'
    '"string","versions":"0+","nullableVersions":"0+"},{"name":"CredentialInfos","type":"[]Cred'
    'entialInfo","versions":"0+","fields":[{"name":"Mechanism","type":"int8","versions":"0+"},{'
    '"name":"Iterations","type":"int32","versions":"0+"}]}]}]}'
)


class CredentialInfo(Struct):
    """One entry a mechanism."""

    __slots__ = ("mechanism", "iterations")
    FIELDS: ClassVar[tuple[str, ...]] = ("mechanism", "iterations")
    mechanism: int  # Number of the SCRAM mechanism.
    iterations: int  # How often the hash was applied.

    def __init__(
        self,
        *,
        mechanism: int = 0,
        iterations: int = 0,
    ) -> None:
        self.mechanism = mechanism
        self.iterations = iterations


class DescribeUserScramCredentialsResult(Struct):
    """One entry a user."""

    __slots__ = ("user", "error_code", "error_message", "credential_infos")
    FIELDS: ClassVar[tuple[str, ...]] = ("user", "error_code", "error_message", "credential_infos")
    user: str  # The user.
    error_code: int  # Why nothing is told about this user; 0 if something is.
    error_message: str | None  # The same in words; null if there are none.
    credential_infos: list[CredentialInfo]  # One entry a mechanism.

    def __init__(
        self,
        *,
        user: str = "",
        error_code: int = 0,
        error_message: str | None = "",
        credential_infos: list[CredentialInfo] = UNSET_LIST,
    ) -> None:
        self.user = user
        self.error_code = error_code
        self.error_message = error_message
        self.credential_infos = [] if credential_infos is UNSET_LIST else credential_infos


class DescribeUserScramCredentialsResponse(Message):
    """Users and the mechanisms that each has a credential for."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "results",
    )
    NAME: ClassVar[str] = "DescribeUserScramCredentialsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 50
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before its next request, in milliseconds.
    error_code: int  # What is wrong with the whole request; 0 if nothing.
    error_message: str | None  # The same in words; null if there are none.
    results: list[DescribeUserScramCredentialsResult]  # One entry a user.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[DescribeUserScramCredentialsResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.results = [] if results is UNSET_LIST else results

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeUserScramCredentialsResponse:
        message, end = DescribeUserScramCredentialsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeUserScramCredentialsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeUserScramCredentialsResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeUserScramCredentialsResponse", version, len(data), error) from None
        raise no_version("DescribeUserScramCredentialsResponse", version)

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
            raise no_encoding("DescribeUserScramCredentialsResponse", version, error) from error
        raise no_encoding("DescribeUserScramCredentialsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeUserScramCredentialsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeUserScramCredentialsResponse()
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
            raise bad_length("DescribeUserScramCredentialsResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 6 > size - i:
        raise bad_count("DescribeUserScramCredentialsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeUserScramCredentialsResponse.Results", 10000000)
    count1 = n
    found1: list[DescribeUserScramCredentialsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DescribeUserScramCredentialsResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeUserScramCredentialsResponse.Results.User", n, size - i)
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
                raise bad_length("DescribeUserScramCredentialsResponse.Results.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 6 > size - i:
            raise bad_count("DescribeUserScramCredentialsResponse.Results.CredentialInfos", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeUserScramCredentialsResponse.Results.CredentialInfos", 10000000)
        count2 = n
        found2: list[CredentialInfo] = []
        s1.credential_infos = found2
        for _ in range(count2):
            s2 = CredentialInfo()
            s2.mechanism = (data[i] ^ 0x80) - 0x80
            s2.iterations = read_i32_be(data, i + 1)
            if data[i + 5] == 0:
                i += 6
            else:
                i = skip_tagged_fields(data, i + 5)
            found2.append(s2)
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


def _encode_0(m: DescribeUserScramCredentialsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.results
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.user
        write_compact_string(w, v3)
        write_i16_be(w, s1.error_code)
        v4 = s1.error_message
        write_compact_nullable_string(w, v4)
        v5 = s1.credential_infos
        write_uvarint(w, len(v5) + 1)
        for s2 in v5:
            write_i8(w, s2.mechanism)
            write_i32_be(w, s2.iterations)
            w.append(0)
        w.append(0)
    w.append(0)
