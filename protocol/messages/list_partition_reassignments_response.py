"""ListPartitionReassignmentsResponse, generated from ListPartitionReassignmentsResponse.json: do not edit, run `make generate`."""

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
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":46,"type":"response","name":"ListPartitionReassignmentsResponse","validVersions"'
    ':"0","flexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":'
    '"0+"},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"s'
    'tring","versions":"0+","nullableVersions":"0+"},{"name":"Topics","type":"[]OngoingTopicRea'
    'ssignment","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","entit'
    'yType":"topicName"},{"name":"Partitions","type":"[]OngoingPartitionReassignment","versions'
    '":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name":"Replica'
    's","type":"[]int32","versions":"0+","entityType":"brokerId"},{"name":"AddingReplicas","typ'
    'e":"[]int32","versions":"0+","entityType":"brokerId"},{"name":"RemovingReplicas","type":"['
    ']int32","versions":"0+","entityType":"brokerId"}]}]}]}'
)


class OngoingPartitionReassignment(Struct):
    """One entry for each partition on the move."""

    __slots__ = ("partition_index", "replicas", "adding_replicas", "removing_replicas")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "replicas",
        "adding_replicas",
        "removing_replicas",
    )
    partition_index: int  # Number of the partition.
    replicas: list[int]  # All brokers that hold it for now.
    adding_replicas: list[int]  # Those of them that are on their way in.
    removing_replicas: list[int]  # Those of them that are on their way out.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        replicas: list[int] = UNSET_LIST,
        adding_replicas: list[int] = UNSET_LIST,
        removing_replicas: list[int] = UNSET_LIST,
    ) -> None:
        self.partition_index = partition_index
        self.replicas = [] if replicas is UNSET_LIST else replicas
        self.adding_replicas = [] if adding_replicas is UNSET_LIST else adding_replicas
        self.removing_replicas = [] if removing_replicas is UNSET_LIST else removing_replicas


class OngoingTopicReassignment(Struct):
    """One entry for each topic with a partition on the move."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[OngoingPartitionReassignment]  # One entry for each partition on the move.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[OngoingPartitionReassignment] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class ListPartitionReassignmentsResponse(Message):
    """The partitions that are moving, and from where to where."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "topics",
    )
    NAME: ClassVar[str] = "ListPartitionReassignmentsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 46
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why there is no list.
    error_message: str | None  # The reason in words, or null.
    topics: list[OngoingTopicReassignment]  # One entry for each topic with a partition on the move.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        topics: list[OngoingTopicReassignment] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> ListPartitionReassignmentsResponse:
        message, end = ListPartitionReassignmentsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ListPartitionReassignmentsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ListPartitionReassignmentsResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ListPartitionReassignmentsResponse", version, len(data), error) from None
        raise no_version("ListPartitionReassignmentsResponse", version)

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
            raise no_encoding("ListPartitionReassignmentsResponse", version, error) from error
        raise no_encoding("ListPartitionReassignmentsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[ListPartitionReassignmentsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListPartitionReassignmentsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListPartitionReassignmentsResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ListPartitionReassignmentsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListPartitionReassignmentsResponse.Topics", 10000000)
    count1 = n
    found1: list[OngoingTopicReassignment] = []
    m.topics = found1
    for _ in range(count1):
        s1 = OngoingTopicReassignment()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListPartitionReassignmentsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 8 > size - i:
            raise bad_count("ListPartitionReassignmentsResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListPartitionReassignmentsResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[OngoingPartitionReassignment] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = OngoingPartitionReassignment()
            s2.partition_index = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("ListPartitionReassignmentsResponse.Topics.Partitions.Replicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ListPartitionReassignmentsResponse.Topics.Partitions.Replicas", 10000000)
            end = i + n * 4
            s2.replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("ListPartitionReassignmentsResponse.Topics.Partitions.AddingReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ListPartitionReassignmentsResponse.Topics.Partitions.AddingReplicas", 10000000)
            end = i + n * 4
            s2.adding_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("ListPartitionReassignmentsResponse.Topics.Partitions.RemovingReplicas", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ListPartitionReassignmentsResponse.Topics.Partitions.RemovingReplicas", 10000000)
            end = i + n * 4
            s2.removing_replicas = [read_i32_be(data, j) for j in range(i, end, 4)]
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


def _encode_0(m: ListPartitionReassignmentsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.topics
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.partitions
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            write_i32_be(w, s2.partition_index)
            v5 = s2.replicas
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3)
            v6 = s2.adding_replicas
            write_uvarint(w, len(v6) + 1)
            for s4 in v6:
                write_i32_be(w, s4)
            v7 = s2.removing_replicas
            write_uvarint(w, len(v7) + 1)
            for s5 in v7:
                write_i32_be(w, s5)
            w.append(0)
        w.append(0)
    w.append(0)
