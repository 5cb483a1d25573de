"""JoinGroupRequest, generated from JoinGroupRequest.json: do not edit, run `make generate`."""

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
    '{"apiKey":11,"type":"request","listeners":["broker"],"name":"JoinGroupRequest","validVersi'
    'ons":"0-9","flexibleVersions":"6+","fields":[{"name":"GroupId","type":"string","versions":'
    '"0+","entityType":"groupId"},{"name":"SessionTimeoutMs","type":"int32","versions":"0+"},{"'
    'name":"RebalanceTimeoutMs","type":"int32","versions":"1+","default":"-1","ignorable":true}'
    ',{"name":"MemberId","type":"string","versions":"0+"},{"name":"GroupInstanceId","type":"str'
    'ing","versions":"5+","nullableVersions":"5+","default":"null"},{"name":"ProtocolType","typ'
    'e":"string","versions":"0+"},{"name":"Protocols","type":"[]JoinGroupRequestProtocol","vers'
    'ions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","mapKey":true},{"name"'
    ':"Metadata","type":"bytes","versions":"0+"}]},{"name":"Reason","type":"string","versions":'
    '"8+","nullableVersions":"8+","default":"null","ignorable":true}]}'
)


class JoinGroupRequestProtocol(Struct):
    """The ways of sharing work that the member knows, the best first."""

    __slots__ = ("name", "metadata")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "metadata")
    name: str  # Name of one way of sharing work, such as "range".
    metadata: bytes  # What the group's leader must know of the member to assign work; for consumers a ConsumerProtocolSubscription.

    def __init__(
        self,
        *,
        name: str = "",
        metadata: bytes = b'',
    ) -> None:
        self.name = name
        self.metadata = metadata


