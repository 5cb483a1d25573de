"""MetadataResponse, generated from MetadataResponse.json: do not edit, run `make generate`."""

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
    write_nullable_string,
    write_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":3,"type":"response","name":"MetadataResponse","validVersions":"0-13","flexibleVe'
    'rsions":"9+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"3+","ignorable"'
    ':true},{"name":"Brokers","type":"[]MetadataResponseBroker","versions":"0+","fields":[{"nam'
    'e":"NodeId","type":"int32","versions":"0+","mapKey":true,"entityType":"brokerId"},{"name":'
    '"Host","type":"string","versions":"0+"},{"name":"Port","type":"int32","versions":"0+"},{"n'
    'ame":"Rack","type":"string","versions":"1+","nullableVersions":"1+","ignorable":true,"defa'
    'ult":"null"}]},{"name":"ClusterId","type":"string","nullableVersions":"2+","versions":"2+"'
    ',"ignorable":true,"default":"null"},{"name":"ControllerId","type":"int32","versions":"1+",'
    '"default":"-1","ignorable":true,"entityType":"brokerId"},{"name":"Topics","type":"[]Metada'
    'taResponseTopic","versions":"0+","fields":[{"name":"ErrorCode","type":"int16","versions":"'
    '0+"},{"name":"Name","type":"string","versions":"0+","mapKey":true,"entityType":"topicName"'
    ',"nullableVersions":"12+"},{"name":"TopicId","type":"uuid","versions":"10+","ignorable":tr'
    'ue},{"name":"IsInternal","type":"bool","versions":"1+","default":"false","ignorable":true}'
    ',{"name":"Partitions","type":"[]MetadataResponsePartition","versions":"0+","fields":[{"nam'
    'e":"ErrorCode","type":"int16","versions":"0+"},{"name":"PartitionIndex","type":"int32","ve'
    'rsions":"0+"},{"name":"LeaderId","type":"int32","versions":"0+","entityType":"brokerId"},{'
    '"name":"LeaderEpoch","type":"int32","versions":"7+","default":"-1","ignorable":true},{"nam'
    'e":"ReplicaNodes","type":"[]int32","versions":"0+","entityType":"brokerId"},{"name":"IsrNo'
    'des","type":"[]int32","versions":"0+","entityType":"brokerId"},{"name":"OfflineReplicas","'
    'type":"[]int32","versions":"5+","ignorable":true,"entityType":"brokerId"}]},{"name":"Topic'
    'AuthorizedOperations","type":"int32","versions":"8+","default":"-2147483648"}]},{"name":"C'
    'lusterAuthorizedOperations","type":"int32","versions":"8-10","default":"-2147483648"},{"na'
    'me":"ErrorCode","type":"int16","versions":"13+","ignorable":true}]}'
)


