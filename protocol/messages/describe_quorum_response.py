"""DescribeQuorumResponse, generated from DescribeQuorumResponse.json: do not edit, run `make generate`."""

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
    write_u16,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":55,"type":"response","name":"DescribeQuorumResponse","validVersions":"0-2","flex'
    'ibleVersions":"0+","fields":[{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"'
    'ErrorMessage","type":"string","versions":"2+","nullableVersions":"2+","ignorable":true},{"'
    'name":"Topics","type":"[]TopicData","versions":"0+","fields":[{"name":"TopicName","type":"'
    'string","versions":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]Partition'
    'Data","versions":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{'
    '"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string",'
    '"versions":"2+","nullableVersions":"2+","ignorable":true},{"name":"LeaderId","type":"int32'
    '","versions":"0+","entityType":"brokerId"},{"name":"LeaderEpoch","type":"int32","versions"'
    ':"0+"},{"name":"HighWatermark","type":"int64","versions":"0+"},{"name":"CurrentVoters","ty'
    'pe":"[]ReplicaState","versions":"0+"},{"name":"Observers","type":"[]ReplicaState","version'
    's":"0+"}]}]},{"name":"Nodes","type":"[]Node","versions":"2+","fields":[{"name":"NodeId","t'
    'ype":"int32","versions":"2+","mapKey":true,"entityType":"brokerId"},{"name":"Listeners","t'
    'ype":"[]Listener","versions":"2+","fields":[{"name":"Name","type":"string","versions":"2+"'
    ',"mapKey":true},{"name":"Host","type":"string","versions":"2+"},{"name":"Port","type":"uin'
    't16","versions":"2+"}]}]}],"commonStructs":[{"name":"ReplicaState","versions":"0+","fields'
    '":[{"name":"ReplicaId","type":"int32","versions":"0+","entityType":"brokerId"},{"name":"Re'
    'plicaDirectoryId","type":"uuid","versions":"2+"},{"name":"LogEndOffset","type":"int64","ve'
    'rsions":"0+"},{"name":"LastFetchTimestamp","type":"int64","versions":"1+","ignorable":true'
    ',"default":-1},{"name":"LastCaughtUpTimestamp","type":"int64","versions":"1+","ignorable":'
    'true,"default":-1}]}]}'
)


class ReplicaState(Struct):
    """How far one replica is."""

    __slots__ = (
        "replica_id",
        "replica_directory_id",
        "log_end_offset",
        "last_fetch_timestamp",
        "last_caught_up_timestamp",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "replica_id",
        "replica_directory_id",
        "log_end_offset",
        "last_fetch_timestamp",
        "last_caught_up_timestamp",
    )
    replica_id: int  # Node id of the replica.
    replica_directory_id: bytes  # Id of the directory that it keeps its log in.
    log_end_offset: int  # End of its log as the leader knows it, or -1.
    last_fetch_timestamp: int  # When it last fetched, by the leader's clock, in ms since 1970; -1 if unknown.
    last_caught_up_timestamp: int  # When it last had all that the leader had, likewise in ms; -1 if unknown.

    def __init__(
        self,
        *,
        replica_id: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
        log_end_offset: int = 0,
        last_fetch_timestamp: int = -1,
        last_caught_up_timestamp: int = -1,
    ) -> None:
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.log_end_offset = log_end_offset
        self.last_fetch_timestamp = last_fetch_timestamp
        self.last_caught_up_timestamp = last_caught_up_timestamp


class PartitionData(Struct):
    """One entry for each partition."""

    __slots__ = (
        "partition_index",
        "error_code",
        "error_message",
        "leader_id",
        "leader_epoch",
        "high_watermark",
        "current_voters",
        "observers",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "error_code",
        "error_message",
        "leader_id",
        "leader_epoch",
        "high_watermark",
        "current_voters",
        "observers",
    )
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why the partition is not described.
    error_message: str | None  # The reason in words, or null.
    leader_id: int  # Node id of the leader, or -1 when none is known.
    leader_epoch: int  # Epoch of the leader, or the newest one known.
    high_watermark: int  # Offset below which everything is committed.
    current_voters: list[ReplicaState]  # The replicas that vote, the leader among them.
    observers: list[ReplicaState]  # The replicas that only read.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        leader_id: int = 0,
        leader_epoch: int = 0,
        high_watermark: int = 0,
        current_voters: list[ReplicaState] = UNSET_LIST,
        observers: list[ReplicaState] = UNSET_LIST,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.high_watermark = high_watermark
        self.current_voters = [] if current_voters is UNSET_LIST else current_voters
        self.observers = [] if observers is UNSET_LIST else observers


