"""DescribeAclsResponse, generated from DescribeAclsResponse.json: do not edit, run `make generate`."""

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
    '{"apiKey":29,"type":"response","name":"DescribeAclsResponse","validVersions":"1-3","flexib'
    'leVersions":"2+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"name'
    '":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","vers'
    'ions":"0+","nullableVersions":"0+"},{"name":"Resources","type":"[]DescribeAclsResource","v'
    'ersions":"0+","fields":[{"name":"ResourceType","type":"int8","versions":"0+"},{"name":"Res'
    'ourceName","type":"string","versions":"0+"},{"name":"PatternType","type":"int8","versions"'
    ':"1+","ignorable":false,"default":"3"},{"name":"Acls","type":"[]AclDescription","versions"'
    ':"0+","fields":[{"name":"Principal","type":"string","versions":"0+"},{"name":"Host","type"'
    ':"string","versions":"0+"},{"name":"Operation","type":"int8","versions":"0+"},{"name":"Per'
    'missionType","type":"int8","versions":"0+"}]}]}]}'
)


class AclDescription(Struct):
    """The entries about this resource."""

    __slots__ = ("principal", "host", "operation", "permission_type")
    FIELDS: ClassVar[tuple[str, ...]] = ("principal", "host", "operation", "permission_type")
    principal: str  # Whom the entry is about.
    host: str  # From which address; a star for any.
    operation: int  # The number of the operation.
    permission_type: int  # 2 denies, 3 allows.

    def __init__(
        self,
        *,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


class DescribeAclsResource(Struct):
    """The resources that have such entries."""

    __slots__ = ("resource_type", "resource_name", "pattern_type", "acls")
    FIELDS: ClassVar[tuple[str, ...]] = ("resource_type", "resource_name", "pattern_type", "acls")
    resource_type: int  # The kind of resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user.
    resource_name: str  # The name of the resource, or the beginning of it.
    pattern_type: int  # How the name is compared: 3 literally, 4 as a prefix.
    acls: list[AclDescription]  # The entries about this resource.

    def __init__(
        self,
        *,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 3,
        acls: list[AclDescription] = UNSET_LIST,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.acls = [] if acls is UNSET_LIST else acls


class DescribeAclsResponse(Message):
    """The entries, grouped by the resource that they are about."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "resources")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "resources",
    )
    NAME: ClassVar[str] = "DescribeAclsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 29
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before its next request, in milliseconds.
    error_code: int  # Zero if all is well.
    error_message: str | None  # What is wrong, in words.
    resources: list[DescribeAclsResource]  # The resources that have such entries.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        resources: list[DescribeAclsResource] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.resources = [] if resources is UNSET_LIST else resources

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeAclsResponse:
        message, end = DescribeAclsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeAclsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeAclsResponse, int]:
        try:
            if 2 <= version <= 3:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeAclsResponse", version, len(data), error) from None
        raise no_version("DescribeAclsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 2 <= version <= 3:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeAclsResponse", version, error) from error
        raise no_encoding("DescribeAclsResponse", version)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeAclsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeAclsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = read_i16_be(data, i + 6)
    i += 8
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeAclsResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 8 > size - i:
        raise bad_count("DescribeAclsResponse.Resources", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeAclsResponse.Resources", 10000000)
    count1 = n
    found1: list[DescribeAclsResource] = []
    m.resources = found1
    for _ in range(count1):
        s1 = DescribeAclsResource()
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeAclsResponse.Resources.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        s1.pattern_type = (data[i] ^ 0x80) - 0x80
        n = read_i32_be(data, i + 1)
        i += 5
        if n < 0 or n * 6 > size - i:
            raise bad_count("DescribeAclsResponse.Resources.Acls", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeAclsResponse.Resources.Acls", 10000000)
        count2 = n
        found2: list[AclDescription] = []
        s1.acls = found2
        for _ in range(count2):
            s2 = AclDescription()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeAclsResponse.Resources.Acls.Principal", n, size - i)
            s2.principal = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeAclsResponse.Resources.Acls.Host", n, size - i)
            s2.host = data[i:end].decode()
            i = end
            s2.operation = (data[i] ^ 0x80) - 0x80
            s2.permission_type = (data[i + 1] ^ 0x80) - 0x80
            found2.append(s2)
            i += 2
        found1.append(s1)
    return m, i


def _encode_1(m: DescribeAclsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_nullable_string(w, v1)
    v2 = m.resources
    write_i32_be(w, len(v2))
    for s1 in v2:
        write_i8(w, s1.resource_type)
        v3 = s1.resource_name
        write_string(w, v3)
        write_i8(w, s1.pattern_type)
        v4 = s1.acls
        write_i32_be(w, len(v4))
        for s2 in v4:
            v5 = s2.principal
            write_string(w, v5)
            v6 = s2.host
            write_string(w, v6)
            write_i8(w, s2.operation)
            write_i8(w, s2.permission_type)


def _decode_2(data: bytes, i: i64) -> tuple[DescribeAclsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeAclsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeAclsResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("DescribeAclsResponse.Resources", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeAclsResponse.Resources", 10000000)
    count1 = n
    found1: list[DescribeAclsResource] = []
    m.resources = found1
    for _ in range(count1):
        s1 = DescribeAclsResource()
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeAclsResponse.Resources.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        s1.pattern_type = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 5 > size - i:
            raise bad_count("DescribeAclsResponse.Resources.Acls", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeAclsResponse.Resources.Acls", 10000000)
        count2 = n
        found2: list[AclDescription] = []
        s1.acls = found2
        for _ in range(count2):
            s2 = AclDescription()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeAclsResponse.Resources.Acls.Principal", n, size - i)
            s2.principal = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeAclsResponse.Resources.Acls.Host", n, size - i)
            s2.host = data[i:end].decode()
            i = end
            s2.operation = (data[i] ^ 0x80) - 0x80
            s2.permission_type = (data[i + 1] ^ 0x80) - 0x80
            if data[i + 2] == 0:
                i += 3
            else:
                i = skip_tagged_fields(data, i + 2)
            found2.append(s2)
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


def _encode_2(m: DescribeAclsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.resources
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        write_i8(w, s1.resource_type)
        v3 = s1.resource_name
        write_compact_string(w, v3)
        write_i8(w, s1.pattern_type)
        v4 = s1.acls
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            v5 = s2.principal
            write_compact_string(w, v5)
            v6 = s2.host
            write_compact_string(w, v6)
            write_i8(w, s2.operation)
            write_i8(w, s2.permission_type)
            w.append(0)
        w.append(0)
    w.append(0)
