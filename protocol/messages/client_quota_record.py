"""ClientQuotaRecord, generated from ClientQuotaRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_f64_be, write_f64_be)

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
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":14,"type":"metadata","name":"ClientQuotaRecord","validVersions":"0","flexibleVer'
    'sions":"0+","fields":[{"name":"Entity","type":"[]EntityData","versions":"0+","fields":[{"n'
    'ame":"EntityType","type":"string","versions":"0+"},{"name":"EntityName","type":"string","v'
    'ersions":"0+","nullableVersions":"0+"}]},{"name":"Key","type":"string","versions":"0+"},{"'
    'name":"Value","type":"float64","versions":"0+"},{"name":"Remove","type":"bool","versions":'
    '"0+"}]}'
)


class EntityData(Struct):
    """Whom the limit is for; all parts together."""

    __slots__ = ("entity_type", "entity_name")
    FIELDS: ClassVar[tuple[str, ...]] = ("entity_type", "entity_name")
    entity_type: str  # What this part is: user, client-id or ip.
    entity_name: str | None  # Its name, or null for the default.

    def __init__(
        self,
        *,
        entity_type: str = "",
        entity_name: str | None = "",
    ) -> None:
        self.entity_type = entity_type
        self.entity_name = entity_name


class ClientQuotaRecord(Message):
    """Metadata: a limit for users, clients or addresses is set or removed."""

    __slots__ = ("entity", "key", "value", "remove")
    FIELDS: ClassVar[tuple[str, ...]] = ("entity", "key", "value", "remove")
    NAME: ClassVar[str] = "ClientQuotaRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 14
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    entity: list[EntityData]  # Whom the limit is for; all parts together.
    key: str  # What is limited.
    value: float  # The limit.
    remove: bool  # Whether the limit is removed.

    def __init__(
        self,
        *,
        entity: list[EntityData] = UNSET_LIST,
        key: str = "",
        value: float = 0.0,
        remove: bool = False,
    ) -> None:
        self.entity = [] if entity is UNSET_LIST else entity
        self.key = key
        self.value = value
        self.remove = remove

    @staticmethod
    def decode(data: bytes, version: int) -> ClientQuotaRecord:
        message, end = ClientQuotaRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ClientQuotaRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ClientQuotaRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ClientQuotaRecord", version, len(data), error) from None
        raise no_version("ClientQuotaRecord", version)

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
            raise no_encoding("ClientQuotaRecord", version, error) from error
        raise no_encoding("ClientQuotaRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[ClientQuotaRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ClientQuotaRecord()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ClientQuotaRecord.Entity", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ClientQuotaRecord.Entity", 10000000)
    count1 = n
    found1: list[EntityData] = []
    m.entity = found1
    for _ in range(count1):
        s1 = EntityData()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ClientQuotaRecord.Entity.EntityType", n, size - i)
        s1.entity_type = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.entity_name = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ClientQuotaRecord.Entity.EntityName", n, size - i)
            s1.entity_name = data[i:end].decode()
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
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ClientQuotaRecord.Key", n, size - i)
    m.key = data[i:end].decode()
    i = end
    m.value = read_f64_be(data, i)
    m.remove = data[i + 8] != 0
    if data[i + 9] == 0:
        i += 10
    else:
        i = skip_tagged_fields(data, i + 9)
    return m, i


def _encode_0(m: ClientQuotaRecord, w: BytesWriter, version: int) -> None:
    v1 = m.entity
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.entity_type
        write_compact_string(w, v2)
        v3 = s1.entity_name
        write_compact_nullable_string(w, v3)
        w.append(0)
    v4 = m.key
    write_compact_string(w, v4)
    write_f64_be(w, m.value)
    w.append(1 if m.remove else 0)
    w.append(0)
