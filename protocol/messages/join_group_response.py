"""JoinGroupResponse, generated from JoinGroupResponse.json: do not edit, run `make generate`."""

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
    null_refused,
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
    '{"apiKey":11,"type":"response","name":"JoinGroupResponse","validVersions":"0-9","flexibleV'
    'ersions":"6+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"2+","ignorable'
    '":true},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"GenerationId","type":'
    '"int32","versions":"0+","default":"-1"},{"name":"ProtocolType","type":"string","versions":'
    '"7+","nullableVersions":"7+","default":"null","ignorable":true},{"name":"ProtocolName","ty'
    'pe":"string","versions":"0+","nullableVersions":"7+"},{"name":"Leader","type":"string","ve'
    'rsions":"0+"},{"name":"SkipAssignment","type":"bool","versions":"9+","default":"false"},{"'
    'name":"MemberId","type":"string","versions":"0+"},{"name":"Members","type":"[]JoinGroupRes'
    'ponseMember","versions":"0+","fields":[{"name":"MemberId","type":"string","versions":"0+"}'
    ',{"name":"GroupInstanceId","type":"string","versions":"5+","nullableVersions":"5+","defaul'
    't":"null","ignorable":true},{"name":"Metadata","type":"bytes","versions":"0+"}]}]}'
)


