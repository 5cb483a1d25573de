"""AlterConfigsRequest, generated from AlterConfigsRequest.json: do not edit, run `make generate`."""

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
    '{"apiKey":33,"type":"request","listeners":["broker","controller"],"name":"AlterConfigsRequ'
    'est","validVersions":"0-2","flexibleVersions":"2+","fields":[{"name":"Resources","type":"['
    ']AlterConfigsResource","versions":"0+","fields":[{"name":"ResourceType","type":"int8","ver'
    'sions":"0+","mapKey":true},{"name":"ResourceName","type":"string","versions":"0+","mapKey"'
    ':true},{"name":"Configs","type":"[]AlterableConfig","versions":"0+","fields":[{"name":"Nam'
    'e","type":"string","versions":"0+","mapKey":true},{"name":"Value","type":"string","version'
    's":"0+","nullableVersions":"0+"}]}]},{"name":"ValidateOnly","type":"bool","versions":"0+"}'
    ']}'
)


class AlterableConfig(Struct):
    """The settings that it shall have from now on."""

    __slots__ = ("name", "value")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "value")
    name: str  # Name of the setting.
    value: str | None  # Its value, or null for the default.

    def __init__(
        self,
        *,
        name: str = "",
        value: str | None = "",
    ) -> None:
        self.name = name
        self.value = value


class AlterConfigsResource(Struct):
    """What to change."""

    __slots__ = ("resource_type", "resource_name", "configs")
    FIELDS: ClassVar[tuple[str, ...]] = ("resource_type", "resource_name", "configs")
    resource_type: int  # What kind of thing it is, as in DescribeConfigs.
    resource_name: str  # Its name, as in DescribeConfigs.
    configs: list[AlterableConfig]  # The settings that it shall have from now on.

    def __init__(
        self,
        *,
        resource_type: int = 0,
        resource_name: str = "",
        configs: list[AlterableConfig] = UNSET_LIST,
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs = [] if configs is UNSET_LIST else configs


class AlterConfigsRequest(Message):
    """Replaces all settings of a thing; what is not named goes back to its default."""

    __slots__ = ("resources", "validate_only")
    FIELDS: ClassVar[tuple[str, ...]] = ("resources", "validate_only")
    NAME: ClassVar[str] = "AlterConfigsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 33
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    resources: list[AlterConfigsResource]  # What to change.
    validate_only: bool  # Whether to check the request without doing it.

    def __init__(
        self,
        *,
        resources: list[AlterConfigsResource] = UNSET_LIST,
        validate_only: bool = False,
    ) -> None:
        self.resources = [] if resources is UNSET_LIST else resources
        self.validate_only = validate_only

    @staticmethod
    def decode(data: bytes, version: int) -> AlterConfigsRequest:
        message, end = AlterConfigsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterConfigsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterConfigsRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterConfigsRequest", version, len(data), error) from None
        raise no_version("AlterConfigsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AlterConfigsRequest", version, error) from error
        raise no_encoding("AlterConfigsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[AlterConfigsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterConfigsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 7 > size - i:
        raise bad_count("AlterConfigsRequest.Resources", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterConfigsRequest.Resources", 100000)
    count1 = n
    found1: list[AlterConfigsResource] = []
    m.resources = found1
    for _ in range(count1):
        s1 = AlterConfigsResource()
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        end = i + n
        if n < 0 or end > size:
            raise bad_length("AlterConfigsRequest.Resources.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("AlterConfigsRequest.Resources.Configs", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterConfigsRequest.Resources.Configs", 100000)
        count2 = n
        found2: list[AlterableConfig] = []
        s1.configs = found2
        for _ in range(count2):
            s2 = AlterableConfig()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("AlterConfigsRequest.Resources.Configs.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            if n == -1:
                s2.value = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("AlterConfigsRequest.Resources.Configs.Value", n, size - i)
                s2.value = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    m.validate_only = data[i] != 0
    i += 1
    return m, i


def _encode_0(m: AlterConfigsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.resources
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i8(w, s1.resource_type)
        v2 = s1.resource_name
        write_string(w, v2)
        v3 = s1.configs
        write_i32_be(w, len(v3))
        for s2 in v3:
            v4 = s2.name
            write_string(w, v4)
            v5 = s2.value
            write_nullable_string(w, v5)
    w.append(1 if m.validate_only else 0)


def _decode_2(data: bytes, i: i64) -> tuple[AlterConfigsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterConfigsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 4 > size - i:
        raise bad_count("AlterConfigsRequest.Resources", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterConfigsRequest.Resources", 100000)
    count1 = n
    found1: list[AlterConfigsResource] = []
    m.resources = found1
    for _ in range(count1):
        s1 = AlterConfigsResource()
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterConfigsRequest.Resources.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("AlterConfigsRequest.Resources.Configs", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterConfigsRequest.Resources.Configs", 100000)
        count2 = n
        found2: list[AlterableConfig] = []
        s1.configs = found2
        for _ in range(count2):
            s2 = AlterableConfig()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("AlterConfigsRequest.Resources.Configs.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.value = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("AlterConfigsRequest.Resources.Configs.Value", n, size - i)
                s2.value = data[i:end].decode()
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
    m.validate_only = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_2(m: AlterConfigsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.resources
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i8(w, s1.resource_type)
        v2 = s1.resource_name
        write_compact_string(w, v2)
        v3 = s1.configs
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.name
            write_compact_string(w, v4)
            v5 = s2.value
            write_compact_nullable_string(w, v5)
            w.append(0)
        w.append(0)
    w.append(1 if m.validate_only else 0)
    w.append(0)
