"""TxnOffsetCommitResponse, generated from TxnOffsetCommitResponse.json: do not edit, run `make generate`."""

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
    '{"apiKey":28,"type":"response","name":"TxnOffsetCommitResponse","validVersions":"0-5","fle'
    'xibleVersions":"3+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"n'
    'ame":"Topics","type":"[]TxnOffsetCommitResponseTopic","versions":"0+","fields":[{"name":"N'
    'ame","type":"string","versions":"0+","entityType":"topicName"},{"name":"Partitions","type"'
    ':"[]TxnOffsetCommitResponsePartition","versions":"0+","fields":[{"name":"PartitionIndex","'
    'type":"int32","versions":"0+"},{"name":"ErrorCode","type":"int16","versions":"0+"}]}]}]}'
)


class TxnOffsetCommitResponsePartition(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "error_code")
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why the offset was not stored.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class TxnOffsetCommitResponseTopic(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[TxnOffsetCommitResponsePartition]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[TxnOffsetCommitResponsePartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class TxnOffsetCommitResponse(Message):
    """Which offsets were stored in the transaction."""

    __slots__ = ("throttle_time_ms", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "topics")
    NAME: ClassVar[str] = "TxnOffsetCommitResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 28
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    topics: list[TxnOffsetCommitResponseTopic]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[TxnOffsetCommitResponseTopic] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> TxnOffsetCommitResponse:
        message, end = TxnOffsetCommitResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("TxnOffsetCommitResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[TxnOffsetCommitResponse, int]:
        try:
            if 3 <= version <= 5:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("TxnOffsetCommitResponse", version, len(data), error) from None
        raise no_version("TxnOffsetCommitResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 3 <= version <= 5:
                return _encode_3(self, writer, version)
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("TxnOffsetCommitResponse", version, error) from error
        raise no_encoding("TxnOffsetCommitResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[TxnOffsetCommitResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = TxnOffsetCommitResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("TxnOffsetCommitResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("TxnOffsetCommitResponse.Topics", 10000000)
    count1 = n
    found1: list[TxnOffsetCommitResponseTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TxnOffsetCommitResponseTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("TxnOffsetCommitResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 6 > size - i:
            raise bad_count("TxnOffsetCommitResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("TxnOffsetCommitResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[TxnOffsetCommitResponsePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = TxnOffsetCommitResponsePartition()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            found2.append(s2)
            i += 6
        found1.append(s1)
    return m, i


def _encode_0(m: TxnOffsetCommitResponse, w: BytesWriter, version: int) -> None:
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


def _decode_3(data: bytes, i: i64) -> tuple[TxnOffsetCommitResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = TxnOffsetCommitResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("TxnOffsetCommitResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("TxnOffsetCommitResponse.Topics", 10000000)
    count1 = n
    found1: list[TxnOffsetCommitResponseTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TxnOffsetCommitResponseTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("TxnOffsetCommitResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 7 > size - i:
            raise bad_count("TxnOffsetCommitResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("TxnOffsetCommitResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[TxnOffsetCommitResponsePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = TxnOffsetCommitResponsePartition()
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


def _encode_3(m: TxnOffsetCommitResponse, w: BytesWriter, version: int) -> None:
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
            write_i16_be(w, s2.error_code)
            w.append(0)
        w.append(0)
    w.append(0)
