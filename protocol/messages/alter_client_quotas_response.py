"""AlterClientQuotasResponse, generated from AlterClientQuotasResponse.json: do not edit, run `make generate`."""

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
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":49,"type":"response","name":"AlterClientQuotasResponse","validVersions":"0-1","f'
    'lexibleVersions":"1+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{'
    '"name":"Entries","type":"[]EntryData","versions":"0+","fields":[{"name":"ErrorCode","type"'
    ':"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","versions":"0+","nullable'
    'Versions":"0+"},{"name":"Entity","type":"[]EntityData","versions":"0+","fields":[{"name":"'
    'EntityType","type":"string","versions":"0+"},{"name":"EntityName","type":"string","version'
    's":"0+","nullableVersions":"0+"}]}]}]}'
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


class EntryData(Struct):
    """One row for each entity."""

    __slots__ = ("error_code", "error_message", "entity")
    FIELDS: ClassVar[tuple[str, ...]] = ("error_code", "error_message", "entity")
    error_code: int  # Zero, or why nothing was changed for this entity.
    error_message: str | None  # The reason in words, or null.
    entity: list[EntityData]  # Whom the limits are for; all parts together.

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        entity: list[EntityData] = UNSET_LIST,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.entity = [] if entity is UNSET_LIST else entity


class AlterClientQuotasResponse(Message):
    """How the change of each entity's limits went."""

    __slots__ = ("throttle_time_ms", "entries")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "entries")
    NAME: ClassVar[str] = "AlterClientQuotasResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 49
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    entries: list[EntryData]  # One row for each entity.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        entries: list[EntryData] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.entries = [] if entries is UNSET_LIST else entries

    @staticmethod
    def decode(data: bytes, version: int) -> AlterClientQuotasResponse:
        message, end = AlterClientQuotasResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterClientQuotasResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterClientQuotasResponse, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterClientQuotasResponse", version, len(data), error) from None
        raise no_version("AlterClientQuotasResponse", version)

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
            raise no_encoding("AlterClientQuotasResponse", version, error) from error
        raise no_encoding("AlterClientQuotasResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[AlterClientQuotasResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AlterClientQuotasResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 8 > size - i:
        raise bad_count("AlterClientQuotasResponse.Entries", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterClientQuotasResponse.Entries", 10000000)
    count1 = n
    found1: list[EntryData] = []
    m.entries = found1
    for _ in range(count1):
        s1 = EntryData()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("AlterClientQuotasResponse.Entries.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("AlterClientQuotasResponse.Entries.Entity", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterClientQuotasResponse.Entries.Entity", 10000000)
        count2 = n
        found2: list[EntityData] = []
        s1.entity = found2
        for _ in range(count2):
            s2 = EntityData()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("AlterClientQuotasResponse.Entries.Entity.EntityType", n, size - i)
            s2.entity_type = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            if n == -1:
                s2.entity_name = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("AlterClientQuotasResponse.Entries.Entity.EntityName", n, size - i)
                s2.entity_name = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_0(m: AlterClientQuotasResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.entries
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_nullable_string(w, v2)
        v3 = s1.entity
        write_i32_be(w, len(v3))
        for s2 in v3:
            v4 = s2.entity_type
            write_string(w, v4)
            v5 = s2.entity_name
            write_nullable_string(w, v5)


def _decode_1(data: bytes, i: i64) -> tuple[AlterClientQuotasResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AlterClientQuotasResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("AlterClientQuotasResponse.Entries", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterClientQuotasResponse.Entries", 10000000)
    count1 = n
    found1: list[EntryData] = []
    m.entries = found1
    for _ in range(count1):
        s1 = EntryData()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("AlterClientQuotasResponse.Entries.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("AlterClientQuotasResponse.Entries.Entity", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterClientQuotasResponse.Entries.Entity", 10000000)
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
                raise bad_length("AlterClientQuotasResponse.Entries.Entity.EntityType", n, size - i)
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
                    raise bad_length("AlterClientQuotasResponse.Entries.Entity.EntityName", n, size - i)
                s2.entity_name = data[i:end].decode()
                i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
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


def _encode_1(m: AlterClientQuotasResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.entries
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_compact_nullable_string(w, v2)
        v3 = s1.entity
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.entity_type
            write_compact_string(w, v4)
            v5 = s2.entity_name
            write_compact_nullable_string(w, v5)
            w.append(0)
        w.append(0)
    w.append(0)
