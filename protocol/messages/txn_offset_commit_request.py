"""TxnOffsetCommitRequest, generated from TxnOffsetCommitRequest.json: do not edit, run `make generate`."""

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
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":28,"type":"request","listeners":["broker"],"name":"TxnOffsetCommitRequest","vali'
    'dVersions":"0-5","flexibleVersions":"3+","fields":[{"name":"TransactionalId","type":"strin'
    'g","versions":"0+","entityType":"transactionalId"},{"name":"GroupId","type":"string","vers'
    'ions":"0+","entityType":"groupId"},{"name":"ProducerId","type":"int64","versions":"0+","en'
    'tityType":"producerId"},{"name":"ProducerEpoch","type":"int16","versions":"0+"},{"name":"G'
    'enerationId","type":"int32","versions":"3+","default":"-1"},{"name":"MemberId","type":"str'
    'ing","versions":"3+","default":""},{"name":"GroupInstanceId","type":"string","versions":"3'
    '+","nullableVersions":"3+","default":"null"},{"name":"Topics","type":"[]TxnOffsetCommitReq'
    'uestTopic","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","entit'
    'yType":"topicName"},{"name":"Partitions","type":"[]TxnOffsetCommitRequestPartition","versi'
    'ons":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name":"Comm'
    'ittedOffset","type":"int64","versions":"0+"},{"name":"CommittedLeaderEpoch","type":"int32"'
    ',"versions":"2+","default":"-1","ignorable":true},{"name":"CommittedMetadata","type":"stri'
    'ng","versions":"0+","nullableVersions":"0+"}]}]}]}'
)


class TxnOffsetCommitRequestPartition(Struct):
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


