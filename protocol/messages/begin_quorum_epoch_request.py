"""BeginQuorumEpochRequest, generated from BeginQuorumEpochRequest.json: do not edit, run `make generate`."""

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
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
    write_u16,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":53,"type":"request","listeners":["controller"],"name":"BeginQuorumEpochRequest",'
    '"validVersions":"0-1","flexibleVersions":"1+","fields":[{"name":"ClusterId","type":"string'
    '","versions":"0+","nullableVersions":"0+","default":"null"},{"name":"VoterId","type":"int3'
    '2","versions":"1+","ignorable":true,"default":"-1","entityType":"brokerId"},{"name":"Topic'
    's","type":"[]TopicData","versions":"0+","fields":[{"name":"TopicName","type":"string","ver'
    'sions":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]PartitionData","versi'
    'ons":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name":"Vote'
    'rDirectoryId","type":"uuid","versions":"1+","ignorable":true},{"name":"LeaderId","type":"i'
    'nt32","versions":"0+","entityType":"brokerId"},{"name":"LeaderEpoch","type":"int32","versi'
    'ons":"0+"}]}]},{"name":"LeaderEndpoints","type":"[]LeaderEndpoint","versions":"1+","ignora'
    'ble":true,"fields":[{"name":"Name","type":"string","versions":"1+","mapKey":true},{"name":'
    '"Host","type":"string","versions":"1+"},{"name":"Port","type":"uint16","versions":"1+"}]}]'
    '}'
)


class PartitionData(Struct):
    """The partitions that it leads."""

    __slots__ = ("partition_index", "voter_directory_id", "leader_id", "leader_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "voter_directory_id",
        "leader_id",
        "leader_epoch",
    )
    partition_index: int  # Number of the partition.
    voter_directory_id: bytes  # Id of the directory that the voter is believed to keep its log in.
    leader_id: int  # Node id of the leader, who is the sender.
    leader_epoch: int  # Epoch that it leads.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        voter_directory_id: bytes = ZERO_UUID,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.voter_directory_id = voter_directory_id
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class TopicData(Struct):
    """The logs that the sender leads."""

    __slots__ = ("topic_name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_name", "partitions")
    topic_name: str  # Name of the topic.
    partitions: list[PartitionData]  # The partitions that it leads.

    def __init__(
        self,
        *,
        topic_name: str = "",
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class LeaderEndpoint(Struct):
    """Where the leader is reached."""

    __slots__ = ("name", "host", "port")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "host", "port")
    name: str  # Name of the listener.
    host: str  # Host name or address.
    port: int  # Port.

    def __init__(
        self,
        *,
        name: str = "",
        host: str = "",
        port: int = 0,
    ) -> None:
        self.name = name
        self.host = host
        self.port = port


