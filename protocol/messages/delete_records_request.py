"""DeleteRecordsRequest, generated from DeleteRecordsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
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
    write_compact_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":21,"type":"request","listeners":["broker"],"name":"DeleteRecordsRequest","validV'
    'ersions":"0-2","flexibleVersions":"2+","fields":[{"name":"Topics","type":"[]DeleteRecordsT'
    'opic","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","entityType'
    '":"topicName"},{"name":"Partitions","type":"[]DeleteRecordsPartition","versions":"0+","fie'
    'lds":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name":"Offset","type":"in'
    't64","versions":"0+"}]}]},{"name":"TimeoutMs","type":"int32","versions":"0+"}]}'
)


class DeleteRecordsPartition(Struct):
    """The partitions to shorten."""

    __slots__ = ("partition_index", "offset")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "offset")
    partition_index: int  # Number of the partition.
    offset: int  # The first offset to keep; -1 keeps nothing that all replicas have.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        offset: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.offset = offset


class DeleteRecordsTopic(Struct):
    """The topics to shorten."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[DeleteRecordsPartition]  # The partitions to shorten.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[DeleteRecordsPartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class DeleteRecordsRequest(Message):
    """Removes the oldest records of partitions."""

    __slots__ = ("topics", "timeout_ms")
    FIELDS: ClassVar[tuple[str, ...]] = ("topics", "timeout_ms")
    NAME: ClassVar[str] = "DeleteRecordsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 21
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[DeleteRecordsTopic]  # The topics to shorten.
    timeout_ms: int  # How long to wait for the replicas, in ms.

    def __init__(
        self,
        *,
        topics: list[DeleteRecordsTopic] = UNSET_LIST,
        timeout_ms: int = 0,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics
        self.timeout_ms = timeout_ms

    @staticmethod
    def decode(data: bytes, version: int) -> DeleteRecordsRequest:
        message, end = DeleteRecordsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DeleteRecordsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DeleteRecordsRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DeleteRecordsRequest", version, len(data), error) from None
        raise no_version("DeleteRecordsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DeleteRecordsRequest", version, error) from error
        raise no_encoding("DeleteRecordsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DeleteRecordsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DeleteRecordsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 6 > size - i:
        raise bad_count("DeleteRecordsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteRecordsRequest.Topics", 100000)
    count1 = n
    found1: list[DeleteRecordsTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = DeleteRecordsTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DeleteRecordsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 12 > size - i:
            raise bad_count("DeleteRecordsRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DeleteRecordsRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[DeleteRecordsPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = DeleteRecordsPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.offset = read_i64_be(data, i + 4)
            found2.append(s2)
            i += 12
        found1.append(s1)
    m.timeout_ms = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_0(m: DeleteRecordsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.offset)
    write_i32_be(w, m.timeout_ms)


def _decode_2(data: bytes, i: i64) -> tuple[DeleteRecordsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DeleteRecordsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("DeleteRecordsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteRecordsRequest.Topics", 100000)
    count1 = n
    found1: list[DeleteRecordsTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = DeleteRecordsTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DeleteRecordsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 13 > size - i:
            raise bad_count("DeleteRecordsRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DeleteRecordsRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[DeleteRecordsPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = DeleteRecordsPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.offset = read_i64_be(data, i + 4)
            if data[i + 12] == 0:
                i += 13
            else:
                i = skip_tagged_fields(data, i + 12)
            found2.append(s2)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    m.timeout_ms = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_2(m: DeleteRecordsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.offset)
            w.append(0)
        w.append(0)
    write_i32_be(w, m.timeout_ms)
    w.append(0)
