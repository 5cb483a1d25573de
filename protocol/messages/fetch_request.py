"""FetchRequest, generated from FetchRequest.json: do not edit, run `make generate`."""

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
    write_compact_nullable_string,
    write_compact_string,
    write_i8,
    write_string,
    write_tag,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":1,"type":"request","listeners":["broker","controller"],"name":"FetchRequest","va'
    'lidVersions":"4-18","flexibleVersions":"12+","fields":[{"name":"ClusterId","type":"string"'
    ',"versions":"12+","nullableVersions":"12+","default":"null","taggedVersions":"12+","tag":0'
    ',"ignorable":true},{"name":"ReplicaId","type":"int32","versions":"0-14","default":"-1","en'
    'tityType":"brokerId"},{"name":"ReplicaState","type":"ReplicaState","versions":"15+","tagge'
    'dVersions":"15+","tag":1,"fields":[{"name":"ReplicaId","type":"int32","versions":"15+","de'
    'fault":"-1","entityType":"brokerId"},{"name":"ReplicaEpoch","type":"int64","versions":"15+'
    '","default":"-1"}]},{"name":"MaxWaitMs","type":"int32","versions":"0+"},{"name":"MinBytes"'
    ',"type":"int32","versions":"0+"},{"name":"MaxBytes","type":"int32","versions":"3+","defaul'
    't":"0x7fffffff","ignorable":true},{"name":"IsolationLevel","type":"int8","versions":"4+","'
    'default":"0","ignorable":true},{"name":"SessionId","type":"int32","versions":"7+","default'
    '":"0","ignorable":true},{"name":"SessionEpoch","type":"int32","versions":"7+","default":"-'
    '1","ignorable":true},{"name":"Topics","type":"[]FetchTopic","versions":"0+","fields":[{"na'
    'me":"Topic","type":"string","versions":"0-12","entityType":"topicName","ignorable":true},{'
    '"name":"TopicId","type":"uuid","versions":"13+","ignorable":true},{"name":"Partitions","ty'
    'pe":"[]FetchPartition","versions":"0+","fields":[{"name":"Partition","type":"int32","versi'
    'ons":"0+"},{"name":"CurrentLeaderEpoch","type":"int32","versions":"9+","default":"-1","ign'
    'orable":true},{"name":"FetchOffset","type":"int64","versions":"0+"},{"name":"LastFetchedEp'
    'och","type":"int32","versions":"12+","default":"-1","ignorable":false},{"name":"LogStartOf'
    'fset","type":"int64","versions":"5+","default":"-1","ignorable":true},{"name":"PartitionMa'
    'xBytes","type":"int32","versions":"0+"},{"name":"ReplicaDirectoryId","type":"uuid","versio'
    'ns":"17+","taggedVersions":"17+","tag":0,"ignorable":true},{"name":"HighWatermark","type":'
    '"int64","versions":"18+","default":"9223372036854775807","taggedVersions":"18+","tag":1,"i'
    'gnorable":true}]}]},{"name":"ForgottenTopicsData","type":"[]ForgottenTopic","versions":"7+'
    '","ignorable":false,"fields":[{"name":"Topic","type":"string","versions":"7-12","entityTyp'
    'e":"topicName","ignorable":true},{"name":"TopicId","type":"uuid","versions":"13+","ignorab'
    'le":true},{"name":"Partitions","type":"[]int32","versions":"7+"}]},{"name":"RackId","type"'
    ':"string","versions":"11+","default":"","ignorable":true}]}'
)


