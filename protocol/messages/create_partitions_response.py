"""CreatePartitionsResponse, generated from CreatePartitionsResponse.json: do not edit, run `make generate`."""

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
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":37,"type":"response","name":"CreatePartitionsResponse","validVersions":"0-3","fl'
    'exibleVersions":"2+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"'
    'name":"Results","type":"[]CreatePartitionsTopicResult","versions":"0+","fields":[{"name":"'
    'Name","type":"string","versions":"0+","entityType":"topicName"},{"name":"ErrorCode","type"'
    ':"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","versions":"0+","nullable'
    'Versions":"0+","default":"null"}]}]}'
)


class CreatePartitionsTopicResult(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "error_code", "error_message")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "error_code", "error_message")
    name: str  # Name of the topic.
    error_code: int  # Zero, or why it stayed as it was.
    error_message: str | None  # The reason in words, or null.

    def __init__(
        self,
        *,
        name: str = "",
        error_code: int = 0,
        error_message: str | None = None,
    ) -> None:
        self.name = name
        self.error_code = error_code
        self.error_message = error_message


class CreatePartitionsResponse(Message):
    """What became of each topic."""

    __slots__ = ("throttle_time_ms", "results")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "results")
    NAME: ClassVar[str] = "CreatePartitionsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 37
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    results: list[CreatePartitionsTopicResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[CreatePartitionsTopicResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET_LIST else results

    @staticmethod
    def decode(data: bytes, version: int) -> CreatePartitionsResponse:
        message, end = CreatePartitionsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("CreatePartitionsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[CreatePartitionsResponse, int]:
        try:
            if 2 <= version <= 3:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("CreatePartitionsResponse", version, len(data), error) from None
        raise no_version("CreatePartitionsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 2 <= version <= 3:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("CreatePartitionsResponse", version, error) from error
        raise no_encoding("CreatePartitionsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[CreatePartitionsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = CreatePartitionsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("CreatePartitionsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreatePartitionsResponse.Results", 10000000)
    count1 = n
    found1: list[CreatePartitionsTopicResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = CreatePartitionsTopicResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("CreatePartitionsResponse.Results.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("CreatePartitionsResponse.Results.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        found1.append(s1)
    return m, i


def _encode_0(m: CreatePartitionsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        write_i16_be(w, s1.error_code)
        v3 = s1.error_message
        write_nullable_string(w, v3)


def _decode_2(data: bytes, i: i64) -> tuple[CreatePartitionsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = CreatePartitionsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("CreatePartitionsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreatePartitionsResponse.Results", 10000000)
    count1 = n
    found1: list[CreatePartitionsTopicResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = CreatePartitionsTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("CreatePartitionsResponse.Results.Name", n, size - i)
        s1.name = data[i:end].decode()
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
                raise bad_length("CreatePartitionsResponse.Results.ErrorMessage", n, size - i)
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


def _encode_2(m: CreatePartitionsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        write_i16_be(w, s1.error_code)
        v3 = s1.error_message
        write_compact_nullable_string(w, v3)
        w.append(0)
    w.append(0)
