"""ConsumerGroupPartitionMetadataValue, generated from ConsumerGroupPartitionMetadataValue.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

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
    write_compact_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":4,"type":"coordinator-value","name":"ConsumerGroupPartitionMetadataValue","valid'
    'Versions":"0","flexibleVersions":"0+","fields":[{"name":"Topics","type":"[]TopicMetadata",'
    '"versions":"0+","fields":[{"name":"TopicId","type":"uuid","versions":"0+"},{"name":"TopicN'
    'ame","type":"string","versions":"0+"},{"name":"NumPartitions","type":"int32","versions":"0'
    '+"},{"name":"PartitionMetadata","type":"[]PartitionMetadata","versions":"0+","fields":[{"n'
    'ame":"Partition","type":"int32","versions":"0+"},{"name":"Racks","type":"[]string","versio'
    'ns":"0+"}]}]}]}'
)


class PartitionMetadata(Struct):
    """Partitions whose racks are known; may be empty."""

    __slots__ = ("partition", "racks")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition", "racks")
    partition: int  # Number of the partition.
    racks: list[str]  # Where its replicas stand.

    def __init__(
        self,
        *,
        partition: int = 0,
        racks: list[str] = UNSET_LIST,
    ) -> None:
        self.partition = partition
        self.racks = [] if racks is UNSET_LIST else racks


class TopicMetadata(Struct):
    """One entry for each subscribed topic."""

    __slots__ = ("topic_id", "topic_name", "num_partitions", "partition_metadata")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "topic_id",
        "topic_name",
        "num_partitions",
        "partition_metadata",
    )
    topic_id: bytes  # Id of the topic.
    topic_name: str  # Name of the topic.
    num_partitions: int  # How many partitions the topic has.
    partition_metadata: list[PartitionMetadata]  # Partitions whose racks are known; may be empty.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        topic_name: str = "",
        num_partitions: int = 0,
        partition_metadata: list[PartitionMetadata] = UNSET_LIST,
    ) -> None:
        self.topic_id = topic_id
        self.topic_name = topic_name
        self.num_partitions = num_partitions
        self.partition_metadata = [] if partition_metadata is UNSET_LIST else partition_metadata


class ConsumerGroupPartitionMetadataValue(Message):
    """What a consumer group's topics looked like; replaced by the hash that stands beside the group's epoch."""

    __slots__ = ("topics",)
    FIELDS: ClassVar[tuple[str, ...]] = ("topics",)
    NAME: ClassVar[str] = "ConsumerGroupPartitionMetadataValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 4
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[TopicMetadata]  # One entry for each subscribed topic.

    def __init__(
        self,
        *,
        topics: list[TopicMetadata] = UNSET_LIST,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupPartitionMetadataValue:
        message, end = ConsumerGroupPartitionMetadataValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupPartitionMetadataValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupPartitionMetadataValue, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupPartitionMetadataValue", version, len(data), error) from None
        raise no_version("ConsumerGroupPartitionMetadataValue", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ConsumerGroupPartitionMetadataValue", version, error) from error
        raise no_encoding("ConsumerGroupPartitionMetadataValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupPartitionMetadataValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerGroupPartitionMetadataValue()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 23 > size - i:
        raise bad_count("ConsumerGroupPartitionMetadataValue.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerGroupPartitionMetadataValue.Topics", 10000000)
    count1 = n
    found1: list[TopicMetadata] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicMetadata()
        end = i + 16
        if end > size:
            raise bad_length("ConsumerGroupPartitionMetadataValue.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupPartitionMetadataValue.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        s1.num_partitions = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 6 > size - i:
            raise bad_count("ConsumerGroupPartitionMetadataValue.Topics.PartitionMetadata", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupPartitionMetadataValue.Topics.PartitionMetadata", 10000000)
        count2 = n
        found2: list[PartitionMetadata] = []
        s1.partition_metadata = found2
        for _ in range(count2):
            s2 = PartitionMetadata()
            s2.partition = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n > size - i:
                raise bad_count("ConsumerGroupPartitionMetadataValue.Topics.PartitionMetadata.Racks", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupPartitionMetadataValue.Topics.PartitionMetadata.Racks", 10000000)
            count3 = n
            found3: list[str] = []
            s2.racks = found3
            for _ in range(count3):
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("ConsumerGroupPartitionMetadataValue.Topics.PartitionMetadata.Racks", n, size - i)
                v1 = data[i:end].decode()
                i = end
                found3.append(v1)
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


def _encode_0(m: ConsumerGroupPartitionMetadataValue, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.topic_name
        write_compact_string(w, v2)
        write_i32_be(w, s1.num_partitions)
        v3 = s1.partition_metadata
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition)
            v4 = s2.racks
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                write_compact_string(w, s3)
            w.append(0)
        w.append(0)
    w.append(0)
