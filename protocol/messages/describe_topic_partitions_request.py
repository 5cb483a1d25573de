"""DescribeTopicPartitionsRequest, generated from DescribeTopicPartitionsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_count,
    bad_length,
    bad_presence,
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
    '{"apiKey":75,"type":"request","listeners":["broker"],"name":"DescribeTopicPartitionsReques'
    't","validVersions":"0","flexibleVersions":"0+","fields":[{"name":"Topics","type":"[]TopicR'
    'equest","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","entityTy'
    'pe":"topicName"}]},{"name":"ResponsePartitionLimit","type":"int32","versions":"0+","defaul'
    't":"2000"},{"name":"Cursor","type":"Cursor","versions":"0+","nullableVersions":"0+","defau'
    'lt":"null","fields":[{"name":"TopicName","type":"string","versions":"0+","entityType":"top'
    'icName"},{"name":"PartitionIndex","type":"int32","versions":"0+"}]}]}'
)


class TopicRequest(Struct):
    """The topics to describe; none asks for all."""

    __slots__ = ("name",)
    FIELDS: ClassVar[tuple[str, ...]] = ("name",)
    name: str  # Name of the topic.

    def __init__(
        self,
        *,
        name: str = "",
    ) -> None:
        self.name = name


class Cursor(Struct):
    """Where to go on, as the last answer said; null begins."""

    __slots__ = ("topic_name", "partition_index")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_name", "partition_index")
    topic_name: str  # The topic to go on with.
    partition_index: int  # The partition of it to go on with.

    def __init__(
        self,
        *,
        topic_name: str = "",
        partition_index: int = 0,
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index


class DescribeTopicPartitionsRequest(Message):
    """Asks for the partitions of topics, a page at a time."""

    __slots__ = ("topics", "response_partition_limit", "cursor")
    FIELDS: ClassVar[tuple[str, ...]] = ("topics", "response_partition_limit", "cursor")
    NAME: ClassVar[str] = "DescribeTopicPartitionsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 75
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[TopicRequest]  # The topics to describe; none asks for all.
    response_partition_limit: int  # How many partitions one answer should hold at most.
    cursor: Cursor | None  # Where to go on, as the last answer said; null begins.

    def __init__(
        self,
        *,
        topics: list[TopicRequest] = UNSET_LIST,
        response_partition_limit: int = 2000,
        cursor: Cursor | None = None,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics
        self.response_partition_limit = response_partition_limit
        self.cursor = cursor

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeTopicPartitionsRequest:
        message, end = DescribeTopicPartitionsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeTopicPartitionsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeTopicPartitionsRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeTopicPartitionsRequest", version, len(data), error) from None
        raise no_version("DescribeTopicPartitionsRequest", version)

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
            raise no_encoding("DescribeTopicPartitionsRequest", version, error) from error
        raise no_encoding("DescribeTopicPartitionsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeTopicPartitionsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeTopicPartitionsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 2 > size - i:
        raise bad_count("DescribeTopicPartitionsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeTopicPartitionsRequest.Topics", 100000)
    count1 = n
    found1: list[TopicRequest] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicRequest()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeTopicPartitionsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    m.response_partition_limit = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n == 255:
        m.cursor = None
    elif n == 1:
        s2 = Cursor()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeTopicPartitionsRequest.Cursor.TopicName", n, size - i)
        s2.topic_name = data[i:end].decode()
        i = end
        s2.partition_index = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        m.cursor = s2
    else:
        raise bad_presence("DescribeTopicPartitionsRequest.Cursor", n)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: DescribeTopicPartitionsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        w.append(0)
    write_i32_be(w, m.response_partition_limit)
    v3 = m.cursor
    if v3 is None:
        w.append(0xFF)
    else:
        w.append(1)
        v4 = v3.topic_name
        write_compact_string(w, v4)
        write_i32_be(w, v3.partition_index)
        w.append(0)
    w.append(0)
