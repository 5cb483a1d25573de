"""CreateAclsRequest, generated from CreateAclsRequest.json: do not edit, run `make generate`."""

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
    write_compact_string,
    write_i8,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":30,"type":"request","listeners":["broker","controller"],"name":"CreateAclsReques'
    't","validVersions":"1-3","flexibleVersions":"2+","fields":[{"name":"Creations","type":"[]A'
    'clCreation","versions":"0+","fields":[{"name":"ResourceType","type":"int8","versions":"0+"'
    '},{"name":"ResourceName","type":"string","versions":"0+"},{"name":"ResourcePatternType","t'
    'ype":"int8","versions":"1+","default":"3"},{"name":"Principal","type":"string","versions":'
    '"0+"},{"name":"Host","type":"string","versions":"0+"},{"name":"Operation","type":"int8","v'
    'ersions":"0+"},{"name":"PermissionType","type":"int8","versions":"0+"}]}]}'
)


class AclCreation(Struct):
    """The entries to add."""

    __slots__ = (
        "resource_type",
        "resource_name",
        "resource_pattern_type",
        "principal",
        "host",
        "operation",
        "permission_type",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "resource_type",
        "resource_name",
        "resource_pattern_type",
        "principal",
        "host",
        "operation",
        "permission_type",
    )
    resource_type: int  # The kind of resource: 2 topic, 3 group, 4 cluster, 5 transactional id, 6 token, 7 user.
    resource_name: str  # The name of the resource, or the beginning of it.
    resource_pattern_type: int  # How the name is compared: 3 literally, 4 as a prefix.
    principal: str  # Whom the entry is about.
    host: str  # From which address; a star for any.
    operation: int  # The number of the operation.
    permission_type: int  # 2 denies, 3 allows.

    def __init__(
        self,
        *,
        resource_type: int = 0,
        resource_name: str = "",
        resource_pattern_type: int = 3,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.resource_pattern_type = resource_pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type


class CreateAclsRequest(Message):
    """Adds access control entries."""

    __slots__ = ("creations",)
    FIELDS: ClassVar[tuple[str, ...]] = ("creations",)
    NAME: ClassVar[str] = "CreateAclsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 30
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    creations: list[AclCreation]  # The entries to add.

    def __init__(
        self,
        *,
        creations: list[AclCreation] = UNSET_LIST,
    ) -> None:
        self.creations = [] if creations is UNSET_LIST else creations

    @staticmethod
    def decode(data: bytes, version: int) -> CreateAclsRequest:
        message, end = CreateAclsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("CreateAclsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[CreateAclsRequest, int]:
        try:
            if 2 <= version <= 3:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("CreateAclsRequest", version, len(data), error) from None
        raise no_version("CreateAclsRequest", version)

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
            raise no_encoding("CreateAclsRequest", version, error) from error
        raise no_encoding("CreateAclsRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[CreateAclsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = CreateAclsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 10 > size - i:
        raise bad_count("CreateAclsRequest.Creations", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreateAclsRequest.Creations", 100000)
    count1 = n
    found1: list[AclCreation] = []
    m.creations = found1
    for _ in range(count1):
        s1 = AclCreation()
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        end = i + n
        if n < 0 or end > size:
            raise bad_length("CreateAclsRequest.Creations.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        s1.resource_pattern_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        end = i + n
        if n < 0 or end > size:
            raise bad_length("CreateAclsRequest.Creations.Principal", n, size - i)
        s1.principal = data[i:end].decode()
        i = end
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("CreateAclsRequest.Creations.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.operation = (data[i] ^ 0x80) - 0x80
        s1.permission_type = (data[i + 1] ^ 0x80) - 0x80
        found1.append(s1)
        i += 2
    return m, i


def _encode_1(m: CreateAclsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.creations
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i8(w, s1.resource_type)
        v2 = s1.resource_name
        write_string(w, v2)
        write_i8(w, s1.resource_pattern_type)
        v3 = s1.principal
        write_string(w, v3)
        v4 = s1.host
        write_string(w, v4)
        write_i8(w, s1.operation)
        write_i8(w, s1.permission_type)


def _decode_2(data: bytes, i: i64) -> tuple[CreateAclsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = CreateAclsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 8 > size - i:
        raise bad_count("CreateAclsRequest.Creations", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreateAclsRequest.Creations", 100000)
    count1 = n
    found1: list[AclCreation] = []
    m.creations = found1
    for _ in range(count1):
        s1 = AclCreation()
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("CreateAclsRequest.Creations.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        s1.resource_pattern_type = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("CreateAclsRequest.Creations.Principal", n, size - i)
        s1.principal = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("CreateAclsRequest.Creations.Host", n, size - i)
        s1.host = data[i:end].decode()
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


def _encode_2(m: CreateAclsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.creations
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i8(w, s1.resource_type)
        v2 = s1.resource_name
        write_compact_string(w, v2)
        write_i8(w, s1.resource_pattern_type)
        v3 = s1.principal
        write_compact_string(w, v3)
        v4 = s1.host
        write_compact_string(w, v4)
        write_i8(w, s1.operation)
        write_i8(w, s1.permission_type)
        w.append(0)
    w.append(0)
