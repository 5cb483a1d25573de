"""DescribeClientQuotasRequest, generated from DescribeClientQuotasRequest.json: do not edit, run `make generate`."""

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
    write_compact_string,
    write_i8,
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":48,"type":"request","listeners":["broker"],"name":"DescribeClientQuotasRequest",'
    '"validVersions":"0-1","flexibleVersions":"1+","fields":[{"name":"Components","type":"[]Com'
    'ponentData","versions":"0+","fields":[{"name":"EntityType","type":"string","versions":"0+"'
    '},{"name":"MatchType","type":"int8","versions":"0+"},{"name":"Match","type":"string","vers'
    'ions":"0+","nullableVersions":"0+"}]},{"name":"Strict","type":"bool","versions":"0+"}]}'
)


class ComponentData(Struct):
    """What an entity must have to be described; none for all entities."""

    __slots__ = ("entity_type", "match_type", "match")
    FIELDS: ClassVar[tuple[str, ...]] = ("entity_type", "match_type", "match")
    entity_type: str  # Which part of the entity: user, client-id or ip.
    match_type: int  # 0 this very name, 1 the default, 2 any.
    match: str | None  # The name for match type 0, else null.

    def __init__(
        self,
        *,
        entity_type: str = "",
        match_type: int = 0,
        match: str | None = "",
    ) -> None:
        self.entity_type = entity_type
        self.match_type = match_type
        self.match = match


class DescribeClientQuotasRequest(Message):
    """Asks which limits are set for users, clients and addresses."""

    __slots__ = ("components", "strict")
    FIELDS: ClassVar[tuple[str, ...]] = ("components", "strict")
    NAME: ClassVar[str] = "DescribeClientQuotasRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 48
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    components: list[ComponentData]  # What an entity must have to be described; none for all entities.
    strict: bool  # Whether entities with further parts are left out.

    def __init__(
        self,
        *,
        components: list[ComponentData] = UNSET_LIST,
        strict: bool = False,
    ) -> None:
        self.components = [] if components is UNSET_LIST else components
        self.strict = strict

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeClientQuotasRequest:
        message, end = DescribeClientQuotasRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeClientQuotasRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeClientQuotasRequest, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeClientQuotasRequest", version, len(data), error) from None
        raise no_version("DescribeClientQuotasRequest", version)

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
            raise no_encoding("DescribeClientQuotasRequest", version, error) from error
        raise no_encoding("DescribeClientQuotasRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeClientQuotasRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeClientQuotasRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 5 > size - i:
        raise bad_count("DescribeClientQuotasRequest.Components", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeClientQuotasRequest.Components", 100000)
    count1 = n
    found1: list[ComponentData] = []
    m.components = found1
    for _ in range(count1):
        s1 = ComponentData()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeClientQuotasRequest.Components.EntityType", n, size - i)
        s1.entity_type = data[i:end].decode()
        i = end
        s1.match_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        if n == -1:
            s1.match = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeClientQuotasRequest.Components.Match", n, size - i)
            s1.match = data[i:end].decode()
            i = end
        found1.append(s1)
    m.strict = data[i] != 0
    i += 1
    return m, i


def _encode_0(m: DescribeClientQuotasRequest, w: BytesWriter, version: int) -> None:
    v1 = m.components
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.entity_type
        write_string(w, v2)
        write_i8(w, s1.match_type)
        v3 = s1.match
        write_nullable_string(w, v3)
    w.append(1 if m.strict else 0)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeClientQuotasRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeClientQuotasRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("DescribeClientQuotasRequest.Components", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeClientQuotasRequest.Components", 100000)
    count1 = n
    found1: list[ComponentData] = []
    m.components = found1
    for _ in range(count1):
        s1 = ComponentData()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeClientQuotasRequest.Components.EntityType", n, size - i)
        s1.entity_type = data[i:end].decode()
        i = end
        s1.match_type = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.match = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeClientQuotasRequest.Components.Match", n, size - i)
            s1.match = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    m.strict = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_1(m: DescribeClientQuotasRequest, w: BytesWriter, version: int) -> None:
    v1 = m.components
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.entity_type
        write_compact_string(w, v2)
        write_i8(w, s1.match_type)
        v3 = s1.match
        write_compact_nullable_string(w, v3)
        w.append(0)
    w.append(1 if m.strict else 0)
    w.append(0)
