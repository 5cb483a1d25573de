"""DeleteAclsRequest, generated from DeleteAclsRequest.json: do not edit, run `make generate`."""

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
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_i8,
    write_nullable_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":31,"type":"request","listeners":["broker","controller"],"name":"DeleteAclsReques'
    't","validVersions":"1-3","flexibleVersions":"2+","fields":[{"name":"Filters","type":"[]Del'
    'eteAclsFilter","versions":"0+","fields":[{"name":"ResourceTypeFilter","type":"int8","versi'
    'ons":"0+"},{"name":"ResourceNameFilter","type":"string","versions":"0+","nullableVersions"'
    ':"0+"},{"name":"PatternTypeFilter","type":"int8","versions":"1+","ignorable":false,"defaul'
    't":"3"},{"name":"PrincipalFilter","type":"string","versions":"0+","nullableVersions":"0+"}'
    ',{"name":"HostFilter","type":"string","versions":"0+","nullableVersions":"0+"},{"name":"Op'
    'eration","type":"int8","versions":"0+"},{"name":"PermissionType","type":"int8","versions":'
    '"0+"}]}]}'
)


class DeleteAclsFilter(Struct):
    """Which entries to remove."""

    __slots__ = (
        "resource_type_filter",
        "resource_name_filter",
        "pattern_type_filter",
        "principal_filter",
        "host_filter",
        "operation",
        "permission_type",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "resource_type_filter",
        "resource_name_filter",
        "pattern_type_filter",
        "principal_filter",
        "host_filter",
        "operation",
        "permission_type",
    )
    resource_type_filter: int  # The kind of resource; 1 for any.
    resource_name_filter: str | None  # The name; null for any.
    pattern_type_filter: int  # 3 or 4 for patterns of that kind, 1 for both, 2 for all patterns that cover the name.
    principal_filter: str | None  # The principal; null for any.
    host_filter: str | None  # The address; null for any.
    operation: int  # The number of the operation.
    permission_type: int  # 2 denies, 3 allows.

    def __init__(
        self,
        *,
        resource_type_filter: int = 0,
        resource_name_filter: str | None = "",
        pattern_type_filter: int = 3,
        principal_filter: str | None = "",
        host_filter: str | None = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type_filter = resource_type_filter
        self.resource_name_filter = resource_name_filter
        self.pattern_type_filter = pattern_type_filter
        self.principal_filter = principal_filter
        self.host_filter = host_filter
        self.operation = operation
        self.permission_type = permission_type


class DeleteAclsRequest(Message):
    """Removes the access control entries that filters find."""

    __slots__ = ("filters",)
    FIELDS: ClassVar[tuple[str, ...]] = ("filters",)
    NAME: ClassVar[str] = "DeleteAclsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 31
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    filters: list[DeleteAclsFilter]  # Which entries to remove.

    def __init__(
        self,
        *,
        filters: list[DeleteAclsFilter] = UNSET_LIST,
    ) -> None:
        self.filters = [] if filters is UNSET_LIST else filters

    @staticmethod
    def decode(data: bytes, version: int) -> DeleteAclsRequest:
        message, end = DeleteAclsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DeleteAclsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DeleteAclsRequest, int]:
        try:
            if 2 <= version <= 3:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DeleteAclsRequest", version, len(data), error) from None
        raise no_version("DeleteAclsRequest", version)

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
            raise no_encoding("DeleteAclsRequest", version, error) from error
        raise no_encoding("DeleteAclsRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[DeleteAclsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DeleteAclsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 10 > size - i:
        raise bad_count("DeleteAclsRequest.Filters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteAclsRequest.Filters", 100000)
    count1 = n
    found1: list[DeleteAclsFilter] = []
    m.filters = found1
    for _ in range(count1):
        s1 = DeleteAclsFilter()
        s1.resource_type_filter = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        if n == -1:
            s1.resource_name_filter = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DeleteAclsRequest.Filters.ResourceNameFilter", n, size - i)
            s1.resource_name_filter = data[i:end].decode()
            i = end
        s1.pattern_type_filter = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        if n == -1:
            s1.principal_filter = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DeleteAclsRequest.Filters.PrincipalFilter", n, size - i)
            s1.principal_filter = data[i:end].decode()
            i = end
        n = read_i16_be(data, i)
        i += 2
        if n == -1:
            s1.host_filter = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DeleteAclsRequest.Filters.HostFilter", n, size - i)
            s1.host_filter = data[i:end].decode()
            i = end
        s1.operation = (data[i] ^ 0x80) - 0x80
        s1.permission_type = (data[i + 1] ^ 0x80) - 0x80
        found1.append(s1)
        i += 2
    return m, i


def _encode_1(m: DeleteAclsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.filters
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i8(w, s1.resource_type_filter)
        v2 = s1.resource_name_filter
        write_nullable_string(w, v2)
        write_i8(w, s1.pattern_type_filter)
        v3 = s1.principal_filter
        write_nullable_string(w, v3)
        v4 = s1.host_filter
        write_nullable_string(w, v4)
        write_i8(w, s1.operation)
        write_i8(w, s1.permission_type)


def _decode_2(data: bytes, i: i64) -> tuple[DeleteAclsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DeleteAclsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 8 > size - i:
        raise bad_count("DeleteAclsRequest.Filters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteAclsRequest.Filters", 100000)
    count1 = n
    found1: list[DeleteAclsFilter] = []
    m.filters = found1
    for _ in range(count1):
        s1 = DeleteAclsFilter()
        s1.resource_type_filter = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.resource_name_filter = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DeleteAclsRequest.Filters.ResourceNameFilter", n, size - i)
            s1.resource_name_filter = data[i:end].decode()
            i = end
        s1.pattern_type_filter = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.principal_filter = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DeleteAclsRequest.Filters.PrincipalFilter", n, size - i)
            s1.principal_filter = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.host_filter = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DeleteAclsRequest.Filters.HostFilter", n, size - i)
            s1.host_filter = data[i:end].decode()
            i = end
        s1.operation = (data[i] ^ 0x80) - 0x80
        s1.permission_type = (data[i + 1] ^ 0x80) - 0x80
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


def _encode_2(m: DeleteAclsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.filters
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i8(w, s1.resource_type_filter)
        v2 = s1.resource_name_filter
        write_compact_nullable_string(w, v2)
        write_i8(w, s1.pattern_type_filter)
        v3 = s1.principal_filter
        write_compact_nullable_string(w, v3)
        v4 = s1.host_filter
        write_compact_nullable_string(w, v4)
        write_i8(w, s1.operation)
        write_i8(w, s1.permission_type)
        w.append(0)
    w.append(0)
