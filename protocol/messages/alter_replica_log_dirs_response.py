"""AlterReplicaLogDirsResponse, generated from AlterReplicaLogDirsResponse.json: do not edit, run `make generate`."""

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
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":34,"type":"response","name":"AlterReplicaLogDirsResponse","validVersions":"1-2",'
    '"flexibleVersions":"2+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"}'
    ',{"name":"Results","type":"[]AlterReplicaLogDirTopicResult","versions":"0+","fields":[{"na'
    'me":"TopicName","type":"string","versions":"0+","entityType":"topicName"},{"name":"Partiti'
    'ons","type":"[]AlterReplicaLogDirPartitionResult","versions":"0+","fields":[{"name":"Parti'
    'tionIndex","type":"int32","versions":"0+"},{"name":"ErrorCode","type":"int16","versions":"'
    '0+"}]}]}]}'
)


class AlterReplicaLogDirPartitionResult(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "error_code")
    partition_index: int  # Number of the partition.
    error_code: int  # Zero if its replica is moved or in the directory already, or why not.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class AlterReplicaLogDirTopicResult(Struct):
    """One entry for each topic."""

    __slots__ = ("topic_name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_name", "partitions")
    topic_name: str  # Name of the topic.
    partitions: list[AlterReplicaLogDirPartitionResult]  # One entry for each partition.

    def __init__(
        self,
        *,
        topic_name: str = "",
        partitions: list[AlterReplicaLogDirPartitionResult] = UNSET_LIST,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class AlterReplicaLogDirsResponse(Message):
    """Whether the replicas will be moved."""

    __slots__ = ("throttle_time_ms", "results")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "results")
    NAME: ClassVar[str] = "AlterReplicaLogDirsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 34
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    results: list[AlterReplicaLogDirTopicResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[AlterReplicaLogDirTopicResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET_LIST else results

    @staticmethod
    def decode(data: bytes, version: int) -> AlterReplicaLogDirsResponse:
        message, end = AlterReplicaLogDirsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterReplicaLogDirsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterReplicaLogDirsResponse, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterReplicaLogDirsResponse", version, len(data), error) from None
        raise no_version("AlterReplicaLogDirsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AlterReplicaLogDirsResponse", version, error) from error
        raise no_encoding("AlterReplicaLogDirsResponse", version)


def _decode_1(data: bytes, i: i64) -> tuple[AlterReplicaLogDirsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AlterReplicaLogDirsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("AlterReplicaLogDirsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterReplicaLogDirsResponse.Results", 10000000)
    count1 = n
    found1: list[AlterReplicaLogDirTopicResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = AlterReplicaLogDirTopicResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("AlterReplicaLogDirsResponse.Results.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 6 > size - i:
            raise bad_count("AlterReplicaLogDirsResponse.Results.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterReplicaLogDirsResponse.Results.Partitions", 10000000)
        count2 = n
        found2: list[AlterReplicaLogDirPartitionResult] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = AlterReplicaLogDirPartitionResult()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            found2.append(s2)
            i += 6
        found1.append(s1)
    return m, i


def _encode_1(m: AlterReplicaLogDirsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic_name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)


def _decode_2(data: bytes, i: i64) -> tuple[AlterReplicaLogDirsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AlterReplicaLogDirsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AlterReplicaLogDirsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterReplicaLogDirsResponse.Results", 10000000)
    count1 = n
    found1: list[AlterReplicaLogDirTopicResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = AlterReplicaLogDirTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterReplicaLogDirsResponse.Results.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 7 > size - i:
            raise bad_count("AlterReplicaLogDirsResponse.Results.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterReplicaLogDirsResponse.Results.Partitions", 10000000)
        count2 = n
        found2: list[AlterReplicaLogDirPartitionResult] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = AlterReplicaLogDirPartitionResult()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            if data[i + 6] == 0:
                i += 7
            else:
                i = skip_tagged_fields(data, i + 6)
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


def _encode_2(m: AlterReplicaLogDirsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic_name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            w.append(0)
        w.append(0)
    w.append(0)
