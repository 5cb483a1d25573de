"""DescribeLogDirsRequest, generated from DescribeLogDirsRequest.json: do not edit, run `make generate`."""

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
    write_compact_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":35,"type":"request","listeners":["broker"],"name":"DescribeLogDirsRequest","vali'
    'dVersions":"1-5","flexibleVersions":"2+","fields":[{"name":"Topics","type":"[]DescribableL'
    'ogDirTopic","versions":"0+","nullableVersions":"0+","fields":[{"name":"Topic","type":"stri'
    'ng","versions":"0+","entityType":"topicName","mapKey":true},{"name":"Partitions","type":"['
    ']int32","versions":"0+"}]}]}'
)


class DescribableLogDirTopic(Struct):
    """The topics to tell of, or null for all."""

    __slots__ = ("topic", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "partitions")
    topic: str  # Name of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic: str = "",
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET_LIST else partitions


class DescribeLogDirsRequest(Message):
    """Asks what lies in the log directories of the broker."""

    __slots__ = ("topics",)
    FIELDS: ClassVar[tuple[str, ...]] = ("topics",)
    NAME: ClassVar[str] = "DescribeLogDirsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 35
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[DescribableLogDirTopic] | None  # The topics to tell of, or null for all.

    def __init__(
        self,
        *,
        topics: list[DescribableLogDirTopic] | None = UNSET_LIST,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeLogDirsRequest:
        message, end = DescribeLogDirsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeLogDirsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeLogDirsRequest, int]:
        try:
            if 2 <= version <= 5:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeLogDirsRequest", version, len(data), error) from None
        raise no_version("DescribeLogDirsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 2 <= version <= 5:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeLogDirsRequest", version, error) from error
        raise no_encoding("DescribeLogDirsRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeLogDirsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeLogDirsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 6 > size - i:
            raise bad_count("DescribeLogDirsRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeLogDirsRequest.Topics", 100000)
        count1 = n
        found1: list[DescribableLogDirTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = DescribableLogDirTopic()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeLogDirsRequest.Topics.Topic", n, size - i)
            s1.topic = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("DescribeLogDirsRequest.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeLogDirsRequest.Topics.Partitions", 100000)
            end = i + n * 4
            s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found1.append(s1)
    return m, i


def _encode_1(m: DescribeLogDirsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    if v1 is None:
        write_i32_be(w, -1)
    else:
        write_i32_be(w, len(v1))
        for s1 in v1:
            v2 = s1.topic
            write_string(w, v2)
            v3 = s1.partitions
            write_i32_be(w, len(v3))
            for s2 in v3:
                write_i32_be(w, s2)


def _decode_2(data: bytes, i: i64) -> tuple[DescribeLogDirsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeLogDirsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 3 > size - i:
            raise bad_count("DescribeLogDirsRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeLogDirsRequest.Topics", 100000)
        count1 = n
        found1: list[DescribableLogDirTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = DescribableLogDirTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeLogDirsRequest.Topics.Topic", n, size - i)
            s1.topic = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("DescribeLogDirsRequest.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeLogDirsRequest.Topics.Partitions", 100000)
            end = i + n * 4
            s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
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


def _encode_2(m: DescribeLogDirsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    if v1 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v1) + 1)
        for s1 in v1:
            v2 = s1.topic
            write_compact_string(w, v2)
            v3 = s1.partitions
            write_uvarint(w, len(v3) + 1)
            for s2 in v3:
                write_i32_be(w, s2)
            w.append(0)
    w.append(0)
