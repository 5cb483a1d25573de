"""DescribeProducersRequest, generated from DescribeProducersRequest.json: do not edit, run `make generate`."""

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
    '{"apiKey":61,"type":"request","listeners":["broker"],"name":"DescribeProducersRequest","va'
    'lidVersions":"0","flexibleVersions":"0+","fields":[{"name":"Topics","type":"[]TopicRequest'
    '","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","entityType":"t'
    'opicName"},{"name":"PartitionIndexes","type":"[]int32","versions":"0+"}]}]}'
)


class TopicRequest(Struct):
    """The topics to ask about."""

    __slots__ = ("name", "partition_indexes")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partition_indexes")
    name: str  # Name of the topic.
    partition_indexes: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        name: str = "",
        partition_indexes: list[int] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is UNSET_LIST else partition_indexes


class DescribeProducersRequest(Message):
    """Asks partitions which producers have written to them lately."""

    __slots__ = ("topics",)
    FIELDS: ClassVar[tuple[str, ...]] = ("topics",)
    NAME: ClassVar[str] = "DescribeProducersRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 61
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[TopicRequest]  # The topics to ask about.

    def __init__(
        self,
        *,
        topics: list[TopicRequest] = UNSET_LIST,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeProducersRequest:
        message, end = DescribeProducersRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeProducersRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeProducersRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeProducersRequest", version, len(data), error) from None
        raise no_version("DescribeProducersRequest", version)

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
            raise no_encoding("DescribeProducersRequest", version, error) from error
        raise no_encoding("DescribeProducersRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeProducersRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeProducersRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("DescribeProducersRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeProducersRequest.Topics", 100000)
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
            raise bad_length("DescribeProducersRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("DescribeProducersRequest.Topics.PartitionIndexes", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeProducersRequest.Topics.PartitionIndexes", 100000)
        end = i + n * 4
        s1.partition_indexes = [read_i32_be(data, j) for j in range(i, end, 4)]
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


def _encode_0(m: DescribeProducersRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partition_indexes
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2)
        w.append(0)
    w.append(0)
