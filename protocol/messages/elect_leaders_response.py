"""ElectLeadersResponse, generated from ElectLeadersResponse.json: do not edit, run `make generate`."""

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
    not_carried,
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
    '{"apiKey":43,"type":"response","name":"ElectLeadersResponse","validVersions":"0-2","flexib'
    'leVersions":"2+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"name'
    '":"ErrorCode","type":"int16","versions":"1+","ignorable":false},{"name":"ReplicaElectionRe'
    'sults","type":"[]ReplicaElectionResult","versions":"0+","fields":[{"name":"Topic","type":"'
    'string","versions":"0+","entityType":"topicName"},{"name":"PartitionResult","type":"[]Part'
    'itionResult","versions":"0+","fields":[{"name":"PartitionId","type":"int32","versions":"0+'
    '"},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"stri'
    'ng","versions":"0+","nullableVersions":"0+"}]}]}]}'
)


class PartitionResult(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_id", "error_code", "error_message")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_id", "error_code", "error_message")
    partition_id: int  # Number of the partition.
    error_code: int  # Zero, or why no leader was chosen.
    error_message: str | None  # The reason in words, or null.

    def __init__(
        self,
        *,
        partition_id: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.partition_id = partition_id
        self.error_code = error_code
        self.error_message = error_message


class ReplicaElectionResult(Struct):
    """One entry for each topic."""

    __slots__ = ("topic", "partition_result")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "partition_result")
    topic: str  # Name of the topic.
    partition_result: list[PartitionResult]  # One entry for each partition.

    def __init__(
        self,
        *,
        topic: str = "",
        partition_result: list[PartitionResult] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.partition_result = [] if partition_result is UNSET_LIST else partition_result


class ElectLeadersResponse(Message):
    """Which partitions got a leader."""

    __slots__ = ("throttle_time_ms", "error_code", "replica_election_results")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "replica_election_results",
    )
    NAME: ClassVar[str] = "ElectLeadersResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 43
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the whole request failed.
    replica_election_results: list[ReplicaElectionResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        replica_election_results: list[ReplicaElectionResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.replica_election_results = [] if replica_election_results is UNSET_LIST else replica_election_results

    @staticmethod
    def decode(data: bytes, version: int) -> ElectLeadersResponse:
        message, end = ElectLeadersResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ElectLeadersResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ElectLeadersResponse, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ElectLeadersResponse", version, len(data), error) from None
        raise no_version("ElectLeadersResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ElectLeadersResponse", version, error) from error
        raise no_encoding("ElectLeadersResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[ElectLeadersResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ElectLeadersResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("ElectLeadersResponse.ReplicaElectionResults", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ElectLeadersResponse.ReplicaElectionResults", 10000000)
    count1 = n
    found1: list[ReplicaElectionResult] = []
    m.replica_election_results = found1
    for _ in range(count1):
        s1 = ReplicaElectionResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ElectLeadersResponse.ReplicaElectionResults.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 8 > size - i:
            raise bad_count("ElectLeadersResponse.ReplicaElectionResults.PartitionResult", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ElectLeadersResponse.ReplicaElectionResults.PartitionResult", 10000000)
        count2 = n
        found2: list[PartitionResult] = []
        s1.partition_result = found2
        for _ in range(count2):
            s2 = PartitionResult()
            s2.partition_id = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            n = read_i16_be(data, i + 6)
            i += 8
            if n == -1:
                s2.error_message = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("ElectLeadersResponse.ReplicaElectionResults.PartitionResult.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_0(m: ElectLeadersResponse, w: BytesWriter, version: int) -> None:
    if m.error_code != 0:
        raise not_carried("ElectLeadersResponse.ErrorCode", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.replica_election_results
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partition_result
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_id)
            write_i16_be(w, s2.error_code)
            v4 = s2.error_message
            write_nullable_string(w, v4)


def _decode_1(data: bytes, i: i64) -> tuple[ElectLeadersResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ElectLeadersResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = read_i32_be(data, i + 6)
    i += 10
    if n < 0 or n * 6 > size - i:
        raise bad_count("ElectLeadersResponse.ReplicaElectionResults", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ElectLeadersResponse.ReplicaElectionResults", 10000000)
    count1 = n
    found1: list[ReplicaElectionResult] = []
    m.replica_election_results = found1
    for _ in range(count1):
        s1 = ReplicaElectionResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ElectLeadersResponse.ReplicaElectionResults.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 8 > size - i:
            raise bad_count("ElectLeadersResponse.ReplicaElectionResults.PartitionResult", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ElectLeadersResponse.ReplicaElectionResults.PartitionResult", 10000000)
        count2 = n
        found2: list[PartitionResult] = []
        s1.partition_result = found2
        for _ in range(count2):
            s2 = PartitionResult()
            s2.partition_id = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            n = read_i16_be(data, i + 6)
            i += 8
            if n == -1:
                s2.error_message = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("ElectLeadersResponse.ReplicaElectionResults.PartitionResult.ErrorMessage", n, size - i)
                s2.error_message = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_1(m: ElectLeadersResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.replica_election_results
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.topic
        write_string(w, v2)
        v3 = s1.partition_result
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_id)
            write_i16_be(w, s2.error_code)
            v4 = s2.error_message
            write_nullable_string(w, v4)


def _decode_2(data: bytes, i: i64) -> tuple[ElectLeadersResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ElectLeadersResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ElectLeadersResponse.ReplicaElectionResults", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ElectLeadersResponse.ReplicaElectionResults", 10000000)
    count1 = n
    found1: list[ReplicaElectionResult] = []
    m.replica_election_results = found1
    for _ in range(count1):
        s1 = ReplicaElectionResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ElectLeadersResponse.ReplicaElectionResults.Topic", n, size - i)
        s1.topic = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 8 > size - i:
            raise bad_count("ElectLeadersResponse.ReplicaElectionResults.PartitionResult", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ElectLeadersResponse.ReplicaElectionResults.PartitionResult", 10000000)
        count2 = n
        found2: list[PartitionResult] = []
        s1.partition_result = found2
        for _ in range(count2):
            s2 = PartitionResult()
            s2.partition_id = read_i32_be(data, i)
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
                    raise bad_length("ElectLeadersResponse.ReplicaElectionResults.PartitionResult.ErrorMessage", n, size - i)
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


def _encode_2(m: ElectLeadersResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.replica_election_results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic
        write_compact_string(w, v2)
        v3 = s1.partition_result
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_id)
            write_i16_be(w, s2.error_code)
            v4 = s2.error_message
            write_compact_nullable_string(w, v4)
            w.append(0)
        w.append(0)
    w.append(0)
