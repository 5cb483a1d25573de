"""VoteRequest, generated from VoteRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

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
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":52,"type":"request","listeners":["controller"],"name":"VoteRequest","validVersio'
    'ns":"0-2","flexibleVersions":"0+","fields":[{"name":"ClusterId","type":"string","versions"'
    ':"0+","nullableVersions":"0+","default":"null"},{"name":"VoterId","type":"int32","versions'
    '":"1+","ignorable":true,"default":"-1","entityType":"brokerId"},{"name":"Topics","type":"['
    ']TopicData","versions":"0+","fields":[{"name":"TopicName","type":"string","versions":"0+",'
    '"entityType":"topicName"},{"name":"Partitions","type":"[]PartitionData","versions":"0+","f'
    'ields":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name":"ReplicaEpoch","t'
    'ype":"int32","versions":"0+"},{"name":"ReplicaId","type":"int32","versions":"0+","entityTy'
    'pe":"brokerId"},{"name":"ReplicaDirectoryId","type":"uuid","versions":"1+","ignorable":tru'
    'e},{"name":"VoterDirectoryId","type":"uuid","versions":"1+","ignorable":true},{"name":"Las'
    'tOffsetEpoch","type":"int32","versions":"0+"},{"name":"LastOffset","type":"int64","version'
    's":"0+"},{"name":"PreVote","type":"bool","versions":"2+"}]}]}]}'
)


class PartitionData(Struct):
    """The partitions to be led."""

    __slots__ = (
        "partition_index",
        "replica_epoch",
        "replica_id",
        "replica_directory_id",
        "voter_directory_id",
        "last_offset_epoch",
        "last_offset",
        "pre_vote",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "replica_epoch",
        "replica_id",
        "replica_directory_id",
        "voter_directory_id",
        "last_offset_epoch",
        "last_offset",
        "pre_vote",
    )
    partition_index: int  # Number of the partition.
    replica_epoch: int  # Epoch of the election; in a pre-vote the epoch that the sender is in.
    replica_id: int  # Node id of the sender, who wants to lead.
    replica_directory_id: bytes  # Id of the directory that the sender keeps its log in.
    voter_directory_id: bytes  # Id of the directory that the asked voter is believed to keep its log in.
    last_offset_epoch: int  # Epoch of the last record in the sender's log.
    last_offset: int  # End of the sender's log: the offset after its last record.
    pre_vote: bool  # Whether this only asks what the vote would be, so that nobody's epoch grows.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        replica_epoch: int = 0,
        replica_id: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
        voter_directory_id: bytes = ZERO_UUID,
        last_offset_epoch: int = 0,
        last_offset: int = 0,
        pre_vote: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.replica_epoch = replica_epoch
        self.replica_id = replica_id
        self.replica_directory_id = replica_directory_id
        self.voter_directory_id = voter_directory_id
        self.last_offset_epoch = last_offset_epoch
        self.last_offset = last_offset
        self.pre_vote = pre_vote


class TopicData(Struct):
    """The logs to be led; only the metadata log has voters."""

    __slots__ = ("topic_name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_name", "partitions")
    topic_name: str  # Name of the topic.
    partitions: list[PartitionData]  # The partitions to be led.

    def __init__(
        self,
        *,
        topic_name: str = "",
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_name = topic_name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class VoteRequest(Message):
    """Asks a voter to elect the sender, or only whether it would."""

    __slots__ = ("cluster_id", "voter_id", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("cluster_id", "voter_id", "topics")
    NAME: ClassVar[str] = "VoteRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 52
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    cluster_id: str | None  # Id of the sender's cluster, or null when it does not say.
    voter_id: int  # Node id of the voter that is asked, or -1.
    topics: list[TopicData]  # The logs to be led; only the metadata log has voters.

    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        voter_id: int = -1,
        topics: list[TopicData] = UNSET_LIST,
    ) -> None:
        self.cluster_id = cluster_id
        self.voter_id = voter_id
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> VoteRequest:
        message, end = VoteRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("VoteRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[VoteRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("VoteRequest", version, len(data), error) from None
        raise no_version("VoteRequest", version)

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
            raise no_encoding("VoteRequest", version, error) from error
        raise no_encoding("VoteRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[VoteRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = VoteRequest()
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
            raise bad_length("VoteRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("VoteRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("VoteRequest.Topics", 100000)
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
            raise bad_length("VoteRequest.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 25 > size - i:
            raise bad_count("VoteRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("VoteRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.replica_epoch = read_i32_be(data, i + 4)
            s2.replica_id = read_i32_be(data, i + 8)
            s2.last_offset_epoch = read_i32_be(data, i + 12)
            s2.last_offset = read_i64_be(data, i + 16)
            if data[i + 24] == 0:
                i += 25
            else:
                i = skip_tagged_fields(data, i + 24)
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


def _encode_0(m: VoteRequest, w: BytesWriter, version: int) -> None:
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
            if s2.pre_vote:
                raise not_carried("VoteRequest.Topics.Partitions.PreVote", version)
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.replica_epoch)
            write_i32_be(w, s2.replica_id)
            write_i32_be(w, s2.last_offset_epoch)
            write_i64_be(w, s2.last_offset)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[VoteRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = VoteRequest()
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
            raise bad_length("VoteRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.voter_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("VoteRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("VoteRequest.Topics", 100000)
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
            raise bad_length("VoteRequest.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 57 > size - i:
            raise bad_count("VoteRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("VoteRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.replica_epoch = read_i32_be(data, i + 4)
            s2.replica_id = read_i32_be(data, i + 8)
            i += 12
            end = i + 16
            if end > size:
                raise bad_length("VoteRequest.Topics.Partitions.ReplicaDirectoryId", 16, size - i)
            s2.replica_directory_id = data[i:end]
            i = end
            end = i + 16
            if end > size:
                raise bad_length("VoteRequest.Topics.Partitions.VoterDirectoryId", 16, size - i)
            s2.voter_directory_id = data[i:end]
            i = end
            s2.last_offset_epoch = read_i32_be(data, i)
            s2.last_offset = read_i64_be(data, i + 4)
            if data[i + 12] == 0:
                i += 13
            else:
                i = skip_tagged_fields(data, i + 12)
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


def _encode_1(m: VoteRequest, w: BytesWriter, version: int) -> None:
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
            if s2.pre_vote:
                raise not_carried("VoteRequest.Topics.Partitions.PreVote", version)
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.replica_epoch)
            write_i32_be(w, s2.replica_id)
            write_uuid(w, s2.replica_directory_id)
            write_uuid(w, s2.voter_directory_id)
            write_i32_be(w, s2.last_offset_epoch)
            write_i64_be(w, s2.last_offset)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[VoteRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = VoteRequest()
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
            raise bad_length("VoteRequest.ClusterId", n, size - i)
        m.cluster_id = data[i:end].decode()
        i = end
    m.voter_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("VoteRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("VoteRequest.Topics", 100000)
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
            raise bad_length("VoteRequest.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 58 > size - i:
            raise bad_count("VoteRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("VoteRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.replica_epoch = read_i32_be(data, i + 4)
            s2.replica_id = read_i32_be(data, i + 8)
            i += 12
            end = i + 16
            if end > size:
                raise bad_length("VoteRequest.Topics.Partitions.ReplicaDirectoryId", 16, size - i)
            s2.replica_directory_id = data[i:end]
            i = end
            end = i + 16
            if end > size:
                raise bad_length("VoteRequest.Topics.Partitions.VoterDirectoryId", 16, size - i)
            s2.voter_directory_id = data[i:end]
            i = end
            s2.last_offset_epoch = read_i32_be(data, i)
            s2.last_offset = read_i64_be(data, i + 4)
            s2.pre_vote = data[i + 12] != 0
            if data[i + 13] == 0:
                i += 14
            else:
                i = skip_tagged_fields(data, i + 13)
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


def _encode_2(m: VoteRequest, w: BytesWriter, version: int) -> None:
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
            write_i32_be(w, s2.replica_epoch)
            write_i32_be(w, s2.replica_id)
            write_uuid(w, s2.replica_directory_id)
            write_uuid(w, s2.voter_directory_id)
            write_i32_be(w, s2.last_offset_epoch)
            write_i64_be(w, s2.last_offset)
            w.append(1 if s2.pre_vote else 0)
            w.append(0)
        w.append(0)
    w.append(0)
