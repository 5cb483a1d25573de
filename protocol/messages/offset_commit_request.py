"""OffsetCommitRequest, generated from OffsetCommitRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
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
    '{"apiKey":8,"type":"request","listeners":["broker"],"name":"OffsetCommitRequest","validVer'
    'sions":"2-10","flexibleVersions":"8+","fields":[{"name":"GroupId","type":"string","version'
    's":"0+","entityType":"groupId"},{"name":"GenerationIdOrMemberEpoch","type":"int32","versio'
    'ns":"1+","default":"-1","ignorable":true},{"name":"MemberId","type":"string","versions":"1'
    '+","ignorable":true},{"name":"GroupInstanceId","type":"string","versions":"7+","nullableVe'
    'rsions":"7+","default":"null"},{"name":"RetentionTimeMs","type":"int64","versions":"2-4","'
    'default":"-1","ignorable":true},{"name":"Topics","type":"[]OffsetCommitRequestTopic","vers'
    'ions":"0+","fields":[{"name":"Name","type":"string","versions":"0-9","ignorable":true,"ent'
    'ityType":"topicName"},{"name":"TopicId","type":"uuid","versions":"10+","ignorable":true},{'
    '"name":"Partitions","type":"[]OffsetCommitRequestPartition","versions":"0+","fields":[{"na'
    'me":"PartitionIndex","type":"int32","versions":"0+"},{"name":"CommittedOffset","type":"int'
    '64","versions":"0+"},{"name":"CommittedLeaderEpoch","type":"int32","versions":"6+","defaul'
    't":"-1","ignorable":true},{"name":"CommittedMetadata","type":"string","versions":"0+","nul'
    'lableVersions":"0+"}]}]}]}'
)


class OffsetCommitRequestPartition(Struct):
    """The partitions with offsets to store."""

    __slots__ = (
        "partition_index",
        "committed_offset",
        "committed_leader_epoch",
        "committed_metadata",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "committed_offset",
        "committed_leader_epoch",
        "committed_metadata",
    )
    partition_index: int  # Number of the partition.
    committed_offset: int  # Offset of the next record that the group will read.
    committed_leader_epoch: int  # Leader epoch of the last record that was read, or -1 if unknown.
    committed_metadata: str | None  # A note to keep with the offset; null means an empty one.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        committed_offset: int = 0,
        committed_leader_epoch: int = -1,
        committed_metadata: str | None = "",
    ) -> None:
        self.partition_index = partition_index
        self.committed_offset = committed_offset
        self.committed_leader_epoch = committed_leader_epoch
        self.committed_metadata = committed_metadata


class OffsetCommitRequestTopic(Struct):
    """The topics with offsets to store."""

    __slots__ = ("name", "topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "topic_id", "partitions")
    name: str  # Name of the topic.
    topic_id: bytes  # Id of the topic.
    partitions: list[OffsetCommitRequestPartition]  # The partitions with offsets to store.

    def __init__(
        self,
        *,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[OffsetCommitRequestPartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class OffsetCommitRequest(Message):
    """Stores how far a group has read its partitions."""

    __slots__ = (
        "group_id",
        "generation_id_or_member_epoch",
        "member_id",
        "group_instance_id",
        "retention_time_ms",
        "topics",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "group_id",
        "generation_id_or_member_epoch",
        "member_id",
        "group_instance_id",
        "retention_time_ms",
        "topics",
    )
    NAME: ClassVar[str] = "OffsetCommitRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 8
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 10
    FLEXIBLE_SINCE: ClassVar[int | None] = 8
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.
    generation_id_or_member_epoch: int  # Generation of a classic group, or the member's epoch in a consumer group; -1 from a reader that is no member.
    member_id: str  # Id of the member; empty from a reader that is no member.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    retention_time_ms: int  # How long to keep these offsets, in ms; -1 for as long as the broker is configured to.
    topics: list[OffsetCommitRequestTopic]  # The topics with offsets to store.

    def __init__(
        self,
        *,
        group_id: str = "",
        generation_id_or_member_epoch: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        retention_time_ms: int = -1,
        topics: list[OffsetCommitRequestTopic] = UNSET_LIST,
    ) -> None:
        self.group_id = group_id
        self.generation_id_or_member_epoch = generation_id_or_member_epoch
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.retention_time_ms = retention_time_ms
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> OffsetCommitRequest:
        message, end = OffsetCommitRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("OffsetCommitRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[OffsetCommitRequest, int]:
        try:
            if version == 10:
                return _decode_10(data, offset)
            if 8 <= version <= 9:
                return _decode_8(data, offset)
            if version == 7:
                return _decode_7(data, offset)
            if version == 6:
                return _decode_6(data, offset)
            if version == 5:
                return _decode_5(data, offset)
            if 2 <= version <= 4:
                return _decode_2(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("OffsetCommitRequest", version, len(data), error) from None
        raise no_version("OffsetCommitRequest", version)

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
            if version == 7:
                return _encode_7(self, writer, version)
            if version == 6:
                return _encode_6(self, writer, version)
            if version == 5:
                return _encode_5(self, writer, version)
            if 2 <= version <= 4:
                return _encode_2(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("OffsetCommitRequest", version, error) from error
        raise no_encoding("OffsetCommitRequest", version)


def _decode_2(data: bytes, i: i64) -> tuple[OffsetCommitRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetCommitRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id_or_member_epoch = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    m.retention_time_ms = read_i64_be(data, i)
    n = read_i32_be(data, i + 8)
    i += 12
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetCommitRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetCommitRequest.Topics", 200000)
    count1 = n
    found1: list[OffsetCommitRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetCommitRequestTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetCommitRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 14 > size - i:
            raise bad_count("OffsetCommitRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetCommitRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[OffsetCommitRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetCommitRequestPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            n = read_i16_be(data, i + 12)
            i += 14
            if n == -1:
                s2.committed_metadata = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("OffsetCommitRequest.Topics.Partitions.CommittedMetadata", n, size - i)
                s2.committed_metadata = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_2(m: OffsetCommitRequest, w: BytesWriter, version: int) -> None:
    if m.group_instance_id is not None:
        raise not_carried("OffsetCommitRequest.GroupInstanceId", version)
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.generation_id_or_member_epoch)
    v2 = m.member_id
    write_string(w, v2)
    write_i64_be(w, m.retention_time_ms)
    v3 = m.topics
    write_i32_be(w, len(v3))
    for s1 in v3:
        v4 = s1.name
        write_string(w, v4)
        v5 = s1.partitions
        write_i32_be(w, len(v5))
        for s2 in v5:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.committed_offset)
            v6 = s2.committed_metadata
            write_nullable_string(w, v6)


def _decode_5(data: bytes, i: i64) -> tuple[OffsetCommitRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetCommitRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id_or_member_epoch = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetCommitRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetCommitRequest.Topics", 200000)
    count1 = n
    found1: list[OffsetCommitRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetCommitRequestTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetCommitRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 14 > size - i:
            raise bad_count("OffsetCommitRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetCommitRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[OffsetCommitRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetCommitRequestPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            n = read_i16_be(data, i + 12)
            i += 14
            if n == -1:
                s2.committed_metadata = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("OffsetCommitRequest.Topics.Partitions.CommittedMetadata", n, size - i)
                s2.committed_metadata = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_5(m: OffsetCommitRequest, w: BytesWriter, version: int) -> None:
    if m.group_instance_id is not None:
        raise not_carried("OffsetCommitRequest.GroupInstanceId", version)
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.generation_id_or_member_epoch)
    v2 = m.member_id
    write_string(w, v2)
    v3 = m.topics
    write_i32_be(w, len(v3))
    for s1 in v3:
        v4 = s1.name
        write_string(w, v4)
        v5 = s1.partitions
        write_i32_be(w, len(v5))
        for s2 in v5:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.committed_offset)
            v6 = s2.committed_metadata
            write_nullable_string(w, v6)


def _decode_6(data: bytes, i: i64) -> tuple[OffsetCommitRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetCommitRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id_or_member_epoch = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetCommitRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetCommitRequest.Topics", 200000)
    count1 = n
    found1: list[OffsetCommitRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetCommitRequestTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetCommitRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 18 > size - i:
            raise bad_count("OffsetCommitRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetCommitRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[OffsetCommitRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetCommitRequestPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            s2.committed_leader_epoch = read_i32_be(data, i + 12)
            n = read_i16_be(data, i + 16)
            i += 18
            if n == -1:
                s2.committed_metadata = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("OffsetCommitRequest.Topics.Partitions.CommittedMetadata", n, size - i)
                s2.committed_metadata = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_6(m: OffsetCommitRequest, w: BytesWriter, version: int) -> None:
    if m.group_instance_id is not None:
        raise not_carried("OffsetCommitRequest.GroupInstanceId", version)
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.generation_id_or_member_epoch)
    v2 = m.member_id
    write_string(w, v2)
    v3 = m.topics
    write_i32_be(w, len(v3))
    for s1 in v3:
        v4 = s1.name
        write_string(w, v4)
        v5 = s1.partitions
        write_i32_be(w, len(v5))
        for s2 in v5:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.committed_offset)
            write_i32_be(w, s2.committed_leader_epoch)
            v6 = s2.committed_metadata
            write_nullable_string(w, v6)


def _decode_7(data: bytes, i: i64) -> tuple[OffsetCommitRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetCommitRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id_or_member_epoch = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.group_instance_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetCommitRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetCommitRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetCommitRequest.Topics", 200000)
    count1 = n
    found1: list[OffsetCommitRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetCommitRequestTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetCommitRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 18 > size - i:
            raise bad_count("OffsetCommitRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetCommitRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[OffsetCommitRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetCommitRequestPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            s2.committed_leader_epoch = read_i32_be(data, i + 12)
            n = read_i16_be(data, i + 16)
            i += 18
            if n == -1:
                s2.committed_metadata = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("OffsetCommitRequest.Topics.Partitions.CommittedMetadata", n, size - i)
                s2.committed_metadata = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_7(m: OffsetCommitRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.generation_id_or_member_epoch)
    v2 = m.member_id
    write_string(w, v2)
    v3 = m.group_instance_id
    write_nullable_string(w, v3)
    v4 = m.topics
    write_i32_be(w, len(v4))
    for s1 in v4:
        v5 = s1.name
        write_string(w, v5)
        v6 = s1.partitions
        write_i32_be(w, len(v6))
        for s2 in v6:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.committed_offset)
            write_i32_be(w, s2.committed_leader_epoch)
            v7 = s2.committed_metadata
            write_nullable_string(w, v7)


def _decode_8(data: bytes, i: i64) -> tuple[OffsetCommitRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetCommitRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("OffsetCommitRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id_or_member_epoch = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("OffsetCommitRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.group_instance_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetCommitRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("OffsetCommitRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetCommitRequest.Topics", 200000)
    count1 = n
    found1: list[OffsetCommitRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetCommitRequestTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetCommitRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("OffsetCommitRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetCommitRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[OffsetCommitRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetCommitRequestPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            s2.committed_leader_epoch = read_i32_be(data, i + 12)
            n = data[i + 16]
            i += 17
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.committed_metadata = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("OffsetCommitRequest.Topics.Partitions.CommittedMetadata", n, size - i)
                s2.committed_metadata = data[i:end].decode()
                i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
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


def _encode_8(m: OffsetCommitRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_compact_string(w, v1)
    write_i32_be(w, m.generation_id_or_member_epoch)
    v2 = m.member_id
    write_compact_string(w, v2)
    v3 = m.group_instance_id
    write_compact_nullable_string(w, v3)
    v4 = m.topics
    write_uvarint(w, len(v4) + 1)
    for s1 in v4:
        v5 = s1.name
        write_compact_string(w, v5)
        v6 = s1.partitions
        write_uvarint(w, len(v6) + 1)
        for s2 in v6:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.committed_offset)
            write_i32_be(w, s2.committed_leader_epoch)
            v7 = s2.committed_metadata
            write_compact_nullable_string(w, v7)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_10(data: bytes, i: i64) -> tuple[OffsetCommitRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetCommitRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("OffsetCommitRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id_or_member_epoch = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("OffsetCommitRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.group_instance_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetCommitRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("OffsetCommitRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetCommitRequest.Topics", 200000)
    count1 = n
    found1: list[OffsetCommitRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetCommitRequestTopic()
        end = i + 16
        if end > size:
            raise bad_length("OffsetCommitRequest.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("OffsetCommitRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetCommitRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[OffsetCommitRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetCommitRequestPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            s2.committed_leader_epoch = read_i32_be(data, i + 12)
            n = data[i + 16]
            i += 17
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.committed_metadata = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("OffsetCommitRequest.Topics.Partitions.CommittedMetadata", n, size - i)
                s2.committed_metadata = data[i:end].decode()
                i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
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


def _encode_10(m: OffsetCommitRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_compact_string(w, v1)
    write_i32_be(w, m.generation_id_or_member_epoch)
    v2 = m.member_id
    write_compact_string(w, v2)
    v3 = m.group_instance_id
    write_compact_nullable_string(w, v3)
    v4 = m.topics
    write_uvarint(w, len(v4) + 1)
    for s1 in v4:
        write_uuid(w, s1.topic_id)
        v5 = s1.partitions
        write_uvarint(w, len(v5) + 1)
        for s2 in v5:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.committed_offset)
            write_i32_be(w, s2.committed_leader_epoch)
            v6 = s2.committed_metadata
            write_compact_nullable_string(w, v6)
            w.append(0)
        w.append(0)
    w.append(0)
