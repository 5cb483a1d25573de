"""OffsetFetchResponse, generated from OffsetFetchResponse.json: do not edit, run `make generate`."""

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
    ZERO_UUID,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":9,"type":"response","name":"OffsetFetchResponse","validVersions":"1-10","flexibl'
    'eVersions":"6+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"3+","ignorab'
    'le":true},{"name":"Topics","type":"[]OffsetFetchResponseTopic","versions":"0-7","fields":['
    '{"name":"Name","type":"string","versions":"0-7","entityType":"topicName"},{"name":"Partiti'
    'ons","type":"[]OffsetFetchResponsePartition","versions":"0-7","fields":[{"name":"Partition'
    'Index","type":"int32","versions":"0-7"},{"name":"CommittedOffset","type":"int64","versions'
    '":"0-7"},{"name":"CommittedLeaderEpoch","type":"int32","versions":"5-7","default":"-1","ig'
    'norable":true},{"name":"Metadata","type":"string","versions":"0-7","nullableVersions":"0-7'
    '"},{"name":"ErrorCode","type":"int16","versions":"0-7"}]}]},{"name":"ErrorCode","type":"in'
    't16","versions":"2-7","default":"0","ignorable":true},{"name":"Groups","type":"[]OffsetFet'
    'chResponseGroup","versions":"8+","fields":[{"name":"GroupId","type":"string","versions":"8'
    '+","entityType":"groupId"},{"name":"Topics","type":"[]OffsetFetchResponseTopics","versions'
    '":"8+","fields":[{"name":"Name","type":"string","versions":"8-9","ignorable":true,"entityT'
    'ype":"topicName"},{"name":"TopicId","type":"uuid","versions":"10+","ignorable":true},{"nam'
    'e":"Partitions","type":"[]OffsetFetchResponsePartitions","versions":"8+","fields":[{"name"'
    ':"PartitionIndex","type":"int32","versions":"8+"},{"name":"CommittedOffset","type":"int64"'
    ',"versions":"8+"},{"name":"CommittedLeaderEpoch","type":"int32","versions":"8+","default":'
    '"-1","ignorable":true},{"name":"Metadata","type":"string","versions":"8+","nullableVersion'
    's":"8+"},{"name":"ErrorCode","type":"int16","versions":"8+"}]}]},{"name":"ErrorCode","type'
    '":"int16","versions":"8+","default":"0"}]}]}'
)


class OffsetFetchResponsePartition(Struct):
    """One entry for each partition."""

    __slots__ = (
        "partition_index",
        "committed_offset",
        "committed_leader_epoch",
        "metadata",
        "error_code",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "committed_offset",
        "committed_leader_epoch",
        "metadata",
        "error_code",
    )
    partition_index: int  # Number of the partition.
    committed_offset: int  # Offset of the next record that the group will read, or -1 when none is stored.
    committed_leader_epoch: int  # Leader epoch that was stored with the offset, or -1.
    metadata: str | None  # The note that was stored with the offset; empty when there is none.
    error_code: int  # Zero, or why this partition has no answer.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code


