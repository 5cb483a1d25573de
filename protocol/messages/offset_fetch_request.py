"""OffsetFetchRequest, generated from OffsetFetchRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

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
    null_refused,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":9,"type":"request","listeners":["broker"],"name":"OffsetFetchRequest","validVers'
    'ions":"1-10","flexibleVersions":"6+","fields":[{"name":"GroupId","type":"string","versions'
    '":"0-7","entityType":"groupId"},{"name":"Topics","type":"[]OffsetFetchRequestTopic","versi'
    'ons":"0-7","nullableVersions":"2-7","fields":[{"name":"Name","type":"string","versions":"0'
    '-7","entityType":"topicName"},{"name":"PartitionIndexes","type":"[]int32","versions":"0-7"'
    '}]},{"name":"Groups","type":"[]OffsetFetchRequestGroup","versions":"8+","fields":[{"name":'
    '"GroupId","type":"string","versions":"8+","entityType":"groupId"},{"name":"MemberId","type'
    '":"string","versions":"9+","nullableVersions":"9+","default":"null","ignorable":true},{"na'
    'me":"MemberEpoch","type":"int32","versions":"9+","default":"-1","ignorable":true},{"name":'
    '"Topics","type":"[]OffsetFetchRequestTopics","versions":"8+","nullableVersions":"8+","fiel'
    'ds":[{"name":"Name","type":"string","versions":"8-9","ignorable":true,"entityType":"topicN'
    'ame"},{"name":"TopicId","type":"uuid","versions":"10+","ignorable":true},{"name":"Partitio'
    'nIndexes","type":"[]int32","versions":"8+"}]}]},{"name":"RequireStable","type":"bool","ver'
    'sions":"7+","default":"false"}]}'
)


class OffsetFetchRequestTopic(Struct):
    """The topics to ask about; null, from version 2 on, for all that have offsets."""

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


class OffsetFetchRequestTopics(Struct):
    """The topics to ask about; null for all that have offsets."""

    __slots__ = ("name", "topic_id", "partition_indexes")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "topic_id", "partition_indexes")
    name: str  # Name of the topic.
    topic_id: bytes  # Id of the topic.
    partition_indexes: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partition_indexes: list[int] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_indexes = [] if partition_indexes is UNSET_LIST else partition_indexes


class OffsetFetchRequestGroup(Struct):
    """The groups to ask about, several at once."""

    __slots__ = ("group_id", "member_id", "member_epoch", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id", "member_id", "member_epoch", "topics")
    group_id: str  # Id of the group.
    member_id: str | None  # Id of the consumer group's member that asks; null from one that is no member.
    member_epoch: int  # Epoch of that member in its consumer group; -1 for no check.
    topics: list[OffsetFetchRequestTopics] | None  # The topics to ask about; null for all that have offsets.

    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str | None = None,
        member_epoch: int = -1,
        topics: list[OffsetFetchRequestTopics] | None = UNSET_LIST,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.topics = [] if topics is UNSET_LIST else topics


class OffsetFetchRequest(Message):
    """Asks how far groups have read their partitions."""

    __slots__ = ("group_id", "topics", "groups", "require_stable")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id", "topics", "groups", "require_stable")
    NAME: ClassVar[str] = "OffsetFetchRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 9
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 10
    FLEXIBLE_SINCE: ClassVar[int | None] = 6
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.
    topics: list[OffsetFetchRequestTopic] | None  # The topics to ask about; null, from version 2 on, for all that have offsets.
    groups: list[OffsetFetchRequestGroup]  # The groups to ask about, several at once.
    require_stable: bool  # Whether a partition with an offset in an open transaction is answered with an error (88), to be asked about again.

    def __init__(
        self,
        *,
        group_id: str = "",
        topics: list[OffsetFetchRequestTopic] | None = UNSET_LIST,
        groups: list[OffsetFetchRequestGroup] = UNSET_LIST,
        require_stable: bool = False,
    ) -> None:
        self.group_id = group_id
        self.topics = [] if topics is UNSET_LIST else topics
        self.groups = [] if groups is UNSET_LIST else groups
        self.require_stable = require_stable

    @staticmethod
    def decode(data: bytes, version: int) -> OffsetFetchRequest:
        message, end = OffsetFetchRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("OffsetFetchRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[OffsetFetchRequest, int]:
        try:
            if version == 10:
                return _decode_10(data, offset)
            if version == 9:
                return _decode_9(data, offset)
            if version == 8:
                return _decode_8(data, offset)
            if version == 7:
                return _decode_7(data, offset)
            if version == 6:
                return _decode_6(data, offset)
            if 2 <= version <= 5:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("OffsetFetchRequest", version, len(data), error) from None
        raise no_version("OffsetFetchRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 10:
                return _encode_10(self, writer, version)
            if version == 9:
                return _encode_9(self, writer, version)
            if version == 8:
                return _encode_8(self, writer, version)
            if version == 7:
                return _encode_7(self, writer, version)
            if version == 6:
                return _encode_6(self, writer, version)
            if 2 <= version <= 5:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("OffsetFetchRequest", version, error) from error
        raise no_encoding("OffsetFetchRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[OffsetFetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetFetchRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetFetchRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetFetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchRequest.Topics", 200000)
    count1 = n
    found1: list[OffsetFetchRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetFetchRequestTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetFetchRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("OffsetFetchRequest.Topics.PartitionIndexes", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchRequest.Topics.PartitionIndexes", 200000)
        end = i + n * 4
        s1.partition_indexes = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        found1.append(s1)
    return m, i


def _encode_1(m: OffsetFetchRequest, w: BytesWriter, version: int) -> None:
    if len(m.groups) > 0:
        raise not_carried("OffsetFetchRequest.Groups", version)
    if m.require_stable:
        raise not_carried("OffsetFetchRequest.RequireStable", version)
    v1 = m.group_id
    write_string(w, v1)
    v2 = m.topics
    if v2 is None:
        raise null_refused("OffsetFetchRequest.Topics", version)
    write_i32_be(w, len(v2))
    for s1 in v2:
        v3 = s1.name
        write_string(w, v3)
        v4 = s1.partition_indexes
        write_i32_be(w, len(v4))
        for s2 in v4:
            write_i32_be(w, s2)


def _decode_2(data: bytes, i: i64) -> tuple[OffsetFetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetFetchRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetFetchRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 6 > size - i:
            raise bad_count("OffsetFetchRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchRequest.Topics", 200000)
        count1 = n
        found1: list[OffsetFetchRequestTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = OffsetFetchRequestTopic()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("OffsetFetchRequest.Topics.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("OffsetFetchRequest.Topics.PartitionIndexes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("OffsetFetchRequest.Topics.PartitionIndexes", 200000)
            end = i + n * 4
            s1.partition_indexes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found1.append(s1)
    return m, i


def _encode_2(m: OffsetFetchRequest, w: BytesWriter, version: int) -> None:
    if len(m.groups) > 0:
        raise not_carried("OffsetFetchRequest.Groups", version)
    if m.require_stable:
        raise not_carried("OffsetFetchRequest.RequireStable", version)
    v1 = m.group_id
    write_string(w, v1)
    v2 = m.topics
    if v2 is None:
        write_i32_be(w, -1)
    else:
        write_i32_be(w, len(v2))
        for s1 in v2:
            v3 = s1.name
            write_string(w, v3)
            v4 = s1.partition_indexes
            write_i32_be(w, len(v4))
            for s2 in v4:
                write_i32_be(w, s2)


def _decode_6(data: bytes, i: i64) -> tuple[OffsetFetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetFetchRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("OffsetFetchRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 3 > size - i:
            raise bad_count("OffsetFetchRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchRequest.Topics", 200000)
        count1 = n
        found1: list[OffsetFetchRequestTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = OffsetFetchRequestTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("OffsetFetchRequest.Topics.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("OffsetFetchRequest.Topics.PartitionIndexes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("OffsetFetchRequest.Topics.PartitionIndexes", 200000)
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


def _encode_6(m: OffsetFetchRequest, w: BytesWriter, version: int) -> None:
    if len(m.groups) > 0:
        raise not_carried("OffsetFetchRequest.Groups", version)
    if m.require_stable:
        raise not_carried("OffsetFetchRequest.RequireStable", version)
    v1 = m.group_id
    write_compact_string(w, v1)
    v2 = m.topics
    if v2 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v2) + 1)
        for s1 in v2:
            v3 = s1.name
            write_compact_string(w, v3)
            v4 = s1.partition_indexes
            write_uvarint(w, len(v4) + 1)
            for s2 in v4:
                write_i32_be(w, s2)
            w.append(0)
    w.append(0)


def _decode_7(data: bytes, i: i64) -> tuple[OffsetFetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetFetchRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("OffsetFetchRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 3 > size - i:
            raise bad_count("OffsetFetchRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetFetchRequest.Topics", 200000)
        count1 = n
        found1: list[OffsetFetchRequestTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = OffsetFetchRequestTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("OffsetFetchRequest.Topics.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("OffsetFetchRequest.Topics.PartitionIndexes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("OffsetFetchRequest.Topics.PartitionIndexes", 200000)
            end = i + n * 4
            s1.partition_indexes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found1.append(s1)
    m.require_stable = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_7(m: OffsetFetchRequest, w: BytesWriter, version: int) -> None:
    if len(m.groups) > 0:
        raise not_carried("OffsetFetchRequest.Groups", version)
    v1 = m.group_id
    write_compact_string(w, v1)
    v2 = m.topics
    if v2 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v2) + 1)
        for s1 in v2:
            v3 = s1.name
            write_compact_string(w, v3)
            v4 = s1.partition_indexes
            write_uvarint(w, len(v4) + 1)
            for s2 in v4:
                write_i32_be(w, s2)
            w.append(0)
    w.append(1 if m.require_stable else 0)
    w.append(0)


def _decode_8(data: bytes, i: i64) -> tuple[OffsetFetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetFetchRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("OffsetFetchRequest.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchRequest.Groups", 200000)
    count1 = n
    found1: list[OffsetFetchRequestGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = OffsetFetchRequestGroup()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetFetchRequest.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.topics = None
        else:
            if n < 0 or n * 3 > size - i:
                raise bad_count("OffsetFetchRequest.Groups.Topics", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("OffsetFetchRequest.Groups.Topics", 200000)
            count2 = n
            found2: list[OffsetFetchRequestTopics] = []
            s1.topics = found2
            for _ in range(count2):
                s2 = OffsetFetchRequestTopics()
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("OffsetFetchRequest.Groups.Topics.Name", n, size - i)
                s2.name = data[i:end].decode()
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 4 > size - i:
                    raise bad_count("OffsetFetchRequest.Groups.Topics.PartitionIndexes", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("OffsetFetchRequest.Groups.Topics.PartitionIndexes", 200000)
                end = i + n * 4
                s2.partition_indexes = [read_i32_be(data, j) for j in range(i, end, 4)]
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
    m.require_stable = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_8(m: OffsetFetchRequest, w: BytesWriter, version: int) -> None:
    if m.group_id != "":
        raise not_carried("OffsetFetchRequest.GroupId", version)
    if (m.topics is None or len(m.topics) > 0):
        raise not_carried("OffsetFetchRequest.Topics", version)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.group_id
        write_compact_string(w, v2)
        v3 = s1.topics
        if v3 is None:
            w.append(0)
        else:
            write_uvarint(w, len(v3) + 1)
            for s2 in v3:
                v4 = s2.name
                write_compact_string(w, v4)
                v5 = s2.partition_indexes
                write_uvarint(w, len(v5) + 1)
                for s3 in v5:
                    write_i32_be(w, s3)
                w.append(0)
        w.append(0)
    w.append(1 if m.require_stable else 0)
    w.append(0)


def _decode_9(data: bytes, i: i64) -> tuple[OffsetFetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetFetchRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 8 > size - i:
        raise bad_count("OffsetFetchRequest.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchRequest.Groups", 200000)
    count1 = n
    found1: list[OffsetFetchRequestGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = OffsetFetchRequestGroup()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetFetchRequest.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.member_id = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("OffsetFetchRequest.Groups.MemberId", n, size - i)
            s1.member_id = data[i:end].decode()
            i = end
        s1.member_epoch = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.topics = None
        else:
            if n < 0 or n * 3 > size - i:
                raise bad_count("OffsetFetchRequest.Groups.Topics", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("OffsetFetchRequest.Groups.Topics", 200000)
            count2 = n
            found2: list[OffsetFetchRequestTopics] = []
            s1.topics = found2
            for _ in range(count2):
                s2 = OffsetFetchRequestTopics()
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("OffsetFetchRequest.Groups.Topics.Name", n, size - i)
                s2.name = data[i:end].decode()
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 4 > size - i:
                    raise bad_count("OffsetFetchRequest.Groups.Topics.PartitionIndexes", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("OffsetFetchRequest.Groups.Topics.PartitionIndexes", 200000)
                end = i + n * 4
                s2.partition_indexes = [read_i32_be(data, j) for j in range(i, end, 4)]
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
    m.require_stable = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_9(m: OffsetFetchRequest, w: BytesWriter, version: int) -> None:
    if m.group_id != "":
        raise not_carried("OffsetFetchRequest.GroupId", version)
    if (m.topics is None or len(m.topics) > 0):
        raise not_carried("OffsetFetchRequest.Topics", version)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.group_id
        write_compact_string(w, v2)
        v3 = s1.member_id
        write_compact_nullable_string(w, v3)
        write_i32_be(w, s1.member_epoch)
        v4 = s1.topics
        if v4 is None:
            w.append(0)
        else:
            write_uvarint(w, len(v4) + 1)
            for s2 in v4:
                v5 = s2.name
                write_compact_string(w, v5)
                v6 = s2.partition_indexes
                write_uvarint(w, len(v6) + 1)
                for s3 in v6:
                    write_i32_be(w, s3)
                w.append(0)
        w.append(0)
    w.append(1 if m.require_stable else 0)
    w.append(0)


def _decode_10(data: bytes, i: i64) -> tuple[OffsetFetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = OffsetFetchRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 8 > size - i:
        raise bad_count("OffsetFetchRequest.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetFetchRequest.Groups", 200000)
    count1 = n
    found1: list[OffsetFetchRequestGroup] = []
    m.groups = found1
    for _ in range(count1):
        s1 = OffsetFetchRequestGroup()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetFetchRequest.Groups.GroupId", n, size - i)
        s1.group_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.member_id = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("OffsetFetchRequest.Groups.MemberId", n, size - i)
            s1.member_id = data[i:end].decode()
            i = end
        s1.member_epoch = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.topics = None
        else:
            if n < 0 or n * 18 > size - i:
                raise bad_count("OffsetFetchRequest.Groups.Topics", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("OffsetFetchRequest.Groups.Topics", 200000)
            count2 = n
            found2: list[OffsetFetchRequestTopics] = []
            s1.topics = found2
            for _ in range(count2):
                s2 = OffsetFetchRequestTopics()
                end = i + 16
                if end > size:
                    raise bad_length("OffsetFetchRequest.Groups.Topics.TopicId", 16, size - i)
                s2.topic_id = data[i:end]
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 4 > size - i:
                    raise bad_count("OffsetFetchRequest.Groups.Topics.PartitionIndexes", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("OffsetFetchRequest.Groups.Topics.PartitionIndexes", 200000)
                end = i + n * 4
                s2.partition_indexes = [read_i32_be(data, j) for j in range(i, end, 4)]
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
    m.require_stable = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_10(m: OffsetFetchRequest, w: BytesWriter, version: int) -> None:
    if m.group_id != "":
        raise not_carried("OffsetFetchRequest.GroupId", version)
    if (m.topics is None or len(m.topics) > 0):
        raise not_carried("OffsetFetchRequest.Topics", version)
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.group_id
        write_compact_string(w, v2)
        v3 = s1.member_id
        write_compact_nullable_string(w, v3)
        write_i32_be(w, s1.member_epoch)
        v4 = s1.topics
        if v4 is None:
            w.append(0)
        else:
            write_uvarint(w, len(v4) + 1)
            for s2 in v4:
                write_uuid(w, s2.topic_id)
                v5 = s2.partition_indexes
                write_uvarint(w, len(v5) + 1)
                for s3 in v5:
                    write_i32_be(w, s3)
                w.append(0)
        w.append(0)
    w.append(1 if m.require_stable else 0)
    w.append(0)
