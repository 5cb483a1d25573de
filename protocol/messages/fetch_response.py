"""FetchResponse, generated from FetchResponse.json: do not edit, run `make generate`."""

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
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    over_budget,
    read_tag,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_records,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_records,
    write_string,
    write_tag,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

    from ..buffer import Buffer

_SCHEMA: Final = (
    '{"apiKey":1,"type":"response","name":"FetchResponse","validVersions":"4-18","flexibleVersi'
    'ons":"12+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"1+","ignorable":t'
    'rue},{"name":"ErrorCode","type":"int16","versions":"7+","ignorable":true},{"name":"Session'
    'Id","type":"int32","versions":"7+","default":"0","ignorable":false},{"name":"Responses","t'
    'ype":"[]FetchableTopicResponse","versions":"0+","fields":[{"name":"Topic","type":"string",'
    '"versions":"0-12","ignorable":true,"entityType":"topicName"},{"name":"TopicId","type":"uui'
    'd","versions":"13+","ignorable":true},{"name":"Partitions","type":"[]PartitionData","versi'
    'ons":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name":"Erro'
    'rCode","type":"int16","versions":"0+"},{"name":"HighWatermark","type":"int64","versions":"'
    '0+"},{"name":"LastStableOffset","type":"int64","versions":"4+","default":"-1","ignorable":'
    'true},{"name":"LogStartOffset","type":"int64","versions":"5+","default":"-1","ignorable":t'
    'rue},{"name":"DivergingEpoch","type":"EpochEndOffset","versions":"12+","taggedVersions":"1'
    '2+","tag":0,"fields":[{"name":"Epoch","type":"int32","versions":"12+","default":"-1"},{"na'
    'me":"EndOffset","type":"int64","versions":"12+","default":"-1"}]},{"name":"CurrentLeader",'
    '"type":"LeaderIdAndEpoch","versions":"12+","taggedVersions":"12+","tag":1,"fields":[{"name'
    '":"LeaderId","type":"int32","versions":"12+","default":"-1","entityType":"brokerId"},{"nam'
    'e":"LeaderEpoch","type":"int32","versions":"12+","default":"-1"}]},{"name":"SnapshotId","t'
    'ype":"SnapshotId","versions":"12+","taggedVersions":"12+","tag":2,"fields":[{"name":"EndOf'
    'fset","type":"int64","versions":"0+","default":"-1"},{"name":"Epoch","type":"int32","versi'
    'ons":"0+","default":"-1"}]},{"name":"AbortedTransactions","type":"[]AbortedTransaction","v'
    'ersions":"4+","nullableVersions":"4+","ignorable":true,"fields":[{"name":"ProducerId","typ'
    'e":"int64","versions":"4+","entityType":"producerId"},{"name":"FirstOffset","type":"int64"'
    ',"versions":"4+"}]},{"name":"PreferredReadReplica","type":"int32","versions":"11+","defaul'
    't":"-1","ignorable":false,"entityType":"brokerId"},{"name":"Records","type":"records","ver'
    'sions":"0+","nullableVersions":"0+"}]}]},{"name":"NodeEndpoints","type":"[]NodeEndpoint","'
    'versions":"16+","taggedVersions":"16+","tag":0,"fields":[{"name":"NodeId","type":"int32","'
    'versions":"16+","mapKey":true,"entityType":"brokerId"},{"name":"Host","type":"string","ver'
    'sions":"16+"},{"name":"Port","type":"int32","versions":"16+"},{"name":"Rack","type":"strin'
    'g","versions":"16+","nullableVersions":"16+","default":"null"}]}]}'
)


class EpochEndOffset(Struct):
    """Where the follower's log parts from the leader's, if it does."""

    __slots__ = ("epoch", "end_offset")
    FIELDS: ClassVar[tuple[str, ...]] = ("epoch", "end_offset")
    epoch: int  # The last epoch that both have.
    end_offset: int  # Where that epoch ends on the leader.

    def __init__(
        self,
        *,
        epoch: int = -1,
        end_offset: int = -1,
    ) -> None:
        self.epoch = epoch
        self.end_offset = end_offset


