"""DescribeGroupsResponse, generated from DescribeGroupsResponse.json: do not edit, run `make generate`."""

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
    '{"apiKey":15,"type":"response","name":"DescribeGroupsResponse","validVersions":"0-6","flex'
    'ibleVersions":"5+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"1+","igno'
    'rable":true},{"name":"Groups","type":"[]DescribedGroup","versions":"0+","fields":[{"name":'
    '"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","versio'
    'ns":"6+","nullableVersions":"6+","default":"null"},{"name":"GroupId","type":"string","vers'
    'ions":"0+","entityType":"groupId"},{"name":"GroupState","type":"string","versions":"0+"},{'
    '"name":"ProtocolType","type":"string","versions":"0+"},{"name":"ProtocolData","type":"stri'
    'ng","versions":"0+"},{"name":"Members","type":"[]DescribedGroupMember","versions":"0+","fi'
    'elds":[{"name":"MemberId","type":"string","versions":"0+"},{"name":"GroupInstanceId","type'
    '":"string","versions":"4+","nullableVersions":"4+","default":"null","ignorable":true},{"na'
    'me":"ClientId","type":"string","versions":"0+"},{"name":"ClientHost","type":"string","vers'
    'ions":"0+"},{"name":"MemberMetadata","type":"bytes","versions":"0+"},{"name":"MemberAssign'
    'ment","type":"bytes","versions":"0+"}]},{"name":"AuthorizedOperations","type":"int32","ver'
    'sions":"3+","default":"-2147483648"}]}]}'
)


