"""AddPartitionsToTxnResponse, generated from AddPartitionsToTxnResponse.json: do not edit, run `make generate`."""

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
    write_compact_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":24,"type":"response","name":"AddPartitionsToTxnResponse","validVersions":"0-5","'
    'flexibleVersions":"3+","commonStructs":[{"name":"AddPartitionsToTxnTopicResult","versions"'
    ':"0+","fields":[{"name":"Name","type":"string","versions":"0+","mapKey":true,"entityType":'
    '"topicName"},{"name":"ResultsByPartition","type":"[]AddPartitionsToTxnPartitionResult","ve'
    'rsions":"0+"}]},{"name":"AddPartitionsToTxnPartitionResult","versions":"0+","fields":[{"na'
    'me":"PartitionIndex","type":"int32","versions":"0+","mapKey":true},{"name":"PartitionError'
    'Code","type":"int16","versions":"0+"}]}],"fields":[{"name":"ThrottleTimeMs","type":"int32"'
    ',"versions":"0+"},{"name":"ErrorCode","type":"int16","versions":"4+","ignorable":true},{"n'
    'ame":"ResultsByTransaction","type":"[]AddPartitionsToTxnResult","versions":"4+","fields":['
    '{"name":"TransactionalId","type":"string","versions":"4+","mapKey":true,"entityType":"tran'
    'sactionalId"},{"name":"TopicResults","type":"[]AddPartitionsToTxnTopicResult","versions":"'
    '4+"}]},{"name":"ResultsByTopicV3AndBelow","type":"[]AddPartitionsToTxnTopicResult","versio'
    'ns":"0-3"}]}'
)


class AddPartitionsToTxnPartitionResult(Struct):
    """What became of one partition."""

    __slots__ = ("partition_index", "partition_error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "partition_error_code")
    partition_index: int  # Number of the partition.
    partition_error_code: int  # Zero, or why the partition is not in the transaction; 55 when only others were at fault.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        partition_error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.partition_error_code = partition_error_code


class AddPartitionsToTxnTopicResult(Struct):
    """What became of one topic."""

    __slots__ = ("name", "results_by_partition")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "results_by_partition")
    name: str  # Name of the topic.
    results_by_partition: list[AddPartitionsToTxnPartitionResult]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        results_by_partition: list[AddPartitionsToTxnPartitionResult] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.results_by_partition = [] if results_by_partition is UNSET_LIST else results_by_partition


class AddPartitionsToTxnResult(Struct):
    """One entry for each transaction."""

    __slots__ = ("transactional_id", "topic_results")
    FIELDS: ClassVar[tuple[str, ...]] = ("transactional_id", "topic_results")
    transactional_id: str  # The transactional id of the producer.
    topic_results: list[AddPartitionsToTxnTopicResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        transactional_id: str = "",
        topic_results: list[AddPartitionsToTxnTopicResult] = UNSET_LIST,
    ) -> None:
        self.transactional_id = transactional_id
        self.topic_results = [] if topic_results is UNSET_LIST else topic_results


