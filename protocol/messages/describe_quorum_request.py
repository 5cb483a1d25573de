"""DescribeQuorumRequest, generated from DescribeQuorumRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

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
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":55,"type":"request","listeners":["broker","controller"],"name":"DescribeQuorumRe'
    'quest","validVersions":"0-2","flexibleVersions":"0+","latestVersionUnstable":false,"fields'
    '":[{"name":"Topics","type":"[]TopicData","versions":"0+","fields":[{"name":"TopicName","ty'
    'pe":"string","versions":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]Part'
    'itionData","versions":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0'
    '+"}]}]}]}'
)


class PartitionData(Struct):
    """The partitions to describe."""

    __slots__ = ("partition_index",)
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index",)
    partition_index: int  # Number of the partition.

    def __init__(
        self,
        *,
        partition_index: int = 0,
    ) -> None:
        self.partition_index = partition_index


class TopicData(Struct):
    """The logs to describe; only the metadata log has a quorum."""

    __slots__ = ("topic_name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_name", "partitions")
    topic_name: str  # Name of the topic.
    partitions: list[PartitionData]  # The partitions to describe.

    def __init__(
        self,
        *,
        topic_name: str = "",
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class DescribeQuorumRequest(Message):
    """Asks the quorum's leader how far every voter and observer is."""

    __slots__ = ("topics",)
    FIELDS: ClassVar[tuple[str, ...]] = ("topics",)
    NAME: ClassVar[str] = "DescribeQuorumRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 55
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[TopicData]  # The logs to describe; only the metadata log has a quorum.

    def __init__(
        self,
        *,
        topics: list[TopicData] = UNSET_LIST,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeQuorumRequest:
        message, end = DescribeQuorumRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeQuorumRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeQuorumRequest, int]:
        try:
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeQuorumRequest", version, len(data), error) from None
        raise no_version("DescribeQuorumRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeQuorumRequest", version, error) from error
        raise no_encoding("DescribeQuorumRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeQuorumRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeQuorumRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("DescribeQuorumRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeQuorumRequest.Topics", 100000)
    count1 = n
    found1: list[TopicData] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicData()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeQuorumRequest.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 5 > size - i:
            raise bad_count("DescribeQuorumRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeQuorumRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            if data[i + 4] == 0:
                i += 5
            else:
                i = skip_tagged_fields(data, i + 4)
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


def _encode_0(m: DescribeQuorumRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic_name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            w.append(0)
        w.append(0)
    w.append(0)
