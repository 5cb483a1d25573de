"""ListConfigResourcesResponse, generated from ListConfigResourcesResponse.json: do not edit, run `make generate`."""

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
    write_compact_string,
    write_i8,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":74,"type":"response","name":"ListConfigResourcesResponse","validVersions":"0-1",'
    '"flexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"}'
    ',{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ConfigResources","type":"[]C'
    'onfigResource","versions":"0+","fields":[{"name":"ResourceName","type":"string","versions"'
    ':"0+"},{"name":"ResourceType","type":"int8","versions":"1+","ignorable":true,"default":"16'
    '"}]}]}'
)


class ConfigResource(Struct):
    """One entry for each resource."""

    __slots__ = ("resource_name", "resource_type")
    FIELDS: ClassVar[tuple[str, ...]] = ("resource_name", "resource_type")
    resource_name: str  # Name of the topic, group or subscription, or number of the broker.
    resource_type: int  # Its kind.

    def __init__(
        self,
        *,
        resource_name: str = "",
        resource_type: int = 16,
    ) -> None:
        self.resource_name = resource_name
        self.resource_type = resource_type


class ListConfigResourcesResponse(Message):
    """The resources that have settings."""

    __slots__ = ("throttle_time_ms", "error_code", "config_resources")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code", "config_resources")
    NAME: ClassVar[str] = "ListConfigResourcesResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 74
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why there is no answer.
    config_resources: list[ConfigResource]  # One entry for each resource.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        config_resources: list[ConfigResource] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.config_resources = [] if config_resources is UNSET_LIST else config_resources

    @staticmethod
    def decode(data: bytes, version: int) -> ListConfigResourcesResponse:
        message, end = ListConfigResourcesResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ListConfigResourcesResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ListConfigResourcesResponse, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ListConfigResourcesResponse", version, len(data), error) from None
        raise no_version("ListConfigResourcesResponse", version)

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
            raise no_encoding("ListConfigResourcesResponse", version, error) from error
        raise no_encoding("ListConfigResourcesResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[ListConfigResourcesResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListConfigResourcesResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 2 > size - i:
        raise bad_count("ListConfigResourcesResponse.ConfigResources", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListConfigResourcesResponse.ConfigResources", 10000000)
    count1 = n
    found1: list[ConfigResource] = []
    m.config_resources = found1
    for _ in range(count1):
        s1 = ConfigResource()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListConfigResourcesResponse.ConfigResources.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
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


def _encode_0(m: ListConfigResourcesResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.config_resources
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.resource_name
        write_compact_string(w, v2)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[ListConfigResourcesResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListConfigResourcesResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ListConfigResourcesResponse.ConfigResources", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListConfigResourcesResponse.ConfigResources", 10000000)
    count1 = n
    found1: list[ConfigResource] = []
    m.config_resources = found1
    for _ in range(count1):
        s1 = ConfigResource()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListConfigResourcesResponse.ConfigResources.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        if data[i + 1] == 0:
            i += 2
        else:
            i = skip_tagged_fields(data, i + 1)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_1(m: ListConfigResourcesResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.config_resources
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.resource_name
        write_compact_string(w, v2)
        write_i8(w, s1.resource_type)
        w.append(0)
    w.append(0)