class AddPartitionsToTxnResponse(Message):
    """Which partitions are in their transactions."""

    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "results_by_transaction",
        "results_by_topic_v3_and_below",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "results_by_transaction",
        "results_by_topic_v3_and_below",
    )
    NAME: ClassVar[str] = "AddPartitionsToTxnResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 24
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the whole request failed.
    results_by_transaction: list[AddPartitionsToTxnResult]  # One entry for each transaction.
    results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results_by_transaction: list[AddPartitionsToTxnResult] = UNSET_LIST,
        results_by_topic_v3_and_below: list[AddPartitionsToTxnTopicResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results_by_transaction = [] if results_by_transaction is UNSET_LIST else results_by_transaction
        self.results_by_topic_v3_and_below = [] if results_by_topic_v3_and_below is UNSET_LIST else results_by_topic_v3_and_below

    @staticmethod
    def decode(data: bytes, version: int) -> AddPartitionsToTxnResponse:
        message, end = AddPartitionsToTxnResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AddPartitionsToTxnResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AddPartitionsToTxnResponse, int]:
        try:
            if 4 <= version <= 5:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AddPartitionsToTxnResponse", version, len(data), error) from None
        raise no_version("AddPartitionsToTxnResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 4 <= version <= 5:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AddPartitionsToTxnResponse", version, error) from error
        raise no_encoding("AddPartitionsToTxnResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[AddPartitionsToTxnResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AddPartitionsToTxnResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow", 10000000)
    count1 = n
    found1: list[AddPartitionsToTxnTopicResult] = []
    m.results_by_topic_v3_and_below = found1
    for _ in range(count1):
        s1 = AddPartitionsToTxnTopicResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 6 > size - i:
            raise bad_count("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow.ResultsByPartition", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow.ResultsByPartition", 10000000)
        count2 = n
        found2: list[AddPartitionsToTxnPartitionResult] = []
        s1.results_by_partition = found2
        for _ in range(count2):
            s2 = AddPartitionsToTxnPartitionResult()
            s2.partition_index = read_i32_be(data, i)
            s2.partition_error_code = read_i16_be(data, i + 4)
            found2.append(s2)
            i += 6
        found1.append(s1)
    return m, i


def _encode_0(m: AddPartitionsToTxnResponse, w: BytesWriter, version: int) -> None:
    if len(m.results_by_transaction) > 0:
        raise not_carried("AddPartitionsToTxnResponse.ResultsByTransaction", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results_by_topic_v3_and_below
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.results_by_partition
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.partition_error_code)


def _decode_3(data: bytes, i: i64) -> tuple[AddPartitionsToTxnResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AddPartitionsToTxnResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow", 10000000)
    count1 = n
    found1: list[AddPartitionsToTxnTopicResult] = []
    m.results_by_topic_v3_and_below = found1
    for _ in range(count1):
        s1 = AddPartitionsToTxnTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 7 > size - i:
            raise bad_count("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow.ResultsByPartition", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow.ResultsByPartition", 10000000)
        count2 = n
        found2: list[AddPartitionsToTxnPartitionResult] = []
        s1.results_by_partition = found2
        for _ in range(count2):
            s2 = AddPartitionsToTxnPartitionResult()
            s2.partition_index = read_i32_be(data, i)
            s2.partition_error_code = read_i16_be(data, i + 4)
            if data[i + 6] == 0:
                i += 7
            else:
                i = skip_tagged_fields(data, i + 6)
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


def _encode_3(m: AddPartitionsToTxnResponse, w: BytesWriter, version: int) -> None:
    if len(m.results_by_transaction) > 0:
        raise not_carried("AddPartitionsToTxnResponse.ResultsByTransaction", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results_by_topic_v3_and_below
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.results_by_partition
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.partition_error_code)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_4(data: bytes, i: i64) -> tuple[AddPartitionsToTxnResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AddPartitionsToTxnResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AddPartitionsToTxnResponse.ResultsByTransaction", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AddPartitionsToTxnResponse.ResultsByTransaction", 10000000)
    count1 = n
    found1: list[AddPartitionsToTxnResult] = []
    m.results_by_transaction = found1
    for _ in range(count1):
        s1 = AddPartitionsToTxnResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AddPartitionsToTxnResponse.ResultsByTransaction.TransactionalId", n, size - i)
        s1.transactional_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("AddPartitionsToTxnResponse.ResultsByTransaction.TopicResults", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AddPartitionsToTxnResponse.ResultsByTransaction.TopicResults", 10000000)
        count2 = n
        found2: list[AddPartitionsToTxnTopicResult] = []
        s1.topic_results = found2
        for _ in range(count2):
            s2 = AddPartitionsToTxnTopicResult()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("AddPartitionsToTxnResponse.ResultsByTransaction.TopicResults.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 7 > size - i:
                raise bad_count("AddPartitionsToTxnResponse.ResultsByTransaction.TopicResults.ResultsByPartition", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("AddPartitionsToTxnResponse.ResultsByTransaction.TopicResults.ResultsByPartition", 10000000)
            count3 = n
            found3: list[AddPartitionsToTxnPartitionResult] = []
            s2.results_by_partition = found3
            for _ in range(count3):
                s3 = AddPartitionsToTxnPartitionResult()
                s3.partition_index = read_i32_be(data, i)
                s3.partition_error_code = read_i16_be(data, i + 4)
                if data[i + 6] == 0:
                    i += 7
                else:
                    i = skip_tagged_fields(data, i + 6)
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


def _encode_4(m: AddPartitionsToTxnResponse, w: BytesWriter, version: int) -> None:
    if len(m.results_by_topic_v3_and_below) > 0:
        raise not_carried("AddPartitionsToTxnResponse.ResultsByTopicV3AndBelow", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.results_by_transaction
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.transactional_id
        write_compact_string(w, v2)
        v3 = s1.topic_results
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.name
            write_compact_string(w, v4)
            v5 = s2.results_by_partition
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3.partition_index)
                write_i16_be(w, s3.partition_error_code)
                w.append(0)
            w.append(0)
        w.append(0)
    w.append(0)
