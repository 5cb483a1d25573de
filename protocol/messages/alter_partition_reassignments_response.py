"""AlterPartitionReassignmentsResponse, generated from AlterPartitionReassignmentsResponse.json: do not edit, run `make generate`."""

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
    '{"apiKey":45,"type":"response","name":"AlterPartitionReassignmentsResponse","validVersions'
    '":"0-1","flexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","version'
    's":"0+"},{"name":"AllowReplicationFactorChange","type":"bool","versions":"1+","default":"t'
    'rue","ignorable":true},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorM'
    'essage","type":"string","versions":"0+","nullableVersions":"0+"},{"name":"Responses","type'
    '":"[]ReassignableTopicResponse","versions":"0+","fields":[{"name":"Name","type":"string","'
    'versions":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]ReassignablePartit'
    'ionResponse","versions":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":'
    '"0+"},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"s'
    'tring","versions":"0+","nullableVersions":"0+"}]}]}]}'
)


class ReassignablePartitionResponse(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "error_code", "error_message")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "error_code", "error_message")
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why its move has not begun or stopped.
    error_message: str | None  # The reason in words, or null.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.error_message = error_message


class ReassignableTopicResponse(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[ReassignablePartitionResponse]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[ReassignablePartitionResponse] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class AlterPartitionReassignmentsResponse(Message):
    """Whether the moves have begun or stopped."""

    __slots__ = (
        "throttle_time_ms",
        "allow_replication_factor_change",
        "error_code",
        "error_message",
        "responses",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "allow_replication_factor_change",
        "error_code",
        "error_message",
        "responses",
    )
    NAME: ClassVar[str] = "AlterPartitionReassignmentsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 45
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    allow_replication_factor_change: bool  # Whether a partition was allowed more or fewer replicas.
    error_code: int  # Zero, or why the whole request failed.
    error_message: str | None  # The reason in words, or null.
    responses: list[ReassignableTopicResponse]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        allow_replication_factor_change: bool = True,
        error_code: int = 0,
        error_message: str | None = "",
        responses: list[ReassignableTopicResponse] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.allow_replication_factor_change = allow_replication_factor_change
        self.error_code = error_code
        self.error_message = error_message
        self.responses = [] if responses is UNSET_LIST else responses

    @staticmethod
    def decode(data: bytes, version: int) -> AlterPartitionReassignmentsResponse:
        message, end = AlterPartitionReassignmentsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterPartitionReassignmentsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterPartitionReassignmentsResponse, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterPartitionReassignmentsResponse", version, len(data), error) from None
        raise no_version("AlterPartitionReassignmentsResponse", version)

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
            raise no_encoding("AlterPartitionReassignmentsResponse", version, error) from error
        raise no_encoding("AlterPartitionReassignmentsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[AlterPartitionReassignmentsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AlterPartitionReassignmentsResponse()
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
            raise bad_length("AlterPartitionReassignmentsResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AlterPartitionReassignmentsResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterPartitionReassignmentsResponse.Responses", 10000000)
    count1 = n
    found1: list[ReassignableTopicResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = ReassignableTopicResponse()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterPartitionReassignmentsResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 8 > size - i:
            raise bad_count("AlterPartitionReassignmentsResponse.Responses.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterPartitionReassignmentsResponse.Responses.Partitions", 10000000)
        count2 = n
        found2: list[ReassignablePartitionResponse] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ReassignablePartitionResponse()
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
                    raise bad_length("AlterPartitionReassignmentsResponse.Responses.Partitions.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
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


def _encode_0(m: AlterPartitionReassignmentsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.responses
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.partitions
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            v5 = s2.error_message
            write_compact_nullable_string(w, v5)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[AlterPartitionReassignmentsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AlterPartitionReassignmentsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.allow_replication_factor_change = data[i + 4] != 0
    m.error_code = read_i16_be(data, i + 5)
    n = data[i + 7]
    i += 8
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterPartitionReassignmentsResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AlterPartitionReassignmentsResponse.Responses", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterPartitionReassignmentsResponse.Responses", 10000000)
    count1 = n
    found1: list[ReassignableTopicResponse] = []
    m.responses = found1
    for _ in range(count1):
        s1 = ReassignableTopicResponse()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterPartitionReassignmentsResponse.Responses.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 8 > size - i:
            raise bad_count("AlterPartitionReassignmentsResponse.Responses.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AlterPartitionReassignmentsResponse.Responses.Partitions", 10000000)
        count2 = n
        found2: list[ReassignablePartitionResponse] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ReassignablePartitionResponse()
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
                    raise bad_length("AlterPartitionReassignmentsResponse.Responses.Partitions.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
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


def _encode_1(m: AlterPartitionReassignmentsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    w.append(1 if m.allow_replication_factor_change else 0)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.responses
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.partitions
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            v5 = s2.error_message
            write_compact_nullable_string(w, v5)
            w.append(0)
        w.append(0)
    w.append(0)
