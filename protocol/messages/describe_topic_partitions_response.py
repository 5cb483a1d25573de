"""DescribeTopicPartitionsResponse, generated from DescribeTopicPartitionsResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    ZERO_UUID,
    bad_count,
    bad_length,
    bad_presence,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":75,"type":"response","name":"DescribeTopicPartitionsResponse","validVersions":"0'
    '","flexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+'
    '","ignorable":true},{"name":"Topics","type":"[]DescribeTopicPartitionsResponseTopic","vers'
    'ions":"0+","fields":[{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"Name","t'
    'ype":"string","versions":"0+","mapKey":true,"entityType":"topicName","nullableVersions":"0'
    '+"},{"name":"TopicId","type":"uuid","versions":"0+","ignorable":true},{"name":"IsInternal"'
    ',"type":"bool","versions":"0+","default":"false","ignorable":true},{"name":"Partitions","t'
    'ype":"[]DescribeTopicPartitionsResponsePartition","versions":"0+","fields":[{"name":"Error'
    'Code","type":"int16","versions":"0+"},{"name":"PartitionIndex","type":"int32","versions":"'
    '0+"},{"name":"LeaderId","type":"int32","versions":"0+","entityType":"brokerId"},{"name":"L'
    'eaderEpoch","type":"int32","versions":"0+","default":"-1","ignorable":true},{"name":"Repli'
    'caNodes","type":"[]int32","versions":"0+","entityType":"brokerId"},{"name":"IsrNodes","typ'
    'e":"[]int32","versions":"0+","entityType":"brokerId"},{"name":"EligibleLeaderReplicas","ty'
    'pe":"[]int32","default":"null","entityType":"brokerId","versions":"0+","nullableVersions":'
    '"0+"},{"name":"LastKnownElr","type":"[]int32","default":"null","entityType":"brokerId","ve'
    'rsions":"0+","nullableVersions":"0+"},{"name":"OfflineReplicas","type":"[]int32","versions'
    '":"0+","ignorable":true,"entityType":"brokerId"}]},{"name":"TopicAuthorizedOperations","ty'
    'pe":"int32","versions":"0+","default":"-2147483648"}]},{"name":"NextCursor","type":"Cursor'
    '","versions":"0+","nullableVersions":"0+","default":"null","fields":[{"name":"TopicName","'
    'type":"string","versions":"0+","entityType":"topicName"},{"name":"PartitionIndex","type":"'
    'int32","versions":"0+"}]}]}'
)


class DescribeTopicPartitionsResponsePartition(Struct):
    """One entry for each partition."""

    __slots__ = (
        "error_code",
        "partition_index",
        "leader_id",
        "leader_epoch",
        "replica_nodes",
        "isr_nodes",
        "eligible_leader_replicas",
        "last_known_elr",
        "offline_replicas",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "partition_index",
        "leader_id",
        "leader_epoch",
        "replica_nodes",
        "isr_nodes",
        "eligible_leader_replicas",
        "last_known_elr",
        "offline_replicas",
    )
    error_code: int  # Zero, or what is wrong with the partition.
    partition_index: int  # Number of the partition.
    leader_id: int  # Broker that leads it, or -1.
    leader_epoch: int  # How many times leadership has changed.
    replica_nodes: list[int]  # All brokers that hold it, the preferred leader first.
    isr_nodes: list[int]  # Those of them that are in sync.
    eligible_leader_replicas: list[int] | None  # Those out of sync that have all committed records and may lead.
    last_known_elr: list[int] | None  # Those that might have them, for an operator to decide.
    offline_replicas: list[int]  # Those that are down or have lost the disk.

    def __init__(
        self,
        *,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: list[int] = UNSET_LIST,
        isr_nodes: list[int] = UNSET_LIST,
        eligible_leader_replicas: list[int] | None = None,
        last_known_elr: list[int] | None = None,
        offline_replicas: list[int] = UNSET_LIST,
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes = [] if replica_nodes is UNSET_LIST else replica_nodes
        self.isr_nodes = [] if isr_nodes is UNSET_LIST else isr_nodes
        self.eligible_leader_replicas = eligible_leader_replicas
        self.last_known_elr = last_known_elr
        self.offline_replicas = [] if offline_replicas is UNSET_LIST else offline_replicas


class DescribeTopicPartitionsResponseTopic(Struct):
    """One entry for each topic."""

    __slots__ = (
        "error_code",
        "name",
        "topic_id",
        "is_internal",
        "partitions",
        "topic_authorized_operations",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "name",
        "topic_id",
        "is_internal",
        "partitions",
        "topic_authorized_operations",
    )
    error_code: int  # Zero, or why the topic is not described.
    name: str | None  # Name of the topic.
    topic_id: bytes  # Id of the topic.
    is_internal: bool  # Whether brokers keep their own state in this topic.
    partitions: list[DescribeTopicPartitionsResponsePartition]  # One entry for each partition.
    topic_authorized_operations: int  # Bits of what the user may do to the topic.

    def __init__(
        self,
        *,
        error_code: int = 0,
        name: str | None = "",
        topic_id: bytes = ZERO_UUID,
        is_internal: bool = False,
        partitions: list[DescribeTopicPartitionsResponsePartition] = UNSET_LIST,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions = [] if partitions is UNSET_LIST else partitions
        self.topic_authorized_operations = topic_authorized_operations


class Cursor(Struct):
    """Where the next page begins, or null when this is the last."""

    __slots__ = ("topic_name", "partition_index")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_name", "partition_index")
    topic_name: str  # The topic that it begins with.
    partition_index: int  # The partition of it that it begins with.

    def __init__(
        self,
        *,
        topic_name: str = "",
        partition_index: int = 0,
    ) -> None:
        self.topic_name = topic_name
        self.partition_index = partition_index


class DescribeTopicPartitionsResponse(Message):
    """One page of partitions."""

    __slots__ = ("throttle_time_ms", "topics", "next_cursor")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "topics", "next_cursor")
    NAME: ClassVar[str] = "DescribeTopicPartitionsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 75
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    topics: list[DescribeTopicPartitionsResponseTopic]  # One entry for each topic.
    next_cursor: Cursor | None  # Where the next page begins, or null when this is the last.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[DescribeTopicPartitionsResponseTopic] = UNSET_LIST,
        next_cursor: Cursor | None = None,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET_LIST else topics
        self.next_cursor = next_cursor

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeTopicPartitionsResponse:
        message, end = DescribeTopicPartitionsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeTopicPartitionsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeTopicPartitionsResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeTopicPartitionsResponse", version, len(data), error) from None
        raise no_version("DescribeTopicPartitionsResponse", version)

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
            raise no_encoding("DescribeTopicPartitionsResponse", version, error) from error
        raise no_encoding("DescribeTopicPartitionsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeTopicPartitionsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeTopicPartitionsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 26 > size - i:
        raise bad_count("DescribeTopicPartitionsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeTopicPartitionsResponse.Topics", 10000000)
    count1 = n
    found1: list[DescribeTopicPartitionsResponseTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = DescribeTopicPartitionsResponseTopic()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.name = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeTopicPartitionsResponse.Topics.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
        end = i + 16
        if end > size:
            raise bad_length("DescribeTopicPartitionsResponse.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        s1.is_internal = data[i] != 0
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 20 > size - i:
            raise bad_count("DescribeTopicPartitionsResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeTopicPartitionsResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[DescribeTopicPartitionsResponsePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = DescribeTopicPartitionsResponsePartition()
            s2.error_code = read_i16_be(data, i)
            s2.partition_index = read_i32_be(data, i + 2)
            s2.leader_id = read_i32_be(data, i + 6)
            s2.leader_epoch = read_i32_be(data, i + 10)
            n = data[i + 14]
            i += 15
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("DescribeTopicPartitionsResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeTopicPartitionsResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s2.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("DescribeTopicPartitionsResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeTopicPartitionsResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s2.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.eligible_leader_replicas = None
            else:
                if n < 0 or n * 4 > size - i:
                    raise bad_count("DescribeTopicPartitionsResponse.Topics.Partitions.EligibleLeaderReplicas", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("DescribeTopicPartitionsResponse.Topics.Partitions.EligibleLeaderReplicas", 10000000)
                end = i + n * 4
                s2.eligible_leader_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
                i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.last_known_elr = None
            else:
                if n < 0 or n * 4 > size - i:
                    raise bad_count("DescribeTopicPartitionsResponse.Topics.Partitions.LastKnownElr", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("DescribeTopicPartitionsResponse.Topics.Partitions.LastKnownElr", 10000000)
                end = i + n * 4
                s2.last_known_elr = [read_i32_be(data, j) for j in range(i, end, 4)]
                i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("DescribeTopicPartitionsResponse.Topics.Partitions.OfflineReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeTopicPartitionsResponse.Topics.Partitions.OfflineReplicas", 10000000)
            end = i + n * 4
            s2.offline_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.topic_authorized_operations = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found1.append(s1)
    n = data[i]
    i += 1
    if n == 255:
        m.next_cursor = None
    elif n == 1:
        s3 = Cursor()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeTopicPartitionsResponse.NextCursor.TopicName", n, size - i)
        s3.topic_name = data[i:end].decode()
        i = end
        s3.partition_index = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        m.next_cursor = s3
    else:
        raise bad_presence("DescribeTopicPartitionsResponse.NextCursor", n)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: DescribeTopicPartitionsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.name
        write_compact_nullable_string(w, v2)
        write_uuid(w, s1.topic_id)
        w.append(1 if s1.is_internal else 0)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i16_be(w, s2.error_code)
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)
            v4 = s2.replica_nodes
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                write_i32_be(w, s3)
            v5 = s2.isr_nodes
            write_uvarint(w, len(v5) + 1)
            for s4 in v5:
                write_i32_be(w, s4)
            v6 = s2.eligible_leader_replicas
            if v6 is None:
                w.append(0)
            else:
                write_uvarint(w, len(v6) + 1)
                for s5 in v6:
                    write_i32_be(w, s5)
            v7 = s2.last_known_elr
            if v7 is None:
                w.append(0)
            else:
                write_uvarint(w, len(v7) + 1)
                for s6 in v7:
                    write_i32_be(w, s6)
            v8 = s2.offline_replicas
            write_uvarint(w, len(v8) + 1)
            for s7 in v8:
                write_i32_be(w, s7)
            w.append(0)
        write_i32_be(w, s1.topic_authorized_operations)
        w.append(0)
    v9 = m.next_cursor
    if v9 is None:
        w.append(0xFF)
    else:
        w.append(1)
        v10 = v9.topic_name
        write_compact_string(w, v10)
        write_i32_be(w, v9.partition_index)
        w.append(0)
    w.append(0)
