"""OffsetForLeaderEpochResponse, generated from OffsetForLeaderEpochResponse.json: do not edit, run `make generate`."""

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
    '{"apiKey":23,"type":"response","name":"OffsetForLeaderEpochResponse","validVersions":"2-4"'
    ',"flexibleVersions":"4+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"2+"'
    ',"ignorable":true},{"name":"Topics","type":"[]OffsetForLeaderTopicResult","versions":"0+",'
    '"fields":[{"name":"Topic","type":"string","versions":"0+","entityType":"topicName","mapKey'
    '":true},{"name":"Partitions","type":"[]EpochEndOffset","versions":"0+","fields":[{"name":"'
    'ErrorCode","type":"int16","versions":"0+"},{"name":"Partition","type":"int32","versions":"'
    '0+"},{"name":"LeaderEpoch","type":"int32","versions":"1+","default":"-1","ignorable":true}'
    ',{"name":"EndOffset","type":"int64","versions":"0+","default":"-1"}]}]}]}'
)


class EpochEndOffset(Struct):
    """One entry for each partition."""

    __slots__ = ("error_code", "partition", "leader_epoch", "end_offset")
    FIELDS: ClassVar[tuple[str, ...]] = ("error_code", "partition", "leader_epoch", "end_offset")
    error_code: int  # Zero, or why there is no answer.
    partition: int  # Number of the partition.
    leader_epoch: int  # The largest epoch of the log that is not above the asked one, or -1.
    end_offset: int  # The offset behind the last record of that epoch, or -1.

    def __init__(
        self,
        *,
        error_code: int = 0,
        partition: int = 0,
        leader_epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.error_code = error_code
        self.partition = partition
        self.leader_epoch = leader_epoch
        self.end_offset = end_offset


class OffsetForLeaderTopicResult(Struct):
    """One entry for each topic."""

    __slots__ = ("topic", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "partitions")
    topic: str  # Name of the topic.
    partitions: list[EpochEndOffset]  # One entry for each partition.

    def __init__(
        self,
        *,
        topic: str = "",
        partitions: list[EpochEndOffset] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET_LIST else partitions


class OffsetForLeaderEpochResponse(Message):
    """Where the asked epochs end."""

    __slots__ = ("throttle_time_ms", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "topics")
    NAME: ClassVar[str] = "OffsetForLeaderEpochResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 23
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    topics: list[OffsetForLeaderTopicResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[OffsetForLeaderTopicResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> OffsetForLeaderEpochResponse:
        message, end = OffsetForLeaderEpochResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("OffsetForLeaderEpochResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[OffsetForLeaderEpochResponse, int]:
        try:
            if version == 4:
                return _decode_4(data, offset)
            if 2 <= version <= 3:
                return _decode_2(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("OffsetForLeaderEpochResponse", version, len(data), error) from None
        raise no_version("OffsetForLeaderEpochResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 4:
                return _encode_4(self, writer, version)
            if 2 <= version <= 3:
                return _encode_2(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("OffsetForLeaderEpochResponse", version, error) from error
        raise no_encoding("OffsetForLeaderEpochResponse", version)


def _decode_2(data: bytes, i: i64) -> tuple[OffsetForLeaderEpochResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetForLeaderEpochResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetForLeaderEpochResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetForLeaderEpochResponse.Topics", 10000000)
    count1 = n
    found1: list[OffsetForLeaderTopicResult] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetForLeaderTopicResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetForLeaderEpochResponse.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 18 > size - i:
            raise bad_count("OffsetForLeaderEpochResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetForLeaderEpochResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[EpochEndOffset] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = EpochEndOffset()
            s2.error_code = read_i16_be(data, i)
            s2.partition = read_i32_be(data, i + 2)
            s2.leader_epoch = read_i32_be(data, i + 6)
            s2.end_offset = read_i64_be(data, i + 10)
            found2.append(s2)
            i += 18
        found1.append(s1)
    return m, i


def _encode_2(m: OffsetForLeaderEpochResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i16_be(w, s2.error_code)
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.leader_epoch)
            write_i64_be(w, s2.end_offset)


def _decode_4(data: bytes, i: i64) -> tuple[OffsetForLeaderEpochResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetForLeaderEpochResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("OffsetForLeaderEpochResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetForLeaderEpochResponse.Topics", 10000000)
    count1 = n
    found1: list[OffsetForLeaderTopicResult] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetForLeaderTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetForLeaderEpochResponse.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 19 > size - i:
            raise bad_count("OffsetForLeaderEpochResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetForLeaderEpochResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[EpochEndOffset] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = EpochEndOffset()
            s2.error_code = read_i16_be(data, i)
            s2.partition = read_i32_be(data, i + 2)
            s2.leader_epoch = read_i32_be(data, i + 6)
            s2.end_offset = read_i64_be(data, i + 10)
            if data[i + 18] == 0:
                i += 19
            else:
                i = skip_tagged_fields(data, i + 18)
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


def _encode_4(m: OffsetForLeaderEpochResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i16_be(w, s2.error_code)
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.leader_epoch)
            write_i64_be(w, s2.end_offset)
            w.append(0)
        w.append(0)
    w.append(0)