class MetadataResponseBroker(Struct):
    """The brokers that are alive."""

    __slots__ = ("node_id", "host", "port", "rack")
    FIELDS: ClassVar[tuple[str, ...]] = ("node_id", "host", "port", "rack")
    node_id: int  # Id of the broker.
    host: str  # Host name or address under which clients reach it.
    port: int  # Port under which clients reach it.
    rack: str | None  # Where the broker stands, or null when nobody said.

    def __init__(
        self,
        *,
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        rack: str | None = None,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port
        self.rack = rack


class MetadataResponsePartition(Struct):
    """One entry for each partition."""

    __slots__ = (
        "error_code",
        "partition_index",
        "leader_id",
        "leader_epoch",
        "replica_nodes",
        "isr_nodes",
        "offline_replicas",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "partition_index",
        "leader_id",
        "leader_epoch",
        "replica_nodes",
        "isr_nodes",
        "offline_replicas",
    )
    error_code: int  # Zero, or what is wrong with the partition.
    partition_index: int  # Number of the partition.
    leader_id: int  # Broker that leads it, or -1 when none does.
    leader_epoch: int  # How many times leadership has changed, as a fence.
    replica_nodes: list[int]  # All brokers that hold it, the preferred leader first.
    isr_nodes: list[int]  # Those of them that are in sync with the leader.
    offline_replicas: list[int]  # Those of them that are down or have lost the disk.

    def __init__(
        self,
        *,
        error_code: int = 0,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = -1,
        replica_nodes: list[int] = UNSET_LIST,
        isr_nodes: list[int] = UNSET_LIST,
        offline_replicas: list[int] = UNSET_LIST,
    ) -> None:
        self.error_code = error_code
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.replica_nodes = [] if replica_nodes is UNSET_LIST else replica_nodes
        self.isr_nodes = [] if isr_nodes is UNSET_LIST else isr_nodes
        self.offline_replicas = [] if offline_replicas is UNSET_LIST else offline_replicas


class MetadataResponseTopic(Struct):
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
    name: str | None  # Name of the topic; null when an asked id is of no topic.
    topic_id: bytes  # Id of the topic; zero when an asked name is of no topic.
    is_internal: bool  # Whether brokers keep their own state in this topic.
    partitions: list[MetadataResponsePartition]  # One entry for each partition.
    topic_authorized_operations: int  # Bits of what the user may do to the topic.

    def __init__(
        self,
        *,
        error_code: int = 0,
        name: str | None = "",
        topic_id: bytes = ZERO_UUID,
        is_internal: bool = False,
        partitions: list[MetadataResponsePartition] = UNSET_LIST,
        topic_authorized_operations: int = -2147483648,
    ) -> None:
        self.error_code = error_code
        self.name = name
        self.topic_id = topic_id
        self.is_internal = is_internal
        self.partitions = [] if partitions is UNSET_LIST else partitions
        self.topic_authorized_operations = topic_authorized_operations


class MetadataResponse(Message):
    """The live brokers, and the partitions of the asked topics with their leaders."""

    __slots__ = (
        "throttle_time_ms",
        "brokers",
        "cluster_id",
        "controller_id",
        "topics",
        "cluster_authorized_operations",
        "error_code",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "brokers",
        "cluster_id",
        "controller_id",
        "topics",
        "cluster_authorized_operations",
        "error_code",
    )
    NAME: ClassVar[str] = "MetadataResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 3
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 13
    FLEXIBLE_SINCE: ClassVar[int | None] = 9
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    brokers: list[MetadataResponseBroker]  # The brokers that are alive.
    cluster_id: str | None  # Id of the cluster, or null when it is not known.
    controller_id: int  # A broker to which requests for the controller may go, or -1.
    topics: list[MetadataResponseTopic]  # One entry for each topic.
    cluster_authorized_operations: int  # Bits of what the user may do to the cluster.
    error_code: int  # Zero, or why the whole request failed.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        brokers: list[MetadataResponseBroker] = UNSET_LIST,
        cluster_id: str | None = None,
        controller_id: int = -1,
        topics: list[MetadataResponseTopic] = UNSET_LIST,
        cluster_authorized_operations: int = -2147483648,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.brokers = [] if brokers is UNSET_LIST else brokers
        self.cluster_id = cluster_id
        self.controller_id = controller_id
        self.topics = [] if topics is UNSET_LIST else topics
        self.cluster_authorized_operations = cluster_authorized_operations
        self.error_code = error_code

    @staticmethod
    def decode(data: bytes, version: int) -> MetadataResponse:
        message, end = MetadataResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("MetadataResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[MetadataResponse, int]:
        try:
            if version == 13:
                return _decode_13(data, offset)
            if version == 12:
                return _decode_12(data, offset)
            if version == 11:
                return _decode_11(data, offset)
            if version == 10:
                return _decode_10(data, offset)
            if version == 9:
                return _decode_9(data, offset)
            if version == 8:
                return _decode_8(data, offset)
            if version == 7:
                return _decode_7(data, offset)
            if 5 <= version <= 6:
                return _decode_5(data, offset)
            if 3 <= version <= 4:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("MetadataResponse", version, len(data), error) from None
        raise no_version("MetadataResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 13:
                return _encode_13(self, writer, version)
            if version == 12:
                return _encode_12(self, writer, version)
            if version == 11:
                return _encode_11(self, writer, version)
            if version == 10:
                return _encode_10(self, writer, version)
            if version == 9:
                return _encode_9(self, writer, version)
            if version == 8:
                return _encode_8(self, writer, version)
            if version == 7:
                return _encode_7(self, writer, version)
            if 5 <= version <= 6:
                return _encode_5(self, writer, version)
            if 3 <= version <= 4:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("MetadataResponse", version, error) from error
        raise no_encoding("MetadataResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 10 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        found1.append(s1)
        i += 4
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 8 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            n = read_i32_be(data, i + 10)
            i += 14
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found3.append(s3)
        found2.append(s2)
    return m, i


def _encode_0(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    if m.cluster_authorized_operations != -2147483648:
        raise not_carried("MetadataResponse.ClusterAuthorizedOperations", version)
    v1 = m.brokers
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_string(w, v2)
        write_i32_be(w, s1.port)
    v3 = m.topics
    write_i32_be(w, len(v3))
    for s2 in v3:
        if s2.topic_authorized_operations != -2147483648:
            raise not_carried("MetadataResponse.Topics.TopicAuthorizedOperations", version)
        write_i16_be(w, s2.error_code)
        v4 = s2.name
        if v4 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_string(w, v4)
        v5 = s2.partitions
        write_i32_be(w, len(v5))
        for s3 in v5:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            v6 = s3.replica_nodes
            write_i32_be(w, len(v6))
            for s4 in v6:
                write_i32_be(w, s4)
            v7 = s3.isr_nodes
            write_i32_be(w, len(v7))
            for s5 in v7:
                write_i32_be(w, s5)


def _decode_1(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 12 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        found1.append(s1)
    m.controller_id = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 9 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.is_internal = data[i] != 0
        n = read_i32_be(data, i + 1)
        i += 5
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            n = read_i32_be(data, i + 10)
            i += 14
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found3.append(s3)
        found2.append(s2)
    return m, i


def _encode_1(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    if m.cluster_authorized_operations != -2147483648:
        raise not_carried("MetadataResponse.ClusterAuthorizedOperations", version)
    v1 = m.brokers
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_nullable_string(w, v3)
    write_i32_be(w, m.controller_id)
    v4 = m.topics
    write_i32_be(w, len(v4))
    for s2 in v4:
        if s2.topic_authorized_operations != -2147483648:
            raise not_carried("MetadataResponse.Topics.TopicAuthorizedOperations", version)
        write_i16_be(w, s2.error_code)
        v5 = s2.name
        if v5 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_string(w, v5)
        w.append(1 if s2.is_internal else 0)
        v6 = s2.partitions
        write_i32_be(w, len(v6))
        for s3 in v6:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            v7 = s3.replica_nodes
            write_i32_be(w, len(v7))
            for s4 in v7:
                write_i32_be(w, s4)
            v8 = s3.isr_nodes
            write_i32_be(w, len(v8))
            for s5 in v8:
                write_i32_be(w, s5)


def _decode_2(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 12 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        found1.append(s1)
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 9 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.is_internal = data[i] != 0
        n = read_i32_be(data, i + 1)
        i += 5
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            n = read_i32_be(data, i + 10)
            i += 14
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found3.append(s3)
        found2.append(s2)
    return m, i


def _encode_2(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    if m.cluster_authorized_operations != -2147483648:
        raise not_carried("MetadataResponse.ClusterAuthorizedOperations", version)
    v1 = m.brokers
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_nullable_string(w, v3)
    v4 = m.cluster_id
    write_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_i32_be(w, len(v5))
    for s2 in v5:
        if s2.topic_authorized_operations != -2147483648:
            raise not_carried("MetadataResponse.Topics.TopicAuthorizedOperations", version)
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        if v6 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_string(w, v6)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_i32_be(w, len(v7))
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            v8 = s3.replica_nodes
            write_i32_be(w, len(v8))
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_i32_be(w, len(v9))
            for s5 in v9:
                write_i32_be(w, s5)


def _decode_3(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 12 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        found1.append(s1)
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 9 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.is_internal = data[i] != 0
        n = read_i32_be(data, i + 1)
        i += 5
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            n = read_i32_be(data, i + 10)
            i += 14
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found3.append(s3)
        found2.append(s2)
    return m, i


def _encode_3(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    if m.cluster_authorized_operations != -2147483648:
        raise not_carried("MetadataResponse.ClusterAuthorizedOperations", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.brokers
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_nullable_string(w, v3)
    v4 = m.cluster_id
    write_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_i32_be(w, len(v5))
    for s2 in v5:
        if s2.topic_authorized_operations != -2147483648:
            raise not_carried("MetadataResponse.Topics.TopicAuthorizedOperations", version)
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        if v6 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_string(w, v6)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_i32_be(w, len(v7))
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            v8 = s3.replica_nodes
            write_i32_be(w, len(v8))
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_i32_be(w, len(v9))
            for s5 in v9:
                write_i32_be(w, s5)


def _decode_5(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 12 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        found1.append(s1)
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 9 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.is_internal = data[i] != 0
        n = read_i32_be(data, i + 1)
        i += 5
        if n < 0 or n * 22 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            n = read_i32_be(data, i + 10)
            i += 14
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.OfflineReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.OfflineReplicas", 10000000)
            end = i + n * 4
            s3.offline_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found3.append(s3)
        found2.append(s2)
    return m, i


def _encode_5(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    if m.cluster_authorized_operations != -2147483648:
        raise not_carried("MetadataResponse.ClusterAuthorizedOperations", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.brokers
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_nullable_string(w, v3)
    v4 = m.cluster_id
    write_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_i32_be(w, len(v5))
    for s2 in v5:
        if s2.topic_authorized_operations != -2147483648:
            raise not_carried("MetadataResponse.Topics.TopicAuthorizedOperations", version)
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        if v6 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_string(w, v6)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_i32_be(w, len(v7))
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            v8 = s3.replica_nodes
            write_i32_be(w, len(v8))
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_i32_be(w, len(v9))
            for s5 in v9:
                write_i32_be(w, s5)
            v10 = s3.offline_replicas
            write_i32_be(w, len(v10))
            for s6 in v10:
                write_i32_be(w, s6)


def _decode_7(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 12 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        found1.append(s1)
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 9 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.is_internal = data[i] != 0
        n = read_i32_be(data, i + 1)
        i += 5
        if n < 0 or n * 26 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            s3.leader_epoch = read_i32_be(data, i + 10)
            n = read_i32_be(data, i + 14)
            i += 18
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.OfflineReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.OfflineReplicas", 10000000)
            end = i + n * 4
            s3.offline_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found3.append(s3)
        found2.append(s2)
    return m, i


def _encode_7(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    if m.cluster_authorized_operations != -2147483648:
        raise not_carried("MetadataResponse.ClusterAuthorizedOperations", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.brokers
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_nullable_string(w, v3)
    v4 = m.cluster_id
    write_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_i32_be(w, len(v5))
    for s2 in v5:
        if s2.topic_authorized_operations != -2147483648:
            raise not_carried("MetadataResponse.Topics.TopicAuthorizedOperations", version)
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        if v6 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_string(w, v6)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_i32_be(w, len(v7))
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            write_i32_be(w, s3.leader_epoch)
            v8 = s3.replica_nodes
            write_i32_be(w, len(v8))
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_i32_be(w, len(v9))
            for s5 in v9:
                write_i32_be(w, s5)
            v10 = s3.offline_replicas
            write_i32_be(w, len(v10))
            for s6 in v10:
                write_i32_be(w, s6)


def _decode_8(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 12 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = read_i16_be(data, i + 4)
        i += 6
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        found1.append(s1)
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 13 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.is_internal = data[i] != 0
        n = read_i32_be(data, i + 1)
        i += 5
        if n < 0 or n * 26 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            s3.leader_epoch = read_i32_be(data, i + 10)
            n = read_i32_be(data, i + 14)
            i += 18
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.OfflineReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.OfflineReplicas", 10000000)
            end = i + n * 4
            s3.offline_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found3.append(s3)
        s2.topic_authorized_operations = read_i32_be(data, i)
        found2.append(s2)
        i += 4
    m.cluster_authorized_operations = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_8(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.brokers
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_nullable_string(w, v3)
    v4 = m.cluster_id
    write_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_i32_be(w, len(v5))
    for s2 in v5:
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        if v6 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_string(w, v6)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_i32_be(w, len(v7))
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            write_i32_be(w, s3.leader_epoch)
            v8 = s3.replica_nodes
            write_i32_be(w, len(v8))
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_i32_be(w, len(v9))
            for s5 in v9:
                write_i32_be(w, s5)
            v10 = s3.offline_replicas
            write_i32_be(w, len(v10))
            for s6 in v10:
                write_i32_be(w, s6)
        write_i32_be(w, s2.topic_authorized_operations)
    write_i32_be(w, m.cluster_authorized_operations)


def _decode_9(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 11 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 10 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.is_internal = data[i] != 0
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            s3.leader_epoch = read_i32_be(data, i + 10)
            n = data[i + 14]
            i += 15
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.OfflineReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.OfflineReplicas", 10000000)
            end = i + n * 4
            s3.offline_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found3.append(s3)
        s2.topic_authorized_operations = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    m.cluster_authorized_operations = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_9(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.brokers
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_compact_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_compact_nullable_string(w, v3)
        w.append(0)
    v4 = m.cluster_id
    write_compact_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_uvarint(w, len(v5) + 1)
    for s2 in v5:
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        if v6 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_compact_string(w, v6)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_uvarint(w, len(v7) + 1)
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            write_i32_be(w, s3.leader_epoch)
            v8 = s3.replica_nodes
            write_uvarint(w, len(v8) + 1)
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_uvarint(w, len(v9) + 1)
            for s5 in v9:
                write_i32_be(w, s5)
            v10 = s3.offline_replicas
            write_uvarint(w, len(v10) + 1)
            for s6 in v10:
                write_i32_be(w, s6)
            w.append(0)
        write_i32_be(w, s2.topic_authorized_operations)
        w.append(0)
    write_i32_be(w, m.cluster_authorized_operations)
    w.append(0)


def _decode_10(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 11 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 26 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        end = i + 16
        if end > size:
            raise bad_length("MetadataResponse.Topics.TopicId", 16, size - i)
        s2.topic_id = data[i:end]
        i = end
        s2.is_internal = data[i] != 0
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            s3.leader_epoch = read_i32_be(data, i + 10)
            n = data[i + 14]
            i += 15
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.OfflineReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.OfflineReplicas", 10000000)
            end = i + n * 4
            s3.offline_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found3.append(s3)
        s2.topic_authorized_operations = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    m.cluster_authorized_operations = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_10(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.brokers
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_compact_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_compact_nullable_string(w, v3)
        w.append(0)
    v4 = m.cluster_id
    write_compact_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_uvarint(w, len(v5) + 1)
    for s2 in v5:
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        if v6 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_compact_string(w, v6)
        write_uuid(w, s2.topic_id)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_uvarint(w, len(v7) + 1)
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            write_i32_be(w, s3.leader_epoch)
            v8 = s3.replica_nodes
            write_uvarint(w, len(v8) + 1)
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_uvarint(w, len(v9) + 1)
            for s5 in v9:
                write_i32_be(w, s5)
            v10 = s3.offline_replicas
            write_uvarint(w, len(v10) + 1)
            for s6 in v10:
                write_i32_be(w, s6)
            w.append(0)
        write_i32_be(w, s2.topic_authorized_operations)
        w.append(0)
    write_i32_be(w, m.cluster_authorized_operations)
    w.append(0)


def _decode_11(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 11 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 26 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.Topics.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        end = i + 16
        if end > size:
            raise bad_length("MetadataResponse.Topics.TopicId", 16, size - i)
        s2.topic_id = data[i:end]
        i = end
        s2.is_internal = data[i] != 0
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            s3.leader_epoch = read_i32_be(data, i + 10)
            n = data[i + 14]
            i += 15
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.OfflineReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.OfflineReplicas", 10000000)
            end = i + n * 4
            s3.offline_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found3.append(s3)
        s2.topic_authorized_operations = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_11(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    if m.cluster_authorized_operations != -2147483648:
        raise not_carried("MetadataResponse.ClusterAuthorizedOperations", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.brokers
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_compact_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_compact_nullable_string(w, v3)
        w.append(0)
    v4 = m.cluster_id
    write_compact_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_uvarint(w, len(v5) + 1)
    for s2 in v5:
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        if v6 is None:
            raise null_refused("MetadataResponse.Topics.Name", version)
        write_compact_string(w, v6)
        write_uuid(w, s2.topic_id)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_uvarint(w, len(v7) + 1)
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            write_i32_be(w, s3.leader_epoch)
            v8 = s3.replica_nodes
            write_uvarint(w, len(v8) + 1)
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_uvarint(w, len(v9) + 1)
            for s5 in v9:
                write_i32_be(w, s5)
            v10 = s3.offline_replicas
            write_uvarint(w, len(v10) + 1)
            for s6 in v10:
                write_i32_be(w, s6)
            w.append(0)
        write_i32_be(w, s2.topic_authorized_operations)
        w.append(0)
    w.append(0)


def _decode_12(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 11 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 26 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s2.name = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("MetadataResponse.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
        end = i + 16
        if end > size:
            raise bad_length("MetadataResponse.Topics.TopicId", 16, size - i)
        s2.topic_id = data[i:end]
        i = end
        s2.is_internal = data[i] != 0
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            s3.leader_epoch = read_i32_be(data, i + 10)
            n = data[i + 14]
            i += 15
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.OfflineReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.OfflineReplicas", 10000000)
            end = i + n * 4
            s3.offline_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found3.append(s3)
        s2.topic_authorized_operations = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_12(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    if m.cluster_authorized_operations != -2147483648:
        raise not_carried("MetadataResponse.ClusterAuthorizedOperations", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.brokers
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_compact_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_compact_nullable_string(w, v3)
        w.append(0)
    v4 = m.cluster_id
    write_compact_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_uvarint(w, len(v5) + 1)
    for s2 in v5:
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        write_compact_nullable_string(w, v6)
        write_uuid(w, s2.topic_id)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_uvarint(w, len(v7) + 1)
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            write_i32_be(w, s3.leader_epoch)
            v8 = s3.replica_nodes
            write_uvarint(w, len(v8) + 1)
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_uvarint(w, len(v9) + 1)
            for s5 in v9:
                write_i32_be(w, s5)
            v10 = s3.offline_replicas
            write_uvarint(w, len(v10) + 1)
            for s6 in v10:
                write_i32_be(w, s6)
            w.append(0)
        write_i32_be(w, s2.topic_authorized_operations)
        w.append(0)
    w.append(0)


def _decode_13(data: bytes, i: i64) -> tuple[MetadataResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = MetadataResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 11 > size - i:
        raise bad_count("MetadataResponse.Brokers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Brokers", 10000000)
    count1 = n
    found1: list[MetadataResponseBroker] = []
    m.brokers = found1
    for _ in range(count1):
        s1 = MetadataResponseBroker()
        s1.node_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.Brokers.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.rack = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("MetadataResponse.Brokers.Rack", n, size - i)
            s1.rack = data[i:end].decode()
            i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("MetadataResponse.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.controller_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 26 > size - i:
        raise bad_count("MetadataResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataResponse.Topics", 10000000)
    count2 = n
    found2: list[MetadataResponseTopic] = []
    m.topics = found2
    for _ in range(count2):
        s2 = MetadataResponseTopic()
        s2.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s2.name = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("MetadataResponse.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
        end = i + 16
        if end > size:
            raise bad_length("MetadataResponse.Topics.TopicId", 16, size - i)
        s2.topic_id = data[i:end]
        i = end
        s2.is_internal = data[i] != 0
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataResponse.Topics.Partitions", 10000000)
        count3 = n
        found3: list[MetadataResponsePartition] = []
        s2.partitions = found3
        for _ in range(count3):
            s3 = MetadataResponsePartition()
            s3.error_code = read_i16_be(data, i)
            s3.partition_index = read_i32_be(data, i + 2)
            s3.leader_id = read_i32_be(data, i + 6)
            s3.leader_epoch = read_i32_be(data, i + 10)
            n = data[i + 14]
            i += 15
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.ReplicaNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.ReplicaNodes", 10000000)
            end = i + n * 4
            s3.replica_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.IsrNodes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.IsrNodes", 10000000)
            end = i + n * 4
            s3.isr_nodes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("MetadataResponse.Topics.Partitions.OfflineReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("MetadataResponse.Topics.Partitions.OfflineReplicas", 10000000)
            end = i + n * 4
            s3.offline_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found3.append(s3)
        s2.topic_authorized_operations = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found2.append(s2)
    m.error_code = read_i16_be(data, i)
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_13(m: MetadataResponse, w: BytesWriter, version: int) -> None:
    if m.cluster_authorized_operations != -2147483648:
        raise not_carried("MetadataResponse.ClusterAuthorizedOperations", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.brokers
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i32_be(w, s1.node_id)
        v2 = s1.host
        write_compact_string(w, v2)
        write_i32_be(w, s1.port)
        v3 = s1.rack
        write_compact_nullable_string(w, v3)
        w.append(0)
    v4 = m.cluster_id
    write_compact_nullable_string(w, v4)
    write_i32_be(w, m.controller_id)
    v5 = m.topics
    write_uvarint(w, len(v5) + 1)
    for s2 in v5:
        write_i16_be(w, s2.error_code)
        v6 = s2.name
        write_compact_nullable_string(w, v6)
        write_uuid(w, s2.topic_id)
        w.append(1 if s2.is_internal else 0)
        v7 = s2.partitions
        write_uvarint(w, len(v7) + 1)
        for s3 in v7:
            write_i16_be(w, s3.error_code)
            write_i32_be(w, s3.partition_index)
            write_i32_be(w, s3.leader_id)
            write_i32_be(w, s3.leader_epoch)
            v8 = s3.replica_nodes
            write_uvarint(w, len(v8) + 1)
            for s4 in v8:
                write_i32_be(w, s4)
            v9 = s3.isr_nodes
            write_uvarint(w, len(v9) + 1)
            for s5 in v9:
                write_i32_be(w, s5)
            v10 = s3.offline_replicas
            write_uvarint(w, len(v10) + 1)
            for s6 in v10:
                write_i32_be(w, s6)
            w.append(0)
        write_i32_be(w, s2.topic_authorized_operations)
        w.append(0)
    write_i16_be(w, m.error_code)
    w.append(0)
