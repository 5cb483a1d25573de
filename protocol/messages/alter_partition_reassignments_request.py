"""AlterPartitionReassignmentsRequest, generated from AlterPartitionReassignmentsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

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
    write_compact_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":45,"type":"request","listeners":["broker","controller"],"name":"AlterPartitionRe'
    'assignmentsRequest","validVersions":"0-1","flexibleVersions":"0+","fields":[{"name":"Timeo'
    'utMs","type":"int32","versions":"0+","default":"60000"},{"name":"AllowReplicationFactorCha'
    'nge","type":"bool","versions":"1+","default":"true"},{"name":"Topics","type":"[]Reassignab'
    'leTopic","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","entityT'
    'ype":"topicName"},{"name":"Partitions","type":"[]ReassignablePartition","versions":"0+","f'
    'ields":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name":"Replicas","type"'
    ':"[]int32","versions":"0+","nullableVersions":"0+","default":"null","entityType":"brokerId'
    '"}]}]}]}'
)


class ReassignablePartition(Struct):
    """The partitions to move."""

    __slots__ = ("partition_index", "replicas")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "replicas")
    partition_index: int  # Number of the partition.
    replicas: list[int] | None  # Brokers that shall hold it, the preferred leader first; null stops its move.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        replicas: list[int] | None = None,
    ) -> None:
        self.partition_index = partition_index
        self.replicas = replicas


class ReassignableTopic(Struct):
    """The topics to move."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[ReassignablePartition]  # The partitions to move.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[ReassignablePartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class AlterPartitionReassignmentsRequest(Message):
    """Moves partitions to other brokers, or stops a move."""

    __slots__ = ("timeout_ms", "allow_replication_factor_change", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("timeout_ms", "allow_replication_factor_change", "topics")
    NAME: ClassVar[str] = "AlterPartitionReassignmentsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 45
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    timeout_ms: int  # How long to wait until the moves have begun, in ms.
    allow_replication_factor_change: bool  # Whether a partition may get more or fewer replicas than it has.
    topics: list[ReassignableTopic]  # The topics to move.

    def __init__(
        self,
        *,
        timeout_ms: int = 60000,
        allow_replication_factor_change: bool = True,
        topics: list[ReassignableTopic] = UNSET_LIST,
    ) -> None:
        self.timeout_ms = timeout_ms
        self.allow_replication_factor_change = allow_replication_factor_change
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> AlterPartitionReassignmentsRequest:
        message, end = AlterPartitionReassignmentsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterPartitionReassignmentsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterPartitionReassignmentsRequest, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterPartitionReassignmentsRequest", version, len(data), error) from None
        raise no_version("AlterPartitionReassignmentsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AlterPartitionReassignmentsRequest", version, error) from error
        raise no_encoding("AlterPartitionReassignmentsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[AlterPartitionReassignmentsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterPartitionReassignmentsRequest()
    m.timeout_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AlterPartitionReassignmentsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterPartitionReassignmentsRequest.Topics", 100000)
    count1 = n
    found1: list[ReassignableTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ReassignableTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterPartitionReassignmentsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 6 > size - i:
            raise bad_count("AlterPartitionReassignmentsRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterPartitionReassignmentsRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[ReassignablePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ReassignablePartition()
            s2.partition_index = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.replicas = None
            else:
                if n < 0 or n * 4 > size - i:
                    raise bad_count("AlterPartitionReassignmentsRequest.Topics.Partitions.Replicas", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("AlterPartitionReassignmentsRequest.Topics.Partitions.Replicas", 100000)
                end = i + n * 4
                s2.replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
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


def _encode_0(m: AlterPartitionReassignmentsRequest, w: BytesWriter, version: int) -> None:
    if not m.allow_replication_factor_change:
        raise not_carried("AlterPartitionReassignmentsRequest.AllowReplicationFactorChange", version)
    write_i32_be(w, m.timeout_ms)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            v4 = s2.replicas
            if v4 is None:
                w.append(0)
            else:
                write_uvarint(w, len(v4) + 1)
                for s3 in v4:
                    write_i32_be(w, s3)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[AlterPartitionReassignmentsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterPartitionReassignmentsRequest()
    m.timeout_ms = read_i32_be(data, i)
    m.allow_replication_factor_change = data[i + 4] != 0
    n = data[i + 5]
    i += 6
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AlterPartitionReassignmentsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterPartitionReassignmentsRequest.Topics", 100000)
    count1 = n
    found1: list[ReassignableTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ReassignableTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterPartitionReassignmentsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 6 > size - i:
            raise bad_count("AlterPartitionReassignmentsRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterPartitionReassignmentsRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[ReassignablePartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ReassignablePartition()
            s2.partition_index = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.replicas = None
            else:
                if n < 0 or n * 4 > size - i:
                    raise bad_count("AlterPartitionReassignmentsRequest.Topics.Partitions.Replicas", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("AlterPartitionReassignmentsRequest.Topics.Partitions.Replicas", 100000)
                end = i + n * 4
                s2.replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
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


def _encode_1(m: AlterPartitionReassignmentsRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.timeout_ms)
    w.append(1 if m.allow_replication_factor_change else 0)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            v4 = s2.replicas
            if v4 is None:
                w.append(0)
            else:
                write_uvarint(w, len(v4) + 1)
                for s3 in v4:
                    write_i32_be(w, s3)
            w.append(0)
        w.append(0)
    w.append(0)
