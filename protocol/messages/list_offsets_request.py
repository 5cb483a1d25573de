"""ListOffsetsRequest, generated from ListOffsetsRequest.json: do not edit, run `make generate`."""

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
    not_carried,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_i8,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":2,"type":"request","listeners":["broker"],"name":"ListOffsetsRequest","validVers'
    'ions":"1-11","flexibleVersions":"6+","latestVersionUnstable":false,"fields":[{"name":"Repl'
    'icaId","type":"int32","versions":"0+","entityType":"brokerId"},{"name":"IsolationLevel","t'
    'ype":"int8","versions":"2+"},{"name":"Topics","type":"[]ListOffsetsTopic","versions":"0+",'
    '"fields":[{"name":"Name","type":"string","versions":"0+","entityType":"topicName"},{"name"'
    ':"Partitions","type":"[]ListOffsetsPartition","versions":"0+","fields":[{"name":"Partition'
    'Index","type":"int32","versions":"0+"},{"name":"CurrentLeaderEpoch","type":"int32","versio'
    'ns":"4+","default":"-1","ignorable":true},{"name":"Timestamp","type":"int64","versions":"0'
    '+"}]}]},{"name":"TimeoutMs","type":"int32","versions":"10+","ignorable":true}]}'
)


class ListOffsetsPartition(Struct):
    """The partitions to ask about."""

    __slots__ = ("partition_index", "current_leader_epoch", "timestamp")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "current_leader_epoch", "timestamp")
    partition_index: int  # Number of the partition.
    current_leader_epoch: int  # Leader epoch that the client knows, or -1.
    timestamp: int  # A time in ms since 1970, or a negative number with a meaning: -1 latest, -2 earliest, -3 largest timestamp.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        current_leader_epoch: int = -1,
        timestamp: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.current_leader_epoch = current_leader_epoch
        self.timestamp = timestamp


