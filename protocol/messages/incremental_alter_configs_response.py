"""IncrementalAlterConfigsResponse, generated from IncrementalAlterConfigsResponse.json: do not edit, run `make generate`."""

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
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":44,"type":"response","name":"IncrementalAlterConfigsResponse","validVersions":"0'
    '-1","flexibleVersions":"1+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"'
    '0+"},{"name":"Responses","type":"[]AlterConfigsResourceResponse","versions":"0+","fields":'
    '[{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string'
    '","nullableVersions":"0+","versions":"0+"},{"name":"ResourceType","type":"int8","versions"'
    ':"0+"},{"name":"ResourceName","type":"string","versions":"0+"}]}]}'
)


class AlterConfigsResourceResponse(Struct):
    """One entry for each thing."""

    __slots__ = ("error_code", "error_message", "resource_type", "resource_name")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "error_message",
        "resource_type",
        "resource_name",
    )
    error_code: int  # Zero, or why it stayed as it was.
    error_message: str | None  # The reason in words, or null.
    resource_type: int  # What kind of thing it is.
    resource_name: str  # Its name.

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name


class IncrementalAlterConfigsResponse(Message):
    """What became of each thing."""

    __slots__ = ("throttle_time_ms", "responses")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "responses")
    NAME: ClassVar[str] = "IncrementalAlterConfigsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 44
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    responses: list[AlterConfigsResourceResponse]  # One entry for each thing.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        responses: list[AlterConfigsResourceResponse] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.responses = [] if responses is UNSET_LIST else responses

    @staticmethod
    def decode(data: bytes, version: int) -> IncrementalAlterConfigsResponse:
        message, end = IncrementalAlterConfigsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("IncrementalAlterConfigsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[IncrementalAlterConfigsResponse, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("IncrementalAlterConfigsResponse", version, len(data), error) from None
        raise no_version("IncrementalAlterConfigsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("IncrementalAlterConfigsResponse", version, error) from error
        raise no_encoding("IncrementalAlterConfigsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[IncrementalAlterConfigsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = IncrementalAlterConfigsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 7 > size - i:
        raise bad_count("IncrementalAlterConfigsResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("IncrementalAlterConfigsResponse.Responses", 10000000)
    count1 = n
    found1: list[AlterConfigsResourceResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = AlterConfigsResourceResponse()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("IncrementalAlterConfigsResponse.Responses.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        end = i + n
        if n < 0 or end > size:
            raise bad_length("IncrementalAlterConfigsResponse.Responses.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        found1.append(s1)
    return m, i


def _encode_0(m: IncrementalAlterConfigsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.responses
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_nullable_string(w, v2)
        write_i8(w, s1.resource_type)
        v3 = s1.resource_name
        write_string(w, v3)


def _decode_1(data: bytes, i: i64) -> tuple[IncrementalAlterConfigsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = IncrementalAlterConfigsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 6 > size - i:
        raise bad_count("IncrementalAlterConfigsResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("IncrementalAlterConfigsResponse.Responses", 10000000)
    count1 = n
    found1: list[AlterConfigsResourceResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = AlterConfigsResourceResponse()
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
                raise bad_length("IncrementalAlterConfigsResponse.Responses.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("IncrementalAlterConfigsResponse.Responses.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
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


def _encode_1(m: IncrementalAlterConfigsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_compact_nullable_string(w, v2)
        write_i8(w, s1.resource_type)
        v3 = s1.resource_name
        write_compact_string(w, v3)
        w.append(0)
    w.append(0)
