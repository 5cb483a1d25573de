"""ListOffsetsResponse, generated from ListOffsetsResponse.json: do not edit, run `make generate`."""

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
    not_carried,
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
    '{"apiKey":2,"type":"response","name":"ListOffsetsResponse","validVersions":"1-11","flexibl'
    'eVersions":"6+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"2+","ignorab'
    'le":true},{"name":"Topics","type":"[]ListOffsetsTopicResponse","versions":"0+","fields":[{'
    '"name":"Name","type":"string","versions":"0+","entityType":"topicName"},{"name":"Partition'
    's","type":"[]ListOffsetsPartitionResponse","versions":"0+","fields":[{"name":"PartitionInd'
    'ex","type":"int32","versions":"0+"},{"name":"ErrorCode","type":"int16","versions":"0+"},{"'
    'name":"Timestamp","type":"int64","versions":"1+","default":"-1","ignorable":false},{"name"'
    ':"Offset","type":"int64","versions":"1+","default":"-1","ignorable":false},{"name":"Leader'
    'Epoch","type":"int32","versions":"4+","default":"-1"}]}]}]}'
)


class ListOffsetsPartitionResponse(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "error_code", "timestamp", "offset", "leader_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "error_code",
        "timestamp",
        "offset",
        "leader_epoch",
    )
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why there is no offset.
    timestamp: int  # Timestamp of the record found, or -1.
    offset: int  # The offset found, or -1.
    leader_epoch: int  # Leader epoch of the record at that offset, or -1.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        timestamp: int = -1,
        offset: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.timestamp = timestamp
        self.offset = offset
        self.leader_epoch = leader_epoch


class ListOffsetsTopicResponse(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[ListOffsetsPartitionResponse]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[ListOffsetsPartitionResponse] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class ListOffsetsResponse(Message):
    """The offsets that were found."""

    __slots__ = ("throttle_time_ms", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "topics")
    NAME: ClassVar[str] = "ListOffsetsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 2
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 11
    FLEXIBLE_SINCE: ClassVar[int | None] = 6
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    topics: list[ListOffsetsTopicResponse]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[ListOffsetsTopicResponse] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> ListOffsetsResponse:
        message, end = ListOffsetsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ListOffsetsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ListOffsetsResponse, int]:
        try:
            if 6 <= version <= 11:
                return _decode_6(data, offset)
            if 4 <= version <= 5:
                return _decode_4(data, offset)
            if 2 <= version <= 3:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ListOffsetsResponse", version, len(data), error) from None
        raise no_version("ListOffsetsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 6 <= version <= 11:
                return _encode_6(self, writer, version)
            if 4 <= version <= 5:
                return _encode_4(self, writer, version)
            if 2 <= version <= 3:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ListOffsetsResponse", version, error) from error
        raise no_encoding("ListOffsetsResponse", version)


def _decode_1(data: bytes, i: i64) -> tuple[ListOffsetsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListOffsetsResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("ListOffsetsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListOffsetsResponse.Topics", 10000000)
    count1 = n
    found1: list[ListOffsetsTopicResponse] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ListOffsetsTopicResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListOffsetsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 22 > size - i:
            raise bad_count("ListOffsetsResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListOffsetsResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[ListOffsetsPartitionResponse] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ListOffsetsPartitionResponse()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.timestamp = read_i64_be(data, i + 6)
            s2.offset = read_i64_be(data, i + 14)
            found2.append(s2)
            i += 22
        found1.append(s1)
    return m, i


def _encode_1(m: ListOffsetsResponse, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if s2.leader_epoch != -1:
                raise not_carried("ListOffsetsResponse.Topics.Partitions.LeaderEpoch", version)
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.timestamp)
            write_i64_be(w, s2.offset)


def _decode_2(data: bytes, i: i64) -> tuple[ListOffsetsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListOffsetsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("ListOffsetsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListOffsetsResponse.Topics", 10000000)
    count1 = n
    found1: list[ListOffsetsTopicResponse] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ListOffsetsTopicResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListOffsetsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 22 > size - i:
            raise bad_count("ListOffsetsResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListOffsetsResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[ListOffsetsPartitionResponse] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ListOffsetsPartitionResponse()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.timestamp = read_i64_be(data, i + 6)
            s2.offset = read_i64_be(data, i + 14)
            found2.append(s2)
            i += 22
        found1.append(s1)
    return m, i


def _encode_2(m: ListOffsetsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if s2.leader_epoch != -1:
                raise not_carried("ListOffsetsResponse.Topics.Partitions.LeaderEpoch", version)
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.timestamp)
            write_i64_be(w, s2.offset)


def _decode_4(data: bytes, i: i64) -> tuple[ListOffsetsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListOffsetsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("ListOffsetsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListOffsetsResponse.Topics", 10000000)
    count1 = n
    found1: list[ListOffsetsTopicResponse] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ListOffsetsTopicResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListOffsetsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 26 > size - i:
            raise bad_count("ListOffsetsResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListOffsetsResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[ListOffsetsPartitionResponse] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ListOffsetsPartitionResponse()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.timestamp = read_i64_be(data, i + 6)
            s2.offset = read_i64_be(data, i + 14)
            s2.leader_epoch = read_i32_be(data, i + 22)
            found2.append(s2)
            i += 26
        found1.append(s1)
    return m, i


def _encode_4(m: ListOffsetsResponse, w: BytesWriter, version: int) -> None:
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
            write_i64_be(w, s2.timestamp)
            write_i64_be(w, s2.offset)
            write_i32_be(w, s2.leader_epoch)


def _decode_6(data: bytes, i: i64) -> tuple[ListOffsetsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListOffsetsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ListOffsetsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListOffsetsResponse.Topics", 10000000)
    count1 = n
    found1: list[ListOffsetsTopicResponse] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ListOffsetsTopicResponse()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListOffsetsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 27 > size - i:
            raise bad_count("ListOffsetsResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListOffsetsResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[ListOffsetsPartitionResponse] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ListOffsetsPartitionResponse()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.timestamp = read_i64_be(data, i + 6)
            s2.offset = read_i64_be(data, i + 14)
            s2.leader_epoch = read_i32_be(data, i + 22)
            if data[i + 26] == 0:
                i += 27
            else:
                i = skip_tagged_fields(data, i + 26)
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


def _encode_6(m: ListOffsetsResponse, w: BytesWriter, version: int) -> None:
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
            write_i64_be(w, s2.timestamp)
            write_i64_be(w, s2.offset)
            write_i32_be(w, s2.leader_epoch)
            w.append(0)
        w.append(0)
    w.append(0)
