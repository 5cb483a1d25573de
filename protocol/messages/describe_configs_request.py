"""DescribeConfigsRequest, generated from DescribeConfigsRequest.json: do not edit, run `make generate`."""

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
    not_carried,
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
    '{"apiKey":32,"type":"request","listeners":["broker","controller"],"name":"DescribeConfigsR'
    'equest","validVersions":"1-4","flexibleVersions":"4+","fields":[{"name":"Resources","type"'
    ':"[]DescribeConfigsResource","versions":"0+","fields":[{"name":"ResourceType","type":"int8'
    '","versions":"0+"},{"name":"ResourceName","type":"string","versions":"0+"},{"name":"Config'
    'urationKeys","type":"[]string","versions":"0+","nullableVersions":"0+"}]},{"name":"Include'
    'Synonyms","type":"bool","versions":"1+","default":"false","ignorable":false},{"name":"Incl'
    'udeDocumentation","type":"bool","versions":"3+","default":"false","ignorable":false}]}'
)


class DescribeConfigsResource(Struct):
    """What to describe."""

    __slots__ = ("resource_type", "resource_name", "configuration_keys")
    FIELDS: ClassVar[tuple[str, ...]] = ("resource_type", "resource_name", "configuration_keys")
    resource_type: int  # What kind of thing it is: 2 a topic, 4 a broker, 8 the log levels of a broker.
    resource_name: str  # Its name; a broker's is its id, empty for the cluster-wide default.
    configuration_keys: list[str] | None  # Names of the settings wanted, or null for all.

    def __init__(
        self,
        *,
        resource_type: int = 0,
        resource_name: str = "",
        configuration_keys: list[str] | None = UNSET_LIST,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configuration_keys = [] if configuration_keys is UNSET_LIST else configuration_keys


class DescribeConfigsRequest(Message):
    """Asks for settings of topics, brokers and others."""

    __slots__ = ("resources", "include_synonyms", "include_documentation")
    FIELDS: ClassVar[tuple[str, ...]] = ("resources", "include_synonyms", "include_documentation")
    NAME: ClassVar[str] = "DescribeConfigsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 32
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    resources: list[DescribeConfigsResource]  # What to describe.
    include_synonyms: bool  # Whether to tell the other places that could give the value.
    include_documentation: bool  # Whether to tell what each setting means.

    def __init__(
        self,
        *,
        resources: list[DescribeConfigsResource] = UNSET_LIST,
        include_synonyms: bool = False,
        include_documentation: bool = False,
    ) -> None:
        self.resources = [] if resources is UNSET_LIST else resources
        self.include_synonyms = include_synonyms
        self.include_documentation = include_documentation

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeConfigsRequest:
        message, end = DescribeConfigsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeConfigsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeConfigsRequest, int]:
        try:
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 1 <= version <= 2:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeConfigsRequest", version, len(data), error) from None
        raise no_version("DescribeConfigsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 4:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if 1 <= version <= 2:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeConfigsRequest", version, error) from error
        raise no_encoding("DescribeConfigsRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeConfigsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeConfigsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 7 > size - i:
        raise bad_count("DescribeConfigsRequest.Resources", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeConfigsRequest.Resources", 100000)
    count1 = n
    found1: list[DescribeConfigsResource] = []
    m.resources = found1
    for _ in range(count1):
        s1 = DescribeConfigsResource()
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeConfigsRequest.Resources.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n == -1:
            s1.configuration_keys = None
        else:
            if n < 0 or n * 2 > size - i:
                raise bad_count("DescribeConfigsRequest.Resources.ConfigurationKeys", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeConfigsRequest.Resources.ConfigurationKeys", 100000)
            count2 = n
            found2: list[str] = []
            s1.configuration_keys = found2
            for _ in range(count2):
                n = read_i16_be(data, i)
                i += 2
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeConfigsRequest.Resources.ConfigurationKeys", n, size - i)
                v1 = data[i:end].decode()
                i = end
                found2.append(v1)
        found1.append(s1)
    m.include_synonyms = data[i] != 0
    i += 1
    return m, i


def _encode_1(m: DescribeConfigsRequest, w: BytesWriter, version: int) -> None:
    if m.include_documentation:
        raise not_carried("DescribeConfigsRequest.IncludeDocumentation", version)
    v1 = m.resources
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i8(w, s1.resource_type)
        v2 = s1.resource_name
        write_string(w, v2)
        v3 = s1.configuration_keys
        if v3 is None:
            write_i32_be(w, -1)
        else:
            write_i32_be(w, len(v3))
            for s2 in v3:
                write_string(w, s2)
    w.append(1 if m.include_synonyms else 0)


def _decode_3(data: bytes, i: i64) -> tuple[DescribeConfigsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeConfigsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 7 > size - i:
        raise bad_count("DescribeConfigsRequest.Resources", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeConfigsRequest.Resources", 100000)
    count1 = n
    found1: list[DescribeConfigsResource] = []
    m.resources = found1
    for _ in range(count1):
        s1 = DescribeConfigsResource()
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeConfigsRequest.Resources.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n == -1:
            s1.configuration_keys = None
        else:
            if n < 0 or n * 2 > size - i:
                raise bad_count("DescribeConfigsRequest.Resources.ConfigurationKeys", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeConfigsRequest.Resources.ConfigurationKeys", 100000)
            count2 = n
            found2: list[str] = []
            s1.configuration_keys = found2
            for _ in range(count2):
                n = read_i16_be(data, i)
                i += 2
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeConfigsRequest.Resources.ConfigurationKeys", n, size - i)
                v1 = data[i:end].decode()
                i = end
                found2.append(v1)
        found1.append(s1)
    m.include_synonyms = data[i] != 0
    m.include_documentation = data[i + 1] != 0
    i += 2
    return m, i


def _encode_3(m: DescribeConfigsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.resources
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i8(w, s1.resource_type)
        v2 = s1.resource_name
        write_string(w, v2)
        v3 = s1.configuration_keys
        if v3 is None:
            write_i32_be(w, -1)
        else:
            write_i32_be(w, len(v3))
            for s2 in v3:
                write_string(w, s2)
    w.append(1 if m.include_synonyms else 0)
    w.append(1 if m.include_documentation else 0)


def _decode_4(data: bytes, i: i64) -> tuple[DescribeConfigsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeConfigsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("DescribeConfigsRequest.Resources", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeConfigsRequest.Resources", 100000)
    count1 = n
    found1: list[DescribeConfigsResource] = []
    m.resources = found1
    for _ in range(count1):
        s1 = DescribeConfigsResource()
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeConfigsRequest.Resources.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.configuration_keys = None
        else:
            if n < 0 or n > size - i:
                raise bad_count("DescribeConfigsRequest.Resources.ConfigurationKeys", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeConfigsRequest.Resources.ConfigurationKeys", 100000)
            count2 = n
            found2: list[str] = []
            s1.configuration_keys = found2
            for _ in range(count2):
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("DescribeConfigsRequest.Resources.ConfigurationKeys", n, size - i)
                v1 = data[i:end].decode()
                i = end
                found2.append(v1)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    m.include_synonyms = data[i] != 0
    m.include_documentation = data[i + 1] != 0
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_4(m: DescribeConfigsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.resources
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i8(w, s1.resource_type)
        v2 = s1.resource_name
        write_compact_string(w, v2)
        v3 = s1.configuration_keys
        if v3 is None:
            w.append(0)
        else:
            write_uvarint(w, len(v3) + 1)
            for s2 in v3:
                write_compact_string(w, s2)
        w.append(0)
    w.append(1 if m.include_synonyms else 0)
    w.append(1 if m.include_documentation else 0)
    w.append(0)
