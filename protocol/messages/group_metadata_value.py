"""GroupMetadataValue, generated from GroupMetadataValue.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
    write_i32_be,
    write_i64_be,
)

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
    '{"apiKey":2,"type":"coordinator-value","name":"GroupMetadataValue","validVersions":"0-4","'
    'flexibleVersions":"4+","commonStructs":[{"name":"MemberMetadata","versions":"0+","fields":'
    '[{"name":"memberId","type":"string","versions":"0+"},{"name":"groupInstanceId","type":"str'
    'ing","versions":"3+","nullableVersions":"3+","default":"null","ignorable":true},{"name":"c'
    'lientId","type":"string","versions":"0+"},{"name":"clientHost","type":"string","versions":'
    '"0+"},{"name":"rebalanceTimeout","type":"int32","versions":"1+","default":-1,"ignorable":t'
    'rue},{"name":"sessionTimeout","type":"int32","versions":"0+"},{"name":"subscription","type'
    '":"bytes","versions":"0+"},{"name":"assignment","type":"bytes","versions":"0+"}]}],"fields'
    '":[{"name":"protocolType","type":"string","versions":"0+"},{"name":"generation","type":"in'
    't32","versions":"0+"},{"name":"protocol","type":"string","versions":"0+","nullableVersions'
    '":"0+"},{"name":"leader","type":"string","versions":"0+","nullableVersions":"0+"},{"name":'
    '"currentStateTimestamp","type":"int64","versions":"2+","default":-1,"ignorable":true},{"na'
    'me":"members","type":"[]MemberMetadata","versions":"0+"}]}'
)


class MemberMetadata(Struct):
    """One member of the group."""

    __slots__ = (
        "member_id",
        "group_instance_id",
        "client_id",
        "client_host",
        "rebalance_timeout",
        "session_timeout",
        "subscription",
        "assignment",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "member_id",
        "group_instance_id",
        "client_id",
        "client_host",
        "rebalance_timeout",
        "session_timeout",
        "subscription",
        "assignment",
    )
    member_id: str  # Id that the coordinator gave the member.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    client_id: str  # Client id that the member sends with its requests.
    client_host: str  # Address that the member joined from, with a slash in front.
    rebalance_timeout: int  # How long the member may take to join again at a rebalance, in ms; -1 where the session timeout counts.
    session_timeout: int  # After how many ms without a sign of life the member is removed.
    subscription: bytes  # What the member sent for the protocol in use; for consumers a ConsumerProtocolSubscription.
    assignment: bytes  # The member's part of the work, as the leader wrote it; for consumers a ConsumerProtocolAssignment.

    def __init__(
        self,
        *,
        member_id: str = "",
        group_instance_id: str | None = None,
        client_id: str = "",
        client_host: str = "",
        rebalance_timeout: int = -1,
        session_timeout: int = 0,
        subscription: bytes = b'',
        assignment: bytes = b'',
    ) -> None:
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.client_id = client_id
        self.client_host = client_host
        self.rebalance_timeout = rebalance_timeout
        self.session_timeout = session_timeout
        self.subscription = subscription
        self.assignment = assignment


class GroupMetadataValue(Message):
    """A classic group, as of its last rebalance."""

    __slots__ = (
        "protocol_type",
        "generation",
        "protocol",
        "leader",
        "current_state_timestamp",
        "members",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "protocol_type",
        "generation",
        "protocol",
        "leader",
        "current_state_timestamp",
        "members",
    )
    NAME: ClassVar[str] = "GroupMetadataValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 2
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    protocol_type: str  # What the group is for, "consumer" for most; empty for a group that nobody has joined.
    generation: int  # Number of the group's generation, one more at every rebalance.
    protocol: str | None  # The way of sharing work that is in use; null when the group has no members.
    leader: str | None  # Member id of the leader; null when the group has no members.
    current_state_timestamp: int  # When the group came into its present state, in ms since 1970; -1 if unknown.
    members: list[MemberMetadata]  # The members of the group; empty when all have left.

    def __init__(
        self,
        *,
        protocol_type: str = "",
        generation: int = 0,
        protocol: str | None = "",
        leader: str | None = "",
        current_state_timestamp: int = -1,
        members: list[MemberMetadata] = UNSET_LIST,
    ) -> None:
        self.protocol_type = protocol_type
        self.generation = generation
        self.protocol = protocol
        self.leader = leader
        self.current_state_timestamp = current_state_timestamp
        self.members = [] if members is UNSET_LIST else members

    @staticmethod
    def decode(data: bytes, version: int) -> GroupMetadataValue:
        message, end = GroupMetadataValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("GroupMetadataValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[GroupMetadataValue, int]:
        try:
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("GroupMetadataValue", version, len(data), error) from None
        raise no_version("GroupMetadataValue", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 4:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("GroupMetadataValue", version, error) from error
        raise no_encoding("GroupMetadataValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[GroupMetadataValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = GroupMetadataValue()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("GroupMetadataValue.protocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    m.generation = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    if n == -1:
        m.protocol = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.protocol", n, size - i)
        m.protocol = data[i:end].decode()
        i = end
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.leader = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.leader", n, size - i)
        m.leader = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 18 > size - i:
        raise bad_count("GroupMetadataValue.members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("GroupMetadataValue.members", 10000000)
    count1 = n
    found1: list[MemberMetadata] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberMetadata()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.memberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.clientId", n, size - i)
        s1.client_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.clientHost", n, size - i)
        s1.client_host = data[i:end].decode()
        i = end
        s1.session_timeout = read_i32_be(data, i)
        n = read_i32_be(data, i + 4)
        i += 8
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.subscription", n, size - i)
        s1.subscription = data[i:end]
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.assignment", n, size - i)
        s1.assignment = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_0(m: GroupMetadataValue, w: BytesWriter, version: int) -> None:
    v1 = m.protocol_type
    write_string(w, v1)
    write_i32_be(w, m.generation)
    v2 = m.protocol
    write_nullable_string(w, v2)
    v3 = m.leader
    write_nullable_string(w, v3)
    v4 = m.members
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.member_id
        write_string(w, v5)
        v6 = s1.client_id
        write_string(w, v6)
        v7 = s1.client_host
        write_string(w, v7)
        write_i32_be(w, s1.session_timeout)
        v8 = s1.subscription
        write_bytes(w, v8)
        v9 = s1.assignment
        write_bytes(w, v9)


def _decode_1(data: bytes, i: i64) -> tuple[GroupMetadataValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = GroupMetadataValue()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("GroupMetadataValue.protocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    m.generation = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    if n == -1:
        m.protocol = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.protocol", n, size - i)
        m.protocol = data[i:end].decode()
        i = end
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.leader = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.leader", n, size - i)
        m.leader = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 22 > size - i:
        raise bad_count("GroupMetadataValue.members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("GroupMetadataValue.members", 10000000)
    count1 = n
    found1: list[MemberMetadata] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberMetadata()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.memberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.clientId", n, size - i)
        s1.client_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.clientHost", n, size - i)
        s1.client_host = data[i:end].decode()
        i = end
        s1.rebalance_timeout = read_i32_be(data, i)
        s1.session_timeout = read_i32_be(data, i + 4)
        n = read_i32_be(data, i + 8)
        i += 12
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.subscription", n, size - i)
        s1.subscription = data[i:end]
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.assignment", n, size - i)
        s1.assignment = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_1(m: GroupMetadataValue, w: BytesWriter, version: int) -> None:
    v1 = m.protocol_type
    write_string(w, v1)
    write_i32_be(w, m.generation)
    v2 = m.protocol
    write_nullable_string(w, v2)
    v3 = m.leader
    write_nullable_string(w, v3)
    v4 = m.members
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.member_id
        write_string(w, v5)
        v6 = s1.client_id
        write_string(w, v6)
        v7 = s1.client_host
        write_string(w, v7)
        write_i32_be(w, s1.rebalance_timeout)
        write_i32_be(w, s1.session_timeout)
        v8 = s1.subscription
        write_bytes(w, v8)
        v9 = s1.assignment
        write_bytes(w, v9)


def _decode_2(data: bytes, i: i64) -> tuple[GroupMetadataValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = GroupMetadataValue()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("GroupMetadataValue.protocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    m.generation = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    if n == -1:
        m.protocol = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.protocol", n, size - i)
        m.protocol = data[i:end].decode()
        i = end
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.leader = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.leader", n, size - i)
        m.leader = data[i:end].decode()
        i = end
    m.current_state_timestamp = read_i64_be(data, i)
    n = read_i32_be(data, i + 8)
    i += 12
    if n < 0 or n * 22 > size - i:
        raise bad_count("GroupMetadataValue.members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("GroupMetadataValue.members", 10000000)
    count1 = n
    found1: list[MemberMetadata] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberMetadata()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.memberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.clientId", n, size - i)
        s1.client_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.clientHost", n, size - i)
        s1.client_host = data[i:end].decode()
        i = end
        s1.rebalance_timeout = read_i32_be(data, i)
        s1.session_timeout = read_i32_be(data, i + 4)
        n = read_i32_be(data, i + 8)
        i += 12
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.subscription", n, size - i)
        s1.subscription = data[i:end]
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.assignment", n, size - i)
        s1.assignment = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_2(m: GroupMetadataValue, w: BytesWriter, version: int) -> None:
    v1 = m.protocol_type
    write_string(w, v1)
    write_i32_be(w, m.generation)
    v2 = m.protocol
    write_nullable_string(w, v2)
    v3 = m.leader
    write_nullable_string(w, v3)
    write_i64_be(w, m.current_state_timestamp)
    v4 = m.members
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.member_id
        write_string(w, v5)
        v6 = s1.client_id
        write_string(w, v6)
        v7 = s1.client_host
        write_string(w, v7)
        write_i32_be(w, s1.rebalance_timeout)
        write_i32_be(w, s1.session_timeout)
        v8 = s1.subscription
        write_bytes(w, v8)
        v9 = s1.assignment
        write_bytes(w, v9)


def _decode_3(data: bytes, i: i64) -> tuple[GroupMetadataValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = GroupMetadataValue()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("GroupMetadataValue.protocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    m.generation = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    if n == -1:
        m.protocol = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.protocol", n, size - i)
        m.protocol = data[i:end].decode()
        i = end
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.leader = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.leader", n, size - i)
        m.leader = data[i:end].decode()
        i = end
    m.current_state_timestamp = read_i64_be(data, i)
    n = read_i32_be(data, i + 8)
    i += 12
    if n < 0 or n * 24 > size - i:
        raise bad_count("GroupMetadataValue.members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("GroupMetadataValue.members", 10000000)
    count1 = n
    found1: list[MemberMetadata] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberMetadata()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.memberId", n, size - i)
        s1.member_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        if n == -1:
            s1.group_instance_id = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("GroupMetadataValue.members.groupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
            i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.clientId", n, size - i)
        s1.client_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.clientHost", n, size - i)
        s1.client_host = data[i:end].decode()
        i = end
        s1.rebalance_timeout = read_i32_be(data, i)
        s1.session_timeout = read_i32_be(data, i + 4)
        n = read_i32_be(data, i + 8)
        i += 12
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.subscription", n, size - i)
        s1.subscription = data[i:end]
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.assignment", n, size - i)
        s1.assignment = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_3(m: GroupMetadataValue, w: BytesWriter, version: int) -> None:
    v1 = m.protocol_type
    write_string(w, v1)
    write_i32_be(w, m.generation)
    v2 = m.protocol
    write_nullable_string(w, v2)
    v3 = m.leader
    write_nullable_string(w, v3)
    write_i64_be(w, m.current_state_timestamp)
    v4 = m.members
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.member_id
        write_string(w, v5)
        v6 = s1.group_instance_id
        write_nullable_string(w, v6)
        v7 = s1.client_id
        write_string(w, v7)
        v8 = s1.client_host
        write_string(w, v8)
        write_i32_be(w, s1.rebalance_timeout)
        write_i32_be(w, s1.session_timeout)
        v9 = s1.subscription
        write_bytes(w, v9)
        v10 = s1.assignment
        write_bytes(w, v10)


def _decode_4(data: bytes, i: i64) -> tuple[GroupMetadataValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = GroupMetadataValue()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("GroupMetadataValue.protocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    m.generation = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.protocol = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("GroupMetadataValue.protocol", n, size - i)
        m.protocol = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.leader = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("GroupMetadataValue.leader", n, size - i)
        m.leader = data[i:end].decode()
        i = end
    m.current_state_timestamp = read_i64_be(data, i)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 15 > size - i:
        raise bad_count("GroupMetadataValue.members", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("GroupMetadataValue.members", 10000000)
    count1 = n
    found1: list[MemberMetadata] = []
    m.members = found1
    for _ in range(count1):
        s1 = MemberMetadata()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("GroupMetadataValue.members.memberId", n, size - i)
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
                raise bad_length("GroupMetadataValue.members.groupInstanceId", n, size - i)
            s1.group_instance_id = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("GroupMetadataValue.members.clientId", n, size - i)
        s1.client_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("GroupMetadataValue.members.clientHost", n, size - i)
        s1.client_host = data[i:end].decode()
        i = end
        s1.rebalance_timeout = read_i32_be(data, i)
        s1.session_timeout = read_i32_be(data, i + 4)
        n = data[i + 8]
        i += 9
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.subscription", n, size - i)
        s1.subscription = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("GroupMetadataValue.members.assignment", n, size - i)
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


def _encode_4(m: GroupMetadataValue, w: BytesWriter, version: int) -> None:
    v1 = m.protocol_type
    write_compact_string(w, v1)
    write_i32_be(w, m.generation)
    v2 = m.protocol
    write_compact_nullable_string(w, v2)
    v3 = m.leader
    write_compact_nullable_string(w, v3)
    write_i64_be(w, m.current_state_timestamp)
    v4 = m.members
    write_uvarint(w, len(v4) + 1)
    for s1 in v4:
        v5 = s1.member_id
        write_compact_string(w, v5)
        v6 = s1.group_instance_id
        write_compact_nullable_string(w, v6)
        v7 = s1.client_id
        write_compact_string(w, v7)
        v8 = s1.client_host
        write_compact_string(w, v8)
        write_i32_be(w, s1.rebalance_timeout)
        write_i32_be(w, s1.session_timeout)
        v9 = s1.subscription
        write_compact_bytes(w, v9)
        v10 = s1.assignment
        write_compact_bytes(w, v10)
        w.append(0)
    w.append(0)
