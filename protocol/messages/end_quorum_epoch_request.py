"""EndQuorumEpochRequest, generated from EndQuorumEpochRequest.json: do not edit, run `make generate`."""

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
    '{"apiKey":54,"type":"request","listeners":["controller"],"name":"EndQuorumEpochRequest","v'
    'alidVersions":"0-1","flexibleVersions":"1+","fields":[{"name":"ClusterId","type":"string",'
    '"versions":"0+","nullableVersions":"0+","default":"null"},{"name":"Topics","type":"[]Topic'
    'Data","versions":"0+","fields":[{"name":"TopicName","type":"string","versions":"0+","entit'
    'yType":"topicName"},{"name":"Partitions","type":"[]PartitionData","versions":"0+","fields"'
    ':[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name":"LeaderId","type":"int3'
    '2","versions":"0+","entityType":"brokerId"},{"name":"LeaderEpoch","type":"int32","versions'
    '":"0+"},{"name":"PreferredSuccessors","type":"[]int32","versions":"0","ignorable":true},{"'
    'name":"PreferredCandidates","type":"[]ReplicaInfo","versions":"1+","ignorable":true,"field'
    's":[{"name":"CandidateId","type":"int32","versions":"1+","entityType":"brokerId"},{"name":'
    '"CandidateDirectoryId","type":"uuid","versions":"1+"}]}]}]},{"name":"LeaderEndpoints","typ'
    'e":"[]LeaderEndpoint","versions":"1+","ignorable":true,"fields":[{"name":"Name","type":"st'
    'ring","versions":"1+","mapKey":true},{"name":"Host","type":"string","versions":"1+"},{"nam'
    'e":"Port","type":"uint16","versions":"1+"}]}]}'
)


class ReplicaInfo(Struct):
    """The other voters, the best successor first."""

    __slots__ = ("candidate_id", "candidate_directory_id")
    FIELDS: ClassVar[tuple[str, ...]] = ("candidate_id", "candidate_directory_id")
    candidate_id: int  # Node id of the voter.
    candidate_directory_id: bytes  # Id of the directory that the voter keeps its log in.

    def __init__(
        self,
        *,
        candidate_id: int = 0,
        candidate_directory_id: bytes = ZERO_UUID,
    ) -> None:
        self.candidate_id = candidate_id
        self.candidate_directory_id = candidate_directory_id


class PartitionData(Struct):
    """The partitions that it no longer leads."""

    __slots__ = (
        "partition_index",
        "leader_id",
        "leader_epoch",
        "preferred_successors",
        "preferred_candidates",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "leader_id",
        "leader_epoch",
        "preferred_successors",
        "preferred_candidates",
    )
    partition_index: int  # Number of the partition.
    leader_id: int  # Node id of the leader that steps down, who is the sender.
    leader_epoch: int  # Epoch that it led.
    preferred_successors: list[int]  # Node ids of the other voters, the best successor first.
    preferred_candidates: list[ReplicaInfo]  # The other voters, the best successor first.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        preferred_successors: list[int] = UNSET_LIST,
        preferred_candidates: list[ReplicaInfo] = UNSET_LIST,
    ) -> None:
        self.partition_index = partition_index
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.preferred_successors = [] if preferred_successors is UNSET_LIST else preferred_successors
        self.preferred_candidates = [] if preferred_candidates is UNSET_LIST else preferred_candidates


