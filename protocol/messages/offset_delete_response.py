"""OffsetDeleteResponse, generated from OffsetDeleteResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    trailing,
    write_string,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":47,"type":"response","name":"OffsetDeleteResponse","validVersions":"0","flexible'
    'Versions":"none","fields":[{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"Th'
    'rottleTimeMs","type":"int32","versions":"0+","ignorable":true},{"name":"Topics","type":"[]'
    'OffsetDeleteResponseTopic","versions":"0+","fields":[{"name":"Name","type":"string","versi'
    'ons":"0+","mapKey":true,"entityType":"topicName"},{"name":"Partitions","type":"[]OffsetDel'
    'eteResponsePartition","versions":"0+","fields":[{"name":"PartitionIndex","type":"int32","v'
    'ersions":"0+","mapKey":true},{"name":"ErrorCode","type":"int16","versions":"0+"}]}]}]}'
)


class OffsetDeleteResponsePartition(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "error_code")
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why the offset is still there; 86 when the group still reads the topic.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class OffsetDeleteResponseTopic(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[OffsetDeleteResponsePartition]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[OffsetDeleteResponsePartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class OffsetDeleteResponse(Message):
    """Which offsets were forgotten."""

    __slots__ = ("error_code", "throttle_time_ms", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("error_code", "throttle_time_ms", "topics")
    NAME: ClassVar[str] = "OffsetDeleteResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 47
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    error_code: int  # Zero, or why the whole request failed.
    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    topics: list[OffsetDeleteResponseTopic]  # One entry for each topic.

    def __init__(
        self,
        *,
        error_code: int = 0,
        throttle_time_ms: int = 0,
        topics: list[OffsetDeleteResponseTopic] = UNSET_LIST,
    ) -> None:
        self.error_code = error_code
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> OffsetDeleteResponse:
        message, end = OffsetDeleteResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("OffsetDeleteResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[OffsetDeleteResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("OffsetDeleteResponse", version, len(data), error) from None
        raise no_version("OffsetDeleteResponse", version)

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
            raise no_encoding("OffsetDeleteResponse", version, error) from error
        raise no_encoding("OffsetDeleteResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[OffsetDeleteResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetDeleteResponse()
    m.error_code = read_i16_be(data, i)
    m.throttle_time_ms = read_i32_be(data, i + 2)
    n = read_i32_be(data, i + 6)
    i += 10
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetDeleteResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetDeleteResponse.Topics", 10000000)
    count1 = n
    found1: list[OffsetDeleteResponseTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetDeleteResponseTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetDeleteResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 6 > size - i:
            raise bad_count("OffsetDeleteResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetDeleteResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[OffsetDeleteResponsePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetDeleteResponsePartition()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            found2.append(s2)
            i += 6
        found1.append(s1)
    return m, i


def _encode_0(m: OffsetDeleteResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
