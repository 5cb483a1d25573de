"""OffsetForLeaderEpochRequest, generated from OffsetForLeaderEpochRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":23,"type":"request","listeners":["broker"],"name":"OffsetForLeaderEpochRequest",'
    '"validVersions":"2-4","flexibleVersions":"4+","fields":[{"name":"ReplicaId","type":"int32"'
    ',"versions":"3+","default":-2,"ignorable":true,"entityType":"brokerId"},{"name":"Topics","'
    'type":"[]OffsetForLeaderTopic","versions":"0+","fields":[{"name":"Topic","type":"string","'
    'versions":"0+","entityType":"topicName","mapKey":true},{"name":"Partitions","type":"[]Offs'
    'etForLeaderPartition","versions":"0+","fields":[{"name":"Partition","type":"int32","versio'
    'ns":"0+"},{"name":"CurrentLeaderEpoch","type":"int32","versions":"2+","default":"-1","igno'
    'rable":true},{"name":"LeaderEpoch","type":"int32","versions":"0+"}]}]}]}'
)


class OffsetForLeaderPartition(Struct):
    """The partitions to ask about."""

    __slots__ = ("partition", "current_leader_epoch", "leader_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition", "current_leader_epoch", "leader_epoch")
    partition: int  # Number of the partition.
    current_leader_epoch: int  # Leader epoch that the asker knows, or -1.
    leader_epoch: int  # The epoch whose end is wanted.

    def __init__(
        self,
        *,
        partition: int = 0,
        current_leader_epoch: int = -1,
        leader_epoch: int = 0,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.leader_epoch = leader_epoch


class OffsetForLeaderTopic(Struct):
    """The topics to ask about."""

    __slots__ = ("topic", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "partitions")
    topic: str  # Name of the topic.
    partitions: list[OffsetForLeaderPartition]  # The partitions to ask about.

    def __init__(
        self,
        *,
        topic: str = "",
        partitions: list[OffsetForLeaderPartition] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET_LIST else partitions


class OffsetForLeaderEpochRequest(Message):
    """Asks where the leader's log ends for an epoch, to find a truncated tail."""

    __slots__ = ("replica_id", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("replica_id", "topics")
    NAME: ClassVar[str] = "OffsetForLeaderEpochRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 23
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    replica_id: int  # Id of the follower that asks; -1 from a consumer, -2 when nobody said.
    topics: list[OffsetForLeaderTopic]  # The topics to ask about.

    def __init__(
        self,
        *,
        replica_id: int = -2,
        topics: list[OffsetForLeaderTopic] = UNSET_LIST,
    ) -> None:
        self.replica_id = replica_id
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> OffsetForLeaderEpochRequest:
        message, end = OffsetForLeaderEpochRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("OffsetForLeaderEpochRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[OffsetForLeaderEpochRequest, int]:
        try:
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("OffsetForLeaderEpochRequest", version, len(data), error) from None
        raise no_version("OffsetForLeaderEpochRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 4:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("OffsetForLeaderEpochRequest", version, error) from error
        raise no_encoding("OffsetForLeaderEpochRequest", version)


def _decode_2(data: bytes, i: i64) -> tuple[OffsetForLeaderEpochRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = OffsetForLeaderEpochRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetForLeaderEpochRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetForLeaderEpochRequest.Topics", 100000)
    count1 = n
    found1: list[OffsetForLeaderTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetForLeaderTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetForLeaderEpochRequest.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 12 > size - i:
            raise bad_count("OffsetForLeaderEpochRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetForLeaderEpochRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[OffsetForLeaderPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetForLeaderPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.leader_epoch = read_i32_be(data, i + 8)
            found2.append(s2)
            i += 12
        found1.append(s1)
    return m, i


def _encode_2(m: OffsetForLeaderEpochRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            write_i32_be(w, s2.leader_epoch)


def _decode_3(data: bytes, i: i64) -> tuple[OffsetForLeaderEpochRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = OffsetForLeaderEpochRequest()
    m.replica_id = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("OffsetForLeaderEpochRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetForLeaderEpochRequest.Topics", 100000)
    count1 = n
    found1: list[OffsetForLeaderTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetForLeaderTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("OffsetForLeaderEpochRequest.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 12 > size - i:
            raise bad_count("OffsetForLeaderEpochRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetForLeaderEpochRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[OffsetForLeaderPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetForLeaderPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.leader_epoch = read_i32_be(data, i + 8)
            found2.append(s2)
            i += 12
        found1.append(s1)
    return m, i


def _encode_3(m: OffsetForLeaderEpochRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.replica_id)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            write_i32_be(w, s2.leader_epoch)


def _decode_4(data: bytes, i: i64) -> tuple[OffsetForLeaderEpochRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = OffsetForLeaderEpochRequest()
    m.replica_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("OffsetForLeaderEpochRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("OffsetForLeaderEpochRequest.Topics", 100000)
    count1 = n
    found1: list[OffsetForLeaderTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OffsetForLeaderTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("OffsetForLeaderEpochRequest.Topics.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 13 > size - i:
            raise bad_count("OffsetForLeaderEpochRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("OffsetForLeaderEpochRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[OffsetForLeaderPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OffsetForLeaderPartition()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.leader_epoch = read_i32_be(data, i + 8)
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


def _encode_4(m: OffsetForLeaderEpochRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.replica_id)
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
            write_i32_be(w, s2.leader_epoch)
            w.append(0)
        w.append(0)
    w.append(0)