class TxnOffsetCommitRequestTopic(Struct):
    """The topics with offsets to store."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[TxnOffsetCommitRequestPartition]  # The partitions with offsets to store.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[TxnOffsetCommitRequestPartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class TxnOffsetCommitRequest(Message):
    """Stores how far a group has read, to become visible only when the transaction commits."""

    __slots__ = (
        "transactional_id",
        "group_id",
        "producer_id",
        "producer_epoch",
        "generation_id",
        "member_id",
        "group_instance_id",
        "topics",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "transactional_id",
        "group_id",
        "producer_id",
        "producer_epoch",
        "generation_id",
        "member_id",
        "group_instance_id",
        "topics",
    )
    NAME: ClassVar[str] = "TxnOffsetCommitRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 28
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    transactional_id: str  # The transactional id of the producer.
    group_id: str  # Id of the group.
    producer_id: int  # Producer id that belongs to the transactional id.
    producer_epoch: int  # Epoch of the producer; a lower one than the coordinator knows is fenced.
    generation_id: int  # Generation of the group, or the member's epoch in a consumer group; -1 for no check.
    member_id: str  # Id of the group's member that read the records; empty for no check.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    topics: list[TxnOffsetCommitRequestTopic]  # The topics with offsets to store.

    def __init__(
        self,
        *,
        transactional_id: str = "",
        group_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        generation_id: int = -1,
        member_id: str = "",
        group_instance_id: str | None = None,
        topics: list[TxnOffsetCommitRequestTopic] = UNSET_LIST,
    ) -> None:
        self.transactional_id = transactional_id
        self.group_id = group_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> TxnOffsetCommitRequest:
        message, end = TxnOffsetCommitRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("TxnOffsetCommitRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[TxnOffsetCommitRequest, int]:
        try:
            if 3 <= version <= 5:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("TxnOffsetCommitRequest", version, len(data), error) from None
        raise no_version("TxnOffsetCommitRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 3 <= version <= 5:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("TxnOffsetCommitRequest", version, error) from error
        raise no_encoding("TxnOffsetCommitRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[TxnOffsetCommitRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = TxnOffsetCommitRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("TxnOffsetCommitRequest.TransactionalId", n, size - i)
    m.transactional_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("TxnOffsetCommitRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.producer_id = read_i64_be(data, i)
    m.producer_epoch = read_i16_be(data, i + 8)
    n = read_i32_be(data, i + 10)
    i += 14
    if n < 0 or n * 6 > size - i:
        raise bad_count("TxnOffsetCommitRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("TxnOffsetCommitRequest.Topics", 200000)
    count1 = n
    found1: list[TxnOffsetCommitRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TxnOffsetCommitRequestTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("TxnOffsetCommitRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 14 > size - i:
            raise bad_count("TxnOffsetCommitRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("TxnOffsetCommitRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[TxnOffsetCommitRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = TxnOffsetCommitRequestPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.committed_offset = read_i64_be(data, i + 4)
            n = read_i16_be(data, i + 12)
            i += 14
            if n == -1:
                s2.committed_metadata = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("TxnOffsetCommitRequest.Topics.Partitions.CommittedMetadata", n, size - i)
                s2.committed_metadata = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_0(m: TxnOffsetCommitRequest, w: BytesWriter, version: int) -> None:
    if m.generation_id != -1:
        raise not_carried("TxnOffsetCommitRequest.GenerationId", version)
    if m.member_id != "":
        raise not_carried("TxnOffsetCommitRequest.MemberId", version)
    if m.group_instance_id is not None:
        raise not_carried("TxnOffsetCommitRequest.GroupInstanceId", version)
    v1 = m.transactional_id
    write_string(w, v1)
    v2 = m.group_id
    write_string(w, v2)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
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


def _decode_2(data: bytes, i: i64) -> tuple[TxnOffsetCommitRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = TxnOffsetCommitRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("TxnOffsetCommitRequest.TransactionalId", n, size - i)
    m.transactional_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("TxnOffsetCommitRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.producer_id = read_i64_be(data, i)
    m.producer_epoch = read_i16_be(data, i + 8)
    n = read_i32_be(data, i + 10)
    i += 14
    if n < 0 or n * 6 > size - i:
        raise bad_count("TxnOffsetCommitRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("TxnOffsetCommitRequest.Topics", 200000)
    count1 = n
    found1: list[TxnOffsetCommitRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TxnOffsetCommitRequestTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("TxnOffsetCommitRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 18 > size - i:
            raise bad_count("TxnOffsetCommitRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("TxnOffsetCommitRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[TxnOffsetCommitRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = TxnOffsetCommitRequestPartition()
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
                    raise bad_length("TxnOffsetCommitRequest.Topics.Partitions.CommittedMetadata", n, size - i)
                s2.committed_metadata = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_2(m: TxnOffsetCommitRequest, w: BytesWriter, version: int) -> None:
    if m.generation_id != -1:
        raise not_carried("TxnOffsetCommitRequest.GenerationId", version)
    if m.member_id != "":
        raise not_carried("TxnOffsetCommitRequest.MemberId", version)
    if m.group_instance_id is not None:
        raise not_carried("TxnOffsetCommitRequest.GroupInstanceId", version)
    v1 = m.transactional_id
    write_string(w, v1)
    v2 = m.group_id
    write_string(w, v2)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
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


def _decode_3(data: bytes, i: i64) -> tuple[TxnOffsetCommitRequest, i64]:
    size: i64 = len(data)
    budget: int = 200000
    n: int
    end: i64
    m = TxnOffsetCommitRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("TxnOffsetCommitRequest.TransactionalId", n, size - i)
    m.transactional_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("TxnOffsetCommitRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.producer_id = read_i64_be(data, i)
    m.producer_epoch = read_i16_be(data, i + 8)
    m.generation_id = read_i32_be(data, i + 10)
    n = data[i + 14]
    i += 15
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("TxnOffsetCommitRequest.MemberId", n, size - i)
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
            raise bad_length("TxnOffsetCommitRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("TxnOffsetCommitRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("TxnOffsetCommitRequest.Topics", 200000)
    count1 = n
    found1: list[TxnOffsetCommitRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TxnOffsetCommitRequestTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("TxnOffsetCommitRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("TxnOffsetCommitRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("TxnOffsetCommitRequest.Topics.Partitions", 200000)
        count2 = n
        found2: list[TxnOffsetCommitRequestPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = TxnOffsetCommitRequestPartition()
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
                    raise bad_length("TxnOffsetCommitRequest.Topics.Partitions.CommittedMetadata", n, size - i)
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


def _encode_3(m: TxnOffsetCommitRequest, w: BytesWriter, version: int) -> None:
    v1 = m.transactional_id
    write_compact_string(w, v1)
    v2 = m.group_id
    write_compact_string(w, v2)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    write_i32_be(w, m.generation_id)
    v3 = m.member_id
    write_compact_string(w, v3)
    v4 = m.group_instance_id
    write_compact_nullable_string(w, v4)
    v5 = m.topics
    write_uvarint(w, len(v5) + 1)
    for s1 in v5:
        v6 = s1.name
        write_compact_string(w, v6)
        v7 = s1.partitions
        write_uvarint(w, len(v7) + 1)
        for s2 in v7:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.committed_offset)
            write_i32_be(w, s2.committed_leader_epoch)
            v8 = s2.committed_metadata
            write_compact_nullable_string(w, v8)
            w.append(0)
        w.append(0)
    w.append(0)
