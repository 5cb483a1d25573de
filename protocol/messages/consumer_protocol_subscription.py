"""ConsumerProtocolSubscription, generated from ConsumerProtocolSubscription.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    trailing,
    write_nullable_bytes,
    write_nullable_string,
    write_string,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"ConsumerProtocolSubscription","validVersions":"0-3","flexibleVersio'
    'ns":"none","fields":[{"name":"Topics","type":"[]string","versions":"0+"},{"name":"UserData'
    '","type":"bytes","versions":"0+","nullableVersions":"0+","default":"null","zeroCopy":true}'
    ',{"name":"OwnedPartitions","type":"[]TopicPartition","versions":"1+","ignorable":true,"fie'
    'lds":[{"name":"Topic","type":"string","versions":"1+","mapKey":true,"entityType":"topicNam'
    'e"},{"name":"Partitions","type":"[]int32","versions":"1+"}]},{"name":"GenerationId","type"'
    ':"int32","versions":"2+","default":"-1","ignorable":true},{"name":"RackId","type":"string"'
    ',"versions":"3+","nullableVersions":"3+","default":"null","ignorable":true}]}'
)


class TopicPartition(Struct):
    """The partitions that the consumer still holds, so that they need not change hands."""

    __slots__ = ("topic", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "partitions")
    topic: str  # Name of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic: str = "",
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET_LIST else partitions


class ConsumerProtocolSubscription(Message):
    """What a consumer tells the leader of its classic group when it joins: topics, and what it owns so far."""

    __slots__ = ("topics", "user_data", "owned_partitions", "generation_id", "rack_id")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "topics",
        "user_data",
        "owned_partitions",
        "generation_id",
        "rack_id",
    )
    NAME: ClassVar[str] = "ConsumerProtocolSubscription"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[str]  # Names of the topics that the consumer wants to read.
    user_data: bytes | None  # Whatever the consumer's assignor wants the leader's to know; null for nothing.
    owned_partitions: list[TopicPartition]  # The partitions that the consumer still holds, so that they need not change hands.
    generation_id: int  # Generation in which it got those partitions, or -1 if it has none.
    rack_id: str | None  # Where the consumer stands, for assignors that mind; null if it does not say.

    def __init__(
        self,
        *,
        topics: list[str] = UNSET_LIST,
        user_data: bytes | None = None,
        owned_partitions: list[TopicPartition] = UNSET_LIST,
        generation_id: int = -1,
        rack_id: str | None = None,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics
        self.user_data = user_data
        self.owned_partitions = [] if owned_partitions is UNSET_LIST else owned_partitions
        self.generation_id = generation_id
        self.rack_id = rack_id

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerProtocolSubscription:
        message, end = ConsumerProtocolSubscription.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerProtocolSubscription", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerProtocolSubscription, int]:
        try:
            if version == 3:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerProtocolSubscription", version, len(data), error) from None
        raise no_version("ConsumerProtocolSubscription", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 3:
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
            raise no_encoding("ConsumerProtocolSubscription", version, error) from error
        raise no_encoding("ConsumerProtocolSubscription", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerProtocolSubscription, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerProtocolSubscription()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 2 > size - i:
        raise bad_count("ConsumerProtocolSubscription.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerProtocolSubscription.Topics", 10000000)
    count1 = n
    found1: list[str] = []
    m.topics = found1
    for _ in range(count1):
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.Topics", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.user_data = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.UserData", n, size - i)
        m.user_data = data[i:end]
        i = end
    return m, i


def _encode_0(m: ConsumerProtocolSubscription, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_string(w, s1)
    v2 = m.user_data
    write_nullable_bytes(w, v2)


def _decode_1(data: bytes, i: i64) -> tuple[ConsumerProtocolSubscription, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerProtocolSubscription()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 2 > size - i:
        raise bad_count("ConsumerProtocolSubscription.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerProtocolSubscription.Topics", 10000000)
    count1 = n
    found1: list[str] = []
    m.topics = found1
    for _ in range(count1):
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.Topics", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.user_data = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.UserData", n, size - i)
        m.user_data = data[i:end]
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("ConsumerProtocolSubscription.OwnedPartitions", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerProtocolSubscription.OwnedPartitions", 10000000)
    count2 = n
    found2: list[TopicPartition] = []
    m.owned_partitions = found2
    for _ in range(count2):
        s1 = TopicPartition()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.OwnedPartitions.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("ConsumerProtocolSubscription.OwnedPartitions.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerProtocolSubscription.OwnedPartitions.Partitions", 10000000)
        end = i + n * 4
        s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        found2.append(s1)
    return m, i


def _encode_1(m: ConsumerProtocolSubscription, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_string(w, s1)
    v2 = m.user_data
    write_nullable_bytes(w, v2)
    v3 = m.owned_partitions
    write_i32_be(w, len(v3))
    for s2 in v3:
        v4 = s2.topic
        write_string(w, v4)
        v5 = s2.partitions
        write_i32_be(w, len(v5))
        for s3 in v5:
            write_i32_be(w, s3)


def _decode_2(data: bytes, i: i64) -> tuple[ConsumerProtocolSubscription, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerProtocolSubscription()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 2 > size - i:
        raise bad_count("ConsumerProtocolSubscription.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerProtocolSubscription.Topics", 10000000)
    count1 = n
    found1: list[str] = []
    m.topics = found1
    for _ in range(count1):
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.Topics", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.user_data = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.UserData", n, size - i)
        m.user_data = data[i:end]
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("ConsumerProtocolSubscription.OwnedPartitions", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerProtocolSubscription.OwnedPartitions", 10000000)
    count2 = n
    found2: list[TopicPartition] = []
    m.owned_partitions = found2
    for _ in range(count2):
        s1 = TopicPartition()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.OwnedPartitions.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("ConsumerProtocolSubscription.OwnedPartitions.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerProtocolSubscription.OwnedPartitions.Partitions", 10000000)
        end = i + n * 4
        s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        found2.append(s1)
    m.generation_id = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_2(m: ConsumerProtocolSubscription, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_string(w, s1)
    v2 = m.user_data
    write_nullable_bytes(w, v2)
    v3 = m.owned_partitions
    write_i32_be(w, len(v3))
    for s2 in v3:
        v4 = s2.topic
        write_string(w, v4)
        v5 = s2.partitions
        write_i32_be(w, len(v5))
        for s3 in v5:
            write_i32_be(w, s3)
    write_i32_be(w, m.generation_id)


def _decode_3(data: bytes, i: i64) -> tuple[ConsumerProtocolSubscription, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerProtocolSubscription()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 2 > size - i:
        raise bad_count("ConsumerProtocolSubscription.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerProtocolSubscription.Topics", 10000000)
    count1 = n
    found1: list[str] = []
    m.topics = found1
    for _ in range(count1):
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.Topics", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.user_data = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.UserData", n, size - i)
        m.user_data = data[i:end]
        i = end
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("ConsumerProtocolSubscription.OwnedPartitions", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerProtocolSubscription.OwnedPartitions", 10000000)
    count2 = n
    found2: list[TopicPartition] = []
    m.owned_partitions = found2
    for _ in range(count2):
        s1 = TopicPartition()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.OwnedPartitions.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("ConsumerProtocolSubscription.OwnedPartitions.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerProtocolSubscription.OwnedPartitions.Partitions", 10000000)
        end = i + n * 4
        s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        found2.append(s1)
    m.generation_id = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    if n == -1:
        m.rack_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ConsumerProtocolSubscription.RackId", n, size - i)
        m.rack_id = data[i:end].decode()
        i = end
    return m, i


def _encode_3(m: ConsumerProtocolSubscription, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_string(w, s1)
    v2 = m.user_data
    write_nullable_bytes(w, v2)
    v3 = m.owned_partitions
    write_i32_be(w, len(v3))
    for s2 in v3:
        v4 = s2.topic
        write_string(w, v4)
        v5 = s2.partitions
        write_i32_be(w, len(v5))
        for s3 in v5:
            write_i32_be(w, s3)
    write_i32_be(w, m.generation_id)
    v6 = m.rack_id
    write_nullable_string(w, v6)
