"""AccessControlEntryRecord, generated from AccessControlEntryRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    ZERO_UUID,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_i8,
    write_uuid,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":18,"type":"metadata","name":"AccessControlEntryRecord","validVersions":"0","flex'
    'ibleVersions":"0+","fields":[{"name":"Id","type":"uuid","versions":"0+"},{"name":"Resource'
    'Type","type":"int8","versions":"0+"},{"name":"ResourceName","type":"string","versions":"0+'
    '"},{"name":"PatternType","type":"int8","versions":"0+"},{"name":"Principal","type":"string'
    '","versions":"0+"},{"name":"Host","type":"string","versions":"0+"},{"name":"Operation","ty'
    'pe":"int8","versions":"0+"},{"name":"PermissionType","type":"int8","versions":"0+"}]}'
)


class AccessControlEntryRecord(Message):
    """Metadata: somebody may, or may not, do something."""

    __slots__ = (
        "id",
        "resource_type",
        "resource_name",
        "pattern_type",
        "principal",
        "host",
        "operation",
        "permission_type",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "id",
        "resource_type",
        "resource_name",
        "pattern_type",
        "principal",
        "host",
        "operation",
        "permission_type",
    )
    NAME: ClassVar[str] = "AccessControlEntryRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 18
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    id: bytes  # Id of the entry.
    resource_type: int  # What kind of thing it is about.
    resource_name: str  # The name of the thing, or the beginning of it.
    pattern_type: int  # Whether the name is whole or a beginning.
    principal: str  # Whom it is about.
    host: str  # From where they come; a star for anywhere.
    operation: int  # What they want to do.
    permission_type: int  # Whether it is allowed or denied.

    def __init__(
        self,
        *,
        id: bytes = ZERO_UUID,
        resource_type: int = 0,
        resource_name: str = "",
        pattern_type: int = 0,
        principal: str = "",
        host: str = "",
        operation: int = 0,
        permission_type: int = 0,
    ) -> None:
        self.id = id
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.pattern_type = pattern_type
        self.principal = principal
        self.host = host
        self.operation = operation
        self.permission_type = permission_type

    @staticmethod
    def decode(data: bytes, version: int) -> AccessControlEntryRecord:
        message, end = AccessControlEntryRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AccessControlEntryRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AccessControlEntryRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AccessControlEntryRecord", version, len(data), error) from None
        raise no_version("AccessControlEntryRecord", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AccessControlEntryRecord", version, error) from error
        raise no_encoding("AccessControlEntryRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[AccessControlEntryRecord, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = AccessControlEntryRecord()
    end = i + 16
    if end > size:
        raise bad_length("AccessControlEntryRecord.Id", 16, size - i)
    m.id = data[i:end]
    i = end
    m.resource_type = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("AccessControlEntryRecord.ResourceName", n, size - i)
    m.resource_name = data[i:end].decode()
    i = end
    m.pattern_type = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("AccessControlEntryRecord.Principal", n, size - i)
    m.principal = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("AccessControlEntryRecord.Host", n, size - i)
    m.host = data[i:end].decode()
    i = end
    m.operation = (data[i] ^ 0x80) - 0x80
    m.permission_type = (data[i + 1] ^ 0x80) - 0x80
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_0(m: AccessControlEntryRecord, w: BytesWriter, version: int) -> None:
    write_uuid(w, m.id)
    write_i8(w, m.resource_type)
    v1 = m.resource_name
    write_compact_string(w, v1)
    write_i8(w, m.pattern_type)
    v2 = m.principal
    write_compact_string(w, v2)
    v3 = m.host
    write_compact_string(w, v3)
    write_i8(w, m.operation)
    write_i8(w, m.permission_type)
    w.append(0)
