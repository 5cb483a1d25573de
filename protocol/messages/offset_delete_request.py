"""OffsetDeleteRequest, generated from OffsetDeleteRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

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
    '{"apiKey":47,"type":"request","listeners":["broker"],"name":"OffsetDeleteRequest","validVe'
    'rsions":"0","flexibleVersions":"none","fields":[{"name":"GroupId","type":"string","version'
    's":"0+","entityType":"groupId"},{"name":"Topics","type":"[]OffsetDeleteRequestTopic","vers'
    'ions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","mapKey":true,"entityT'
    'ype":"topicName"},{"name":"Partitions","type":"[]OffsetDeleteRequestPartition","versions":'
    '"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0+"}]}]}]}'
)


class OffsetDeleteRequestPartition(Struct):
    """The partitions with offsets to forget."""

    __slots__ = ("partition_index",)
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index",)
    partition_index: int  # Number of the partition.

    def __init__(
        self,
        *,
        partition_index: int = 0,
    ) -> None:
        self.partition_index = partition_index


class OffsetDeleteRequestTopic(Struct):
    """The topics with offsets to forget."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[OffsetDeleteRequestPartition]  # The partitions with offsets to forget.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[OffsetDeleteRequestPartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class OffsetDeleteRequest(Message):
    """Forgets how far a group has read the given partitions."""

    __slots__ = ("group_id", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id", "topics")
    NAME: ClassVar[str] = "OffsetDeleteRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 47
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.
    topics: list[OffsetDeleteRequestTopic]  # The topics with offsets to forget.

    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[OffsetDeleteRequestTopic] = UNSET_LIST,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> OffsetDeleteRequest:
        message, end = OffsetDeleteRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("OffsetDeleteRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[OffsetDeleteRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("OffsetDeleteRequest", version, len(data), error) from None
        raise no_version("OffsetDeleteRequest", version)

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
            raise no_encoding("OffsetDeleteRequest", version, error) from error
        raise no_encoding("OffsetDeleteRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[OffsetDeleteRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetDeleteRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetDeleteRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetDeleteRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetDeleteRequest.Topics", 200000)
    count1 = n
    found1: list[OffsetDeleteRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetDeleteRequestTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetDeleteRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("OffsetDeleteRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetDeleteRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[OffsetDeleteRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetDeleteRequestPartition()
            s2.partition_index = read_i32_be(data, i)
            found2.append(s2)
            i += 4
        found1.append(s1)
    return m, i


def _encode_0(m: OffsetDeleteRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_string(w, v1)
    v2 = m.topics
    write_i32_be(w, len(v2))
    for s1 in v2:
        v3 = s1.name
        write_string(w, v3)
        v4 = s1.partitions
        write_i32_be(w, len(v4))
        for s2 in v4:
            write_i32_be(w, s2.partition_index)
