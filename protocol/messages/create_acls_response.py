"""CreateAclsResponse, generated from CreateAclsResponse.json: do not edit, run `make generate`."""

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
    write_nullable_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":30,"type":"response","name":"CreateAclsResponse","validVersions":"1-3","flexible'
    'Versions":"2+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"name":'
    '"Results","type":"[]AclCreationResult","versions":"0+","fields":[{"name":"ErrorCode","type'
    '":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","versions":"0+","nullabl'
    'eVersions":"0+"}]}]}'
)


class AclCreationResult(Struct):
    """The results, in the order of the entries."""

    __slots__ = ("error_code", "error_message")
    FIELDS: ClassVar[tuple[str, ...]] = ("error_code", "error_message")
    error_code: int  # Zero if all is well.
    error_message: str | None  # What is wrong, in words.

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message


class CreateAclsResponse(Message):
    """How adding each entry went."""

    __slots__ = ("throttle_time_ms", "results")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "results")
    NAME: ClassVar[str] = "CreateAclsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 30
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before its next request, in milliseconds.
    results: list[AclCreationResult]  # The results, in the order of the entries.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[AclCreationResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET_LIST else results

    @staticmethod
    def decode(data: bytes, version: int) -> CreateAclsResponse:
        message, end = CreateAclsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("CreateAclsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[CreateAclsResponse, int]:
        try:
            if 2 <= version <= 3:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("CreateAclsResponse", version, len(data), error) from None
        raise no_version("CreateAclsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 2 <= version <= 3:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("CreateAclsResponse", version, error) from error
        raise no_encoding("CreateAclsResponse", version)


def _decode_1(data: bytes, i: i64) -> tuple[CreateAclsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = CreateAclsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 4 > size - i:
        raise bad_count("CreateAclsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreateAclsResponse.Results", 10000000)
    count1 = n
    found1: list[AclCreationResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = AclCreationResult()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("CreateAclsResponse.Results.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        found1.append(s1)
    return m, i


def _encode_1(m: CreateAclsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_nullable_string(w, v2)


def _decode_2(data: bytes, i: i64) -> tuple[CreateAclsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = CreateAclsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("CreateAclsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreateAclsResponse.Results", 10000000)
    count1 = n
    found1: list[AclCreationResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = AclCreationResult()
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
                raise bad_length("CreateAclsResponse.Results.ErrorMessage", n, size - i)
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


def _encode_2(m: CreateAclsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_compact_nullable_string(w, v2)
        w.append(0)
    w.append(0)
