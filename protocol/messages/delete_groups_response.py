"""DeleteGroupsResponse, generated from DeleteGroupsResponse.json: do not edit, run `make generate`."""

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
    write_compact_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":42,"type":"response","name":"DeleteGroupsResponse","validVersions":"0-2","flexib'
    'leVersions":"2+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"name'
    '":"Results","type":"[]DeletableGroupResult","versions":"0+","fields":[{"name":"GroupId","t'
    'ype":"string","versions":"0+","mapKey":true,"entityType":"groupId"},{"name":"ErrorCode","t'
    'ype":"int16","versions":"0+"}]}]}'
)


class DeletableGroupResult(Struct):
    """One entry for each group, in any order."""

    __slots__ = ("group_id", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id", "error_code")
    group_id: str  # Id of the group.
    error_code: int  # Zero, or why the group is still there; 68 when it has members.

    def __init__(
        self,
        *,
        group_id: str = "",
        error_code: int = 0,
    ) -> None:
        self.group_id = group_id
        self.error_code = error_code


class DeleteGroupsResponse(Message):
    """Which groups were removed."""

    __slots__ = ("throttle_time_ms", "results")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "results")
    NAME: ClassVar[str] = "DeleteGroupsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 42
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    results: list[DeletableGroupResult]  # One entry for each group, in any order.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[DeletableGroupResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET_LIST else results

    @staticmethod
    def decode(data: bytes, version: int) -> DeleteGroupsResponse:
        message, end = DeleteGroupsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DeleteGroupsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DeleteGroupsResponse, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DeleteGroupsResponse", version, len(data), error) from None
        raise no_version("DeleteGroupsResponse", version)

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
            raise no_encoding("DeleteGroupsResponse", version, error) from error
        raise no_encoding("DeleteGroupsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DeleteGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DeleteGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 4 > size - i:
        raise bad_count("DeleteGroupsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteGroupsResponse.Results", 10000000)
    count1 = n
    found1: list[DeletableGroupResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DeletableGroupResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DeleteGroupsResponse.Results.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        s1.error_code = read_i16_be(data, i)
        found1.append(s1)
        i += 2
    return m, i


def _encode_0(m: DeleteGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.group_id
        write_string(w, v2)
        write_i16_be(w, s1.error_code)


def _decode_2(data: bytes, i: i64) -> tuple[DeleteGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DeleteGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("DeleteGroupsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteGroupsResponse.Results", 10000000)
    count1 = n
    found1: list[DeletableGroupResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DeletableGroupResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DeleteGroupsResponse.Results.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        s1.error_code = read_i16_be(data, i)
        if data[i + 2] == 0:
            i += 3
        else:
            i = skip_tagged_fields(data, i + 2)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: DeleteGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.group_id
        write_compact_string(w, v2)
        write_i16_be(w, s1.error_code)
        w.append(0)
    w.append(0)
