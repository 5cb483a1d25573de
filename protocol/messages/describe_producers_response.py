"""DescribeProducersResponse, generated from DescribeProducersResponse.json: do not edit, run `make generate`."""

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
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":61,"type":"response","name":"DescribeProducersResponse","validVersions":"0","fle'
    'xibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"n'
    'ame":"Topics","type":"[]TopicResponse","versions":"0+","fields":[{"name":"Name","type":"st'
    'ring","versions":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]PartitionRe'
    'sponse","versions":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0+"}'
    ',{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string'
    '","versions":"0+","nullableVersions":"0+","default":"null"},{"name":"ActiveProducers","typ'
    'e":"[]ProducerState","versions":"0+","fields":[{"name":"ProducerId","type":"int64","versio'
    'ns":"0+","entityType":"producerId"},{"name":"ProducerEpoch","type":"int32","versions":"0+"'
    '},{"name":"LastSequence","type":"int32","versions":"0+","default":"-1"},{"name":"LastTimes'
    'tamp","type":"int64","versions":"0+","default":"-1"},{"name":"CoordinatorEpoch","type":"in'
    't32","versions":"0+"},{"name":"CurrentTxnStartOffset","type":"int64","versions":"0+","defa'
    'ult":"-1"}]}]}]}]}'
)


class ProducerState(Struct):
    """The producers that the partition remembers."""

    __slots__ = (
        "producer_id",
        "producer_epoch",
        "last_sequence",
        "last_timestamp",
        "coordinator_epoch",
        "current_txn_start_offset",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "producer_id",
        "producer_epoch",
        "last_sequence",
        "last_timestamp",
        "coordinator_epoch",
        "current_txn_start_offset",
    )
    producer_id: int  # Id of the producer.
    producer_epoch: int  # Newest epoch of the producer that the partition has seen.
    last_sequence: int  # Sequence number of the producer's last record here, or -1 if none is known.
    last_timestamp: int  # Time of the producer's last batch or marker here, in ms since 1970, or -1.
    coordinator_epoch: int  # Epoch of the coordinator that ended the producer's last transaction here, or -1.
    current_txn_start_offset: int  # First offset of the transaction that the producer has open here, or -1 for none.

    def __init__(
        self,
        *,
        producer_id: int = 0,
        producer_epoch: int = 0,
        last_sequence: int = -1,
        last_timestamp: int = -1,
        coordinator_epoch: int = 0,
        current_txn_start_offset: int = -1,
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.last_sequence = last_sequence
        self.last_timestamp = last_timestamp
        self.coordinator_epoch = coordinator_epoch
        self.current_txn_start_offset = current_txn_start_offset


class PartitionResponse(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "error_code", "error_message", "active_producers")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "error_code",
        "error_message",
        "active_producers",
    )
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why the partition has no answer.
    error_message: str | None  # The reason in words, or null.
    active_producers: list[ProducerState]  # The producers that the partition remembers.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = None,
        active_producers: list[ProducerState] = UNSET_LIST,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message
        self.active_producers = [] if active_producers is UNSET_LIST else active_producers


class TopicResponse(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[PartitionResponse]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[PartitionResponse] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class DescribeProducersResponse(Message):
    """The producers that each partition remembers, and their open transactions."""

    __slots__ = ("throttle_time_ms", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "topics")
    NAME: ClassVar[str] = "DescribeProducersResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 61
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    topics: list[TopicResponse]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[TopicResponse] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeProducersResponse:
        message, end = DescribeProducersResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeProducersResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeProducersResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeProducersResponse", version, len(data), error) from None
        raise no_version("DescribeProducersResponse", version)

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
            raise no_encoding("DescribeProducersResponse", version, error) from error
        raise no_encoding("DescribeProducersResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeProducersResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeProducersResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("DescribeProducersResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeProducersResponse.Topics", 10000000)
    count1 = n
    found1: list[TopicResponse] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicResponse()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeProducersResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 9 > size - i:
            raise bad_count("DescribeProducersResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeProducersResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[PartitionResponse] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionResponse()
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
                    raise bad_length("DescribeProducersResponse.Topics.Partitions.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
                i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 37 > size - i:
                raise bad_count("DescribeProducersResponse.Topics.Partitions.ActiveProducers", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeProducersResponse.Topics.Partitions.ActiveProducers", 10000000)
            count3 = n
            found3: list[ProducerState] = []
            s2.active_producers = found3
            for _ in range(count3):
                s3 = ProducerState()
                s3.producer_id = read_i64_be(data, i)
                s3.producer_epoch = read_i32_be(data, i + 8)
                s3.last_sequence = read_i32_be(data, i + 12)
                s3.last_timestamp = read_i64_be(data, i + 16)
                s3.coordinator_epoch = read_i32_be(data, i + 24)
                s3.current_txn_start_offset = read_i64_be(data, i + 28)
                if data[i + 36] == 0:
                    i += 37
                else:
                    i = skip_tagged_fields(data, i + 36)
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
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: DescribeProducersResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            v4 = s2.error_message
            write_compact_nullable_string(w, v4)
            v5 = s2.active_producers
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i64_be(w, s3.producer_id)
                write_i32_be(w, s3.producer_epoch)
                write_i32_be(w, s3.last_sequence)
                write_i64_be(w, s3.last_timestamp)
                write_i32_be(w, s3.coordinator_epoch)
                write_i64_be(w, s3.current_txn_start_offset)
                w.append(0)
            w.append(0)
        w.append(0)
    w.append(0)