class JoinGroupRequest(Message):
    """Makes the sender a member of a group, or begins its part in a rebalance; answered when the members are known."""

    __slots__ = (
        "group_id",
        "session_timeout_ms",
        "rebalance_timeout_ms",
        "member_id",
        "group_instance_id",
        "protocol_type",
        "protocols",
        "reason",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "group_id",
        "session_timeout_ms",
        "rebalance_timeout_ms",
        "member_id",
        "group_instance_id",
        "protocol_type",
        "protocols",
        "reason",
    )
    NAME: ClassVar[str] = "JoinGroupRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 11
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 9
    FLEXIBLE_SINCE: ClassVar[int | None] = 6
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group to join; it comes into being with its first member.
    session_timeout_ms: int  # After how many ms without a sign of life the member is removed.
    rebalance_timeout_ms: int  # How long the member may take to join again when the group rebalances, in ms; -1 in version 0, where the session timeout counts.
    member_id: str  # Id that the coordinator gave the member; empty when it joins for the first time.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    protocol_type: str  # What the group is for, "consumer" or another word that all its members agree on.
    protocols: list[JoinGroupRequestProtocol]  # The ways of sharing work that the member knows, the best first.
    reason: str | None  # Why the member joins or joins again, in words for the broker's log; null for none.

    def __init__(
        self,
        *,
        group_id: str = "",
        session_timeout_ms: int = 0,
        rebalance_timeout_ms: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        protocol_type: str = "",
        protocols: list[JoinGroupRequestProtocol] = UNSET_LIST,
        reason: str | None = None,
    ) -> None:
        self.group_id = group_id
        self.session_timeout_ms = session_timeout_ms
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.protocol_type = protocol_type
        self.protocols = [] if protocols is UNSET_LIST else protocols
        self.reason = reason

    @staticmethod
    def decode(data: bytes, version: int) -> JoinGroupRequest:
        message, end = JoinGroupRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("JoinGroupRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[JoinGroupRequest, int]:
        try:
            if 8 <= version <= 9:
                return _decode_8(data, offset)
            if 6 <= version <= 7:
                return _decode_6(data, offset)
            if version == 5:
                return _decode_5(data, offset)
            if 1 <= version <= 4:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("JoinGroupRequest", version, len(data), error) from None
        raise no_version("JoinGroupRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 8 <= version <= 9:
                return _encode_8(self, writer, version)
            if 6 <= version <= 7:
                return _encode_6(self, writer, version)
            if version == 5:
                return _encode_5(self, writer, version)
            if 1 <= version <= 4:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("JoinGroupRequest", version, error) from error
        raise no_encoding("JoinGroupRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[JoinGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = JoinGroupRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.session_timeout_ms = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupRequest.ProtocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("JoinGroupRequest.Protocols", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupRequest.Protocols", 100000)
    count1 = n
    found1: list[JoinGroupRequestProtocol] = []
    m.protocols = found1
    for _ in range(count1):
        s1 = JoinGroupRequestProtocol()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupRequest.Protocols.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupRequest.Protocols.Metadata", n, size - i)
        s1.metadata = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_0(m: JoinGroupRequest, w: BytesWriter, version: int) -> None:
    if m.group_instance_id is not None:
        raise not_carried("JoinGroupRequest.GroupInstanceId", version)
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.session_timeout_ms)
    v2 = m.member_id
    write_string(w, v2)
    v3 = m.protocol_type
    write_string(w, v3)
    v4 = m.protocols
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.name
        write_string(w, v5)
        v6 = s1.metadata
        write_bytes(w, v6)


def _decode_1(data: bytes, i: i64) -> tuple[JoinGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = JoinGroupRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.session_timeout_ms = read_i32_be(data, i)
    m.rebalance_timeout_ms = read_i32_be(data, i + 4)
    n = read_i16_be(data, i + 8)
    i += 10
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupRequest.ProtocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("JoinGroupRequest.Protocols", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupRequest.Protocols", 100000)
    count1 = n
    found1: list[JoinGroupRequestProtocol] = []
    m.protocols = found1
    for _ in range(count1):
        s1 = JoinGroupRequestProtocol()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupRequest.Protocols.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupRequest.Protocols.Metadata", n, size - i)
        s1.metadata = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_1(m: JoinGroupRequest, w: BytesWriter, version: int) -> None:
    if m.group_instance_id is not None:
        raise not_carried("JoinGroupRequest.GroupInstanceId", version)
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.session_timeout_ms)
    write_i32_be(w, m.rebalance_timeout_ms)
    v2 = m.member_id
    write_string(w, v2)
    v3 = m.protocol_type
    write_string(w, v3)
    v4 = m.protocols
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.name
        write_string(w, v5)
        v6 = s1.metadata
        write_bytes(w, v6)


def _decode_5(data: bytes, i: i64) -> tuple[JoinGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = JoinGroupRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.session_timeout_ms = read_i32_be(data, i)
    m.rebalance_timeout_ms = read_i32_be(data, i + 4)
    n = read_i16_be(data, i + 8)
    i += 10
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.group_instance_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("JoinGroupRequest.ProtocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("JoinGroupRequest.Protocols", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupRequest.Protocols", 100000)
    count1 = n
    found1: list[JoinGroupRequestProtocol] = []
    m.protocols = found1
    for _ in range(count1):
        s1 = JoinGroupRequestProtocol()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupRequest.Protocols.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupRequest.Protocols.Metadata", n, size - i)
        s1.metadata = data[i:end]
        i = end
        found1.append(s1)
    return m, i


def _encode_5(m: JoinGroupRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.session_timeout_ms)
    write_i32_be(w, m.rebalance_timeout_ms)
    v2 = m.member_id
    write_string(w, v2)
    v3 = m.group_instance_id
    write_nullable_string(w, v3)
    v4 = m.protocol_type
    write_string(w, v4)
    v5 = m.protocols
    write_i32_be(w, len(v5))
    for s1 in v5:
        v6 = s1.name
        write_string(w, v6)
        v7 = s1.metadata
        write_bytes(w, v7)


def _decode_6(data: bytes, i: i64) -> tuple[JoinGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = JoinGroupRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.session_timeout_ms = read_i32_be(data, i)
    m.rebalance_timeout_ms = read_i32_be(data, i + 4)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupRequest.MemberId", n, size - i)
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
            raise bad_length("JoinGroupRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupRequest.ProtocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("JoinGroupRequest.Protocols", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupRequest.Protocols", 100000)
    count1 = n
    found1: list[JoinGroupRequestProtocol] = []
    m.protocols = found1
    for _ in range(count1):
        s1 = JoinGroupRequestProtocol()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("JoinGroupRequest.Protocols.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupRequest.Protocols.Metadata", n, size - i)
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


def _encode_6(m: JoinGroupRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_compact_string(w, v1)
    write_i32_be(w, m.session_timeout_ms)
    write_i32_be(w, m.rebalance_timeout_ms)
    v2 = m.member_id
    write_compact_string(w, v2)
    v3 = m.group_instance_id
    write_compact_nullable_string(w, v3)
    v4 = m.protocol_type
    write_compact_string(w, v4)
    v5 = m.protocols
    write_uvarint(w, len(v5) + 1)
    for s1 in v5:
        v6 = s1.name
        write_compact_string(w, v6)
        v7 = s1.metadata
        write_compact_bytes(w, v7)
        w.append(0)
    w.append(0)


def _decode_8(data: bytes, i: i64) -> tuple[JoinGroupRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = JoinGroupRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.session_timeout_ms = read_i32_be(data, i)
    m.rebalance_timeout_ms = read_i32_be(data, i + 4)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupRequest.MemberId", n, size - i)
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
            raise bad_length("JoinGroupRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("JoinGroupRequest.ProtocolType", n, size - i)
    m.protocol_type = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("JoinGroupRequest.Protocols", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("JoinGroupRequest.Protocols", 100000)
    count1 = n
    found1: list[JoinGroupRequestProtocol] = []
    m.protocols = found1
    for _ in range(count1):
        s1 = JoinGroupRequestProtocol()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("JoinGroupRequest.Protocols.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("JoinGroupRequest.Protocols.Metadata", n, size - i)
        s1.metadata = data[i:end]
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.reason = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("JoinGroupRequest.Reason", n, size - i)
        m.reason = data[i:end].decode()
        i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_8(m: JoinGroupRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_compact_string(w, v1)
    write_i32_be(w, m.session_timeout_ms)
    write_i32_be(w, m.rebalance_timeout_ms)
    v2 = m.member_id
    write_compact_string(w, v2)
    v3 = m.group_instance_id
    write_compact_nullable_string(w, v3)
    v4 = m.protocol_type
    write_compact_string(w, v4)
    v5 = m.protocols
    write_uvarint(w, len(v5) + 1)
    for s1 in v5:
        v6 = s1.name
        write_compact_string(w, v6)
        v7 = s1.metadata
        write_compact_bytes(w, v7)
        w.append(0)
    v8 = m.reason
    write_compact_nullable_string(w, v8)
    w.append(0)