class OffsetFetchResponseTopic(Struct):
    """One entry for each topic of the group."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[OffsetFetchResponsePartition]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[OffsetFetchResponsePartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class OffsetFetchResponsePartitions(Struct):
    """One entry for each partition."""

    __slots__ = (
        "partition_index",
        "committed_offset",
        "committed_leader_epoch",
        "metadata",
        "error_code",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "committed_offset",
        "committed_leader_epoch",
        "metadata",
        "error_code",
    )
    partition_index: int  # Number of the partition.
    committed_offset: int  # Offset of the next record that the group will read, or -1 when none is stored.
    committed_leader_epoch: int  # Leader epoch that was stored with the offset, or -1.
    metadata: str | None  # The note that was stored with the offset; empty when there is none.
    error_code: int  # Zero, or why this partition has no answer.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        metadata: str | None = "",
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.metadata = metadata
        self.error_code = error_code


class OffsetFetchResponseTopics(Struct):
    """One entry for each topic of the group."""

    __slots__ = ("name", "topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "topic_id", "partitions")
    name: str  # Name of the topic.
    topic_id: bytes  # Id of the topic.
    partitions: list[OffsetFetchResponsePartitions]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[OffsetFetchResponsePartitions] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class OffsetFetchResponseGroup(Struct):
    """One entry for each group."""

    __slots__ = ("group_id", "topics", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id", "topics", "error_code")
    group_id: str  # Id of the group.
    topics: list[OffsetFetchResponseTopics]  # One entry for each topic of the group.
    error_code: int  # Zero, or why this group has no answer.

    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[OffsetFetchResponseTopics] = UNSET_LIST,
        error_code: int = 0,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET_LIST else topics
        self.error_code = error_code


class OffsetFetchResponse(Message):
    """How far groups have read their partitions."""

    __slots__ = ("throttle_time_ms", "topics", "error_code", "groups")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "topics", "error_code", "groups")
    NAME: ClassVar[str] = "OffsetFetchResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 9
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 10
    FLEXIBLE_SINCE: ClassVar[int | None] = 6
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    topics: list[OffsetFetchResponseTopic]  # One entry for each topic of the group.
    error_code: int  # Zero, or why the whole request failed.
    groups: list[OffsetFetchResponseGroup]  # One entry for each group.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[OffsetFetchResponseTopic] = UNSET_LIST,
        error_code: int = 0,
        groups: list[OffsetFetchResponseGroup] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET_LIST else topics
        self.error_code = error_code
        self.groups = [] if groups is UNSET_LIST else groups

    @staticmethod
    def decode(data: bytes, version: int) -> OffsetFetchResponse:
        message, end = OffsetFetchResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("OffsetFetchResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[OffsetFetchResponse, int]:
        try:
            if version == 10:
                return _decode_10(data, offset)
            if 8 <= version <= 9:
                return _decode_8(data, offset)
            if 6 <= version <= 7:
                return _decode_6(data, offset)
            if version == 5:
                return _decode_5(data, offset)
            if 3 <= version <= 4:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("OffsetFetchResponse", version, len(data), error) from None
        raise no_version("OffsetFetchResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 10:
                return _encode_10(self, writer, version)
            if 8 <= version <= 9:
                return _encode_8(self, writer, version)
            if 6 <= version <= 7:
                return _encode_6(self, writer, version)
            if version == 5:
                return _encode_5(self, writer, version)
            if 3 <= version <= 4:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("OffsetFetchResponse", version, error) from error
        raise no_encoding("OffsetFetchResponse", version)


def _decode_1(data: bytes, i: i64) -> tuple[OffsetFetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetFetchResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetFetchResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchResponse.Topics", 10000000)
    count1 = n
    found1: list[OffsetFetchResponseTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetFetchResponseTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetFetchResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 16 > size - i:
            raise bad_count("OffsetFetchResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[OffsetFetchResponsePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetFetchResponsePartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            n = read_i16_be(data, i + 12)
            i += 14
            if n == -1:
                s2.metadata = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("OffsetFetchResponse.Topics.Partitions.Metadata", n, size - i)
                s2.metadata = data[i:end].decode()
                i = end
            s2.error_code = read_i16_be(data, i)
            found2.append(s2)
            i += 2
        found1.append(s1)
    return m, i


def _encode_1(m: OffsetFetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.groups) > 0:
        raise not_carried("OffsetFetchResponse.Groups", version)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.committed_offset)
            v4 = s2.metadata
            write_nullable_string(w, v4)
            write_i16_be(w, s2.error_code)


def _decode_2(data: bytes, i: i64) -> tuple[OffsetFetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetFetchResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetFetchResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchResponse.Topics", 10000000)
    count1 = n
    found1: list[OffsetFetchResponseTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetFetchResponseTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetFetchResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 16 > size - i:
            raise bad_count("OffsetFetchResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[OffsetFetchResponsePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetFetchResponsePartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            n = read_i16_be(data, i + 12)
            i += 14
            if n == -1:
                s2.metadata = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("OffsetFetchResponse.Topics.Partitions.Metadata", n, size - i)
                s2.metadata = data[i:end].decode()
                i = end
            s2.error_code = read_i16_be(data, i)
            found2.append(s2)
            i += 2
        found1.append(s1)
    m.error_code = read_i16_be(data, i)
    i += 2
    return m, i


def _encode_2(m: OffsetFetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.groups) > 0:
        raise not_carried("OffsetFetchResponse.Groups", version)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.committed_offset)
            v4 = s2.metadata
            write_nullable_string(w, v4)
            write_i16_be(w, s2.error_code)
    write_i16_be(w, m.error_code)


def _decode_3(data: bytes, i: i64) -> tuple[OffsetFetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetFetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetFetchResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchResponse.Topics", 10000000)
    count1 = n
    found1: list[OffsetFetchResponseTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetFetchResponseTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetFetchResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 16 > size - i:
            raise bad_count("OffsetFetchResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[OffsetFetchResponsePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetFetchResponsePartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            n = read_i16_be(data, i + 12)
            i += 14
            if n == -1:
                s2.metadata = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("OffsetFetchResponse.Topics.Partitions.Metadata", n, size - i)
                s2.metadata = data[i:end].decode()
                i = end
            s2.error_code = read_i16_be(data, i)
            found2.append(s2)
            i += 2
        found1.append(s1)
    m.error_code = read_i16_be(data, i)
    i += 2
    return m, i


def _encode_3(m: OffsetFetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.groups) > 0:
        raise not_carried("OffsetFetchResponse.Groups", version)
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
            write_i64_be(w, s2.committed_offset)
            v4 = s2.metadata
            write_nullable_string(w, v4)
            write_i16_be(w, s2.error_code)
    write_i16_be(w, m.error_code)


def _decode_5(data: bytes, i: i64) -> tuple[OffsetFetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetFetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetFetchResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchResponse.Topics", 10000000)
    count1 = n
    found1: list[OffsetFetchResponseTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetFetchResponseTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetFetchResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 20 > size - i:
            raise bad_count("OffsetFetchResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[OffsetFetchResponsePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetFetchResponsePartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            s2.committed_leader_epoch = read_i32_be(data, i + 12)
            n = read_i16_be(data, i + 16)
            i += 18
            if n == -1:
                s2.metadata = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("OffsetFetchResponse.Topics.Partitions.Metadata", n, size - i)
                s2.metadata = data[i:end].decode()
                i = end
            s2.error_code = read_i16_be(data, i)
            found2.append(s2)
            i += 2
        found1.append(s1)
    m.error_code = read_i16_be(data, i)
    i += 2
    return m, i


def _encode_5(m: OffsetFetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.groups) > 0:
        raise not_carried("OffsetFetchResponse.Groups", version)
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
            write_i64_be(w, s2.committed_offset)
            write_i32_be(w, s2.committed_leader_epoch)
            v4 = s2.metadata
            write_nullable_string(w, v4)
            write_i16_be(w, s2.error_code)
    write_i16_be(w, m.error_code)


def _decode_6(data: bytes, i: i64) -> tuple[OffsetFetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetFetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("OffsetFetchResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchResponse.Topics", 10000000)
    count1 = n
    found1: list[OffsetFetchResponseTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetFetchResponseTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetFetchResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 20 > size - i:
            raise bad_count("OffsetFetchResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[OffsetFetchResponsePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetFetchResponsePartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            s2.committed_leader_epoch = read_i32_be(data, i + 12)
            n = data[i + 16]
            i += 17
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.metadata = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("OffsetFetchResponse.Topics.Partitions.Metadata", n, size - i)
                s2.metadata = data[i:end].decode()
                i = end
            s2.error_code = read_i16_be(data, i)
            if data[i + 2] == 0:
                i += 3
            else:
                i = skip_tagged_fields(data, i + 2)
            found2.append(s2)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    m.error_code = read_i16_be(data, i)
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_6(m: OffsetFetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.groups) > 0:
        raise not_carried("OffsetFetchResponse.Groups", version)
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
            write_i64_be(w, s2.committed_offset)
            write_i32_be(w, s2.committed_leader_epoch)
            v4 = s2.metadata
            write_compact_nullable_string(w, v4)
            write_i16_be(w, s2.error_code)
            w.append(0)
        w.append(0)
    write_i16_be(w, m.error_code)
    w.append(0)


def _decode_8(data: bytes, i: i64) -> tuple[OffsetFetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetFetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("OffsetFetchResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchResponse.Groups", 10000000)
    count1 = n
    found1: list[OffsetFetchResponseGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = OffsetFetchResponseGroup()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetFetchResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("OffsetFetchResponse.Groups.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchResponse.Groups.Topics", 10000000)
        count2 = n
        found2: list[OffsetFetchResponseTopics] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = OffsetFetchResponseTopics()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("OffsetFetchResponse.Groups.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 20 > size - i:
                raise bad_count("OffsetFetchResponse.Groups.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("OffsetFetchResponse.Groups.Topics.Partitions", 10000000)
            count3 = n
            found3: list[OffsetFetchResponsePartitions] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = OffsetFetchResponsePartitions()
                s3.partition_index = read_i32_be(data, i)
                s3.committed_offset = read_i64_be(data, i + 4)
                s3.committed_leader_epoch = read_i32_be(data, i + 12)
                n = data[i + 16]
                i += 17
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    s3.metadata = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("OffsetFetchResponse.Groups.Topics.Partitions.Metadata", n, size - i)
                    s3.metadata = data[i:end].decode()
                    i = end
                s3.error_code = read_i16_be(data, i)
                if data[i + 2] == 0:
                    i += 3
                else:
                    i = skip_tagged_fields(data, i + 2)
                found3.append(s3)
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.error_code = read_i16_be(data, i)
        if data[i + 2] == 0:
            i += 3
        else:
            i = skip_tagged_fields(data, i + 2)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_8(m: OffsetFetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.topics) > 0:
        raise not_carried("OffsetFetchResponse.Topics", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.group_id
        write_compact_string(w, v2)
        v3 = s1.topics
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.name
            write_compact_string(w, v4)
            v5 = s2.partitions
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3.partition_index)
                write_i64_be(w, s3.committed_offset)
                write_i32_be(w, s3.committed_leader_epoch)
                v6 = s3.metadata
                write_compact_nullable_string(w, v6)
                write_i16_be(w, s3.error_code)
                w.append(0)
            w.append(0)
        write_i16_be(w, s1.error_code)
        w.append(0)
    w.append(0)


def _decode_10(data: bytes, i: i64) -> tuple[OffsetFetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = OffsetFetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("OffsetFetchResponse.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchResponse.Groups", 10000000)
    count1 = n
    found1: list[OffsetFetchResponseGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = OffsetFetchResponseGroup()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetFetchResponse.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("OffsetFetchResponse.Groups.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchResponse.Groups.Topics", 10000000)
        count2 = n
        found2: list[OffsetFetchResponseTopics] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = OffsetFetchResponseTopics()
            end = i + 16
            if end > size:
                raise bad_length("OffsetFetchResponse.Groups.Topics.TopicId", 16, size - i)
            s2.topic_id = data[i:end]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 20 > size - i:
                raise bad_count("OffsetFetchResponse.Groups.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("OffsetFetchResponse.Groups.Topics.Partitions", 10000000)
            count3 = n
            found3: list[OffsetFetchResponsePartitions] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = OffsetFetchResponsePartitions()
                s3.partition_index = read_i32_be(data, i)
                s3.committed_offset = read_i64_be(data, i + 4)
                s3.committed_leader_epoch = read_i32_be(data, i + 12)
                n = data[i + 16]
                i += 17
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    s3.metadata = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("OffsetFetchResponse.Groups.Topics.Partitions.Metadata", n, size - i)
                    s3.metadata = data[i:end].decode()
                    i = end
                s3.error_code = read_i16_be(data, i)
                if data[i + 2] == 0:
                    i += 3
                else:
                    i = skip_tagged_fields(data, i + 2)
                found3.append(s3)
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.error_code = read_i16_be(data, i)
        if data[i + 2] == 0:
            i += 3
        else:
            i = skip_tagged_fields(data, i + 2)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_10(m: OffsetFetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.topics) > 0:
        raise not_carried("OffsetFetchResponse.Topics", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.group_id
        write_compact_string(w, v2)
        v3 = s1.topics
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_uuid(w, s2.topic_id)
            v4 = s2.partitions
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                write_i32_be(w, s3.partition_index)
                write_i64_be(w, s3.committed_offset)
                write_i32_be(w, s3.committed_leader_epoch)
                v5 = s3.metadata
                write_compact_nullable_string(w, v5)
                write_i16_be(w, s3.error_code)
                w.append(0)
            w.append(0)
        write_i16_be(w, s1.error_code)
        w.append(0)
    w.append(0)