class TopicData(Struct):
    """The logs that the sender no longer leads."""

    __slots__ = ("topic_name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_name", "partitions")
    topic_name: str  # Name of the topic.
    partitions: list[PartitionData]  # The partitions that it no longer leads.

    def __init__(
        self,
        *,
        topic_name: str = "",
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class LeaderEndpoint(Struct):
    """Where the leader that steps down is reached."""

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


class EndQuorumEpochRequest(Message):
    """The leader steps down and says who should try first to succeed it."""

    __slots__ = ("cluster_id", "topics", "leader_endpoints")
    FIELDS: ClassVar[tuple[str, ...]] = ("cluster_id", "topics", "leader_endpoints")
    NAME: ClassVar[str] = "EndQuorumEpochRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 54
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    cluster_id: str | None  # Id of the leader's cluster, or null when it does not say.
    topics: list[TopicData]  # The logs that the sender no longer leads.
    leader_endpoints: list[LeaderEndpoint]  # Where the leader that steps down is reached.

    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        topics: list[TopicData] = UNSET_LIST,
        leader_endpoints: list[LeaderEndpoint] = UNSET_LIST,
    ) -> None:
        self.cluster_id = cluster_id
        self.topics = [] if topics is UNSET_LIST else topics
        self.leader_endpoints = [] if leader_endpoints is UNSET_LIST else leader_endpoints

    @staticmethod
    def decode(data: bytes, version: int) -> EndQuorumEpochRequest:
        message, end = EndQuorumEpochRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("EndQuorumEpochRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[EndQuorumEpochRequest, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("EndQuorumEpochRequest", version, len(data), error) from None
        raise no_version("EndQuorumEpochRequest", version)

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
            raise no_encoding("EndQuorumEpochRequest", version, error) from error
        raise no_encoding("EndQuorumEpochRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[EndQuorumEpochRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = EndQuorumEpochRequest()
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.cluster_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("EndQuorumEpochRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("EndQuorumEpochRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("EndQuorumEpochRequest.Topics", 100000)
    count1 = n
    found1: list[TopicData] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicData()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("EndQuorumEpochRequest.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 16 > size - i:
            raise bad_count("EndQuorumEpochRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("EndQuorumEpochRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.leader_id = read_i32_be(data, i + 4)
            s2.leader_epoch = read_i32_be(data, i + 8)
            n = read_i32_be(data, i + 12)
            i += 16
            if n < 0 or n * 4 > size - i:
                raise bad_count("EndQuorumEpochRequest.Topics.Partitions.PreferredSuccessors", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("EndQuorumEpochRequest.Topics.Partitions.PreferredSuccessors", 100000)
            end = i + n * 4
            s2.preferred_successors = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_0(m: EndQuorumEpochRequest, w: BytesWriter, version: int) -> None:
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
            v5 = s2.preferred_successors
            write_i32_be(w, len(v5))
            for s3 in v5:
                write_i32_be(w, s3)


def _decode_1(data: bytes, i: i64) -> tuple[EndQuorumEpochRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = EndQuorumEpochRequest()
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
            raise bad_length("EndQuorumEpochRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("EndQuorumEpochRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("EndQuorumEpochRequest.Topics", 100000)
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
            raise bad_length("EndQuorumEpochRequest.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 14 > size - i:
            raise bad_count("EndQuorumEpochRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("EndQuorumEpochRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.leader_id = read_i32_be(data, i + 4)
            s2.leader_epoch = read_i32_be(data, i + 8)
            n = data[i + 12]
            i += 13
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 21 > size - i:
                raise bad_count("EndQuorumEpochRequest.Topics.Partitions.PreferredCandidates", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("EndQuorumEpochRequest.Topics.Partitions.PreferredCandidates", 100000)
            count3 = n
            found3: list[ReplicaInfo] = []
            s2.preferred_candidates = found3
            for _ in range(count3):
                s3 = ReplicaInfo()
                s3.candidate_id = read_i32_be(data, i)
                i += 4
                end = i + 16
                if end > size:
                    raise bad_length("EndQuorumEpochRequest.Topics.Partitions.PreferredCandidates.CandidateDirectoryId", 16, size - i)
                s3.candidate_directory_id = data[i:end]
                i = end
                if data[i] == 0:
                    i += 1
                else:
                    i = skip_tagged_fields(data, i)
                found3.append(s3)
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
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("EndQuorumEpochRequest.LeaderEndpoints", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("EndQuorumEpochRequest.LeaderEndpoints", 100000)
    count4 = n
    found4: list[LeaderEndpoint] = []
    m.leader_endpoints = found4
    for _ in range(count4):
        s4 = LeaderEndpoint()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("EndQuorumEpochRequest.LeaderEndpoints.Name", n, size - i)
        s4.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("EndQuorumEpochRequest.LeaderEndpoints.Host", n, size - i)
        s4.host = data[i:end].decode()
        i = end
        s4.port = read_i16_be(data, i) & 0xFFFF
        if data[i + 2] == 0:
            i += 3
        else:
            i = skip_tagged_fields(data, i + 2)
        found4.append(s4)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_1(m: EndQuorumEpochRequest, w: BytesWriter, version: int) -> None:
    v1 = m.cluster_id
    write_compact_nullable_string(w, v1)
    v2 = m.topics
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.topic_name
        write_compact_string(w, v3)
        v4 = s1.partitions
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)
            v5 = s2.preferred_candidates
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3.candidate_id)
                write_uuid(w, s3.candidate_directory_id)
                w.append(0)
            w.append(0)
        w.append(0)
    v6 = m.leader_endpoints
    write_uvarint(w, len(v6) + 1)
    for s4 in v6:
        v7 = s4.name
        write_compact_string(w, v7)
        v8 = s4.host
        write_compact_string(w, v8)
        write_u16(w, s4.port)
        w.append(0)
    w.append(0)
