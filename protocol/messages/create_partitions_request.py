"""CreatePartitionsRequest, generated from CreatePartitionsRequest.json: do not edit, run `make generate`."""

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
    '{"apiKey":37,"type":"request","listeners":["broker","controller"],"name":"CreatePartitions'
    'Request","validVersions":"0-3","flexibleVersions":"2+","fields":[{"name":"Topics","type":"'
    '[]CreatePartitionsTopic","versions":"0+","fields":[{"name":"Name","type":"string","version'
    's":"0+","mapKey":true,"entityType":"topicName"},{"name":"Count","type":"int32","versions":'
    '"0+"},{"name":"Assignments","type":"[]CreatePartitionsAssignment","versions":"0+","nullabl'
    'eVersions":"0+","fields":[{"name":"BrokerIds","type":"[]int32","versions":"0+","entityType'
    '":"brokerId"}]}]},{"name":"TimeoutMs","type":"int32","versions":"0+"},{"name":"ValidateOnl'
    'y","type":"bool","versions":"0+"}]}'
)


class CreatePartitionsAssignment(Struct):
    """Which brokers hold the new ones; null leaves it to the controller."""

    __slots__ = ("broker_ids",)
    FIELDS: ClassVar[tuple[str, ...]] = ("broker_ids",)
    broker_ids: list[int]  # Brokers that hold the partition, the preferred leader first.

    def __init__(
        self,
        *,
        broker_ids: list[int] = UNSET_LIST,
    ) -> None:
        self.broker_ids = [] if broker_ids is UNSET_LIST else broker_ids


class CreatePartitionsTopic(Struct):
    """The topics to enlarge."""

    __slots__ = ("name", "count", "assignments")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "count", "assignments")
    name: str  # Name of the topic.
    count: int  # How many partitions it shall have in all.
    assignments: list[CreatePartitionsAssignment] | None  # Which brokers hold the new ones; null leaves it to the controller.

    def __init__(
        self,
        *,
        name: str = "",
        count: int = 0,
        assignments: list[CreatePartitionsAssignment] | None = UNSET_LIST,
    ) -> None:
        self.name = name
        self.count = count
        self.assignments = [] if assignments is UNSET_LIST else assignments


class CreatePartitionsRequest(Message):
    """Gives topics more partitions."""

    __slots__ = ("topics", "timeout_ms", "validate_only")
    FIELDS: ClassVar[tuple[str, ...]] = ("topics", "timeout_ms", "validate_only")
    NAME: ClassVar[str] = "CreatePartitionsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 37
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 3
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[CreatePartitionsTopic]  # The topics to enlarge.
    timeout_ms: int  # How long to wait until the partitions are there, in ms.
    validate_only: bool  # Whether to check the request without doing it.

    def __init__(
        self,
        *,
        topics: list[CreatePartitionsTopic] = UNSET_LIST,
        timeout_ms: int = 0,
        validate_only: bool = False,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics
        self.timeout_ms = timeout_ms
        self.validate_only = validate_only

    @staticmethod
    def decode(data: bytes, version: int) -> CreatePartitionsRequest:
        message, end = CreatePartitionsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("CreatePartitionsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[CreatePartitionsRequest, int]:
        try:
            if 2 <= version <= 3:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("CreatePartitionsRequest", version, len(data), error) from None
        raise no_version("CreatePartitionsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 2 <= version <= 3:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("CreatePartitionsRequest", version, error) from error
        raise no_encoding("CreatePartitionsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[CreatePartitionsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = CreatePartitionsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 10 > size - i:
        raise bad_count("CreatePartitionsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreatePartitionsRequest.Topics", 100000)
    count1 = n
    found1: list[CreatePartitionsTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = CreatePartitionsTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("CreatePartitionsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.count = read_i32_be(data, i)
        n = read_i32_be(data, i + 4)
        i += 8
        if n == -1:
            s1.assignments = None
        else:
            if n < 0 or n * 4 > size - i:
                raise bad_count("CreatePartitionsRequest.Topics.Assignments", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("CreatePartitionsRequest.Topics.Assignments", 100000)
            count2 = n
            found2: list[CreatePartitionsAssignment] = []
            s1.assignments = found2
            for _ in range(count2):
                s2 = CreatePartitionsAssignment()
                n = read_i32_be(data, i)
                i += 4
                if n < 0 or n * 4 > size - i:
                    raise bad_count("CreatePartitionsRequest.Topics.Assignments.BrokerIds", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("CreatePartitionsRequest.Topics.Assignments.BrokerIds", 100000)
                end = i + n * 4
                s2.broker_ids = [read_i32_be(data, j) for j in range(i, end, 4)]
                i = end
                found2.append(s2)
        found1.append(s1)
    m.timeout_ms = read_i32_be(data, i)
    m.validate_only = data[i + 4] != 0
    i += 5
    return m, i


def _encode_0(m: CreatePartitionsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        write_i32_be(w, s1.count)
        v3 = s1.assignments
        if v3 is None:
            write_i32_be(w, -1)
        else:
            write_i32_be(w, len(v3))
            for s2 in v3:
                v4 = s2.broker_ids
                write_i32_be(w, len(v4))
                for s3 in v4:
                    write_i32_be(w, s3)
    write_i32_be(w, m.timeout_ms)
    w.append(1 if m.validate_only else 0)


def _decode_2(data: bytes, i: i64) -> tuple[CreatePartitionsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = CreatePartitionsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("CreatePartitionsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreatePartitionsRequest.Topics", 100000)
    count1 = n
    found1: list[CreatePartitionsTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = CreatePartitionsTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("CreatePartitionsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.count = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.assignments = None
        else:
            if n < 0 or n * 2 > size - i:
                raise bad_count("CreatePartitionsRequest.Topics.Assignments", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("CreatePartitionsRequest.Topics.Assignments", 100000)
            count2 = n
            found2: list[CreatePartitionsAssignment] = []
            s1.assignments = found2
            for _ in range(count2):
                s2 = CreatePartitionsAssignment()
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 4 > size - i:
                    raise bad_count("CreatePartitionsRequest.Topics.Assignments.BrokerIds", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("CreatePartitionsRequest.Topics.Assignments.BrokerIds", 100000)
                end = i + n * 4
                s2.broker_ids = [read_i32_be(data, j) for j in range(i, end, 4)]
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
    m.timeout_ms = read_i32_be(data, i)
    m.validate_only = data[i + 4] != 0
    if data[i + 5] == 0:
        i += 6
    else:
        i = skip_tagged_fields(data, i + 5)
    return m, i


def _encode_2(m: CreatePartitionsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        write_i32_be(w, s1.count)
        v3 = s1.assignments
        if v3 is None:
            w.append(0)
        else:
            write_uvarint(w, len(v3) + 1)
            for s2 in v3:
                v4 = s2.broker_ids
                write_uvarint(w, len(v4) + 1)
                for s3 in v4:
                    write_i32_be(w, s3)
                w.append(0)
        w.append(0)
    write_i32_be(w, m.timeout_ms)
    w.append(1 if m.validate_only else 0)
    w.append(0)
