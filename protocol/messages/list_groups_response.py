"""ListGroupsResponse, generated from ListGroupsResponse.json: do not edit, run `make generate`."""

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
    '{"apiKey":16,"type":"response","name":"ListGroupsResponse","validVersions":"0-5","flexible'
    'Versions":"3+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"1+","ignorabl'
    'e":true},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"Groups","type":"[]Li'
    'stedGroup","versions":"0+","fields":[{"name":"GroupId","type":"string","versions":"0+","en'
    'tityType":"groupId"},{"name":"ProtocolType","type":"string","versions":"0+"},{"name":"Grou'
    'pState","type":"string","versions":"4+","ignorable":true},{"name":"GroupType","type":"stri'
    'ng","versions":"5+","ignorable":true}]}]}'
)


class ListedGroup(Struct):
    """One entry for each group."""

    __slots__ = ("group_id", "protocol_type", "group_state", "group_type")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id", "protocol_type", "group_state", "group_type")
    group_id: str  # Id of the group.
    protocol_type: str  # What the group is for, "consumer" for most; empty when it only has offsets.
    group_state: str  # State of the group, such as Empty or Stable.
    group_type: str  # Which protocol the group speaks: "classic", where the members rebalance, or "consumer", where the coordinator assigns.

    def __init__(
        self,
        *,
        group_id: str = "",
        protocol_type: str = "",
        group_state: str = "",
        group_type: str = "",
    ) -> None:
        self.group_id = group_id
        self.protocol_type = protocol_type
        self.group_state = group_state
        self.group_type = group_type


class ListGroupsResponse(Message):
    """The groups that this broker takes care of."""

    __slots__ = ("throttle_time_ms", "error_code", "groups")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code", "groups")
    NAME: ClassVar[str] = "ListGroupsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 16
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the list cannot be given; 14 while the broker still loads some groups.
    groups: list[ListedGroup]  # One entry for each group.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        groups: list[ListedGroup] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.groups = [] if groups is UNSET_LIST else groups

    @staticmethod
    def decode(data: bytes, version: int) -> ListGroupsResponse:
        message, end = ListGroupsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ListGroupsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ListGroupsResponse, int]:
        try:
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
            raise decode_failure("ListGroupsResponse", version, len(data), error) from None
        raise no_version("ListGroupsResponse", version)

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
            if 1 <= version <= 2:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ListGroupsResponse", version, error) from error
        raise no_encoding("ListGroupsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[ListGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListGroupsResponse()
    m.error_code = read_i16_be(data, i)
    n = read_i32_be(data, i + 2)
    i += 6
    if n < 0 or n * 4 > size - i:
        raise bad_count("ListGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[ListedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = ListedGroup()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        found1.append(s1)
    return m, i


def _encode_0(m: ListGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.groups
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.group_id
        write_string(w, v2)
        v3 = s1.protocol_type
        write_string(w, v3)


def _decode_1(data: bytes, i: i64) -> tuple[ListGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = read_i32_be(data, i + 6)
    i += 10
    if n < 0 or n * 4 > size - i:
        raise bad_count("ListGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[ListedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = ListedGroup()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        found1.append(s1)
    return m, i


def _encode_1(m: ListGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.groups
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.group_id
        write_string(w, v2)
        v3 = s1.protocol_type
        write_string(w, v3)


def _decode_3(data: bytes, i: i64) -> tuple[ListGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ListGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[ListedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = ListedGroup()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
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


def _encode_3(m: ListGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.group_id
        write_compact_string(w, v2)
        v3 = s1.protocol_type
        write_compact_string(w, v3)
        w.append(0)
    w.append(0)


def _decode_4(data: bytes, i: i64) -> tuple[ListGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("ListGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[ListedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = ListedGroup()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
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


def _encode_4(m: ListGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.group_id
        write_compact_string(w, v2)
        v3 = s1.protocol_type
        write_compact_string(w, v3)
        v4 = s1.group_state
        write_compact_string(w, v4)
        w.append(0)
    w.append(0)


def _decode_5(data: bytes, i: i64) -> tuple[ListGroupsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListGroupsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("ListGroupsResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListGroupsResponse.Groups", 10000000)
    count1 = n
    found1: list[ListedGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = ListedGroup()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsResponse.Groups.ProtocolType", n, size - i)
        s1.protocol_type = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsResponse.Groups.GroupState", n, size - i)
        s1.group_state = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsResponse.Groups.GroupType", n, size - i)
        s1.group_type = data[i:end].decode()
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


def _encode_5(m: ListGroupsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.group_id
        write_compact_string(w, v2)
        v3 = s1.protocol_type
        write_compact_string(w, v3)
        v4 = s1.group_state
        write_compact_string(w, v4)
        v5 = s1.group_type
        write_compact_string(w, v5)
        w.append(0)
    w.append(0)
