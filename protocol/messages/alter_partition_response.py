"""AlterPartitionResponse, generated from AlterPartitionResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    ZERO_UUID,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_i8,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":56,"type":"response","name":"AlterPartitionResponse","validVersions":"2-3","flex'
    'ibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"na'
    'me":"ErrorCode","type":"int16","versions":"0+"},{"name":"Topics","type":"[]TopicData","ver'
    'sions":"0+","fields":[{"name":"TopicId","type":"uuid","versions":"2+","ignorable":true},{"'
    'name":"Partitions","type":"[]PartitionData","versions":"0+","fields":[{"name":"PartitionIn'
    'dex","type":"int32","versions":"0+"},{"name":"ErrorCode","type":"int16","versions":"0+"},{'
    '"name":"LeaderId","type":"int32","versions":"0+","entityType":"brokerId"},{"name":"LeaderE'
    'poch","type":"int32","versions":"0+"},{"name":"Isr","type":"[]int32","versions":"0+","enti'
    'tyType":"brokerId"},{"name":"LeaderRecoveryState","type":"int8","versions":"1+","default":'
    '"0","ignorable":true},{"name":"PartitionEpoch","type":"int32","versions":"0+"}]}]}]}'
)


class PartitionData(Struct):
    """One entry for each partition."""

    __slots__ = (
        "partition_index",
        "error_code",
        "leader_id",
        "leader_epoch",
        "isr",
        "leader_recovery_state",
        "partition_epoch",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "error_code",
        "leader_id",
        "leader_epoch",
        "isr",
        "leader_recovery_state",
        "partition_epoch",
    )
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why the partition did not change.
    leader_id: int  # Broker that leads it now, or -1.
    leader_epoch: int  # Leader epoch now.
    isr: list[int]  # The replicas that are in sync now.
    leader_recovery_state: int  # 1 while the leader recovers from an unclean election, else 0.
    partition_epoch: int  # Partition epoch now.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        isr: list[int] = UNSET_LIST,
        leader_recovery_state: int = 0,
        partition_epoch: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.isr = [] if isr is UNSET_LIST else isr
        self.leader_recovery_state = leader_recovery_state
        self.partition_epoch = partition_epoch


class TopicData(Struct):
    """One entry for each topic."""

    __slots__ = ("topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id", "partitions")
    topic_id: bytes  # Id of the topic.
    partitions: list[PartitionData]  # One entry for each partition.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class AlterPartitionResponse(Message):
    """How the partitions stand after the asked changes, or why they did not change."""

    __slots__ = ("throttle_time_ms", "error_code", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code", "topics")
    NAME: ClassVar[str] = "AlterPartitionResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 56
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the sender should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the whole request failed.
    topics: list[TopicData]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        topics: list[TopicData] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> AlterPartitionResponse:
        message, end = AlterPartitionResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterPartitionResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterPartitionResponse, int]:
        try:
            if 2 <= version <= 3:
                return _decode_2(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterPartitionResponse", version, len(data), error) from None
        raise no_version("AlterPartitionResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 2 <= version <= 3:
                return _encode_2(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AlterPartitionResponse", version, error) from error
        raise no_encoding("AlterPartitionResponse", version)


def _decode_2(data: bytes, i: i64) -> tuple[AlterPartitionResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AlterPartitionResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("AlterPartitionResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterPartitionResponse.Topics", 10000000)
    count1 = n
    found1: list[TopicData] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicData()
        end = i + 16
        if end > size:
            raise bad_length("AlterPartitionResponse.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 21 > size - i:
            raise bad_count("AlterPartitionResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterPartitionResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.leader_id = read_i32_be(data, i + 6)
            s2.leader_epoch = read_i32_be(data, i + 10)
            n = data[i + 14]
            i += 15
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("AlterPartitionResponse.Topics.Partitions.Isr", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("AlterPartitionResponse.Topics.Partitions.Isr", 10000000)
            end = i + n * 4
            s2.isr = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            s2.leader_recovery_state = (data[i] ^ 0x80) - 0x80
            s2.partition_epoch = read_i32_be(data, i + 1)
            if data[i + 5] == 0:
                i += 6
            else:
                i = skip_tagged_fields(data, i + 5)
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


def _encode_2(m: AlterPartitionResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.topic_id)
        v2 = s1.partitions
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)
            v3 = s2.isr
            write_uvarint(w, len(v3) + 1)
            for s3 in v3:
                write_i32_be(w, s3)
            write_i8(w, s2.leader_recovery_state)
            write_i32_be(w, s2.partition_epoch)
            w.append(0)
        w.append(0)
    w.append(0)
