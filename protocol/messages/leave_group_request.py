"""LeaveGroupRequest, generated from LeaveGroupRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

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
    '{"apiKey":13,"type":"request","listeners":["broker"],"name":"LeaveGroupRequest","validVers'
    'ions":"0-5","flexibleVersions":"4+","fields":[{"name":"GroupId","type":"string","versions"'
    ':"0+","entityType":"groupId"},{"name":"MemberId","type":"string","versions":"0-2"},{"name"'
    ':"Members","type":"[]MemberIdentity","versions":"3+","fields":[{"name":"MemberId","type":"'
    'string","versions":"3+"},{"name":"GroupInstanceId","type":"string","versions":"3+","nullab'
    'leVersions":"3+","default":"null"},{"name":"Reason","type":"string","versions":"5+","nulla'
    'bleVersions":"5+","default":"null","ignorable":true}]}]}'
)


class MemberIdentity(Struct):
    """The members that leave."""

    __slots__ = ("member_id", "group_instance_id", "reason")
    FIELDS: ClassVar[tuple[str, ...]] = ("member_id", "group_instance_id", "reason")
    member_id: str  # Id of the member; empty to name it by its instance id.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    reason: str | None  # Why the member leaves, in words for the broker's log; null for none.

    def __init__(
        self,
        *,
        member_id: str = "",
        group_instance_id: str | None = None,
        reason: str | None = None,
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.reason = reason


class LeaveGroupRequest(Message):
    """Takes members out of a classic group at once, without waiting for their sessions to end."""

    __slots__ = ("group_id", "member_id", "members")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id", "member_id", "members")
    NAME: ClassVar[str] = "LeaveGroupRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 13
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.
    member_id: str  # Id of the member that leaves.
    members: list[MemberIdentity]  # The members that leave.

    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        members: list[MemberIdentity] = UNSET_LIST,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.members = [] if members is UNSET_LIST else members

    @staticmethod
    def decode(data: bytes, version: int) -> LeaveGroupRequest:
        message, end = LeaveGroupRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("LeaveGroupRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[LeaveGroupRequest, int]:
        try:
            if version == 5:
                return _decode_5(data, offset)
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("LeaveGroupRequest", version, len(data), error) from None
        raise no_version("LeaveGroupRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 5:
                return _encode_5(self, writer, version)
            if version == 4:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("LeaveGroupRequest", version, error) from error
        raise no_encoding("LeaveGroupRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[LeaveGroupRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = LeaveGroupRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("LeaveGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("LeaveGroupRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    return m, i


def _encode_0(m: LeaveGroupRequest, w: BytesWriter, version: int) -> None:
    if len(m.members) > 0:
        raise not_carried("LeaveGroupRequest.Members", version)
    v1 = m.group_id
    write_string(w, v1)
    v2 = m.member_id
    write_string(w, v2)


def _decode_3(data: bytes, i: i64) -> tuple[LeaveGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = LeaveGroupRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("LeaveGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 4 > size - i:
        raise bad_count("LeaveGroupRequest.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("LeaveGroupRequest.Members", 100000)
    count1 = n
    found1: list[MemberIdentity] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberIdentity()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("LeaveGroupRequest.Members.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        if n == -1:
            s1.group_instance_id = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("LeaveGroupRequest.Members.GroupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
            i = end
        found1.append(s1)
    return m, i


def _encode_3(m: LeaveGroupRequest, w: BytesWriter, version: int) -> None:
    if m.member_id != "":
        raise not_carried("LeaveGroupRequest.MemberId", version)
    v1 = m.group_id
    write_string(w, v1)
    v2 = m.members
    write_i32_be(w, len(v2))
    for s1 in v2:
        v3 = s1.member_id
        write_string(w, v3)
        v4 = s1.group_instance_id
        write_nullable_string(w, v4)


def _decode_4(data: bytes, i: i64) -> tuple[LeaveGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = LeaveGroupRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("LeaveGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("LeaveGroupRequest.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("LeaveGroupRequest.Members", 100000)
    count1 = n
    found1: list[MemberIdentity] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberIdentity()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("LeaveGroupRequest.Members.MemberId", n, size - i)
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
                raise bad_length("LeaveGroupRequest.Members.GroupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
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


def _encode_4(m: LeaveGroupRequest, w: BytesWriter, version: int) -> None:
    if m.member_id != "":
        raise not_carried("LeaveGroupRequest.MemberId", version)
    v1 = m.group_id
    write_compact_string(w, v1)
    v2 = m.members
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.member_id
        write_compact_string(w, v3)
        v4 = s1.group_instance_id
        write_compact_nullable_string(w, v4)
        w.append(0)
    w.append(0)


def _decode_5(data: bytes, i: i64) -> tuple[LeaveGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = LeaveGroupRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("LeaveGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("LeaveGroupRequest.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("LeaveGroupRequest.Members", 100000)
    count1 = n
    found1: list[MemberIdentity] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberIdentity()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("LeaveGroupRequest.Members.MemberId", n, size - i)
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
                raise bad_length("LeaveGroupRequest.Members.GroupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.reason = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("LeaveGroupRequest.Members.Reason", n, size - i)
            s1.reason = data[i:end].decode()
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


def _encode_5(m: LeaveGroupRequest, w: BytesWriter, version: int) -> None:
    if m.member_id != "":
        raise not_carried("LeaveGroupRequest.MemberId", version)
    v1 = m.group_id
    write_compact_string(w, v1)
    v2 = m.members
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.member_id
        write_compact_string(w, v3)
        v4 = s1.group_instance_id
        write_compact_nullable_string(w, v4)
        v5 = s1.reason
        write_compact_nullable_string(w, v5)
        w.append(0)
    w.append(0)