class ListOffsetsTopic(Struct):
    """The topics to ask about."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[ListOffsetsPartition]  # The partitions to ask about.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[ListOffsetsPartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class ListOffsetsRequest(Message):
    """Asks for the first offset, the last one, or the one of a point in time."""

    __slots__ = ("replica_id", "isolation_level", "topics", "timeout_ms")
    FIELDS: ClassVar[tuple[str, ...]] = ("replica_id", "isolation_level", "topics", "timeout_ms")
    NAME: ClassVar[str] = "ListOffsetsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 2
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 11
    FLEXIBLE_SINCE: ClassVar[int | None] = 6
    SCHEMA: ClassVar[str] = _SCHEMA

    replica_id: int  # Id of the follower that asks; -1 from a consumer.
    isolation_level: int  # 0 sees all records, 1 only those of committed transactions.
    topics: list[ListOffsetsTopic]  # The topics to ask about.
    timeout_ms: int  # How long to wait where tiered storage has to be asked, in ms.

    def __init__(
        self,
        *,
        replica_id: int = 0,
        isolation_level: int = 0,
        topics: list[ListOffsetsTopic] = UNSET_LIST,
        timeout_ms: int = 0,
    ) -> None:
        self.replica_id = replica_id
        self.isolation_level = isolation_level
        self.topics = [] if topics is UNSET_LIST else topics
        self.timeout_ms = timeout_ms

    @staticmethod
    def decode(data: bytes, version: int) -> ListOffsetsRequest:
        message, end = ListOffsetsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ListOffsetsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ListOffsetsRequest, int]:
        try:
            if 10 <= version <= 11:
                return _decode_10(data, offset)
            if 6 <= version <= 9:
                return _decode_6(data, offset)
            if 4 <= version <= 5:
                return _decode_4(data, offset)
            if 2 <= version <= 3:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ListOffsetsRequest", version, len(data), error) from None
        raise no_version("ListOffsetsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 10 <= version <= 11:
                return _encode_10(self, writer, version)
            if 6 <= version <= 9:
                return _encode_6(self, writer, version)
            if 4 <= version <= 5:
                return _encode_4(self, writer, version)
            if 2 <= version <= 3:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ListOffsetsRequest", version, error) from error
        raise no_encoding("ListOffsetsRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[ListOffsetsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListOffsetsRequest()
    m.replica_id = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("ListOffsetsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListOffsetsRequest.Topics", 100000)
    count1 = n
    found1: list[ListOffsetsTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ListOffsetsTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListOffsetsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 12 > size - i:
            raise bad_count("ListOffsetsRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListOffsetsRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[ListOffsetsPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ListOffsetsPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.timestamp = read_i64_be(data, i + 4)
            found2.append(s2)
            i += 12
        found1.append(s1)
    return m, i


def _encode_1(m: ListOffsetsRequest, w: BytesWriter, version: int) -> None:
    if m.isolation_level != 0:
        raise not_carried("ListOffsetsRequest.IsolationLevel", version)
    write_i32_be(w, m.replica_id)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.timestamp)


def _decode_2(data: bytes, i: i64) -> tuple[ListOffsetsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListOffsetsRequest()
    m.replica_id = read_i32_be(data, i)
    m.isolation_level = (data[i + 4] ^ 0x80) - 0x80
    n = read_i32_be(data, i + 5)
    i += 9
    if n < 0 or n * 6 > size - i:
        raise bad_count("ListOffsetsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListOffsetsRequest.Topics", 100000)
    count1 = n
    found1: list[ListOffsetsTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ListOffsetsTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListOffsetsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 12 > size - i:
            raise bad_count("ListOffsetsRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListOffsetsRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[ListOffsetsPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ListOffsetsPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.timestamp = read_i64_be(data, i + 4)
            found2.append(s2)
            i += 12
        found1.append(s1)
    return m, i


def _encode_2(m: ListOffsetsRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.replica_id)
    write_i8(w, m.isolation_level)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i64_be(w, s2.timestamp)


def _decode_4(data: bytes, i: i64) -> tuple[ListOffsetsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListOffsetsRequest()
    m.replica_id = read_i32_be(data, i)
    m.isolation_level = (data[i + 4] ^ 0x80) - 0x80
    n = read_i32_be(data, i + 5)
    i += 9
    if n < 0 or n * 6 > size - i:
        raise bad_count("ListOffsetsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListOffsetsRequest.Topics", 100000)
    count1 = n
    found1: list[ListOffsetsTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ListOffsetsTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ListOffsetsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 16 > size - i:
            raise bad_count("ListOffsetsRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListOffsetsRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[ListOffsetsPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ListOffsetsPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.timestamp = read_i64_be(data, i + 8)
            found2.append(s2)
            i += 16
        found1.append(s1)
    return m, i


def _encode_4(m: ListOffsetsRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.replica_id)
    write_i8(w, m.isolation_level)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        v3 = s1.partitions
        write_i32_be(w, len(v3))
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.timestamp)


def _decode_6(data: bytes, i: i64) -> tuple[ListOffsetsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListOffsetsRequest()
    m.replica_id = read_i32_be(data, i)
    m.isolation_level = (data[i + 4] ^ 0x80) - 0x80
    n = data[i + 5]
    i += 6
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ListOffsetsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListOffsetsRequest.Topics", 100000)
    count1 = n
    found1: list[ListOffsetsTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ListOffsetsTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListOffsetsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 17 > size - i:
            raise bad_count("ListOffsetsRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListOffsetsRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[ListOffsetsPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ListOffsetsPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.timestamp = read_i64_be(data, i + 8)
            if data[i + 16] == 0:
                i += 17
            else:
                i = skip_tagged_fields(data, i + 16)
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


def _encode_6(m: ListOffsetsRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.replica_id)
    write_i8(w, m.isolation_level)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.timestamp)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_10(data: bytes, i: i64) -> tuple[ListOffsetsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListOffsetsRequest()
    m.replica_id = read_i32_be(data, i)
    m.isolation_level = (data[i + 4] ^ 0x80) - 0x80
    n = data[i + 5]
    i += 6
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ListOffsetsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListOffsetsRequest.Topics", 100000)
    count1 = n
    found1: list[ListOffsetsTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = ListOffsetsTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListOffsetsRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 17 > size - i:
            raise bad_count("ListOffsetsRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ListOffsetsRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[ListOffsetsPartition] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = ListOffsetsPartition()
            s2.partition_index = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s2.timestamp = read_i64_be(data, i + 8)
            if data[i + 16] == 0:
                i += 17
            else:
                i = skip_tagged_fields(data, i + 16)
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


def _encode_10(m: ListOffsetsRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.replica_id)
    write_i8(w, m.isolation_level)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i32_be(w, s2.current_leader_epoch)
            write_i64_be(w, s2.timestamp)
            w.append(0)
        w.append(0)
    write_i32_be(w, m.timeout_ms)
    w.append(0)