class BeginQuorumEpochRequest(Message):
    """The leader tells a voter that it has won an epoch, and that it still leads."""

    __slots__ = ("cluster_id", "voter_id", "topics", "leader_endpoints")
    FIELDS: ClassVar[tuple[str, ...]] = ("cluster_id", "voter_id", "topics", "leader_endpoints")
    NAME: ClassVar[str] = "BeginQuorumEpochRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 53
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    cluster_id: str | None  # Id of the leader's cluster, or null when it does not say.
    voter_id: int  # Node id of the voter that is told, or -1.
    topics: list[TopicData]  # The logs that the sender leads.
    leader_endpoints: list[LeaderEndpoint]  # Where the leader is reached.

    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        voter_id: int = -1,
        topics: list[TopicData] = UNSET_LIST,
        leader_endpoints: list[LeaderEndpoint] = UNSET_LIST,
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.topics = [] if topics is UNSET_LIST else topics
        self.leader_endpoints = [] if leader_endpoints is UNSET_LIST else leader_endpoints

    @staticmethod
    def decode(data: bytes, version: int) -> BeginQuorumEpochRequest:
        message, end = BeginQuorumEpochRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("BeginQuorumEpochRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[BeginQuorumEpochRequest, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("BeginQuorumEpochRequest", version, len(data), error) from None
        raise no_version("BeginQuorumEpochRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("BeginQuorumEpochRequest", version, error) from error
        raise no_encoding("BeginQuorumEpochRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[BeginQuorumEpochRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = BeginQuorumEpochRequest()
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("BeginQuorumEpochRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("BeginQuorumEpochRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BeginQuorumEpochRequest.Topics", 100000)
    count1 = n
    found1: list[TopicData] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicData()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("BeginQuorumEpochRequest.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 12 > size - i:
            raise bad_count("BeginQuorumEpochRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("BeginQuorumEpochRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.leader_id = read_i32_be(data, i + 4)
            s2.leader_epoch = read_i32_be(data, i + 8)
            found2.append(s2)
            i += 12
        found1.append(s1)
    return m, i


def _encode_0(m: BeginQuorumEpochRequest, w: BytesWriter, version: int) -> None:
    v1 = m.cluster_id
    write_nullable_string(w, v1)
    v2 = m.topics
    write_i32_be(w, len(v2))
    for s1 in v2:
        v3 = s1.topic_name
        write_string(w, v3)
        v4 = s1.partitions
        write_i32_be(w, len(v4))
        for s2 in v4:
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)


def _decode_1(data: bytes, i: i64) -> tuple[BeginQuorumEpochRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = BeginQuorumEpochRequest()
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
            raise bad_length("BeginQuorumEpochRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.voter_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("BeginQuorumEpochRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BeginQuorumEpochRequest.Topics", 100000)
    count1 = n
    found1: list[TopicData] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicData()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BeginQuorumEpochRequest.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 29 > size - i:
            raise bad_count("BeginQuorumEpochRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("BeginQuorumEpochRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            i += 4
            end = i + 16
            if end > size:
                raise bad_length("BeginQuorumEpochRequest.Topics.Partitions.VoterDirectoryId", 16, size - i)
            s2.voter_directory_id = data[i:end]
            i = end
            s2.leader_id = read_i32_be(data, i)
            s2.leader_epoch = read_i32_be(data, i + 4)
            if data[i + 8] == 0:
                i += 9
            else:
                i = skip_tagged_fields(data, i + 8)
            found2.append(s2)
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
    if n < 0 or n * 5 > size - i:
        raise bad_count("BeginQuorumEpochRequest.LeaderEndpoints", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("BeginQuorumEpochRequest.LeaderEndpoints", 100000)
    count3 = n
    found3: list[LeaderEndpoint] = []
    m.leader_endpoints = found3
    for _ in range(count3):
        s3 = LeaderEndpoint()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BeginQuorumEpochRequest.LeaderEndpoints.Name", n, size - i)
        s3.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("BeginQuorumEpochRequest.LeaderEndpoints.Host", n, size - i)
        s3.host = data[i:end].decode()
        i = end
        s3.port = read_i16_be(data, i) & 0xFFFF
        if data[i + 2] == 0:
            i += 3
        else:
            i = skip_tagged_fields(data, i + 2)
        found3.append(s3)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_1(m: BeginQuorumEpochRequest, w: BytesWriter, version: int) -> None:
    v1 = m.cluster_id
    write_compact_nullable_string(w, v1)
    write_i32_be(w, m.voter_id)
    v2 = m.topics
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.topic_name
        write_compact_string(w, v3)
        v4 = s1.partitions
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            write_i32_be(w, s2.partition_index)
            write_uuid(w, s2.voter_directory_id)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)
            w.append(0)
        w.append(0)
    v5 = m.leader_endpoints
    write_uvarint(w, len(v5) + 1)
    for s3 in v5:
        v6 = s3.name
        write_compact_string(w, v6)
        v7 = s3.host
        write_compact_string(w, v7)
        write_u16(w, s3.port)
        w.append(0)
    w.append(0)
