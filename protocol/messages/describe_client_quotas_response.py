"""DescribeClientQuotasResponse, generated from DescribeClientQuotasResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_f64_be,
    read_i16_be,
    read_i32_be,
    write_f64_be,
    write_i16_be,
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
    '{"apiKey":48,"type":"response","name":"DescribeClientQuotasResponse","validVersions":"0-1"'
    ',"flexibleVersions":"1+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"'
    '},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"strin'
    'g","versions":"0+","nullableVersions":"0+"},{"name":"Entries","type":"[]EntryData","versio'
    'ns":"0+","nullableVersions":"0+","fields":[{"name":"Entity","type":"[]EntityData","version'
    's":"0+","fields":[{"name":"EntityType","type":"string","versions":"0+"},{"name":"EntityNam'
    'e","type":"string","versions":"0+","nullableVersions":"0+"}]},{"name":"Values","type":"[]V'
    'alueData","versions":"0+","fields":[{"name":"Key","type":"string","versions":"0+"},{"name"'
    ':"Value","type":"float64","versions":"0+"}]}]}]}'
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


class ValueData(Struct):
    """The limits of this entity."""

    __slots__ = ("key", "value")
    FIELDS: ClassVar[tuple[str, ...]] = ("key", "value")
    key: str  # What is limited.
    value: float  # The limit.

    def __init__(
        self,
        *,
        key: str = "",
        value: float = 0.0,
    ) -> None:
        self.key = key
        self.value = value


class EntryData(Struct):
    """One row for each entity; null after an error."""

    __slots__ = ("entity", "values")
    FIELDS: ClassVar[tuple[str, ...]] = ("entity", "values")
    entity: list[EntityData]  # Whom the limits are for; all parts together.
    values: list[ValueData]  # The limits of this entity.

    def __init__(
        self,
        *,
        entity: list[EntityData] = UNSET_LIST,
        values: list[ValueData] = UNSET_LIST,
    ) -> None:
        self.entity = [] if entity is UNSET_LIST else entity
        self.values = [] if values is UNSET_LIST else values


class DescribeClientQuotasResponse(Message):
    """The limits that are set."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "entries")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "entries",
    )
    NAME: ClassVar[str] = "DescribeClientQuotasResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 48
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why nothing is described.
    error_message: str | None  # The reason in words, or null.
    entries: list[EntryData] | None  # One row for each entity; null after an error.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        entries: list[EntryData] | None = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.entries = [] if entries is UNSET_LIST else entries

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeClientQuotasResponse:
        message, end = DescribeClientQuotasResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeClientQuotasResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeClientQuotasResponse, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeClientQuotasResponse", version, len(data), error) from None
        raise no_version("DescribeClientQuotasResponse", version)

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
            raise no_encoding("DescribeClientQuotasResponse", version, error) from error
        raise no_encoding("DescribeClientQuotasResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeClientQuotasResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeClientQuotasResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = read_i16_be(data, i + 6)
    i += 8
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeClientQuotasResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.entries = None
    else:
        if n < 0 or n * 8 > size - i:
            raise bad_count("DescribeClientQuotasResponse.Entries", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeClientQuotasResponse.Entries", 10000000)
        count1 = n
        found1: list[EntryData] = []
        m.entries = found1
        for _ in range(count1):
            s1 = EntryData()
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("DescribeClientQuotasResponse.Entries.Entity", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeClientQuotasResponse.Entries.Entity", 10000000)
            count2 = n
            found2: list[EntityData] = []
            s1.entity = found2
            for _ in range(count2):
                s2 = EntityData()
                n = read_i16_be(data, i)
                i += 2
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeClientQuotasResponse.Entries.Entity.EntityType", n, size - i)
                s2.entity_type = data[i:end].decode()
                i = end
                n = read_i16_be(data, i)
                i += 2
                if n == -1:
                    s2.entity_name = None
                else:
                    end = i + n
                    if n < 0 or end > size:
                        raise bad_length("DescribeClientQuotasResponse.Entries.Entity.EntityName", n, size - i)
                    s2.entity_name = data[i:end].decode()
                    i = end
                found2.append(s2)
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 10 > size - i:
                raise bad_count("DescribeClientQuotasResponse.Entries.Values", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeClientQuotasResponse.Entries.Values", 10000000)
            count3 = n
            found3: list[ValueData] = []
            s1.values = found3
            for _ in range(count3):
                s3 = ValueData()
                n = read_i16_be(data, i)
                i += 2
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeClientQuotasResponse.Entries.Values.Key", n, size - i)
                s3.key = data[i:end].decode()
                i = end
                s3.value = read_f64_be(data, i)
                found3.append(s3)
                i += 8
            found1.append(s1)
    return m, i


def _encode_0(m: DescribeClientQuotasResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_nullable_string(w, v1)
    v2 = m.entries
    if v2 is None:
        write_i32_be(w, -1)
    else:
        write_i32_be(w, len(v2))
        for s1 in v2:
            v3 = s1.entity
            write_i32_be(w, len(v3))
            for s2 in v3:
                v4 = s2.entity_type
                write_string(w, v4)
                v5 = s2.entity_name
                write_nullable_string(w, v5)
            v6 = s1.values
            write_i32_be(w, len(v6))
            for s3 in v6:
                v7 = s3.key
                write_string(w, v7)
                write_f64_be(w, s3.value)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeClientQuotasResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeClientQuotasResponse()
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
            raise bad_length("DescribeClientQuotasResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.entries = None
    else:
        if n < 0 or n * 3 > size - i:
            raise bad_count("DescribeClientQuotasResponse.Entries", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeClientQuotasResponse.Entries", 10000000)
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
                raise bad_count("DescribeClientQuotasResponse.Entries.Entity", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeClientQuotasResponse.Entries.Entity", 10000000)
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
                    raise bad_length("DescribeClientQuotasResponse.Entries.Entity.EntityType", n, size - i)
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
                        raise bad_length("DescribeClientQuotasResponse.Entries.Entity.EntityName", n, size - i)
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
            if n < 0 or n * 10 > size - i:
                raise bad_count("DescribeClientQuotasResponse.Entries.Values", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeClientQuotasResponse.Entries.Values", 10000000)
            count3 = n
            found3: list[ValueData] = []
            s1.values = found3
            for _ in range(count3):
                s3 = ValueData()
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("DescribeClientQuotasResponse.Entries.Values.Key", n, size - i)
                s3.key = data[i:end].decode()
                i = end
                s3.value = read_f64_be(data, i)
                if data[i + 8] == 0:
                    i += 9
                else:
                    i = skip_tagged_fields(data, i + 8)
                found3.append(s3)
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


def _encode_1(m: DescribeClientQuotasResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.entries
    if v2 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v2) + 1)
        for s1 in v2:
            v3 = s1.entity
            write_uvarint(w, len(v3) + 1)
            for s2 in v3:
                v4 = s2.entity_type
                write_compact_string(w, v4)
                v5 = s2.entity_name
                write_compact_nullable_string(w, v5)
                w.append(0)
            v6 = s1.values
            write_uvarint(w, len(v6) + 1)
            for s3 in v6:
                v7 = s3.key
                write_compact_string(w, v7)
                write_f64_be(w, s3.value)
                w.append(0)
            w.append(0)
    w.append(0)