class LeaderIdAndEpoch(Struct):
    """Who leads the partition now, when this broker does not."""

    __slots__ = ("leader_id", "leader_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("leader_id", "leader_epoch")
    leader_id: int  # Broker that leads it, or -1.
    leader_epoch: int  # Its leader epoch, or -1.

    def __init__(
        self,
        *,
        leader_id: int = -1,
        leader_epoch: int = -1,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class SnapshotId(Struct):
    """The snapshot to load first, when the log begins behind the offset."""

    __slots__ = ("end_offset", "epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("end_offset", "epoch")
    end_offset: int  # The first offset that the snapshot does not cover.
    epoch: int  # Epoch of the last record that it covers.

    def __init__(
        self,
        *,
        end_offset: int = -1,
        epoch: int = -1,
    ) -> None:
        self.end_offset = end_offset
        self.epoch = epoch


class AbortedTransaction(Struct):
    """Transactions to leave out, for readers of committed records; null for others."""

    __slots__ = ("producer_id", "first_offset")
    FIELDS: ClassVar[tuple[str, ...]] = ("producer_id", "first_offset")
    producer_id: int  # Producer whose transaction was aborted.
    first_offset: int  # Offset of the first record of it.

    def __init__(
        self,
        *,
        producer_id: int = 0,
        first_offset: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.first_offset = first_offset


class PartitionData(Struct):
    """One entry for each partition that has news."""

    __slots__ = (
        "partition_index",
        "error_code",
        "high_watermark",
        "last_stable_offset",
        "log_start_offset",
        "diverging_epoch",
        "current_leader",
        "snapshot_id",
        "aborted_transactions",
        "preferred_read_replica",
        "records",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "error_code",
        "high_watermark",
        "last_stable_offset",
        "log_start_offset",
        "diverging_epoch",
        "current_leader",
        "snapshot_id",
        "aborted_transactions",
        "preferred_read_replica",
        "records",
    )
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why nothing was read.
    high_watermark: int  # Offset below which records are on all replicas in sync.
    last_stable_offset: int  # Offset below which every transaction has ended.
    log_start_offset: int  # First offset that the log still has.
    diverging_epoch: EpochEndOffset  # Where the follower's log parts from the leader's, if it does.
    current_leader: LeaderIdAndEpoch  # Who leads the partition now, when this broker does not.
    snapshot_id: SnapshotId  # The snapshot to load first, when the log begins behind the offset.
    aborted_transactions: list[AbortedTransaction] | None  # Transactions to leave out, for readers of committed records; null for others.
    preferred_read_replica: int  # Broker to read from instead, or -1.
    records: Buffer | None  # The record batches; the last may be cut.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        high_watermark: int = 0,
        last_stable_offset: int = -1,
        log_start_offset: int = -1,
        diverging_epoch: EpochEndOffset | None = None,
        current_leader: LeaderIdAndEpoch | None = None,
        snapshot_id: SnapshotId | None = None,
        aborted_transactions: list[AbortedTransaction] | None = UNSET_LIST,
        preferred_read_replica: int = -1,
        records: Buffer | None = b'',
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.high_watermark = high_watermark
        self.last_stable_offset = last_stable_offset
        self.log_start_offset = log_start_offset
        self.diverging_epoch = EpochEndOffset() if diverging_epoch is None else diverging_epoch
        self.current_leader = LeaderIdAndEpoch() if current_leader is None else current_leader
        self.snapshot_id = SnapshotId() if snapshot_id is None else snapshot_id
        self.aborted_transactions = [] if aborted_transactions is UNSET_LIST else aborted_transactions
        self.preferred_read_replica = preferred_read_replica
        self.records = records


class FetchableTopicResponse(Struct):
    """One entry for each topic."""

    __slots__ = ("topic", "topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "topic_id", "partitions")
    topic: str  # Name of the topic.
    topic_id: bytes  # Id of the topic.
    partitions: list[PartitionData]  # One entry for each partition that has news.

    def __init__(
        self,
        *,
        topic: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class NodeEndpoint(Struct):
    """Where the leaders named above are reached."""

    __slots__ = ("node_id", "host", "port", "rack")
    FIELDS: ClassVar[tuple[str, ...]] = ("node_id", "host", "port", "rack")
    node_id: int  # Id of the broker.
    host: str  # Host name or address of the broker.
    port: int  # Port of the broker.
    rack: str | None  # Where the broker stands, or null.

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


class FetchResponse(Message):
    """Record batches, as they lie in the log, and how far each log goes."""

    __slots__ = ("throttle_time_ms", "error_code", "session_id", "responses", "node_endpoints")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "session_id",
        "responses",
        "node_endpoints",
    )
    NAME: ClassVar[str] = "FetchResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 1
    MIN_VERSION: ClassVar[int] = 4
    MAX_VERSION: ClassVar[int] = 18
    FLEXIBLE_SINCE: ClassVar[int | None] = 12
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the whole request failed.
    session_id: int  # Id of the fetch session, or 0 when there is none.
    responses: list[FetchableTopicResponse]  # One entry for each topic.
    node_endpoints: list[NodeEndpoint]  # Where the leaders named above are reached.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        session_id: int = 0,
        responses: list[FetchableTopicResponse] = UNSET_LIST,
        node_endpoints: list[NodeEndpoint] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.session_id = session_id
        self.responses = [] if responses is UNSET_LIST else responses
        self.node_endpoints = [] if node_endpoints is UNSET_LIST else node_endpoints

    @staticmethod
    def decode(data: bytes, version: int) -> FetchResponse:
        message, end = FetchResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("FetchResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[FetchResponse, int]:
        try:
            if 16 <= version <= 18:
                return _decode_16(data, offset)
            if 13 <= version <= 15:
                return _decode_13(data, offset)
            if version == 12:
                return _decode_12(data, offset)
            if version == 11:
                return _decode_11(data, offset)
            if 7 <= version <= 10:
                return _decode_7(data, offset)
            if 5 <= version <= 6:
                return _decode_5(data, offset)
            if version == 4:
                return _decode_4(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("FetchResponse", version, len(data), error) from None
        raise no_version("FetchResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 16 <= version <= 18:
                return _encode_16(self, writer, version)
            if 13 <= version <= 15:
                return _encode_13(self, writer, version)
            if version == 12:
                return _encode_12(self, writer, version)
            if version == 11:
                return _encode_11(self, writer, version)
            if 7 <= version <= 10:
                return _encode_7(self, writer, version)
            if 5 <= version <= 6:
                return _encode_5(self, writer, version)
            if version == 4:
                return _encode_4(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("FetchResponse", version, error) from error
        raise no_encoding("FetchResponse", version)


def _decode_4(data: bytes, i: i64) -> tuple[FetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchResponse.Responses", 10000000)
    count1 = n
    found1: list[FetchableTopicResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = FetchableTopicResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchResponse.Responses.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 30 > size - i:
            raise bad_count("FetchResponse.Responses.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchResponse.Responses.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.high_watermark = read_i64_be(data, i + 6)
            s2.last_stable_offset = read_i64_be(data, i + 14)
            n = read_i32_be(data, i + 22)
            i += 26
            if n == -1:
                s2.aborted_transactions = None
            else:
                if n < 0 or n * 16 > size - i:
                    raise bad_count("FetchResponse.Responses.Partitions.AbortedTransactions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("FetchResponse.Responses.Partitions.AbortedTransactions", 10000000)
                count3 = n
                found3: list[AbortedTransaction] = []
                s2.aborted_transactions = found3
                for _ in range(count3):
                    s3 = AbortedTransaction()
                    s3.producer_id = read_i64_be(data, i)
                    s3.first_offset = read_i64_be(data, i + 8)
                    found3.append(s3)
                    i += 16
            n = read_i32_be(data, i)
            i += 4
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("FetchResponse.Responses.Partitions.Records", n, size - i)
                s2.records = data[i:end]
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_4(m: FetchResponse, w: BytesWriter, version: int) -> None:
    if m.session_id != 0:
        raise not_carried("FetchResponse.SessionId", version)
    if len(m.node_endpoints) > 0:
        raise not_carried("FetchResponse.NodeEndpoints", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.responses
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if (s2.diverging_epoch.epoch != -1 or s2.diverging_epoch.end_offset != -1):
                raise not_carried("FetchResponse.Responses.Partitions.DivergingEpoch", version)
            if (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1):
                raise not_carried("FetchResponse.Responses.Partitions.CurrentLeader", version)
            if (s2.snapshot_id.end_offset != -1 or s2.snapshot_id.epoch != -1):
                raise not_carried("FetchResponse.Responses.Partitions.SnapshotId", version)
            if s2.preferred_read_replica != -1:
                raise not_carried("FetchResponse.Responses.Partitions.PreferredReadReplica", version)
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.high_watermark)
            write_i64_be(w, s2.last_stable_offset)
            v4 = s2.aborted_transactions
            if v4 is None:
                write_i32_be(w, -1)
            else:
                write_i32_be(w, len(v4))
                for s3 in v4:
                    write_i64_be(w, s3.producer_id)
                    write_i64_be(w, s3.first_offset)
            v5 = s2.records
            write_nullable_records(w, v5)


def _decode_5(data: bytes, i: i64) -> tuple[FetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchResponse.Responses", 10000000)
    count1 = n
    found1: list[FetchableTopicResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = FetchableTopicResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchResponse.Responses.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 38 > size - i:
            raise bad_count("FetchResponse.Responses.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchResponse.Responses.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.high_watermark = read_i64_be(data, i + 6)
            s2.last_stable_offset = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = read_i32_be(data, i + 30)
            i += 34
            if n == -1:
                s2.aborted_transactions = None
            else:
                if n < 0 or n * 16 > size - i:
                    raise bad_count("FetchResponse.Responses.Partitions.AbortedTransactions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("FetchResponse.Responses.Partitions.AbortedTransactions", 10000000)
                count3 = n
                found3: list[AbortedTransaction] = []
                s2.aborted_transactions = found3
                for _ in range(count3):
                    s3 = AbortedTransaction()
                    s3.producer_id = read_i64_be(data, i)
                    s3.first_offset = read_i64_be(data, i + 8)
                    found3.append(s3)
                    i += 16
            n = read_i32_be(data, i)
            i += 4
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("FetchResponse.Responses.Partitions.Records", n, size - i)
                s2.records = data[i:end]
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_5(m: FetchResponse, w: BytesWriter, version: int) -> None:
    if m.session_id != 0:
        raise not_carried("FetchResponse.SessionId", version)
    if len(m.node_endpoints) > 0:
        raise not_carried("FetchResponse.NodeEndpoints", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.responses
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if (s2.diverging_epoch.epoch != -1 or s2.diverging_epoch.end_offset != -1):
                raise not_carried("FetchResponse.Responses.Partitions.DivergingEpoch", version)
            if (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1):
                raise not_carried("FetchResponse.Responses.Partitions.CurrentLeader", version)
            if (s2.snapshot_id.end_offset != -1 or s2.snapshot_id.epoch != -1):
                raise not_carried("FetchResponse.Responses.Partitions.SnapshotId", version)
            if s2.preferred_read_replica != -1:
                raise not_carried("FetchResponse.Responses.Partitions.PreferredReadReplica", version)
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.high_watermark)
            write_i64_be(w, s2.last_stable_offset)
            write_i64_be(w, s2.log_start_offset)
            v4 = s2.aborted_transactions
            if v4 is None:
                write_i32_be(w, -1)
            else:
                write_i32_be(w, len(v4))
                for s3 in v4:
                    write_i64_be(w, s3.producer_id)
                    write_i64_be(w, s3.first_offset)
            v5 = s2.records
            write_nullable_records(w, v5)


def _decode_7(data: bytes, i: i64) -> tuple[FetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.session_id = read_i32_be(data, i + 6)
    n = read_i32_be(data, i + 10)
    i += 14
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchResponse.Responses", 10000000)
    count1 = n
    found1: list[FetchableTopicResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = FetchableTopicResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchResponse.Responses.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 38 > size - i:
            raise bad_count("FetchResponse.Responses.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchResponse.Responses.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.high_watermark = read_i64_be(data, i + 6)
            s2.last_stable_offset = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = read_i32_be(data, i + 30)
            i += 34
            if n == -1:
                s2.aborted_transactions = None
            else:
                if n < 0 or n * 16 > size - i:
                    raise bad_count("FetchResponse.Responses.Partitions.AbortedTransactions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("FetchResponse.Responses.Partitions.AbortedTransactions", 10000000)
                count3 = n
                found3: list[AbortedTransaction] = []
                s2.aborted_transactions = found3
                for _ in range(count3):
                    s3 = AbortedTransaction()
                    s3.producer_id = read_i64_be(data, i)
                    s3.first_offset = read_i64_be(data, i + 8)
                    found3.append(s3)
                    i += 16
            n = read_i32_be(data, i)
            i += 4
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("FetchResponse.Responses.Partitions.Records", n, size - i)
                s2.records = data[i:end]
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_7(m: FetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("FetchResponse.NodeEndpoints", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.session_id)
    v1 = m.responses
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if (s2.diverging_epoch.epoch != -1 or s2.diverging_epoch.end_offset != -1):
                raise not_carried("FetchResponse.Responses.Partitions.DivergingEpoch", version)
            if (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1):
                raise not_carried("FetchResponse.Responses.Partitions.CurrentLeader", version)
            if (s2.snapshot_id.end_offset != -1 or s2.snapshot_id.epoch != -1):
                raise not_carried("FetchResponse.Responses.Partitions.SnapshotId", version)
            if s2.preferred_read_replica != -1:
                raise not_carried("FetchResponse.Responses.Partitions.PreferredReadReplica", version)
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.high_watermark)
            write_i64_be(w, s2.last_stable_offset)
            write_i64_be(w, s2.log_start_offset)
            v4 = s2.aborted_transactions
            if v4 is None:
                write_i32_be(w, -1)
            else:
                write_i32_be(w, len(v4))
                for s3 in v4:
                    write_i64_be(w, s3.producer_id)
                    write_i64_be(w, s3.first_offset)
            v5 = s2.records
            write_nullable_records(w, v5)


def _decode_11(data: bytes, i: i64) -> tuple[FetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.session_id = read_i32_be(data, i + 6)
    n = read_i32_be(data, i + 10)
    i += 14
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchResponse.Responses", 10000000)
    count1 = n
    found1: list[FetchableTopicResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = FetchableTopicResponse()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchResponse.Responses.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 42 > size - i:
            raise bad_count("FetchResponse.Responses.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchResponse.Responses.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.high_watermark = read_i64_be(data, i + 6)
            s2.last_stable_offset = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = read_i32_be(data, i + 30)
            i += 34
            if n == -1:
                s2.aborted_transactions = None
            else:
                if n < 0 or n * 16 > size - i:
                    raise bad_count("FetchResponse.Responses.Partitions.AbortedTransactions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("FetchResponse.Responses.Partitions.AbortedTransactions", 10000000)
                count3 = n
                found3: list[AbortedTransaction] = []
                s2.aborted_transactions = found3
                for _ in range(count3):
                    s3 = AbortedTransaction()
                    s3.producer_id = read_i64_be(data, i)
                    s3.first_offset = read_i64_be(data, i + 8)
                    found3.append(s3)
                    i += 16
            s2.preferred_read_replica = read_i32_be(data, i)
            n = read_i32_be(data, i + 4)
            i += 8
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("FetchResponse.Responses.Partitions.Records", n, size - i)
                s2.records = data[i:end]
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_11(m: FetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("FetchResponse.NodeEndpoints", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.session_id)
    v1 = m.responses
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if (s2.diverging_epoch.epoch != -1 or s2.diverging_epoch.end_offset != -1):
                raise not_carried("FetchResponse.Responses.Partitions.DivergingEpoch", version)
            if (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1):
                raise not_carried("FetchResponse.Responses.Partitions.CurrentLeader", version)
            if (s2.snapshot_id.end_offset != -1 or s2.snapshot_id.epoch != -1):
                raise not_carried("FetchResponse.Responses.Partitions.SnapshotId", version)
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.high_watermark)
            write_i64_be(w, s2.last_stable_offset)
            write_i64_be(w, s2.log_start_offset)
            v4 = s2.aborted_transactions
            if v4 is None:
                write_i32_be(w, -1)
            else:
                write_i32_be(w, len(v4))
                for s3 in v4:
                    write_i64_be(w, s3.producer_id)
                    write_i64_be(w, s3.first_offset)
            write_i32_be(w, s2.preferred_read_replica)
            v5 = s2.records
            write_nullable_records(w, v5)


def _decode_12(data: bytes, i: i64) -> tuple[FetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.session_id = read_i32_be(data, i + 6)
    n = data[i + 10]
    i += 11
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("FetchResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchResponse.Responses", 10000000)
    count1 = n
    found1: list[FetchableTopicResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = FetchableTopicResponse()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("FetchResponse.Responses.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 37 > size - i:
            raise bad_count("FetchResponse.Responses.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchResponse.Responses.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.high_watermark = read_i64_be(data, i + 6)
            s2.last_stable_offset = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = data[i + 30]
            i += 31
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.aborted_transactions = None
            else:
                if n < 0 or n * 17 > size - i:
                    raise bad_count("FetchResponse.Responses.Partitions.AbortedTransactions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("FetchResponse.Responses.Partitions.AbortedTransactions", 10000000)
                count3 = n
                found3: list[AbortedTransaction] = []
                s2.aborted_transactions = found3
                for _ in range(count3):
                    s3 = AbortedTransaction()
                    s3.producer_id = read_i64_be(data, i)
                    s3.first_offset = read_i64_be(data, i + 8)
                    if data[i + 16] == 0:
                        i += 17
                    else:
                        i = skip_tagged_fields(data, i + 16)
                    found3.append(s3)
            s2.preferred_read_replica = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("FetchResponse.Responses.Partitions.Records", n, size - i)
                s2.records = data[i:end]
                i = end
            n = data[i]
            i += 1
            if n > 0:
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                check_tag_count(data, i, n)
                count4 = n
                tag1 = -1
                unknown1 = 0
                for _ in range(count4):
                    tag1, start1, stop1 = read_tag(data, i, tag1)
                    i = start1
                    if tag1 == 0:
                        s4 = EpochEndOffset()
                        s4.epoch = read_i32_be(data, i)
                        s4.end_offset = read_i64_be(data, i + 4)
                        if data[i + 12] == 0:
                            i += 13
                        else:
                            i = skip_tagged_fields(data, i + 12)
                        s2.diverging_epoch = s4
                        if i != stop1:
                            raise bad_tag_size("FetchResponse.Responses.Partitions.DivergingEpoch")
                    elif tag1 == 1:
                        s5 = LeaderIdAndEpoch()
                        s5.leader_id = read_i32_be(data, i)
                        s5.leader_epoch = read_i32_be(data, i + 4)
                        if data[i + 8] == 0:
                            i += 9
                        else:
                            i = skip_tagged_fields(data, i + 8)
                        s2.current_leader = s5
                        if i != stop1:
                            raise bad_tag_size("FetchResponse.Responses.Partitions.CurrentLeader")
                    elif tag1 == 2:
                        s6 = SnapshotId()
                        s6.end_offset = read_i64_be(data, i)
                        s6.epoch = read_i32_be(data, i + 8)
                        if data[i + 12] == 0:
                            i += 13
                        else:
                            i = skip_tagged_fields(data, i + 12)
                        s2.snapshot_id = s6
                        if i != stop1:
                            raise bad_tag_size("FetchResponse.Responses.Partitions.SnapshotId")
                    else:
                        check_unknown_tag(tag1, stop1 - i, unknown1)
                        unknown1 += 1
                        i = stop1
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


def _encode_12(m: FetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("FetchResponse.NodeEndpoints", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.session_id)
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.high_watermark)
            write_i64_be(w, s2.last_stable_offset)
            write_i64_be(w, s2.log_start_offset)
            v4 = s2.aborted_transactions
            if v4 is None:
                w.append(0)
            else:
                write_uvarint(w, len(v4) + 1)
                for s3 in v4:
                    write_i64_be(w, s3.producer_id)
                    write_i64_be(w, s3.first_offset)
                    w.append(0)
            write_i32_be(w, s2.preferred_read_replica)
            v5 = s2.records
            write_compact_nullable_records(w, v5)
            t1 = (s2.diverging_epoch.epoch != -1 or s2.diverging_epoch.end_offset != -1)
            t2 = (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1)
            t3 = (s2.snapshot_id.end_offset != -1 or s2.snapshot_id.epoch != -1)
            if t1 or t2 or t3:
                write_uvarint(w, int(t1) + int(t2) + int(t3))
                if t1:
                    w1 = BytesWriter()
                    v6 = s2.diverging_epoch
                    write_i32_be(w1, v6.epoch)
                    write_i64_be(w1, v6.end_offset)
                    w1.append(0)
                    write_tag(w, 0, w1)
                if t2:
                    w2 = BytesWriter()
                    v7 = s2.current_leader
                    write_i32_be(w2, v7.leader_id)
                    write_i32_be(w2, v7.leader_epoch)
                    w2.append(0)
                    write_tag(w, 1, w2)
                if t3:
                    w3 = BytesWriter()
                    v8 = s2.snapshot_id
                    write_i64_be(w3, v8.end_offset)
                    write_i32_be(w3, v8.epoch)
                    w3.append(0)
                    write_tag(w, 2, w3)
            else:
                w.append(0)
        w.append(0)
    w.append(0)


def _decode_13(data: bytes, i: i64) -> tuple[FetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.session_id = read_i32_be(data, i + 6)
    n = data[i + 10]
    i += 11
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchResponse.Responses", 10000000)
    count1 = n
    found1: list[FetchableTopicResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = FetchableTopicResponse()
        end = i + 16
        if end > size:
            raise bad_length("FetchResponse.Responses.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 37 > size - i:
            raise bad_count("FetchResponse.Responses.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchResponse.Responses.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.high_watermark = read_i64_be(data, i + 6)
            s2.last_stable_offset = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = data[i + 30]
            i += 31
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.aborted_transactions = None
            else:
                if n < 0 or n * 17 > size - i:
                    raise bad_count("FetchResponse.Responses.Partitions.AbortedTransactions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("FetchResponse.Responses.Partitions.AbortedTransactions", 10000000)
                count3 = n
                found3: list[AbortedTransaction] = []
                s2.aborted_transactions = found3
                for _ in range(count3):
                    s3 = AbortedTransaction()
                    s3.producer_id = read_i64_be(data, i)
                    s3.first_offset = read_i64_be(data, i + 8)
                    if data[i + 16] == 0:
                        i += 17
                    else:
                        i = skip_tagged_fields(data, i + 16)
                    found3.append(s3)
            s2.preferred_read_replica = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("FetchResponse.Responses.Partitions.Records", n, size - i)
                s2.records = data[i:end]
                i = end
            n = data[i]
            i += 1
            if n > 0:
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                check_tag_count(data, i, n)
                count4 = n
                tag1 = -1
                unknown1 = 0
                for _ in range(count4):
                    tag1, start1, stop1 = read_tag(data, i, tag1)
                    i = start1
                    if tag1 == 0:
                        s4 = EpochEndOffset()
                        s4.epoch = read_i32_be(data, i)
                        s4.end_offset = read_i64_be(data, i + 4)
                        if data[i + 12] == 0:
                            i += 13
                        else:
                            i = skip_tagged_fields(data, i + 12)
                        s2.diverging_epoch = s4
                        if i != stop1:
                            raise bad_tag_size("FetchResponse.Responses.Partitions.DivergingEpoch")
                    elif tag1 == 1:
                        s5 = LeaderIdAndEpoch()
                        s5.leader_id = read_i32_be(data, i)
                        s5.leader_epoch = read_i32_be(data, i + 4)
                        if data[i + 8] == 0:
                            i += 9
                        else:
                            i = skip_tagged_fields(data, i + 8)
                        s2.current_leader = s5
                        if i != stop1:
                            raise bad_tag_size("FetchResponse.Responses.Partitions.CurrentLeader")
                    elif tag1 == 2:
                        s6 = SnapshotId()
                        s6.end_offset = read_i64_be(data, i)
                        s6.epoch = read_i32_be(data, i + 8)
                        if data[i + 12] == 0:
                            i += 13
                        else:
                            i = skip_tagged_fields(data, i + 12)
                        s2.snapshot_id = s6
                        if i != stop1:
                            raise bad_tag_size("FetchResponse.Responses.Partitions.SnapshotId")
                    else:
                        check_unknown_tag(tag1, stop1 - i, unknown1)
                        unknown1 += 1
                        i = stop1
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


def _encode_13(m: FetchResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("FetchResponse.NodeEndpoints", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.session_id)
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.high_watermark)
            write_i64_be(w, s2.last_stable_offset)
            write_i64_be(w, s2.log_start_offset)
            v3 = s2.aborted_transactions
            if v3 is None:
                w.append(0)
            else:
                write_uvarint(w, len(v3) + 1)
                for s3 in v3:
                    write_i64_be(w, s3.producer_id)
                    write_i64_be(w, s3.first_offset)
                    w.append(0)
            write_i32_be(w, s2.preferred_read_replica)
            v4 = s2.records
            write_compact_nullable_records(w, v4)
            t1 = (s2.diverging_epoch.epoch != -1 or s2.diverging_epoch.end_offset != -1)
            t2 = (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1)
            t3 = (s2.snapshot_id.end_offset != -1 or s2.snapshot_id.epoch != -1)
            if t1 or t2 or t3:
                write_uvarint(w, int(t1) + int(t2) + int(t3))
                if t1:
                    w1 = BytesWriter()
                    v5 = s2.diverging_epoch
                    write_i32_be(w1, v5.epoch)
                    write_i64_be(w1, v5.end_offset)
                    w1.append(0)
                    write_tag(w, 0, w1)
                if t2:
                    w2 = BytesWriter()
                    v6 = s2.current_leader
                    write_i32_be(w2, v6.leader_id)
                    write_i32_be(w2, v6.leader_epoch)
                    w2.append(0)
                    write_tag(w, 1, w2)
                if t3:
                    w3 = BytesWriter()
                    v7 = s2.snapshot_id
                    write_i64_be(w3, v7.end_offset)
                    write_i32_be(w3, v7.epoch)
                    w3.append(0)
                    write_tag(w, 2, w3)
            else:
                w.append(0)
        w.append(0)
    w.append(0)


def _decode_16(data: bytes, i: i64) -> tuple[FetchResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FetchResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.session_id = read_i32_be(data, i + 6)
    n = data[i + 10]
    i += 11
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchResponse.Responses", 10000000)
    count1 = n
    found1: list[FetchableTopicResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = FetchableTopicResponse()
        end = i + 16
        if end > size:
            raise bad_length("FetchResponse.Responses.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 37 > size - i:
            raise bad_count("FetchResponse.Responses.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchResponse.Responses.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.high_watermark = read_i64_be(data, i + 6)
            s2.last_stable_offset = read_i64_be(data, i + 14)
            s2.log_start_offset = read_i64_be(data, i + 22)
            n = data[i + 30]
            i += 31
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.aborted_transactions = None
            else:
                if n < 0 or n * 17 > size - i:
                    raise bad_count("FetchResponse.Responses.Partitions.AbortedTransactions", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("FetchResponse.Responses.Partitions.AbortedTransactions", 10000000)
                count3 = n
                found3: list[AbortedTransaction] = []
                s2.aborted_transactions = found3
                for _ in range(count3):
                    s3 = AbortedTransaction()
                    s3.producer_id = read_i64_be(data, i)
                    s3.first_offset = read_i64_be(data, i + 8)
                    if data[i + 16] == 0:
                        i += 17
                    else:
                        i = skip_tagged_fields(data, i + 16)
                    found3.append(s3)
            s2.preferred_read_replica = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("FetchResponse.Responses.Partitions.Records", n, size - i)
                s2.records = data[i:end]
                i = end
            n = data[i]
            i += 1
            if n > 0:
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                check_tag_count(data, i, n)
                count4 = n
                tag1 = -1
                unknown1 = 0
                for _ in range(count4):
                    tag1, start1, stop1 = read_tag(data, i, tag1)
                    i = start1
                    if tag1 == 0:
                        s4 = EpochEndOffset()
                        s4.epoch = read_i32_be(data, i)
                        s4.end_offset = read_i64_be(data, i + 4)
                        if data[i + 12] == 0:
                            i += 13
                        else:
                            i = skip_tagged_fields(data, i + 12)
                        s2.diverging_epoch = s4
                        if i != stop1:
                            raise bad_tag_size("FetchResponse.Responses.Partitions.DivergingEpoch")
                    elif tag1 == 1:
                        s5 = LeaderIdAndEpoch()
                        s5.leader_id = read_i32_be(data, i)
                        s5.leader_epoch = read_i32_be(data, i + 4)
                        if data[i + 8] == 0:
                            i += 9
                        else:
                            i = skip_tagged_fields(data, i + 8)
                        s2.current_leader = s5
                        if i != stop1:
                            raise bad_tag_size("FetchResponse.Responses.Partitions.CurrentLeader")
                    elif tag1 == 2:
                        s6 = SnapshotId()
                        s6.end_offset = read_i64_be(data, i)
                        s6.epoch = read_i32_be(data, i + 8)
                        if data[i + 12] == 0:
                            i += 13
                        else:
                            i = skip_tagged_fields(data, i + 12)
                        s2.snapshot_id = s6
                        if i != stop1:
                            raise bad_tag_size("FetchResponse.Responses.Partitions.SnapshotId")
                    else:
                        check_unknown_tag(tag1, stop1 - i, unknown1)
                        unknown1 += 1
                        i = stop1
            found2.append(s2)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count5 = n
        tag2 = -1
        unknown2 = 0
        for _ in range(count5):
            tag2, start2, stop2 = read_tag(data, i, tag2)
            i = start2
            if tag2 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 11 > size - i:
                    raise bad_count("FetchResponse.NodeEndpoints", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("FetchResponse.NodeEndpoints", 10000000)
                count6 = n
                found4: list[NodeEndpoint] = []
                m.node_endpoints = found4
                for _ in range(count6):
                    s7 = NodeEndpoint()
                    s7.node_id = read_i32_be(data, i)
                    n = data[i + 4]
                    i += 5
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("FetchResponse.NodeEndpoints.Host", n, size - i)
                    s7.host = data[i:end].decode()
                    i = end
                    s7.port = read_i32_be(data, i)
                    n = data[i + 4]
                    i += 5
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    if n == -1:
                        s7.rack = None
                    else:
                        end = i + n
                        if n < 0 or end > size or n > STRING_BYTES_MAX:
                            raise bad_length("FetchResponse.NodeEndpoints.Rack", n, size - i)
                        s7.rack = data[i:end].decode()
                        i = end
                    if data[i] == 0:
                        i += 1
                    else:
                        i = skip_tagged_fields(data, i)
                    found4.append(s7)
                if i != stop2:
                    raise bad_tag_size("FetchResponse.NodeEndpoints")
            else:
                check_unknown_tag(tag2, stop2 - i, unknown2)
                unknown2 += 1
                i = stop2
    return m, i


def _encode_16(m: FetchResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.session_id)
    v1 = m.responses
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i64_be(w, s2.high_watermark)
            write_i64_be(w, s2.last_stable_offset)
            write_i64_be(w, s2.log_start_offset)
            v3 = s2.aborted_transactions
            if v3 is None:
                w.append(0)
            else:
                write_uvarint(w, len(v3) + 1)
                for s3 in v3:
                    write_i64_be(w, s3.producer_id)
                    write_i64_be(w, s3.first_offset)
                    w.append(0)
            write_i32_be(w, s2.preferred_read_replica)
            v4 = s2.records
            write_compact_nullable_records(w, v4)
            t1 = (s2.diverging_epoch.epoch != -1 or s2.diverging_epoch.end_offset != -1)
            t2 = (s2.current_leader.leader_id != -1 or s2.current_leader.leader_epoch != -1)
            t3 = (s2.snapshot_id.end_offset != -1 or s2.snapshot_id.epoch != -1)
            if t1 or t2 or t3:
                write_uvarint(w, int(t1) + int(t2) + int(t3))
                if t1:
                    w1 = BytesWriter()
                    v5 = s2.diverging_epoch
                    write_i32_be(w1, v5.epoch)
                    write_i64_be(w1, v5.end_offset)
                    w1.append(0)
                    write_tag(w, 0, w1)
                if t2:
                    w2 = BytesWriter()
                    v6 = s2.current_leader
                    write_i32_be(w2, v6.leader_id)
                    write_i32_be(w2, v6.leader_epoch)
                    w2.append(0)
                    write_tag(w, 1, w2)
                if t3:
                    w3 = BytesWriter()
                    v7 = s2.snapshot_id
                    write_i64_be(w3, v7.end_offset)
                    write_i32_be(w3, v7.epoch)
                    w3.append(0)
                    write_tag(w, 2, w3)
            else:
                w.append(0)
        w.append(0)
    t4 = len(m.node_endpoints) > 0
    if t4:
        write_uvarint(w, int(t4))
        if t4:
            w4 = BytesWriter()
            v8 = m.node_endpoints
            write_uvarint(w4, len(v8) + 1)
            for s4 in v8:
                write_i32_be(w4, s4.node_id)
                v9 = s4.host
                write_compact_string(w4, v9)
                write_i32_be(w4, s4.port)
                v10 = s4.rack
                write_compact_nullable_string(w4, v10)
                w4.append(0)
            write_tag(w, 0, w4)
    else:
        w.append(0)