class TopicData(Struct):
    """One entry for each topic."""

    __slots__ = ("topic_name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_name", "partitions")
    topic_name: str  # Name of the topic.
    partitions: list[PartitionData]  # One entry for each partition.

    def __init__(
        self,
        *,
        topic_name: str = "",
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class Listener(Struct):
    """Its listeners for controllers."""

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


class Node(Struct):
    """Where the voters are reached."""

    __slots__ = ("node_id", "listeners")
    FIELDS: ClassVar[tuple[str, ...]] = ("node_id", "listeners")
    node_id: int  # Node id of the voter.
    listeners: list[Listener]  # Its listeners for controllers.

    def __init__(
        self,
        *,
        node_id: int = 0,
        listeners: list[Listener] = UNSET_LIST,
    ) -> None:
        self.node_id = node_id
        self.listeners = [] if listeners is UNSET_LIST else listeners


class DescribeQuorumResponse(Message):
    """The quorum's leader, its voters and observers, and how far each of them is."""

    __slots__ = ("error_code", "error_message", "topics", "nodes")
    FIELDS: ClassVar[tuple[str, ...]] = ("error_code", "error_message", "topics", "nodes")
    NAME: ClassVar[str] = "DescribeQuorumResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 55
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    error_code: int  # Zero, or why the whole request failed.
    error_message: str | None  # The reason in words, or null.
    topics: list[TopicData]  # One entry for each topic.
    nodes: list[Node]  # Where the voters are reached.

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[TopicData] = UNSET_LIST,
        nodes: list[Node] = UNSET_LIST,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.topics = [] if topics is UNSET_LIST else topics
        self.nodes = [] if nodes is UNSET_LIST else nodes

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeQuorumResponse:
        message, end = DescribeQuorumResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeQuorumResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeQuorumResponse, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeQuorumResponse", version, len(data), error) from None
        raise no_version("DescribeQuorumResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeQuorumResponse", version, error) from error
        raise no_encoding("DescribeQuorumResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeQuorumResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeQuorumResponse()
    m.error_code = read_i16_be(data, i)
    n = data[i + 2]
    i += 3
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("DescribeQuorumResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeQuorumResponse.Topics", 10000000)
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
            raise bad_length("DescribeQuorumResponse.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 25 > size - i:
            raise bad_count("DescribeQuorumResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeQuorumResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.leader_id = read_i32_be(data, i + 6)
            s2.leader_epoch = read_i32_be(data, i + 10)
            s2.high_watermark = read_i64_be(data, i + 14)
            n = data[i + 22]
            i += 23
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 13 > size - i:
                raise bad_count("DescribeQuorumResponse.Topics.Partitions.CurrentVoters", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeQuorumResponse.Topics.Partitions.CurrentVoters", 10000000)
            count3 = n
            found3: list[ReplicaState] = []
            s2.current_voters = found3
            for _ in range(count3):
                s3 = ReplicaState()
                s3.replica_id = read_i32_be(data, i)
                s3.log_end_offset = read_i64_be(data, i + 4)
                if data[i + 12] == 0:
                    i += 13
                else:
                    i = skip_tagged_fields(data, i + 12)
                found3.append(s3)
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 13 > size - i:
                raise bad_count("DescribeQuorumResponse.Topics.Partitions.Observers", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeQuorumResponse.Topics.Partitions.Observers", 10000000)
            count4 = n
            found4: list[ReplicaState] = []
            s2.observers = found4
            for _ in range(count4):
                s4 = ReplicaState()
                s4.replica_id = read_i32_be(data, i)
                s4.log_end_offset = read_i64_be(data, i + 4)
                if data[i + 12] == 0:
                    i += 13
                else:
                    i = skip_tagged_fields(data, i + 12)
                found4.append(s4)
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


def _encode_0(m: DescribeQuorumResponse, w: BytesWriter, version: int) -> None:
    if len(m.nodes) > 0:
        raise not_carried("DescribeQuorumResponse.Nodes", version)
    write_i16_be(w, m.error_code)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic_name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)
            write_i64_be(w, s2.high_watermark)
            v4 = s2.current_voters
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                if s3.replica_directory_id != ZERO_UUID:
                    raise not_carried("DescribeQuorumResponse.Topics.Partitions.CurrentVoters.ReplicaDirectoryId", version)
                write_i32_be(w, s3.replica_id)
                write_i64_be(w, s3.log_end_offset)
                w.append(0)
            v5 = s2.observers
            write_uvarint(w, len(v5) + 1)
            for s4 in v5:
                if s4.replica_directory_id != ZERO_UUID:
                    raise not_carried("DescribeQuorumResponse.Topics.Partitions.Observers.ReplicaDirectoryId", version)
                write_i32_be(w, s4.replica_id)
                write_i64_be(w, s4.log_end_offset)
                w.append(0)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeQuorumResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeQuorumResponse()
    m.error_code = read_i16_be(data, i)
    n = data[i + 2]
    i += 3
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("DescribeQuorumResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeQuorumResponse.Topics", 10000000)
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
            raise bad_length("DescribeQuorumResponse.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 25 > size - i:
            raise bad_count("DescribeQuorumResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeQuorumResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.leader_id = read_i32_be(data, i + 6)
            s2.leader_epoch = read_i32_be(data, i + 10)
            s2.high_watermark = read_i64_be(data, i + 14)
            n = data[i + 22]
            i += 23
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 29 > size - i:
                raise bad_count("DescribeQuorumResponse.Topics.Partitions.CurrentVoters", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeQuorumResponse.Topics.Partitions.CurrentVoters", 10000000)
            count3 = n
            found3: list[ReplicaState] = []
            s2.current_voters = found3
            for _ in range(count3):
                s3 = ReplicaState()
                s3.replica_id = read_i32_be(data, i)
                s3.log_end_offset = read_i64_be(data, i + 4)
                s3.last_fetch_timestamp = read_i64_be(data, i + 12)
                s3.last_caught_up_timestamp = read_i64_be(data, i + 20)
                if data[i + 28] == 0:
                    i += 29
                else:
                    i = skip_tagged_fields(data, i + 28)
                found3.append(s3)
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 29 > size - i:
                raise bad_count("DescribeQuorumResponse.Topics.Partitions.Observers", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeQuorumResponse.Topics.Partitions.Observers", 10000000)
            count4 = n
            found4: list[ReplicaState] = []
            s2.observers = found4
            for _ in range(count4):
                s4 = ReplicaState()
                s4.replica_id = read_i32_be(data, i)
                s4.log_end_offset = read_i64_be(data, i + 4)
                s4.last_fetch_timestamp = read_i64_be(data, i + 12)
                s4.last_caught_up_timestamp = read_i64_be(data, i + 20)
                if data[i + 28] == 0:
                    i += 29
                else:
                    i = skip_tagged_fields(data, i + 28)
                found4.append(s4)
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


def _encode_1(m: DescribeQuorumResponse, w: BytesWriter, version: int) -> None:
    if len(m.nodes) > 0:
        raise not_carried("DescribeQuorumResponse.Nodes", version)
    write_i16_be(w, m.error_code)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic_name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)
            write_i64_be(w, s2.high_watermark)
            v4 = s2.current_voters
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                if s3.replica_directory_id != ZERO_UUID:
                    raise not_carried("DescribeQuorumResponse.Topics.Partitions.CurrentVoters.ReplicaDirectoryId", version)
                write_i32_be(w, s3.replica_id)
                write_i64_be(w, s3.log_end_offset)
                write_i64_be(w, s3.last_fetch_timestamp)
                write_i64_be(w, s3.last_caught_up_timestamp)
                w.append(0)
            v5 = s2.observers
            write_uvarint(w, len(v5) + 1)
            for s4 in v5:
                if s4.replica_directory_id != ZERO_UUID:
                    raise not_carried("DescribeQuorumResponse.Topics.Partitions.Observers.ReplicaDirectoryId", version)
                write_i32_be(w, s4.replica_id)
                write_i64_be(w, s4.log_end_offset)
                write_i64_be(w, s4.last_fetch_timestamp)
                write_i64_be(w, s4.last_caught_up_timestamp)
                w.append(0)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[DescribeQuorumResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeQuorumResponse()
    m.error_code = read_i16_be(data, i)
    n = data[i + 2]
    i += 3
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeQuorumResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("DescribeQuorumResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeQuorumResponse.Topics", 10000000)
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
            raise bad_length("DescribeQuorumResponse.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 26 > size - i:
            raise bad_count("DescribeQuorumResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeQuorumResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            n = data[i + 6]
            i += 7
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.error_message = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("DescribeQuorumResponse.Topics.Partitions.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
                i = end
            s2.leader_id = read_i32_be(data, i)
            s2.leader_epoch = read_i32_be(data, i + 4)
            s2.high_watermark = read_i64_be(data, i + 8)
            n = data[i + 16]
            i += 17
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 45 > size - i:
                raise bad_count("DescribeQuorumResponse.Topics.Partitions.CurrentVoters", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeQuorumResponse.Topics.Partitions.CurrentVoters", 10000000)
            count3 = n
            found3: list[ReplicaState] = []
            s2.current_voters = found3
            for _ in range(count3):
                s3 = ReplicaState()
                s3.replica_id = read_i32_be(data, i)
                i += 4
                end = i + 16
                if end > size:
                    raise bad_length("DescribeQuorumResponse.Topics.Partitions.CurrentVoters.ReplicaDirectoryId", 16, size - i)
                s3.replica_directory_id = data[i:end]
                i = end
                s3.log_end_offset = read_i64_be(data, i)
                s3.last_fetch_timestamp = read_i64_be(data, i + 8)
                s3.last_caught_up_timestamp = read_i64_be(data, i + 16)
                if data[i + 24] == 0:
                    i += 25
                else:
                    i = skip_tagged_fields(data, i + 24)
                found3.append(s3)
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 45 > size - i:
                raise bad_count("DescribeQuorumResponse.Topics.Partitions.Observers", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeQuorumResponse.Topics.Partitions.Observers", 10000000)
            count4 = n
            found4: list[ReplicaState] = []
            s2.observers = found4
            for _ in range(count4):
                s4 = ReplicaState()
                s4.replica_id = read_i32_be(data, i)
                i += 4
                end = i + 16
                if end > size:
                    raise bad_length("DescribeQuorumResponse.Topics.Partitions.Observers.ReplicaDirectoryId", 16, size - i)
                s4.replica_directory_id = data[i:end]
                i = end
                s4.log_end_offset = read_i64_be(data, i)
                s4.last_fetch_timestamp = read_i64_be(data, i + 8)
                s4.last_caught_up_timestamp = read_i64_be(data, i + 16)
                if data[i + 24] == 0:
                    i += 25
                else:
                    i = skip_tagged_fields(data, i + 24)
                found4.append(s4)
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
    if n < 0 or n * 6 > size - i:
        raise bad_count("DescribeQuorumResponse.Nodes", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeQuorumResponse.Nodes", 10000000)
    count5 = n
    found5: list[Node] = []
    m.nodes = found5
    for _ in range(count5):
        s5 = Node()
        s5.node_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 5 > size - i:
            raise bad_count("DescribeQuorumResponse.Nodes.Listeners", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeQuorumResponse.Nodes.Listeners", 10000000)
        count6 = n
        found6: list[Listener] = []
        s5.listeners = found6
        for _ in range(count6):
            s6 = Listener()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeQuorumResponse.Nodes.Listeners.Name", n, size - i)
            s6.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeQuorumResponse.Nodes.Listeners.Host", n, size - i)
            s6.host = data[i:end].decode()
            i = end
            s6.port = read_i16_be(data, i) & 0xFFFF
            if data[i + 2] == 0:
                i += 3
            else:
                i = skip_tagged_fields(data, i + 2)
            found6.append(s6)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found5.append(s5)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: DescribeQuorumResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.error_message
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
            write_i16_be(w, s2.error_code)
            v5 = s2.error_message
            write_compact_nullable_string(w, v5)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)
            write_i64_be(w, s2.high_watermark)
            v6 = s2.current_voters
            write_uvarint(w, len(v6) + 1)
            for s3 in v6:
                write_i32_be(w, s3.replica_id)
                write_uuid(w, s3.replica_directory_id)
                write_i64_be(w, s3.log_end_offset)
                write_i64_be(w, s3.last_fetch_timestamp)
                write_i64_be(w, s3.last_caught_up_timestamp)
                w.append(0)
            v7 = s2.observers
            write_uvarint(w, len(v7) + 1)
            for s4 in v7:
                write_i32_be(w, s4.replica_id)
                write_uuid(w, s4.replica_directory_id)
                write_i64_be(w, s4.log_end_offset)
                write_i64_be(w, s4.last_fetch_timestamp)
                write_i64_be(w, s4.last_caught_up_timestamp)
                w.append(0)
            w.append(0)
        w.append(0)
    v8 = m.nodes
    write_uvarint(w, len(v8) + 1)
    for s5 in v8:
        write_i32_be(w, s5.node_id)
        v9 = s5.listeners
        write_uvarint(w, len(v9) + 1)
        for s6 in v9:
            v10 = s6.name
            write_compact_string(w, v10)
            v11 = s6.host
            write_compact_string(w, v11)
            write_u16(w, s6.port)
            w.append(0)
        w.append(0)
    w.append(0)
