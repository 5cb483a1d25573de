"""CreateTopicsRequest, generated from CreateTopicsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

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
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":19,"type":"request","listeners":["broker","controller"],"name":"CreateTopicsRequ'
    'est","validVersions":"2-7","flexibleVersions":"5+","fields":[{"name":"Topics","type":"[]Cr'
    'eatableTopic","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","ma'
    'pKey":true,"entityType":"topicName"},{"name":"NumPartitions","type":"int32","versions":"0+'
    '"},{"name":"ReplicationFactor","type":"int16","versions":"0+"},{"name":"Assignments","type'
    '":"[]CreatableReplicaAssignment","versions":"0+","fields":[{"name":"PartitionIndex","type"'
    ':"int32","versions":"0+","mapKey":true},{"name":"BrokerIds","type":"[]int32","versions":"0'
    '+","entityType":"brokerId"}]},{"name":"Configs","type":"[]CreatableTopicConfig","versions"'
    ':"0+","fields":[{"name":"Name","type":"string","versions":"0+","mapKey":true},{"name":"Val'
    'ue","type":"string","versions":"0+","nullableVersions":"0+"}]}]},{"name":"timeoutMs","type'
    '":"int32","versions":"0+","default":"60000"},{"name":"validateOnly","type":"bool","version'
    's":"1+","default":"false","ignorable":false}]}'
)


class CreatableReplicaAssignment(Struct):
    """Which brokers hold which partition; empty leaves it to the controller."""

    __slots__ = ("partition_index", "broker_ids")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "broker_ids")
    partition_index: int  # Number of the partition.
    broker_ids: list[int]  # Brokers that hold it, the preferred leader first.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        broker_ids: list[int] = UNSET_LIST,
    ) -> None:
        self.partition_index = partition_index
        self.broker_ids = [] if broker_ids is UNSET_LIST else broker_ids


class CreatableTopicConfig(Struct):
    """Settings of the topic that differ from the defaults."""

    __slots__ = ("name", "value")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "value")
    name: str  # Name of the setting.
    value: str | None  # Its value, or null for the default.

    def __init__(
        self,
        *,
        name: str = "",
        value: str | None = "",
    ) -> None:
        self.name = name
        self.value = value


class CreatableTopic(Struct):
    """The topics to make."""

    __slots__ = ("name", "num_partitions", "replication_factor", "assignments", "configs")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "name",
        "num_partitions",
        "replication_factor",
        "assignments",
        "configs",
    )
    name: str  # Name of the topic.
    num_partitions: int  # How many partitions; -1 for the broker's default or where they are assigned below.
    replication_factor: int  # How many replicas of each; -1 for the broker's default or where they are assigned below.
    assignments: list[CreatableReplicaAssignment]  # Which brokers hold which partition; empty leaves it to the controller.
    configs: list[CreatableTopicConfig]  # Settings of the topic that differ from the defaults.

    def __init__(
        self,
        *,
        name: str = "",
        num_partitions: int = 0,
        replication_factor: int = 0,
        assignments: list[CreatableReplicaAssignment] = UNSET_LIST,
        configs: list[CreatableTopicConfig] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.assignments = [] if assignments is UNSET_LIST else assignments
        self.configs = [] if configs is UNSET_LIST else configs


class CreateTopicsRequest(Message):
    """Makes topics."""

    __slots__ = ("topics", "timeout_ms", "validate_only")
    FIELDS: ClassVar[tuple[str, ...]] = ("topics", "timeout_ms", "validate_only")
    NAME: ClassVar[str] = "CreateTopicsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 19
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 7
    FLEXIBLE_SINCE: ClassVar[int | None] = 5
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[CreatableTopic]  # The topics to make.
    timeout_ms: int  # How long to wait until the topics are there, in ms.
    validate_only: bool  # Whether to check the request without doing it.

    def __init__(
        self,
        *,
        topics: list[CreatableTopic] = UNSET_LIST,
        timeout_ms: int = 60000,
        validate_only: bool = False,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only

    @staticmethod
    def decode(data: bytes, version: int) -> CreateTopicsRequest:
        message, end = CreateTopicsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("CreateTopicsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[CreateTopicsRequest, int]:
        try:
            if 5 <= version <= 7:
                return _decode_5(data, offset)
            if 2 <= version <= 4:
                return _decode_2(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("CreateTopicsRequest", version, len(data), error) from None
        raise no_version("CreateTopicsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 5 <= version <= 7:
                return _encode_5(self, writer, version)
            if 2 <= version <= 4:
                return _encode_2(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("CreateTopicsRequest", version, error) from error
        raise no_encoding("CreateTopicsRequest", version)


def _decode_2(data: bytes, i: i64) -> tuple[CreateTopicsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = CreateTopicsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 16 > size - i:
        raise bad_count("CreateTopicsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreateTopicsRequest.Topics", 100000)
    count1 = n
    found1: list[CreatableTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = CreatableTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("CreateTopicsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.num_partitions = read_i32_be(data, i)
        s1.replication_factor = read_i16_be(data, i + 4)
        n = read_i32_be(data, i + 6)
        i += 10
        if n < 0 or n * 8 > size - i:
            raise bad_count("CreateTopicsRequest.Topics.Assignments", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("CreateTopicsRequest.Topics.Assignments", 100000)
        count2 = n
        found2: list[CreatableReplicaAssignment] = []
        s1.assignments = found2
        for _ in range(count2):
            s2 = CreatableReplicaAssignment()
            s2.partition_index = read_i32_be(data, i)
            n = read_i32_be(data, i + 4)
            i += 8
            if n < 0 or n * 4 > size - i:
                raise bad_count("CreateTopicsRequest.Topics.Assignments.BrokerIds", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("CreateTopicsRequest.Topics.Assignments.BrokerIds", 100000)
            end = i + n * 4
            s2.broker_ids = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found2.append(s2)
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("CreateTopicsRequest.Topics.Configs", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("CreateTopicsRequest.Topics.Configs", 100000)
        count3 = n
        found3: list[CreatableTopicConfig] = []
        s1.configs = found3
        for _ in range(count3):
            s3 = CreatableTopicConfig()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("CreateTopicsRequest.Topics.Configs.Name", n, size - i)
            s3.name = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            if n == -1:
                s3.value = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("CreateTopicsRequest.Topics.Configs.Value", n, size - i)
                s3.value = data[i:end].decode()
                i = end
            found3.append(s3)
        found1.append(s1)
    m.timeout_ms = read_i32_be(data, i)
    m.validate_only = data[i + 4] != 0
    i += 5
    return m, i


def _encode_2(m: CreateTopicsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        write_i32_be(w, s1.num_partitions)
        write_i16_be(w, s1.replication_factor)
        v3 = s1.assignments
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            v4 = s2.broker_ids
            write_i32_be(w, len(v4))
            for s3 in v4:
                write_i32_be(w, s3)
        v5 = s1.configs
        write_i32_be(w, len(v5))
        for s4 in v5:
            v6 = s4.name
            write_string(w, v6)
            v7 = s4.value
            write_nullable_string(w, v7)
    write_i32_be(w, m.timeout_ms)
    w.append(1 if m.validate_only else 0)


def _decode_5(data: bytes, i: i64) -> tuple[CreateTopicsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = CreateTopicsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 10 > size - i:
        raise bad_count("CreateTopicsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreateTopicsRequest.Topics", 100000)
    count1 = n
    found1: list[CreatableTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = CreatableTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("CreateTopicsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.num_partitions = read_i32_be(data, i)
        s1.replication_factor = read_i16_be(data, i + 4)
        n = data[i + 6]
        i += 7
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 6 > size - i:
            raise bad_count("CreateTopicsRequest.Topics.Assignments", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("CreateTopicsRequest.Topics.Assignments", 100000)
        count2 = n
        found2: list[CreatableReplicaAssignment] = []
        s1.assignments = found2
        for _ in range(count2):
            s2 = CreatableReplicaAssignment()
            s2.partition_index = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("CreateTopicsRequest.Topics.Assignments.BrokerIds", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("CreateTopicsRequest.Topics.Assignments.BrokerIds", 100000)
            end = i + n * 4
            s2.broker_ids = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("CreateTopicsRequest.Topics.Configs", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("CreateTopicsRequest.Topics.Configs", 100000)
        count3 = n
        found3: list[CreatableTopicConfig] = []
        s1.configs = found3
        for _ in range(count3):
            s3 = CreatableTopicConfig()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("CreateTopicsRequest.Topics.Configs.Name", n, size - i)
            s3.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s3.value = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("CreateTopicsRequest.Topics.Configs.Value", n, size - i)
                s3.value = data[i:end].decode()
                i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found3.append(s3)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    m.timeout_ms = read_i32_be(data, i)
    m.validate_only = data[i + 4] != 0
    if data[i + 5] == 0:
        i += 6
    else:
        i = skip_tagged_fields(data, i + 5)
    return m, i


def _encode_5(m: CreateTopicsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        write_i32_be(w, s1.num_partitions)
        write_i16_be(w, s1.replication_factor)
        v3 = s1.assignments
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            v4 = s2.broker_ids
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                write_i32_be(w, s3)
            w.append(0)
        v5 = s1.configs
        write_uvarint(w, len(v5) + 1)
        for s4 in v5:
            v6 = s4.name
            write_compact_string(w, v6)
            v7 = s4.value
            write_compact_nullable_string(w, v7)
            w.append(0)
        w.append(0)
    write_i32_be(w, m.timeout_ms)
    w.append(1 if m.validate_only else 0)
    w.append(0)