class ReplicaState(Struct):
    """The follower that asks, and its epoch."""

    __slots__ = ("replica_id", "replica_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("replica_id", "replica_epoch")
    replica_id: int  # Id of the follower; -1 from a consumer.
    replica_epoch: int  # Epoch of the follower's registration, or -1.

    def __init__(
        self,
        *,
        replica_id: int = -1,
        replica_epoch: int = -1,
    ) -> None:
        self.replica_id = replica_id
        self.replica_epoch = replica_epoch


class FetchPartition(Struct):
    """The partitions to read."""

    __slots__ = (
        "partition",
        "current_leader_epoch",
        "fetch_offset",
        "last_fetched_epoch",
        "log_start_offset",
        "partition_max_bytes",
        "replica_directory_id",
        "high_watermark",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition",
        "current_leader_epoch",
        "fetch_offset",
        "last_fetched_epoch",
        "log_start_offset",
        "partition_max_bytes",
        "replica_directory_id",
        "high_watermark",
    )
    partition: int  # Number of the partition.
    current_leader_epoch: int  # Leader epoch that the reader knows, or -1.
    fetch_offset: int  # Offset from which to read.
    last_fetched_epoch: int  # Leader epoch of the last record that a follower has, or -1.
    log_start_offset: int  # First offset that a follower's log has; -1 from a consumer.
    partition_max_bytes: int  # How many bytes of this partition to send at most.
    replica_directory_id: bytes  # Id of the directory that a follower writes to.
    high_watermark: int  # High watermark that a follower knows; the largest number when it cannot say.

    def __init__(
        self,
        *,
        partition: int = 0,
        current_leader_epoch: int = -1,
        fetch_offset: int = 0,
        last_fetched_epoch: int = -1,
        log_start_offset: int = -1,
        partition_max_bytes: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
        high_watermark: int = 9223372036854775807,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.fetch_offset = fetch_offset
        self.last_fetched_epoch = last_fetched_epoch
        self.log_start_offset = log_start_offset
        self.partition_max_bytes = partition_max_bytes
        self.replica_directory_id = replica_directory_id
        self.high_watermark = high_watermark


class FetchTopic(Struct):
    """The topics to read, or what has changed of them in the session."""

    __slots__ = ("topic", "topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "topic_id", "partitions")
    topic: str  # Name of the topic.
    topic_id: bytes  # Id of the topic.
    partitions: list[FetchPartition]  # The partitions to read.

    def __init__(
        self,
        *,
        topic: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[FetchPartition] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class ForgottenTopic(Struct):
    """Partitions that leave the session."""

    __slots__ = ("topic", "topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "topic_id", "partitions")
    topic: str  # Name of the topic.
    topic_id: bytes  # Id of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic: str = "",
        topic_id: bytes = ZERO_UUID,
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class FetchRequest(Message):
    """Reads record batches from partitions, and waits for them if there are too few."""

    __slots__ = (
        "cluster_id",
        "replica_id",
        "replica_state",
        "max_wait_ms",
        "min_bytes",
        "max_bytes",
        "isolation_level",
        "session_id",
        "session_epoch",
        "topics",
        "forgotten_topics_data",
        "rack_id",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "cluster_id",
        "replica_id",
        "replica_state",
        "max_wait_ms",
        "min_bytes",
        "max_bytes",
        "isolation_level",
        "session_id",
        "session_epoch",
        "topics",
        "forgotten_topics_data",
        "rack_id",
    )
    NAME: ClassVar[str] = "FetchRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 1
    MIN_VERSION: ClassVar[int] = 4
    MAX_VERSION: ClassVar[int] = 18
    FLEXIBLE_SINCE: ClassVar[int | None] = 12
    SCHEMA: ClassVar[str] = _SCHEMA

    cluster_id: str | None  # Id of the cluster, for controllers that follow each other; else null.
    replica_id: int  # Id of the follower that asks; -1 from a consumer.
    replica_state: ReplicaState  # The follower that asks, and its epoch.
    max_wait_ms: int  # How long to wait for enough bytes, in ms.
    min_bytes: int  # How many bytes make it worth to answer before that.
    max_bytes: int  # How many bytes the answer should hold at most; a first batch larger than that still comes.
    isolation_level: int  # 0 reads all records, 1 only those of committed transactions.
    session_id: int  # Id of the fetch session, or 0 for none.
    session_epoch: int  # Number of the request in its session; 0 begins one, -1 does without.
    topics: list[FetchTopic]  # The topics to read, or what has changed of them in the session.
    forgotten_topics_data: list[ForgottenTopic]  # Partitions that leave the session.
    rack_id: str  # Where the reader stands, so that it can be sent to a near replica.

    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        replica_id: int = -1,
        replica_state: ReplicaState | None = None,
        max_wait_ms: int = 0,
        min_bytes: int = 0,
        max_bytes: int = 2147483647,
        isolation_level: int = 0,
        session_id: int = 0,
        session_epoch: int = -1,
        topics: list[FetchTopic] = UNSET_LIST,
        forgotten_topics_data: list[ForgottenTopic] = UNSET_LIST,
        rack_id: str = "",
    ) -> None:
        self.cluster_id = cluster_id
        self.replica_id = replica_id
        self.replica_state = ReplicaState() if replica_state is None else replica_state
        self.max_wait_ms = max_wait_ms
        self.min_bytes = min_bytes
        self.max_bytes = max_bytes
        self.isolation_level = isolation_level
        self.session_id = session_id
        self.session_epoch = session_epoch
        self.topics = [] if topics is UNSET_LIST else topics
        self.forgotten_topics_data = [] if forgotten_topics_data is UNSET_LIST else forgotten_topics_data
        self.rack_id = rack_id

    @staticmethod
    def decode(data: bytes, version: int) -> FetchRequest:
        message, end = FetchRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("FetchRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[FetchRequest, int]:
        try:
            if version == 18:
                return _decode_18(data, offset)
            if version == 17:
                return _decode_17(data, offset)
            if 15 <= version <= 16:
                return _decode_15(data, offset)
            if 13 <= version <= 14:
                return _decode_13(data, offset)
            if version == 12:
                return _decode_12(data, offset)
            if version == 11:
                return _decode_11(data, offset)
            if 9 <= version <= 10:
                return _decode_9(data, offset)
            if 7 <= version <= 8:
                return _decode_7(data, offset)
            if 5 <= version <= 6:
                return _decode_5(data, offset)
            if version == 4:
                return _decode_4(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("FetchRequest", version, len(data), error) from None
        raise no_version("FetchRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 18:
                return _encode_18(self, writer, version)
            if version == 17:
                return _encode_17(self, writer, version)
            if 15 <= version <= 16:
                return _encode_15(self, writer, version)
            if 13 <= version <= 14:
                return _encode_13(self, writer, version)
            if version == 12:
                return _encode_12(self, writer, version)
            if version == 11:
                return _encode_11(self, writer, version)
            if 9 <= version <= 10:
                return _encode_9(self, writer, version)
            if 7 <= version <= 8:
                return _encode_7(self, writer, version)
            if 5 <= version <= 6:
                return _encode_5(self, writer, version)
            if version == 4:
                return _encode_4(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("FetchRequest", version, error) from error
        raise no_encoding("FetchRequest", version)


def _decode_4(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.replica_id = read_i32_be(data, i)
    m.max_wait_ms = read_i32_be(data, i + 4)
    m.min_bytes = read_i32_be(data, i + 8)
    m.max_bytes = read_i32_be(data, i + 12)
    m.isolation_level = (data[i + 16] ^ 0x80) - 0x80
    n = read_i32_be(data, i + 17)
    i += 21
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchRequest.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 16 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.fetch_offset = read_i64_be(data, i + 4)
            s2.partition_max_bytes = read_i32_be(data, i + 12)
            found2.append(s2)
            i += 16
        found1.append(s1)
    return m, i


def _encode_4(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1):
        raise not_carried("FetchRequest.ReplicaState", version)
    if len(m.forgotten_topics_data) > 0:
        raise not_carried("FetchRequest.ForgottenTopicsData", version)
    write_i32_be(w, m.replica_id)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if s2.last_fetched_epoch != -1:
                raise not_carried("FetchRequest.Topics.Partitions.LastFetchedEpoch", version)
            write_i32_be(w, s2.partition)
            write_i64_be(w, s2.fetch_offset)
            write_i32_be(w, s2.partition_max_bytes)


def _decode_5(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.replica_id = read_i32_be(data, i)
    m.max_wait_ms = read_i32_be(data, i + 4)
    m.min_bytes = read_i32_be(data, i + 8)
    m.max_bytes = read_i32_be(data, i + 12)
    m.isolation_level = (data[i + 16] ^ 0x80) - 0x80
    n = read_i32_be(data, i + 17)
    i += 21
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchRequest.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 24 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.fetch_offset = read_i64_be(data, i + 4)
            s2.log_start_offset = read_i64_be(data, i + 12)
            s2.partition_max_bytes = read_i32_be(data, i + 20)
            found2.append(s2)
            i += 24
        found1.append(s1)
    return m, i


def _encode_5(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1):
        raise not_carried("FetchRequest.ReplicaState", version)
    if len(m.forgotten_topics_data) > 0:
        raise not_carried("FetchRequest.ForgottenTopicsData", version)
    write_i32_be(w, m.replica_id)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if s2.last_fetched_epoch != -1:
                raise not_carried("FetchRequest.Topics.Partitions.LastFetchedEpoch", version)
            write_i32_be(w, s2.partition)
            write_i64_be(w, s2.fetch_offset)
            write_i64_be(w, s2.log_start_offset)
            write_i32_be(w, s2.partition_max_bytes)


def _decode_7(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.replica_id = read_i32_be(data, i)
    m.max_wait_ms = read_i32_be(data, i + 4)
    m.min_bytes = read_i32_be(data, i + 8)
    m.max_bytes = read_i32_be(data, i + 12)
    m.isolation_level = (data[i + 16] ^ 0x80) - 0x80
    m.session_id = read_i32_be(data, i + 17)
    m.session_epoch = read_i32_be(data, i + 21)
    n = read_i32_be(data, i + 25)
    i += 29
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchRequest.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 24 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.fetch_offset = read_i64_be(data, i + 4)
            s2.log_start_offset = read_i64_be(data, i + 12)
            s2.partition_max_bytes = read_i32_be(data, i + 20)
            found2.append(s2)
            i += 24
        found1.append(s1)
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchRequest.ForgottenTopicsData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.ForgottenTopicsData", 1000000)
    count3 = n
    found3: list[ForgottenTopic] = []
    m.forgotten_topics_data = found3
    for _ in range(count3):
        s3 = ForgottenTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchRequest.ForgottenTopicsData.Topic", n, size - i)
        s3.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("FetchRequest.ForgottenTopicsData.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.ForgottenTopicsData.Partitions", 1000000)
        end = i + n * 4
        s3.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        found3.append(s3)
    return m, i


def _encode_7(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1):
        raise not_carried("FetchRequest.ReplicaState", version)
    write_i32_be(w, m.replica_id)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    write_i32_be(w, m.session_id)
    write_i32_be(w, m.session_epoch)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if s2.last_fetched_epoch != -1:
                raise not_carried("FetchRequest.Topics.Partitions.LastFetchedEpoch", version)
            write_i32_be(w, s2.partition)
            write_i64_be(w, s2.fetch_offset)
            write_i64_be(w, s2.log_start_offset)
            write_i32_be(w, s2.partition_max_bytes)
    v4 = m.forgotten_topics_data
    write_i32_be(w, len(v4))
    for s3 in v4:
        v5 = s3.topic
        write_string(w, v5)
        v6 = s3.partitions
        write_i32_be(w, len(v6))
        for s4 in v6:
            write_i32_be(w, s4)


def _decode_9(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.replica_id = read_i32_be(data, i)
    m.max_wait_ms = read_i32_be(data, i + 4)
    m.min_bytes = read_i32_be(data, i + 8)
    m.max_bytes = read_i32_be(data, i + 12)
    m.isolation_level = (data[i + 16] ^ 0x80) - 0x80
    m.session_id = read_i32_be(data, i + 17)
    m.session_epoch = read_i32_be(data, i + 21)
    n = read_i32_be(data, i + 25)
    i += 29
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchRequest.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 28 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.fetch_offset = read_i64_be(data, i + 8)
            s2.log_start_offset = read_i64_be(data, i + 16)
            s2.partition_max_bytes = read_i32_be(data, i + 24)
            found2.append(s2)
            i += 28
        found1.append(s1)
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchRequest.ForgottenTopicsData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.ForgottenTopicsData", 1000000)
    count3 = n
    found3: list[ForgottenTopic] = []
    m.forgotten_topics_data = found3
    for _ in range(count3):
        s3 = ForgottenTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchRequest.ForgottenTopicsData.Topic", n, size - i)
        s3.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("FetchRequest.ForgottenTopicsData.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.ForgottenTopicsData.Partitions", 1000000)
        end = i + n * 4
        s3.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        found3.append(s3)
    return m, i


def _encode_9(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1):
        raise not_carried("FetchRequest.ReplicaState", version)
    write_i32_be(w, m.replica_id)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    write_i32_be(w, m.session_id)
    write_i32_be(w, m.session_epoch)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if s2.last_fetched_epoch != -1:
                raise not_carried("FetchRequest.Topics.Partitions.LastFetchedEpoch", version)
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.fetch_offset)
            write_i64_be(w, s2.log_start_offset)
            write_i32_be(w, s2.partition_max_bytes)
    v4 = m.forgotten_topics_data
    write_i32_be(w, len(v4))
    for s3 in v4:
        v5 = s3.topic
        write_string(w, v5)
        v6 = s3.partitions
        write_i32_be(w, len(v6))
        for s4 in v6:
            write_i32_be(w, s4)


def _decode_11(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.replica_id = read_i32_be(data, i)
    m.max_wait_ms = read_i32_be(data, i + 4)
    m.min_bytes = read_i32_be(data, i + 8)
    m.max_bytes = read_i32_be(data, i + 12)
    m.isolation_level = (data[i + 16] ^ 0x80) - 0x80
    m.session_id = read_i32_be(data, i + 17)
    m.session_epoch = read_i32_be(data, i + 21)
    n = read_i32_be(data, i + 25)
    i += 29
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchRequest.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 28 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.fetch_offset = read_i64_be(data, i + 8)
            s2.log_start_offset = read_i64_be(data, i + 16)
            s2.partition_max_bytes = read_i32_be(data, i + 24)
            found2.append(s2)
            i += 28
        found1.append(s1)
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("FetchRequest.ForgottenTopicsData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.ForgottenTopicsData", 1000000)
    count3 = n
    found3: list[ForgottenTopic] = []
    m.forgotten_topics_data = found3
    for _ in range(count3):
        s3 = ForgottenTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FetchRequest.ForgottenTopicsData.Topic", n, size - i)
        s3.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("FetchRequest.ForgottenTopicsData.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.ForgottenTopicsData.Partitions", 1000000)
        end = i + n * 4
        s3.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        found3.append(s3)
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("FetchRequest.RackId", n, size - i)
    m.rack_id = data[i:end].decode()
    i = end
    return m, i


def _encode_11(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1):
        raise not_carried("FetchRequest.ReplicaState", version)
    write_i32_be(w, m.replica_id)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    write_i32_be(w, m.session_id)
    write_i32_be(w, m.session_epoch)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            if s2.last_fetched_epoch != -1:
                raise not_carried("FetchRequest.Topics.Partitions.LastFetchedEpoch", version)
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.fetch_offset)
            write_i64_be(w, s2.log_start_offset)
            write_i32_be(w, s2.partition_max_bytes)
    v4 = m.forgotten_topics_data
    write_i32_be(w, len(v4))
    for s3 in v4:
        v5 = s3.topic
        write_string(w, v5)
        v6 = s3.partitions
        write_i32_be(w, len(v6))
        for s4 in v6:
            write_i32_be(w, s4)
    v7 = m.rack_id
    write_string(w, v7)


def _decode_12(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.replica_id = read_i32_be(data, i)
    m.max_wait_ms = read_i32_be(data, i + 4)
    m.min_bytes = read_i32_be(data, i + 8)
    m.max_bytes = read_i32_be(data, i + 12)
    m.isolation_level = (data[i + 16] ^ 0x80) - 0x80
    m.session_id = read_i32_be(data, i + 17)
    m.session_epoch = read_i32_be(data, i + 21)
    n = data[i + 25]
    i += 26
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("FetchRequest.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 33 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.fetch_offset = read_i64_be(data, i + 8)
            s2.last_fetched_epoch = read_i32_be(data, i + 16)
            s2.log_start_offset = read_i64_be(data, i + 20)
            s2.partition_max_bytes = read_i32_be(data, i + 28)
            if data[i + 32] == 0:
                i += 33
            else:
                i = skip_tagged_fields(data, i + 32)
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
    if n < 0 or n * 3 > size - i:
        raise bad_count("FetchRequest.ForgottenTopicsData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.ForgottenTopicsData", 1000000)
    count3 = n
    found3: list[ForgottenTopic] = []
    m.forgotten_topics_data = found3
    for _ in range(count3):
        s3 = ForgottenTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("FetchRequest.ForgottenTopicsData.Topic", n, size - i)
        s3.topic = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("FetchRequest.ForgottenTopicsData.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.ForgottenTopicsData.Partitions", 1000000)
        end = i + n * 4
        s3.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found3.append(s3)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("FetchRequest.RackId", n, size - i)
    m.rack_id = data[i:end].decode()
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
                        raise bad_length("FetchRequest.ClusterId", n, size - i)
                    m.cluster_id = data[i:end].decode()
                    i = end
                if i != stop1:
                    raise bad_tag_size("FetchRequest.ClusterId")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_12(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1):
        raise not_carried("FetchRequest.ReplicaState", version)
    write_i32_be(w, m.replica_id)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    write_i32_be(w, m.session_id)
    write_i32_be(w, m.session_epoch)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.fetch_offset)
            write_i32_be(w, s2.last_fetched_epoch)
            write_i64_be(w, s2.log_start_offset)
            write_i32_be(w, s2.partition_max_bytes)
            w.append(0)
        w.append(0)
    v4 = m.forgotten_topics_data
    write_uvarint(w, len(v4) + 1)
    for s3 in v4:
        v5 = s3.topic
        write_compact_string(w, v5)
        v6 = s3.partitions
        write_uvarint(w, len(v6) + 1)
        for s4 in v6:
            write_i32_be(w, s4)
        w.append(0)
    v7 = m.rack_id
    write_compact_string(w, v7)
    t1 = m.cluster_id is not None
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            w1 = BytesWriter()
            v8 = m.cluster_id
            write_compact_nullable_string(w1, v8)
            write_tag(w, 0, w1)
    else:
        w.append(0)


def _decode_13(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.replica_id = read_i32_be(data, i)
    m.max_wait_ms = read_i32_be(data, i + 4)
    m.min_bytes = read_i32_be(data, i + 8)
    m.max_bytes = read_i32_be(data, i + 12)
    m.isolation_level = (data[i + 16] ^ 0x80) - 0x80
    m.session_id = read_i32_be(data, i + 17)
    m.session_epoch = read_i32_be(data, i + 21)
    n = data[i + 25]
    i += 26
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        end = i + 16
        if end > size:
            raise bad_length("FetchRequest.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 33 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.fetch_offset = read_i64_be(data, i + 8)
            s2.last_fetched_epoch = read_i32_be(data, i + 16)
            s2.log_start_offset = read_i64_be(data, i + 20)
            s2.partition_max_bytes = read_i32_be(data, i + 28)
            if data[i + 32] == 0:
                i += 33
            else:
                i = skip_tagged_fields(data, i + 32)
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
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchRequest.ForgottenTopicsData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.ForgottenTopicsData", 1000000)
    count3 = n
    found3: list[ForgottenTopic] = []
    m.forgotten_topics_data = found3
    for _ in range(count3):
        s3 = ForgottenTopic()
        end = i + 16
        if end > size:
            raise bad_length("FetchRequest.ForgottenTopicsData.TopicId", 16, size - i)
        s3.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("FetchRequest.ForgottenTopicsData.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.ForgottenTopicsData.Partitions", 1000000)
        end = i + n * 4
        s3.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found3.append(s3)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("FetchRequest.RackId", n, size - i)
    m.rack_id = data[i:end].decode()
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
                        raise bad_length("FetchRequest.ClusterId", n, size - i)
                    m.cluster_id = data[i:end].decode()
                    i = end
                if i != stop1:
                    raise bad_tag_size("FetchRequest.ClusterId")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_13(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1):
        raise not_carried("FetchRequest.ReplicaState", version)
    write_i32_be(w, m.replica_id)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    write_i32_be(w, m.session_id)
    write_i32_be(w, m.session_epoch)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.fetch_offset)
            write_i32_be(w, s2.last_fetched_epoch)
            write_i64_be(w, s2.log_start_offset)
            write_i32_be(w, s2.partition_max_bytes)
            w.append(0)
        w.append(0)
    v3 = m.forgotten_topics_data
    write_uvarint(w, len(v3) + 1)
    for s3 in v3:
        write_uuid(w, s3.topic_id)
        v4 = s3.partitions
        write_uvarint(w, len(v4) + 1)
        for s4 in v4:
            write_i32_be(w, s4)
        w.append(0)
    v5 = m.rack_id
    write_compact_string(w, v5)
    t1 = m.cluster_id is not None
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            w1 = BytesWriter()
            v6 = m.cluster_id
            write_compact_nullable_string(w1, v6)
            write_tag(w, 0, w1)
    else:
        w.append(0)


def _decode_15(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.max_wait_ms = read_i32_be(data, i)
    m.min_bytes = read_i32_be(data, i + 4)
    m.max_bytes = read_i32_be(data, i + 8)
    m.isolation_level = (data[i + 12] ^ 0x80) - 0x80
    m.session_id = read_i32_be(data, i + 13)
    m.session_epoch = read_i32_be(data, i + 17)
    n = data[i + 21]
    i += 22
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        end = i + 16
        if end > size:
            raise bad_length("FetchRequest.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 33 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.fetch_offset = read_i64_be(data, i + 8)
            s2.last_fetched_epoch = read_i32_be(data, i + 16)
            s2.log_start_offset = read_i64_be(data, i + 20)
            s2.partition_max_bytes = read_i32_be(data, i + 28)
            if data[i + 32] == 0:
                i += 33
            else:
                i = skip_tagged_fields(data, i + 32)
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
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchRequest.ForgottenTopicsData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.ForgottenTopicsData", 1000000)
    count3 = n
    found3: list[ForgottenTopic] = []
    m.forgotten_topics_data = found3
    for _ in range(count3):
        s3 = ForgottenTopic()
        end = i + 16
        if end > size:
            raise bad_length("FetchRequest.ForgottenTopicsData.TopicId", 16, size - i)
        s3.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("FetchRequest.ForgottenTopicsData.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.ForgottenTopicsData.Partitions", 1000000)
        end = i + n * 4
        s3.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found3.append(s3)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("FetchRequest.RackId", n, size - i)
    m.rack_id = data[i:end].decode()
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
                        raise bad_length("FetchRequest.ClusterId", n, size - i)
                    m.cluster_id = data[i:end].decode()
                    i = end
                if i != stop1:
                    raise bad_tag_size("FetchRequest.ClusterId")
            elif tag1 == 1:
                s4 = ReplicaState()
                s4.replica_id = read_i32_be(data, i)
                s4.replica_epoch = read_i64_be(data, i + 4)
                if data[i + 12] == 0:
                    i += 13
                else:
                    i = skip_tagged_fields(data, i + 12)
                m.replica_state = s4
                if i != stop1:
                    raise bad_tag_size("FetchRequest.ReplicaState")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_15(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if m.replica_id != -1:
        raise not_carried("FetchRequest.ReplicaId", version)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    write_i32_be(w, m.session_id)
    write_i32_be(w, m.session_epoch)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.fetch_offset)
            write_i32_be(w, s2.last_fetched_epoch)
            write_i64_be(w, s2.log_start_offset)
            write_i32_be(w, s2.partition_max_bytes)
            w.append(0)
        w.append(0)
    v3 = m.forgotten_topics_data
    write_uvarint(w, len(v3) + 1)
    for s3 in v3:
        write_uuid(w, s3.topic_id)
        v4 = s3.partitions
        write_uvarint(w, len(v4) + 1)
        for s4 in v4:
            write_i32_be(w, s4)
        w.append(0)
    v5 = m.rack_id
    write_compact_string(w, v5)
    t1 = m.cluster_id is not None
    t2 = (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1)
    if t1 or t2:
        write_uvarint(w, int(t1) + int(t2))
        if t1:
            w1 = BytesWriter()
            v6 = m.cluster_id
            write_compact_nullable_string(w1, v6)
            write_tag(w, 0, w1)
        if t2:
            w2 = BytesWriter()
            v7 = m.replica_state
            write_i32_be(w2, v7.replica_id)
            write_i64_be(w2, v7.replica_epoch)
            w2.append(0)
            write_tag(w, 1, w2)
    else:
        w.append(0)


def _decode_17(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.max_wait_ms = read_i32_be(data, i)
    m.min_bytes = read_i32_be(data, i + 4)
    m.max_bytes = read_i32_be(data, i + 8)
    m.isolation_level = (data[i + 12] ^ 0x80) - 0x80
    m.session_id = read_i32_be(data, i + 13)
    m.session_epoch = read_i32_be(data, i + 17)
    n = data[i + 21]
    i += 22
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        end = i + 16
        if end > size:
            raise bad_length("FetchRequest.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 33 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.fetch_offset = read_i64_be(data, i + 8)
            s2.last_fetched_epoch = read_i32_be(data, i + 16)
            s2.log_start_offset = read_i64_be(data, i + 20)
            s2.partition_max_bytes = read_i32_be(data, i + 28)
            n = data[i + 32]
            i += 33
            if n > 0:
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                check_tag_count(data, i, n)
                count3 = n
                tag1 = -1
                unknown1 = 0
                for _ in range(count3):
                    tag1, start1, stop1 = read_tag(data, i, tag1)
                    i = start1
                    if tag1 == 0:
                        end = i + 16
                        if end > size:
                            raise bad_length("FetchRequest.Topics.Partitions.ReplicaDirectoryId", 16, size - i)
                        s2.replica_directory_id = data[i:end]
                        i = end
                        if i != stop1:
                            raise bad_tag_size("FetchRequest.Topics.Partitions.ReplicaDirectoryId")
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
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchRequest.ForgottenTopicsData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.ForgottenTopicsData", 1000000)
    count4 = n
    found3: list[ForgottenTopic] = []
    m.forgotten_topics_data = found3
    for _ in range(count4):
        s3 = ForgottenTopic()
        end = i + 16
        if end > size:
            raise bad_length("FetchRequest.ForgottenTopicsData.TopicId", 16, size - i)
        s3.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("FetchRequest.ForgottenTopicsData.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.ForgottenTopicsData.Partitions", 1000000)
        end = i + n * 4
        s3.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found3.append(s3)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("FetchRequest.RackId", n, size - i)
    m.rack_id = data[i:end].decode()
    i = end
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
                if n == -1:
                    m.cluster_id = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("FetchRequest.ClusterId", n, size - i)
                    m.cluster_id = data[i:end].decode()
                    i = end
                if i != stop2:
                    raise bad_tag_size("FetchRequest.ClusterId")
            elif tag2 == 1:
                s4 = ReplicaState()
                s4.replica_id = read_i32_be(data, i)
                s4.replica_epoch = read_i64_be(data, i + 4)
                if data[i + 12] == 0:
                    i += 13
                else:
                    i = skip_tagged_fields(data, i + 12)
                m.replica_state = s4
                if i != stop2:
                    raise bad_tag_size("FetchRequest.ReplicaState")
            else:
                check_unknown_tag(tag2, stop2 - i, unknown2)
                unknown2 += 1
                i = stop2
    return m, i


def _encode_17(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if m.replica_id != -1:
        raise not_carried("FetchRequest.ReplicaId", version)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    write_i32_be(w, m.session_id)
    write_i32_be(w, m.session_epoch)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.fetch_offset)
            write_i32_be(w, s2.last_fetched_epoch)
            write_i64_be(w, s2.log_start_offset)
            write_i32_be(w, s2.partition_max_bytes)
            t1 = s2.replica_directory_id != ZERO_UUID
            if t1:
                write_uvarint(w, int(t1))
                if t1:
                    write_uvarint(w, 0)
                    w.append(16)
                    write_uuid(w, s2.replica_directory_id)
            else:
                w.append(0)
        w.append(0)
    v3 = m.forgotten_topics_data
    write_uvarint(w, len(v3) + 1)
    for s3 in v3:
        write_uuid(w, s3.topic_id)
        v4 = s3.partitions
        write_uvarint(w, len(v4) + 1)
        for s4 in v4:
            write_i32_be(w, s4)
        w.append(0)
    v5 = m.rack_id
    write_compact_string(w, v5)
    t2 = m.cluster_id is not None
    t3 = (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1)
    if t2 or t3:
        write_uvarint(w, int(t2) + int(t3))
        if t2:
            w1 = BytesWriter()
            v6 = m.cluster_id
            write_compact_nullable_string(w1, v6)
            write_tag(w, 0, w1)
        if t3:
            w2 = BytesWriter()
            v7 = m.replica_state
            write_i32_be(w2, v7.replica_id)
            write_i64_be(w2, v7.replica_epoch)
            w2.append(0)
            write_tag(w, 1, w2)
    else:
        w.append(0)


def _decode_18(data: bytes, i: i64) -> tuple[FetchRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = FetchRequest()
    m.max_wait_ms = read_i32_be(data, i)
    m.min_bytes = read_i32_be(data, i + 4)
    m.max_bytes = read_i32_be(data, i + 8)
    m.isolation_level = (data[i + 12] ^ 0x80) - 0x80
    m.session_id = read_i32_be(data, i + 13)
    m.session_epoch = read_i32_be(data, i + 17)
    n = data[i + 21]
    i += 22
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.Topics", 1000000)
    count1 = n
    found1: list[FetchTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = FetchTopic()
        end = i + 16
        if end > size:
            raise bad_length("FetchRequest.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 33 > size - i:
            raise bad_count("FetchRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.Topics.Partitions", 1000000)
        count2 = n
        found2: list[FetchPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = FetchPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.fetch_offset = read_i64_be(data, i + 8)
            s2.last_fetched_epoch = read_i32_be(data, i + 16)
            s2.log_start_offset = read_i64_be(data, i + 20)
            s2.partition_max_bytes = read_i32_be(data, i + 28)
            n = data[i + 32]
            i += 33
            if n > 0:
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                check_tag_count(data, i, n)
                count3 = n
                tag1 = -1
                unknown1 = 0
                for _ in range(count3):
                    tag1, start1, stop1 = read_tag(data, i, tag1)
                    i = start1
                    if tag1 == 0:
                        end = i + 16
                        if end > size:
                            raise bad_length("FetchRequest.Topics.Partitions.ReplicaDirectoryId", 16, size - i)
                        s2.replica_directory_id = data[i:end]
                        i = end
                        if i != stop1:
                            raise bad_tag_size("FetchRequest.Topics.Partitions.ReplicaDirectoryId")
                    elif tag1 == 1:
                        s2.high_watermark = read_i64_be(data, i)
                        i += 8
                        if i != stop1:
                            raise bad_tag_size("FetchRequest.Topics.Partitions.HighWatermark")
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
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("FetchRequest.ForgottenTopicsData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchRequest.ForgottenTopicsData", 1000000)
    count4 = n
    found3: list[ForgottenTopic] = []
    m.forgotten_topics_data = found3
    for _ in range(count4):
        s3 = ForgottenTopic()
        end = i + 16
        if end > size:
            raise bad_length("FetchRequest.ForgottenTopicsData.TopicId", 16, size - i)
        s3.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("FetchRequest.ForgottenTopicsData.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchRequest.ForgottenTopicsData.Partitions", 1000000)
        end = i + n * 4
        s3.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found3.append(s3)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("FetchRequest.RackId", n, size - i)
    m.rack_id = data[i:end].decode()
    i = end
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
                if n == -1:
                    m.cluster_id = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("FetchRequest.ClusterId", n, size - i)
                    m.cluster_id = data[i:end].decode()
                    i = end
                if i != stop2:
                    raise bad_tag_size("FetchRequest.ClusterId")
            elif tag2 == 1:
                s4 = ReplicaState()
                s4.replica_id = read_i32_be(data, i)
                s4.replica_epoch = read_i64_be(data, i + 4)
                if data[i + 12] == 0:
                    i += 13
                else:
                    i = skip_tagged_fields(data, i + 12)
                m.replica_state = s4
                if i != stop2:
                    raise bad_tag_size("FetchRequest.ReplicaState")
            else:
                check_unknown_tag(tag2, stop2 - i, unknown2)
                unknown2 += 1
                i = stop2
    return m, i


def _encode_18(m: FetchRequest, w: BytesWriter, version: int) -> None:
    if m.replica_id != -1:
        raise not_carried("FetchRequest.ReplicaId", version)
    write_i32_be(w, m.max_wait_ms)
    write_i32_be(w, m.min_bytes)
    write_i32_be(w, m.max_bytes)
    write_i8(w, m.isolation_level)
    write_i32_be(w, m.session_id)
    write_i32_be(w, m.session_epoch)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.fetch_offset)
            write_i32_be(w, s2.last_fetched_epoch)
            write_i64_be(w, s2.log_start_offset)
            write_i32_be(w, s2.partition_max_bytes)
            t1 = s2.replica_directory_id != ZERO_UUID
            t2 = s2.high_watermark != 9223372036854775807
            if t1 or t2:
                write_uvarint(w, int(t1) + int(t2))
                if t1:
                    write_uvarint(w, 0)
                    w.append(16)
                    write_uuid(w, s2.replica_directory_id)
                if t2:
                    write_uvarint(w, 1)
                    w.append(8)
                    write_i64_be(w, s2.high_watermark)
            else:
                w.append(0)
        w.append(0)
    v3 = m.forgotten_topics_data
    write_uvarint(w, len(v3) + 1)
    for s3 in v3:
        write_uuid(w, s3.topic_id)
        v4 = s3.partitions
        write_uvarint(w, len(v4) + 1)
        for s4 in v4:
            write_i32_be(w, s4)
        w.append(0)
    v5 = m.rack_id
    write_compact_string(w, v5)
    t3 = m.cluster_id is not None
    t4 = (m.replica_state.replica_id != -1 or m.replica_state.replica_epoch != -1)
    if t3 or t4:
        write_uvarint(w, int(t3) + int(t4))
        if t3:
            w1 = BytesWriter()
            v6 = m.cluster_id
            write_compact_nullable_string(w1, v6)
            write_tag(w, 0, w1)
        if t4:
            w2 = BytesWriter()
            v7 = m.replica_state
            write_i32_be(w2, v7.replica_id)
            write_i64_be(w2, v7.replica_epoch)
            w2.append(0)
            write_tag(w, 1, w2)
    else:
        w.append(0)
