"""AlterClientQuotasRequest, generated from AlterClientQuotasRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_f64_be,
    read_i16_be,
    read_i32_be,
    write_f64_be,
    write_i32_be,
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
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":49,"type":"request","listeners":["broker","controller"],"name":"AlterClientQuota'
    'sRequest","validVersions":"0-1","flexibleVersions":"1+","fields":[{"name":"Entries","type"'
    ':"[]EntryData","versions":"0+","fields":[{"name":"Entity","type":"[]EntityData","versions"'
    ':"0+","fields":[{"name":"EntityType","type":"string","versions":"0+"},{"name":"EntityName"'
    ',"type":"string","versions":"0+","nullableVersions":"0+"}]},{"name":"Ops","type":"[]OpData'
    '","versions":"0+","fields":[{"name":"Key","type":"string","versions":"0+"},{"name":"Value"'
    ',"type":"float64","versions":"0+"},{"name":"Remove","type":"bool","versions":"0+"}]}]},{"n'
    'ame":"ValidateOnly","type":"bool","versions":"0+"}]}'
)


class EntityData(Struct):
    """Whom the limits are for; all parts together."""

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


class OpData(Struct):
    """What changes for this entity."""

    __slots__ = ("key", "value", "remove")
    FIELDS: ClassVar[tuple[str, ...]] = ("key", "value", "remove")
    key: str  # What is limited.
    value: float  # The limit.
    remove: bool  # Whether the limit is removed; its value is then without meaning.

    def __init__(
        self,
        *,
        key: str = "",
        value: float = 0.0,
        remove: bool = False,
    ) -> None:
        self.key = key
        self.value = value
        self.remove = remove


class EntryData(Struct):
    """One row for each entity; each is changed whole or not at all."""

    __slots__ = ("entity", "ops")
    FIELDS: ClassVar[tuple[str, ...]] = ("entity", "ops")
    entity: list[EntityData]  # Whom the limits are for; all parts together.
    ops: list[OpData]  # What changes for this entity.

    def __init__(
        self,
        *,
        entity: list[EntityData] = UNSET_LIST,
        ops: list[OpData] = UNSET_LIST,
    ) -> None:
        self.entity = [] if entity is UNSET_LIST else entity
        self.ops = [] if ops is UNSET_LIST else ops


class AlterClientQuotasRequest(Message):
    """Sets and removes limits for users, clients and addresses."""

    __slots__ = ("entries", "validate_only")
    FIELDS: ClassVar[tuple[str, ...]] = ("entries", "validate_only")
    NAME: ClassVar[str] = "AlterClientQuotasRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 49
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    entries: list[EntryData]  # One row for each entity; each is changed whole or not at all.
    validate_only: bool  # Whether this is only checked, and nothing changed.

    def __init__(
        self,
        *,
        entries: list[EntryData] = UNSET_LIST,
        validate_only: bool = False,
    ) -> None:
        self.entries = [] if entries is UNSET_LIST else entries
        self.validate_only = validate_only

    @staticmethod
    def decode(data: bytes, version: int) -> AlterClientQuotasRequest:
        message, end = AlterClientQuotasRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterClientQuotasRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterClientQuotasRequest, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterClientQuotasRequest", version, len(data), error) from None
        raise no_version("AlterClientQuotasRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AlterClientQuotasRequest", version, error) from error
        raise no_encoding("AlterClientQuotasRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[AlterClientQuotasRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterClientQuotasRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 8 > size - i:
        raise bad_count("AlterClientQuotasRequest.Entries", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterClientQuotasRequest.Entries", 100000)
    count1 = n
    found1: list[EntryData] = []
    m.entries = found1
    for _ in range(count1):
        s1 = EntryData()
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("AlterClientQuotasRequest.Entries.Entity", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterClientQuotasRequest.Entries.Entity", 100000)
        count2 = n
        found2: list[EntityData] = []
        s1.entity = found2
        for _ in range(count2):
            s2 = EntityData()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("AlterClientQuotasRequest.Entries.Entity.EntityType", n, size - i)
            s2.entity_type = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            if n == -1:
                s2.entity_name = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("AlterClientQuotasRequest.Entries.Entity.EntityName", n, size - i)
                s2.entity_name = data[i:end].decode()
                i = end
            found2.append(s2)
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 11 > size - i:
            raise bad_count("AlterClientQuotasRequest.Entries.Ops", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterClientQuotasRequest.Entries.Ops", 100000)
        count3 = n
        found3: list[OpData] = []
        s1.ops = found3
        for _ in range(count3):
            s3 = OpData()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("AlterClientQuotasRequest.Entries.Ops.Key", n, size - i)
            s3.key = data[i:end].decode()
            i = end
            s3.value = read_f64_be(data, i)
            s3.remove = data[i + 8] != 0
            found3.append(s3)
            i += 9
        found1.append(s1)
    m.validate_only = data[i] != 0
    i += 1
    return m, i


def _encode_0(m: AlterClientQuotasRequest, w: BytesWriter, version: int) -> None:
    v1 = m.entries
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.entity
        write_i32_be(w, len(v2))
        for s2 in v2:
            v3 = s2.entity_type
            write_string(w, v3)
            v4 = s2.entity_name
            write_nullable_string(w, v4)
        v5 = s1.ops
        write_i32_be(w, len(v5))
        for s3 in v5:
            v6 = s3.key
            write_string(w, v6)
            write_f64_be(w, s3.value)
            w.append(1 if s3.remove else 0)
    w.append(1 if m.validate_only else 0)


def _decode_1(data: bytes, i: i64) -> tuple[AlterClientQuotasRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterClientQuotasRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AlterClientQuotasRequest.Entries", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterClientQuotasRequest.Entries", 100000)
    count1 = n
    found1: list[EntryData] = []
    m.entries = found1
    for _ in range(count1):
        s1 = EntryData()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("AlterClientQuotasRequest.Entries.Entity", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterClientQuotasRequest.Entries.Entity", 100000)
        count2 = n
        found2: list[EntityData] = []
        s1.entity = found2
        for _ in range(count2):
            s2 = EntityData()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("AlterClientQuotasRequest.Entries.Entity.EntityType", n, size - i)
            s2.entity_type = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.entity_name = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("AlterClientQuotasRequest.Entries.Entity.EntityName", n, size - i)
                s2.entity_name = data[i:end].decode()
                i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 11 > size - i:
            raise bad_count("AlterClientQuotasRequest.Entries.Ops", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterClientQuotasRequest.Entries.Ops", 100000)
        count3 = n
        found3: list[OpData] = []
        s1.ops = found3
        for _ in range(count3):
            s3 = OpData()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("AlterClientQuotasRequest.Entries.Ops.Key", n, size - i)
            s3.key = data[i:end].decode()
            i = end
            s3.value = read_f64_be(data, i)
            s3.remove = data[i + 8] != 0
            if data[i + 9] == 0:
                i += 10
            else:
                i = skip_tagged_fields(data, i + 9)
            found3.append(s3)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    m.validate_only = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_1(m: AlterClientQuotasRequest, w: BytesWriter, version: int) -> None:
    v1 = m.entries
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.entity
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            v3 = s2.entity_type
            write_compact_string(w, v3)
            v4 = s2.entity_name
            write_compact_nullable_string(w, v4)
            w.append(0)
        v5 = s1.ops
        write_uvarint(w, len(v5) + 1)
        for s3 in v5:
            v6 = s3.key
            write_compact_string(w, v6)
            write_f64_be(w, s3.value)
            w.append(1 if s3.remove else 0)
            w.append(0)
        w.append(0)
    w.append(1 if m.validate_only else 0)
    w.append(0)
