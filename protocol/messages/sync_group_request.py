"""SyncGroupRequest, generated from SyncGroupRequest.json: do not edit, run `make generate`."""

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
    write_bytes,
    write_compact_bytes,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":14,"type":"request","listeners":["broker"],"name":"SyncGroupRequest","validVersi'
    'ons":"0-5","flexibleVersions":"4+","fields":[{"name":"GroupId","type":"string","versions":'
    '"0+","entityType":"groupId"},{"name":"GenerationId","type":"int32","versions":"0+"},{"name'
    '":"MemberId","type":"string","versions":"0+"},{"name":"GroupInstanceId","type":"string","v'
    'ersions":"3+","nullableVersions":"3+","default":"null"},{"name":"ProtocolType","type":"str'
    'ing","versions":"5+","nullableVersions":"5+","default":"null","ignorable":true},{"name":"P'
    'rotocolName","type":"string","versions":"5+","nullableVersions":"5+","default":"null","ign'
    'orable":true},{"name":"Assignments","type":"[]SyncGroupRequestAssignment","versions":"0+",'
    '"fields":[{"name":"MemberId","type":"string","versions":"0+"},{"name":"Assignment","type":'
    '"bytes","versions":"0+"}]}]}'
)


class SyncGroupRequestAssignment(Struct):
    """What each member shall do, from the leader; empty from all others."""

    __slots__ = ("member_id", "assignment")
    FIELDS: ClassVar[tuple[str, ...]] = ("member_id", "assignment")
    member_id: str  # Id of the member that gets this part.
    assignment: bytes  # What it shall do; for consumers a ConsumerProtocolAssignment.

    def __init__(
        self,
        *,
        member_id: str = "",
        assignment: bytes = b'',
    ) -> None:
        self.member_id = member_id
        self.assignment = assignment