class DescribedGroupMember(Struct):
    """The members of the group."""

    __slots__ = (
        "member_id",
        "group_instance_id",
        "client_id",
        "client_host",
        "member_metadata",
        "member_assignment",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "member_id",
        "group_instance_id",
        "client_id",
        "client_host",
        "member_metadata",
        "member_assignment",
    )
    member_id: str  # Id that the coordinator gave the member.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    client_id: str  # Client id that the member sends with its requests.
    client_host: str  # Address that the member joined from, with a slash in front.
    member_metadata: bytes  # What the member sent for the protocol in use, in state Stable; else empty.
    member_assignment: bytes  # The member's part of the work, in state Stable; else empty.

    def __init__(
        self,
        *,
        member_id: str = "",
        group_instance_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        member_metadata: bytes = b'',
        member_assignment: bytes = b'',
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.member_metadata = member_metadata
        self.member_assignment = member_assignment


class DescribedGroup(Struct):
    """One entry for each group."""

    __slots__ = (
        "error_code",
        "error_message",
        "group_id",
        "group_state",
        "protocol_type",
        "protocol_data",
        "members",
        "authorized_operations",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "error_message",
        "group_id",
        "group_state",
        "protocol_type",
        "protocol_data",
        "members",
        "authorized_operations",
    )
    error_code: int  # Zero, or why the group is not described.
    error_message: str | None  # The reason in words, or null.
    group_id: str  # Id of the group.
    group_state: str  # State of the group: Empty, PreparingRebalance, CompletingRebalance, Stable, or Dead when there is none.
    protocol_type: str  # What the group is for, "consumer" for most; empty when nobody has joined it yet.
    protocol_data: str  # The way of sharing work that is in use, in state Stable; else empty.
    members: list[DescribedGroupMember]  # The members of the group.
    authorized_operations: int  # Bits of what the user may do to the group, one for each operation; -2147483648 if it was not asked for.

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = None,
        group_id: str = "",
        group_state: str = "",
        protocol_type: str = "",
        protocol_data: str = "",
        members: list[DescribedGroupMember] = UNSET_LIST,
        authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.group_id = group_id
        self.group_state = group_state
        self.protocol_type = protocol_type
        self.protocol_data = protocol_data
        self.members = [] if members is UNSET_LIST else members
        self.authorized_operations = authorized_operations


class DescribeGroupsResponse(Message):
    """State and members of classic groups."""

    __slots__ = ("throttle_time_ms", "groups")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "groups")
    NAME: ClassVar[str] = "DescribeGroupsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 15
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 6
    FLEXIBLE_SINCE: ClassVar[int | None] = 5
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    groups: list[DescribedGroup]  # One entry for each group.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        groups: list[DescribedGroup] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.groups = [] if groups is UNSET_LIST else groups

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeGroupsResponse:
        message, end = DescribeGroupsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeGroupsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeGroupsResponse, int]:
        try:
            if version == 6:
                return _decode_6(data, offset)
            if version == 5:
                return _decode_5(data, offset)
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 1 <= version <= 2:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeGroupsResponse", version, len(data), error) from None
        raise no_version("DescribeGroupsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 6:
                return _encode_6(self, writer, version)
            if version == 5:
                return _encode_5(self, writer, version)
            if version == 4:
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
            raise no_encoding("DescribeGroupsResponse", version, error) from error
        raise no_encoding("DescribeGroupsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeGroupsResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 14 > size - i:
        raise bad_count("DescribeGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[DescribedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = DescribedGroup()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolData", n, size - i)
        s1.protocol_data = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 14 > size - i:
            raise bad_count("DescribeGroupsResponse.Groups.Members", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeGroupsResponse.Groups.Members", 10000000)
        count2 = n
        found2: list[DescribedGroupMember] = []
        s1.members = found2
        for _ in range(count2):
            s2 = DescribedGroupMember()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberId", n, size - i)
            s2.member_id = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientId", n, size - i)
            s2.client_id = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientHost", n, size - i)
            s2.client_host = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberMetadata", n, size - i)
            s2.member_metadata = data[i:end]
            i = end
            n = read_i32_be(data, i)
            i += 4
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberAssignment", n, size - i)
            s2.member_assignment = data[i:end]
            i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_0(m: DescribeGroupsResponse, w: BytesWriter, version: int) -> None:
    v1 = m.groups
    write_i32_be(w, len(v1))
    for s1 in v1:
        if s1.error_message is not None:
            raise not_carried("DescribeGroupsResponse.Groups.ErrorMessage", version)
        if s1.authorized_operations != -2147483648:
            raise not_carried("DescribeGroupsResponse.Groups.AuthorizedOperations", version)
        write_i16_be(w, s1.error_code)
        v2 = s1.group_id
        write_string(w, v2)
        v3 = s1.group_state
        write_string(w, v3)
        v4 = s1.protocol_type
        write_string(w, v4)
        v5 = s1.protocol_data
        write_string(w, v5)
        v6 = s1.members
        write_i32_be(w, len(v6))
        for s2 in v6:
            v7 = s2.member_id
            write_string(w, v7)
            v8 = s2.client_id
            write_string(w, v8)
            v9 = s2.client_host
            write_string(w, v9)
            v10 = s2.member_metadata
            write_bytes(w, v10)
            v11 = s2.member_assignment
            write_bytes(w, v11)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 14 > size - i:
        raise bad_count("DescribeGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[DescribedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = DescribedGroup()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolData", n, size - i)
        s1.protocol_data = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 14 > size - i:
            raise bad_count("DescribeGroupsResponse.Groups.Members", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeGroupsResponse.Groups.Members", 10000000)
        count2 = n
        found2: list[DescribedGroupMember] = []
        s1.members = found2
        for _ in range(count2):
            s2 = DescribedGroupMember()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberId", n, size - i)
            s2.member_id = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientId", n, size - i)
            s2.client_id = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientHost", n, size - i)
            s2.client_host = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberMetadata", n, size - i)
            s2.member_metadata = data[i:end]
            i = end
            n = read_i32_be(data, i)
            i += 4
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberAssignment", n, size - i)
            s2.member_assignment = data[i:end]
            i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_1(m: DescribeGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.groups
    write_i32_be(w, len(v1))
    for s1 in v1:
        if s1.error_message is not None:
            raise not_carried("DescribeGroupsResponse.Groups.ErrorMessage", version)
        if s1.authorized_operations != -2147483648:
            raise not_carried("DescribeGroupsResponse.Groups.AuthorizedOperations", version)
        write_i16_be(w, s1.error_code)
        v2 = s1.group_id
        write_string(w, v2)
        v3 = s1.group_state
        write_string(w, v3)
        v4 = s1.protocol_type
        write_string(w, v4)
        v5 = s1.protocol_data
        write_string(w, v5)
        v6 = s1.members
        write_i32_be(w, len(v6))
        for s2 in v6:
            v7 = s2.member_id
            write_string(w, v7)
            v8 = s2.client_id
            write_string(w, v8)
            v9 = s2.client_host
            write_string(w, v9)
            v10 = s2.member_metadata
            write_bytes(w, v10)
            v11 = s2.member_assignment
            write_bytes(w, v11)


def _decode_3(data: bytes, i: i64) -> tuple[DescribeGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 18 > size - i:
        raise bad_count("DescribeGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[DescribedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = DescribedGroup()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolData", n, size - i)
        s1.protocol_data = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 14 > size - i:
            raise bad_count("DescribeGroupsResponse.Groups.Members", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeGroupsResponse.Groups.Members", 10000000)
        count2 = n
        found2: list[DescribedGroupMember] = []
        s1.members = found2
        for _ in range(count2):
            s2 = DescribedGroupMember()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberId", n, size - i)
            s2.member_id = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientId", n, size - i)
            s2.client_id = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientHost", n, size - i)
            s2.client_host = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberMetadata", n, size - i)
            s2.member_metadata = data[i:end]
            i = end
            n = read_i32_be(data, i)
            i += 4
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberAssignment", n, size - i)
            s2.member_assignment = data[i:end]
            i = end
            found2.append(s2)
        s1.authorized_operations = read_i32_be(data, i)
        found1.append(s1)
        i += 4
    return m, i


def _encode_3(m: DescribeGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.groups
    write_i32_be(w, len(v1))
    for s1 in v1:
        if s1.error_message is not None:
            raise not_carried("DescribeGroupsResponse.Groups.ErrorMessage", version)
        write_i16_be(w, s1.error_code)
        v2 = s1.group_id
        write_string(w, v2)
        v3 = s1.group_state
        write_string(w, v3)
        v4 = s1.protocol_type
        write_string(w, v4)
        v5 = s1.protocol_data
        write_string(w, v5)
        v6 = s1.members
        write_i32_be(w, len(v6))
        for s2 in v6:
            v7 = s2.member_id
            write_string(w, v7)
            v8 = s2.client_id
            write_string(w, v8)
            v9 = s2.client_host
            write_string(w, v9)
            v10 = s2.member_metadata
            write_bytes(w, v10)
            v11 = s2.member_assignment
            write_bytes(w, v11)
        write_i32_be(w, s1.authorized_operations)


def _decode_4(data: bytes, i: i64) -> tuple[DescribeGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 18 > size - i:
        raise bad_count("DescribeGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[DescribedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = DescribedGroup()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolData", n, size - i)
        s1.protocol_data = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 16 > size - i:
            raise bad_count("DescribeGroupsResponse.Groups.Members", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeGroupsResponse.Groups.Members", 10000000)
        count2 = n
        found2: list[DescribedGroupMember] = []
        s1.members = found2
        for _ in range(count2):
            s2 = DescribedGroupMember()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberId", n, size - i)
            s2.member_id = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            if n == -1:
                s2.group_instance_id = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeGroupsResponse.Groups.Members.GroupInstanceId", n, size - i)
                s2.group_instance_id = data[i:end].decode()
                i = end
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientId", n, size - i)
            s2.client_id = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientHost", n, size - i)
            s2.client_host = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberMetadata", n, size - i)
            s2.member_metadata = data[i:end]
            i = end
            n = read_i32_be(data, i)
            i += 4
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberAssignment", n, size - i)
            s2.member_assignment = data[i:end]
            i = end
            found2.append(s2)
        s1.authorized_operations = read_i32_be(data, i)
        found1.append(s1)
        i += 4
    return m, i


def _encode_4(m: DescribeGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.groups
    write_i32_be(w, len(v1))
    for s1 in v1:
        if s1.error_message is not None:
            raise not_carried("DescribeGroupsResponse.Groups.ErrorMessage", version)
        write_i16_be(w, s1.error_code)
        v2 = s1.group_id
        write_string(w, v2)
        v3 = s1.group_state
        write_string(w, v3)
        v4 = s1.protocol_type
        write_string(w, v4)
        v5 = s1.protocol_data
        write_string(w, v5)
        v6 = s1.members
        write_i32_be(w, len(v6))
        for s2 in v6:
            v7 = s2.member_id
            write_string(w, v7)
            v8 = s2.group_instance_id
            write_nullable_string(w, v8)
            v9 = s2.client_id
            write_string(w, v9)
            v10 = s2.client_host
            write_string(w, v10)
            v11 = s2.member_metadata
            write_bytes(w, v11)
            v12 = s2.member_assignment
            write_bytes(w, v12)
        write_i32_be(w, s1.authorized_operations)


def _decode_5(data: bytes, i: i64) -> tuple[DescribeGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 12 > size - i:
        raise bad_count("DescribeGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[DescribedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = DescribedGroup()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeGroupsResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolData", n, size - i)
        s1.protocol_data = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 7 > size - i:
            raise bad_count("DescribeGroupsResponse.Groups.Members", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeGroupsResponse.Groups.Members", 10000000)
        count2 = n
        found2: list[DescribedGroupMember] = []
        s1.members = found2
        for _ in range(count2):
            s2 = DescribedGroupMember()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberId", n, size - i)
            s2.member_id = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.group_instance_id = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("DescribeGroupsResponse.Groups.Members.GroupInstanceId", n, size - i)
                s2.group_instance_id = data[i:end].decode()
                i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientId", n, size - i)
            s2.client_id = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientHost", n, size - i)
            s2.client_host = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberMetadata", n, size - i)
            s2.member_metadata = data[i:end]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberAssignment", n, size - i)
            s2.member_assignment = data[i:end]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.authorized_operations = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_5(m: DescribeGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        if s1.error_message is not None:
            raise not_carried("DescribeGroupsResponse.Groups.ErrorMessage", version)
        write_i16_be(w, s1.error_code)
        v2 = s1.group_id
        write_compact_string(w, v2)
        v3 = s1.group_state
        write_compact_string(w, v3)
        v4 = s1.protocol_type
        write_compact_string(w, v4)
        v5 = s1.protocol_data
        write_compact_string(w, v5)
        v6 = s1.members
        write_uvarint(w, len(v6) + 1)
        for s2 in v6:
            v7 = s2.member_id
            write_compact_string(w, v7)
            v8 = s2.group_instance_id
            write_compact_nullable_string(w, v8)
            v9 = s2.client_id
            write_compact_string(w, v9)
            v10 = s2.client_host
            write_compact_string(w, v10)
            v11 = s2.member_metadata
            write_compact_bytes(w, v11)
            v12 = s2.member_assignment
            write_compact_bytes(w, v12)
            w.append(0)
        write_i32_be(w, s1.authorized_operations)
        w.append(0)
    w.append(0)


def _decode_6(data: bytes, i: i64) -> tuple[DescribeGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 13 > size - i:
        raise bad_count("DescribeGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[DescribedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = DescribedGroup()
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
                raise bad_length("DescribeGroupsResponse.Groups.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeGroupsResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeGroupsResponse.Groups.ProtocolData", n, size - i)
        s1.protocol_data = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 7 > size - i:
            raise bad_count("DescribeGroupsResponse.Groups.Members", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeGroupsResponse.Groups.Members", 10000000)
        count2 = n
        found2: list[DescribedGroupMember] = []
        s1.members = found2
        for _ in range(count2):
            s2 = DescribedGroupMember()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberId", n, size - i)
            s2.member_id = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.group_instance_id = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("DescribeGroupsResponse.Groups.Members.GroupInstanceId", n, size - i)
                s2.group_instance_id = data[i:end].decode()
                i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientId", n, size - i)
            s2.client_id = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeGroupsResponse.Groups.Members.ClientHost", n, size - i)
            s2.client_host = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberMetadata", n, size - i)
            s2.member_metadata = data[i:end]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeGroupsResponse.Groups.Members.MemberAssignment", n, size - i)
            s2.member_assignment = data[i:end]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.authorized_operations = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_6(m: DescribeGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_compact_nullable_string(w, v2)
        v3 = s1.group_id
        write_compact_string(w, v3)
        v4 = s1.group_state
        write_compact_string(w, v4)
        v5 = s1.protocol_type
        write_compact_string(w, v5)
        v6 = s1.protocol_data
        write_compact_string(w, v6)
        v7 = s1.members
        write_uvarint(w, len(v7) + 1)
        for s2 in v7:
            v8 = s2.member_id
            write_compact_string(w, v8)
            v9 = s2.group_instance_id
            write_compact_nullable_string(w, v9)
            v10 = s2.client_id
            write_compact_string(w, v10)
            v11 = s2.client_host
            write_compact_string(w, v11)
            v12 = s2.member_metadata
            write_compact_bytes(w, v12)
            v13 = s2.member_assignment
            write_compact_bytes(w, v13)
            w.append(0)
        write_i32_be(w, s1.authorized_operations)
        w.append(0)
    w.append(0)
