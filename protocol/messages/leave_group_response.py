"""LeaveGroupResponse, generated from LeaveGroupResponse.json: do not edit, run `make generate`."""

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
    not_carried,
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
    '{"apiKey":13,"type":"response","name":"LeaveGroupResponse","validVersions":"0-5","flexible'
    'Versions":"4+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"1+","ignorabl'
    'e":true},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"Members","type":"[]M'
    'emberResponse","versions":"3+","fields":[{"name":"MemberId","type":"string","versions":"3+'
    '"},{"name":"GroupInstanceId","type":"string","versions":"3+","nullableVersions":"3+"},{"na'
    'me":"ErrorCode","type":"int16","versions":"3+"}]}]}'
)


class MemberResponse(Struct):
    """One entry for each member."""

    __slots__ = ("member_id", "group_instance_id", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("member_id", "group_instance_id", "error_code")
    member_id: str  # Id of the member, as in the request.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    error_code: int  # Zero, or why this member did not leave.

    def __init__(
        self,
        *,
        member_id: str = "",
        group_instance_id: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.error_code = error_code


class LeaveGroupResponse(Message):
    """Which members have left."""

    __slots__ = ("throttle_time_ms", "error_code", "members")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code", "members")
    NAME: ClassVar[str] = "LeaveGroupResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 13
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the whole request failed.
    members: list[MemberResponse]  # One entry for each member.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        members: list[MemberResponse] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.members = [] if members is UNSET_LIST else members

    @staticmethod
    def decode(data: bytes, version: int) -> LeaveGroupResponse:
        message, end = LeaveGroupResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("LeaveGroupResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[LeaveGroupResponse, int]:
        try:
            if 4 <= version <= 5:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 1 <= version <= 2:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("LeaveGroupResponse", version, len(data), error) from None
        raise no_version("LeaveGroupResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 4 <= version <= 5:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if 1 <= version <= 2:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("LeaveGroupResponse", version, error) from error
        raise no_encoding("LeaveGroupResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[LeaveGroupResponse, i64]:
    m = LeaveGroupResponse()
    m.error_code = read_i16_be(data, i)
    i += 2
    return m, i


def _encode_0(m: LeaveGroupResponse, w: BytesWriter, version: int) -> None:
    if len(m.members) > 0:
        raise not_carried("LeaveGroupResponse.Members", version)
    write_i16_be(w, m.error_code)


def _decode_1(data: bytes, i: i64) -> tuple[LeaveGroupResponse, i64]:
    m = LeaveGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    i += 6
    return m, i


def _encode_1(m: LeaveGroupResponse, w: BytesWriter, version: int) -> None:
    if len(m.members) > 0:
        raise not_carried("LeaveGroupResponse.Members", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)


def _decode_3(data: bytes, i: i64) -> tuple[LeaveGroupResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = LeaveGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = read_i32_be(data, i + 6)
    i += 10
    if n < 0 or n * 6 > size - i:
        raise bad_count("LeaveGroupResponse.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("LeaveGroupResponse.Members", 10000000)
    count1 = n
    found1: list[MemberResponse] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("LeaveGroupResponse.Members.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        if n == -1:
            s1.group_instance_id = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("LeaveGroupResponse.Members.GroupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
            i = end
        s1.error_code = read_i16_be(data, i)
        found1.append(s1)
        i += 2
    return m, i


def _encode_3(m: LeaveGroupResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.members
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.member_id
        write_string(w, v2)
        v3 = s1.group_instance_id
        write_nullable_string(w, v3)
        write_i16_be(w, s1.error_code)


def _decode_4(data: bytes, i: i64) -> tuple[LeaveGroupResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = LeaveGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("LeaveGroupResponse.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("LeaveGroupResponse.Members", 10000000)
    count1 = n
    found1: list[MemberResponse] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberResponse()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("LeaveGroupResponse.Members.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.group_instance_id = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("LeaveGroupResponse.Members.GroupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
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


def _encode_4(m: LeaveGroupResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.members
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.member_id
        write_compact_string(w, v2)
        v3 = s1.group_instance_id
        write_compact_nullable_string(w, v3)
        write_i16_be(w, s1.error_code)
        w.append(0)
    w.append(0)