class SyncGroupRequest(Message):
    """Second half of a rebalance: the leader hands in the assignment, and each member waits for its part of it."""

    __slots__ = (
        "group_id",
        "generation_id",
        "member_id",
        "group_instance_id",
        "protocol_type",
        "protocol_name",
        "assignments",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "group_id",
        "generation_id",
        "member_id",
        "group_instance_id",
        "protocol_type",
        "protocol_name",
        "assignments",
    )
    NAME: ClassVar[str] = "SyncGroupRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 14
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.
    generation_id: int  # Generation that the member joined.
    member_id: str  # Id that the coordinator gave the member.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    protocol_type: str | None  # What the group is for, as in the answer to the join; it must be given from version 5 on.
    protocol_name: str | None  # The way of sharing work that was chosen at the join; it must be given from version 5 on.
    assignments: list[SyncGroupRequestAssignment]  # What each member shall do, from the leader; empty from all others.

    def __init__(
        self,
        *,
        group_id: str = "",
        generation_id: int = 0,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignments: list[SyncGroupRequestAssignment] = UNSET_LIST,
    ) -> None:
        self.group_id = group_id
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignments = [] if assignments is UNSET_LIST else assignments

    @staticmethod
    def decode(data: bytes, version: int) -> SyncGroupRequest:
        message, end = SyncGroupRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("SyncGroupRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[SyncGroupRequest, int]:
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
            raise decode_failure("SyncGroupRequest", version, len(data), error) from None
        raise no_version("SyncGroupRequest", version)

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
            raise no_encoding("SyncGroupRequest", version, error) from error
        raise no_encoding("SyncGroupRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[SyncGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = SyncGroupRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SyncGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SyncGroupRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("SyncGroupRequest.Assignments", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("SyncGroupRequest.Assignments", 100000)
    count1 = n
    found1: list[SyncGroupRequestAssignment] = []
    m.assignments = found1
    for _ in range(count1):
        s1 = SyncGroupRequestAssignment()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SyncGroupRequest.Assignments.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SyncGroupRequest.Assignments.Assignment", n, size - i)
        s1.assignment = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_0(m: SyncGroupRequest, w: BytesWriter, version: int) -> None:
    if m.group_instance_id is not None:
        raise not_carried("SyncGroupRequest.GroupInstanceId", version)
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.generation_id)
    v2 = m.member_id
    write_string(w, v2)
    v3 = m.assignments
    write_i32_be(w, len(v3))
    for s1 in v3:
        v4 = s1.member_id
        write_string(w, v4)
        v5 = s1.assignment
        write_bytes(w, v5)


def _decode_3(data: bytes, i: i64) -> tuple[SyncGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = SyncGroupRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SyncGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SyncGroupRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.group_instance_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SyncGroupRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("SyncGroupRequest.Assignments", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("SyncGroupRequest.Assignments", 100000)
    count1 = n
    found1: list[SyncGroupRequestAssignment] = []
    m.assignments = found1
    for _ in range(count1):
        s1 = SyncGroupRequestAssignment()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SyncGroupRequest.Assignments.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SyncGroupRequest.Assignments.Assignment", n, size - i)
        s1.assignment = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_3(m: SyncGroupRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.generation_id)
    v2 = m.member_id
    write_string(w, v2)
    v3 = m.group_instance_id
    write_nullable_string(w, v3)
    v4 = m.assignments
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.member_id
        write_string(w, v5)
        v6 = s1.assignment
        write_bytes(w, v6)


def _decode_4(data: bytes, i: i64) -> tuple[SyncGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = SyncGroupRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("SyncGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("SyncGroupRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.group_instance_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("SyncGroupRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("SyncGroupRequest.Assignments", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("SyncGroupRequest.Assignments", 100000)
    count1 = n
    found1: list[SyncGroupRequestAssignment] = []
    m.assignments = found1
    for _ in range(count1):
        s1 = SyncGroupRequestAssignment()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("SyncGroupRequest.Assignments.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SyncGroupRequest.Assignments.Assignment", n, size - i)
        s1.assignment = data[i:end]
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


def _encode_4(m: SyncGroupRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_compact_string(w, v1)
    write_i32_be(w, m.generation_id)
    v2 = m.member_id
    write_compact_string(w, v2)
    v3 = m.group_instance_id
    write_compact_nullable_string(w, v3)
    v4 = m.assignments
    write_uvarint(w, len(v4) + 1)
    for s1 in v4:
        v5 = s1.member_id
        write_compact_string(w, v5)
        v6 = s1.assignment
        write_compact_bytes(w, v6)
        w.append(0)
    w.append(0)


def _decode_5(data: bytes, i: i64) -> tuple[SyncGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = SyncGroupRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("SyncGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("SyncGroupRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.group_instance_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("SyncGroupRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.protocol_type = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("SyncGroupRequest.ProtocolType", n, size - i)
        m.protocol_type = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.protocol_name = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("SyncGroupRequest.ProtocolName", n, size - i)
        m.protocol_name = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("SyncGroupRequest.Assignments", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("SyncGroupRequest.Assignments", 100000)
    count1 = n
    found1: list[SyncGroupRequestAssignment] = []
    m.assignments = found1
    for _ in range(count1):
        s1 = SyncGroupRequestAssignment()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("SyncGroupRequest.Assignments.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("SyncGroupRequest.Assignments.Assignment", n, size - i)
        s1.assignment = data[i:end]
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


def _encode_5(m: SyncGroupRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_compact_string(w, v1)
    write_i32_be(w, m.generation_id)
    v2 = m.member_id
    write_compact_string(w, v2)
    v3 = m.group_instance_id
    write_compact_nullable_string(w, v3)
    v4 = m.protocol_type
    write_compact_nullable_string(w, v4)
    v5 = m.protocol_name
    write_compact_nullable_string(w, v5)
    v6 = m.assignments
    write_uvarint(w, len(v6) + 1)
    for s1 in v6:
        v7 = s1.member_id
        write_compact_string(w, v7)
        v8 = s1.assignment
        write_compact_bytes(w, v8)
        w.append(0)
    w.append(0)
