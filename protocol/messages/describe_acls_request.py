"""DescribeAclsRequest, generated from DescribeAclsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_i8,
    write_nullable_string,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":29,"type":"request","listeners":["broker","controller"],"name":"DescribeAclsRequ'
    'est","validVersions":"1-3","flexibleVersions":"2+","fields":[{"name":"ResourceTypeFilter",'
    '"type":"int8","versions":"0+"},{"name":"ResourceNameFilter","type":"string","versions":"0+'
    '","nullableVersions":"0+"},{"name":"PatternTypeFilter","type":"int8","versions":"1+","igno'
    'rable":false,"default":"3"},{"name":"PrincipalFilter","type":"string","versions":"0+","nul'
    'lableVersions":"0+"},{"name":"HostFilter","type":"string","versions":"0+","nullableVersion'
    's":"0+"},{"name":"Operation","type":"int8","versions":"0+"},{"name":"PermissionType","type'
    '":"int8","versions":"0+"}]}'
)


class DescribeAclsRequest(Message):
    """Asks for the access control entries that a filter finds."""

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
    NAME: ClassVar[str] = "DescribeAclsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 29
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

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

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeAclsRequest:
        message, end = DescribeAclsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeAclsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeAclsRequest, int]:
        try:
            if 2 <= version <= 3:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeAclsRequest", version, len(data), error) from None
        raise no_version("DescribeAclsRequest", version)

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
            raise no_encoding("DescribeAclsRequest", version, error) from error
        raise no_encoding("DescribeAclsRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeAclsRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = DescribeAclsRequest()
    m.resource_type_filter = (data[i] ^ 0x80) - 0x80
    n = read_i16_be(data, i + 1)
    i += 3
    if n == -1:
        m.resource_name_filter = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeAclsRequest.ResourceNameFilter", n, size - i)
        m.resource_name_filter = data[i:end].decode()
        i = end
    m.pattern_type_filter = (data[i] ^ 0x80) - 0x80
    n = read_i16_be(data, i + 1)
    i += 3
    if n == -1:
        m.principal_filter = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeAclsRequest.PrincipalFilter", n, size - i)
        m.principal_filter = data[i:end].decode()
        i = end
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.host_filter = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeAclsRequest.HostFilter", n, size - i)
        m.host_filter = data[i:end].decode()
        i = end
    m.operation = (data[i] ^ 0x80) - 0x80
    m.permission_type = (data[i + 1] ^ 0x80) - 0x80
    i += 2
    return m, i


def _encode_1(m: DescribeAclsRequest, w: BytesWriter, version: int) -> None:
    write_i8(w, m.resource_type_filter)
    v1 = m.resource_name_filter
    write_nullable_string(w, v1)
    write_i8(w, m.pattern_type_filter)
    v2 = m.principal_filter
    write_nullable_string(w, v2)
    v3 = m.host_filter
    write_nullable_string(w, v3)
    write_i8(w, m.operation)
    write_i8(w, m.permission_type)


def _decode_2(data: bytes, i: i64) -> tuple[DescribeAclsRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = DescribeAclsRequest()
    m.resource_type_filter = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.resource_name_filter = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeAclsRequest.ResourceNameFilter", n, size - i)
        m.resource_name_filter = data[i:end].decode()
        i = end
    m.pattern_type_filter = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.principal_filter = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeAclsRequest.PrincipalFilter", n, size - i)
        m.principal_filter = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.host_filter = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeAclsRequest.HostFilter", n, size - i)
        m.host_filter = data[i:end].decode()
        i = end
    m.operation = (data[i] ^ 0x80) - 0x80
    m.permission_type = (data[i + 1] ^ 0x80) - 0x80
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_2(m: DescribeAclsRequest, w: BytesWriter, version: int) -> None:
    write_i8(w, m.resource_type_filter)
    v1 = m.resource_name_filter
    write_compact_nullable_string(w, v1)
    write_i8(w, m.pattern_type_filter)
    v2 = m.principal_filter
    write_compact_nullable_string(w, v2)
    v3 = m.host_filter
    write_compact_nullable_string(w, v3)
    write_i8(w, m.operation)
    write_i8(w, m.permission_type)
    w.append(0)
