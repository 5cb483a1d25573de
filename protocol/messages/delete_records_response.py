"""DeleteRecordsResponse, generated from DeleteRecordsResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
    write_i16_be,
    write_i32_be,
    write_i64_be,
)

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
    '{"apiKey":21,"type":"response","name":"DeleteRecordsResponse","validVersions":"0-2","flexi'
    'bleVersions":"2+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"nam'
    'e":"Topics","type":"[]DeleteRecordsTopicResult","versions":"0+","fields":[{"name":"Name","'
    'type":"string","versions":"0+","mapKey":true,"entityType":"topicName"},{"name":"Partitions'
    '","type":"[]DeleteRecordsPartitionResult","versions":"0+","fields":[{"name":"PartitionInde'
    'x","type":"int32","versions":"0+","mapKey":true},{"name":"LowWatermark","type":"int64","ve'
    'rsions":"0+"},{"name":"ErrorCode","type":"int16","versions":"0+"}]}]}]}'
)


class DeleteRecordsPartitionResult(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "low_watermark", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "low_watermark", "error_code")
    partition_index: int  # Number of the partition.
    low_watermark: int  # The smallest first offset among its live replicas.
    error_code: int  # Zero, or why nothing was removed.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        low_watermark: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.low_watermark = low_watermark
        self.error_code = error_code


class DeleteRecordsTopicResult(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[DeleteRecordsPartitionResult]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[DeleteRecordsPartitionResult] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class DeleteRecordsResponse(Message):
    """Where each partition begins now."""

    __slots__ = ("throttle_time_ms", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "topics")
    NAME: ClassVar[str] = "DeleteRecordsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 21
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    topics: list[DeleteRecordsTopicResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[DeleteRecordsTopicResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> DeleteRecordsResponse:
        message, end = DeleteRecordsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DeleteRecordsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DeleteRecordsResponse, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DeleteRecordsResponse", version, len(data), error) from None
        raise no_version("DeleteRecordsResponse", version)

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
            raise no_encoding("DeleteRecordsResponse", version, error) from error
        raise no_encoding("DeleteRecordsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DeleteRecordsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DeleteRecordsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("DeleteRecordsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteRecordsResponse.Topics", 10000000)
    count1 = n
    found1: list[DeleteRecordsTopicResult] = []
    m.topics = found1
    for _ in range(count1):
        s1 = DeleteRecordsTopicResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DeleteRecordsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 14 > size - i:
            raise bad_count("DeleteRecordsResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DeleteRecordsResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[DeleteRecordsPartitionResult] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = DeleteRecordsPartitionResult()
            s2.partition_index = read_i32_be(data, i)
            s2.low_watermark = read_i64_be(data, i + 4)
            s2.error_code = read_i16_be(data, i + 12)
            found2.append(s2)
            i += 14
        found1.append(s1)
    return m, i


def _encode_0(m: DeleteRecordsResponse, w: BytesWriter, version: int) -> None:
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
            write_i64_be(w, s2.low_watermark)
            write_i16_be(w, s2.error_code)


def _decode_2(data: bytes, i: i64) -> tuple[DeleteRecordsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DeleteRecordsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("DeleteRecordsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteRecordsResponse.Topics", 10000000)
    count1 = n
    found1: list[DeleteRecordsTopicResult] = []
    m.topics = found1
    for _ in range(count1):
        s1 = DeleteRecordsTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DeleteRecordsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 15 > size - i:
            raise bad_count("DeleteRecordsResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DeleteRecordsResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[DeleteRecordsPartitionResult] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = DeleteRecordsPartitionResult()
            s2.partition_index = read_i32_be(data, i)
            s2.low_watermark = read_i64_be(data, i + 4)
            s2.error_code = read_i16_be(data, i + 12)
            if data[i + 14] == 0:
                i += 15
            else:
                i = skip_tagged_fields(data, i + 14)
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


def _encode_2(m: DeleteRecordsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.low_watermark)
            write_i16_be(w, s2.error_code)
            w.append(0)
        w.append(0)
    w.append(0)