class JoinGroupResponseMember(Struct):
    """All members of the generation, for the leader alone; empty for the others."""

    __slots__ = ("member_id", "group_instance_id", "metadata")
    FIELDS: ClassVar[tuple[str, ...]] = ("member_id", "group_instance_id", "metadata")
    member_id: str  # Id of this member.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    metadata: bytes  # What this member sent for the protocol that was chosen.

    def __init__(
        self,
        *,
        member_id: str = "",
        group_instance_id: str | None = None,
        metadata: bytes = b'',
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.metadata = metadata


class JoinGroupResponse(Message):
    """The member's place in the new generation of its group; the leader also learns who else is in it."""

    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "generation_id",
        "protocol_type",
        "protocol_name",
        "leader",
        "skip_assignment",
        "member_id",
        "members",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "generation_id",
        "protocol_type",
        "protocol_name",
        "leader",
        "skip_assignment",
        "member_id",
        "members",
    )
    NAME: ClassVar[str] = "JoinGroupResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 11
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 9
    FLEXIBLE_SINCE: ClassVar[int | None] = 6
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the member did not join; 79 asks it to join again with the id of this answer.
    generation_id: int  # Number of the group's new generation, one more at every rebalance; -1 when there is an error.
    protocol_type: str | None  # What the group is for, as its members said, or null.
    protocol_name: str | None  # The way of sharing work that was chosen for this generation; null or empty when there is an error.
    leader: str  # Member id of the leader, the member that assigns the work.
    skip_assignment: bool  # Whether a leader that came back keeps the present assignment and must not make a new one.
    member_id: str  # Id of the member, to be sent with every further request.
    members: list[JoinGroupResponseMember]  # All members of the generation, for the leader alone; empty for the others.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        generation_id: int = -1,
        protocol_type: str | None = None,
        protocol_name: str | None = "",
        leader: str = "",
        skip_assignment: bool = False,
        member_id: str = "",
        members: list[JoinGroupResponseMember] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.generation_id = generation_id
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.leader = leader
        self.skip_assignment = skip_assignment
        self.member_id = member_id
        self.members = [] if members is UNSET_LIST else members

    @staticmethod
    def decode(data: bytes, version: int) -> JoinGroupResponse:
        message, end = JoinGroupResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("JoinGroupResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[JoinGroupResponse, int]:
        try:
            if version == 9:
                return _decode_9(data, offset)
            if 7 <= version <= 8:
                return _decode_7(data, offset)
            if version == 6:
                return _decode_6(data, offset)
            if version == 5:
                return _decode_5(data, offset)
            if 2 <= version <= 4:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("JoinGroupResponse", version, len(data), error) from None
        raise no_version("JoinGroupResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 9:
                return _encode_9(self, writer, version)
            if 7 <= version <= 8:
                return _encode_7(self, writer, version)
            if version == 6:
                return _encode_6(self, writer, version)
            if version == 5:
                return _encode_5(self, writer, version)
            if 2 <= version <= 4:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("JoinGroupResponse", version, error) from error
        raise no_encoding("JoinGroupResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[JoinGroupResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = JoinGroupResponse()
    m.error_code = read_i16_be(data, i)
    m.generation_id = read_i32_be(data, i + 2)
    n = read_i16_be(data, i + 6)
    i += 8
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupResponse.ProtocolName", n, size - i)
    m.protocol_name = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupResponse.Leader", n, size - i)
    m.leader = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupResponse.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("JoinGroupResponse.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupResponse.Members", 10000000)
    count1 = n
    found1: list[JoinGroupResponseMember] = []
    m.members = found1
    for _ in range(count1):
        s1 = JoinGroupResponseMember()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupResponse.Members.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupResponse.Members.Metadata", n, size - i)
        s1.metadata = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_0(m: JoinGroupResponse, w: BytesWriter, version: int) -> None:
    if m.skip_assignment:
        raise not_carried("JoinGroupResponse.SkipAssignment", version)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.generation_id)
    v1 = m.protocol_name
    if v1 is None:
        raise null_refused("JoinGroupResponse.ProtocolName", version)
    write_string(w, v1)
    v2 = m.leader
    write_string(w, v2)
    v3 = m.member_id
    write_string(w, v3)
    v4 = m.members
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.member_id
        write_string(w, v5)
        v6 = s1.metadata
        write_bytes(w, v6)


def _decode_2(data: bytes, i: i64) -> tuple[JoinGroupResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = JoinGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.generation_id = read_i32_be(data, i + 6)
    n = read_i16_be(data, i + 10)
    i += 12
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupResponse.ProtocolName", n, size - i)
    m.protocol_name = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupResponse.Leader", n, size - i)
    m.leader = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupResponse.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("JoinGroupResponse.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupResponse.Members", 10000000)
    count1 = n
    found1: list[JoinGroupResponseMember] = []
    m.members = found1
    for _ in range(count1):
        s1 = JoinGroupResponseMember()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupResponse.Members.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupResponse.Members.Metadata", n, size - i)
        s1.metadata = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_2(m: JoinGroupResponse, w: BytesWriter, version: int) -> None:
    if m.skip_assignment:
        raise not_carried("JoinGroupResponse.SkipAssignment", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.generation_id)
    v1 = m.protocol_name
    if v1 is None:
        raise null_refused("JoinGroupResponse.ProtocolName", version)
    write_string(w, v1)
    v2 = m.leader
    write_string(w, v2)
    v3 = m.member_id
    write_string(w, v3)
    v4 = m.members
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.member_id
        write_string(w, v5)
        v6 = s1.metadata
        write_bytes(w, v6)


def _decode_5(data: bytes, i: i64) -> tuple[JoinGroupResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = JoinGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.generation_id = read_i32_be(data, i + 6)
    n = read_i16_be(data, i + 10)
    i += 12
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupResponse.ProtocolName", n, size - i)
    m.protocol_name = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupResponse.Leader", n, size - i)
    m.leader = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupResponse.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 8 > size - i:
        raise bad_count("JoinGroupResponse.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupResponse.Members", 10000000)
    count1 = n
    found1: list[JoinGroupResponseMember] = []
    m.members = found1
    for _ in range(count1):
        s1 = JoinGroupResponseMember()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupResponse.Members.MemberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        if n == -1:
            s1.group_instance_id = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("JoinGroupResponse.Members.GroupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
            i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupResponse.Members.Metadata", n, size - i)
        s1.metadata = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_5(m: JoinGroupResponse, w: BytesWriter, version: int) -> None:
    if m.skip_assignment:
        raise not_carried("JoinGroupResponse.SkipAssignment", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.generation_id)
    v1 = m.protocol_name
    if v1 is None:
        raise null_refused("JoinGroupResponse.ProtocolName", version)
    write_string(w, v1)
    v2 = m.leader
    write_string(w, v2)
    v3 = m.member_id
    write_string(w, v3)
    v4 = m.members
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.member_id
        write_string(w, v5)
        v6 = s1.group_instance_id
        write_nullable_string(w, v6)
        v7 = s1.metadata
        write_bytes(w, v7)


def _decode_6(data: bytes, i: i64) -> tuple[JoinGroupResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = JoinGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.generation_id = read_i32_be(data, i + 6)
    n = data[i + 10]
    i += 11
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupResponse.ProtocolName", n, size - i)
    m.protocol_name = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupResponse.Leader", n, size - i)
    m.leader = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupResponse.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("JoinGroupResponse.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupResponse.Members", 10000000)
    count1 = n
    found1: list[JoinGroupResponseMember] = []
    m.members = found1
    for _ in range(count1):
        s1 = JoinGroupResponseMember()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("JoinGroupResponse.Members.MemberId", n, size - i)
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
                raise bad_length("JoinGroupResponse.Members.GroupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupResponse.Members.Metadata", n, size - i)
        s1.metadata = data[i:end]
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


def _encode_6(m: JoinGroupResponse, w: BytesWriter, version: int) -> None:
    if m.skip_assignment:
        raise not_carried("JoinGroupResponse.SkipAssignment", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.generation_id)
    v1 = m.protocol_name
    if v1 is None:
        raise null_refused("JoinGroupResponse.ProtocolName", version)
    write_compact_string(w, v1)
    v2 = m.leader
    write_compact_string(w, v2)
    v3 = m.member_id
    write_compact_string(w, v3)
    v4 = m.members
    write_uvarint(w, len(v4) + 1)
    for s1 in v4:
        v5 = s1.member_id
        write_compact_string(w, v5)
        v6 = s1.group_instance_id
        write_compact_nullable_string(w, v6)
        v7 = s1.metadata
        write_compact_bytes(w, v7)
        w.append(0)
    w.append(0)


def _decode_7(data: bytes, i: i64) -> tuple[JoinGroupResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = JoinGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.generation_id = read_i32_be(data, i + 6)
    n = data[i + 10]
    i += 11
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.protocol_type = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("JoinGroupResponse.ProtocolType", n, size - i)
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
            raise bad_length("JoinGroupResponse.ProtocolName", n, size - i)
        m.protocol_name = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupResponse.Leader", n, size - i)
    m.leader = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupResponse.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("JoinGroupResponse.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupResponse.Members", 10000000)
    count1 = n
    found1: list[JoinGroupResponseMember] = []
    m.members = found1
    for _ in range(count1):
        s1 = JoinGroupResponseMember()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("JoinGroupResponse.Members.MemberId", n, size - i)
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
                raise bad_length("JoinGroupResponse.Members.GroupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupResponse.Members.Metadata", n, size - i)
        s1.metadata = data[i:end]
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


def _encode_7(m: JoinGroupResponse, w: BytesWriter, version: int) -> None:
    if m.skip_assignment:
        raise not_carried("JoinGroupResponse.SkipAssignment", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.generation_id)
    v1 = m.protocol_type
    write_compact_nullable_string(w, v1)
    v2 = m.protocol_name
    write_compact_nullable_string(w, v2)
    v3 = m.leader
    write_compact_string(w, v3)
    v4 = m.member_id
    write_compact_string(w, v4)
    v5 = m.members
    write_uvarint(w, len(v5) + 1)
    for s1 in v5:
        v6 = s1.member_id
        write_compact_string(w, v6)
        v7 = s1.group_instance_id
        write_compact_nullable_string(w, v7)
        v8 = s1.metadata
        write_compact_bytes(w, v8)
        w.append(0)
    w.append(0)


def _decode_9(data: bytes, i: i64) -> tuple[JoinGroupResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = JoinGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.generation_id = read_i32_be(data, i + 6)
    n = data[i + 10]
    i += 11
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.protocol_type = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("JoinGroupResponse.ProtocolType", n, size - i)
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
            raise bad_length("JoinGroupResponse.ProtocolName", n, size - i)
        m.protocol_name = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupResponse.Leader", n, size - i)
    m.leader = data[i:end].decode()
    i = end
    m.skip_assignment = data[i] != 0
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupResponse.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("JoinGroupResponse.Members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupResponse.Members", 10000000)
    count1 = n
    found1: list[JoinGroupResponseMember] = []
    m.members = found1
    for _ in range(count1):
        s1 = JoinGroupResponseMember()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("JoinGroupResponse.Members.MemberId", n, size - i)
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
                raise bad_length("JoinGroupResponse.Members.GroupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupResponse.Members.Metadata", n, size - i)
        s1.metadata = data[i:end]
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


def _encode_9(m: JoinGroupResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.generation_id)
    v1 = m.protocol_type
    write_compact_nullable_string(w, v1)
    v2 = m.protocol_name
    write_compact_nullable_string(w, v2)
    v3 = m.leader
    write_compact_string(w, v3)
    w.append(1 if m.skip_assignment else 0)
    v4 = m.member_id
    write_compact_string(w, v4)
    v5 = m.members
    write_uvarint(w, len(v5) + 1)
    for s1 in v5:
        v6 = s1.member_id
        write_compact_string(w, v6)
        v7 = s1.group_instance_id
        write_compact_nullable_string(w, v7)
        v8 = s1.metadata
        write_compact_bytes(w, v8)
        w.append(0)
    w.append(0)
