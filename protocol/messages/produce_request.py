"""ProduceRequest, generated from ProduceRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    ZERO_UUID,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_records,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_records,
    write_nullable_string,
    write_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

    from ..buffer import Buffer

_SCHEMA: Final = (
    '{"apiKey":0,"type":"request","listeners":["broker"],"name":"ProduceRequest","validVersions'
    '":"3-13","flexibleVersions":"9+","fields":[{"name":"TransactionalId","type":"string","vers'
    'ions":"3+","nullableVersions":"3+","default":"null","entityType":"transactionalId"},{"name'
    '":"Acks","type":"int16","versions":"0+"},{"name":"TimeoutMs","type":"int32","versions":"0+'
    '"},{"name":"TopicData","type":"[]TopicProduceData","versions":"0+","fields":[{"name":"Name'
    '","type":"string","versions":"0-12","entityType":"topicName","mapKey":true,"ignorable":tru'
    'e},{"name":"TopicId","type":"uuid","versions":"13+","mapKey":true,"ignorable":true},{"name'
    '":"PartitionData","type":"[]PartitionProduceData","versions":"0+","fields":[{"name":"Index'
    '","type":"int32","versions":"0+"},{"name":"Records","type":"records","versions":"0+","null'
    'ableVersions":"0+"}]}]}]}'
)


class PartitionProduceData(Struct):
    """One entry for each partition of the topic."""

    __slots__ = ("index", "records")
    FIELDS: ClassVar[tuple[str, ...]] = ("index", "records")
    index: int  # Number of the partition.
    records: Buffer | None  # The record batches to append.

    def __init__(
        self,
        *,
        index: int = 0,
        records: Buffer | None = b'',
    ) -> None:
        self.index = index
        self.records = records


class TopicProduceData(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "topic_id", "partition_data")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "topic_id", "partition_data")
    name: str  # Name of the topic.
    topic_id: bytes  # Id of the topic.
    partition_data: list[PartitionProduceData]  # One entry for each partition of the topic.

    def __init__(
        self,
        *,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        partition_data: list[PartitionProduceData] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.partition_data = [] if partition_data is UNSET_LIST else partition_data


class ProduceRequest(Message):
    """Appends record batches to partitions."""

    __slots__ = ("transactional_id", "acks", "timeout_ms", "topic_data")
    FIELDS: ClassVar[tuple[str, ...]] = ("transactional_id", "acks", "timeout_ms", "topic_data")
    NAME: ClassVar[str] = "ProduceRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 0
    MIN_VERSION: ClassVar[int] = 3
    MAX_VERSION: ClassVar[int] = 13
    FLEXIBLE_SINCE: ClassVar[int | None] = 9
    SCHEMA: ClassVar[str] = _SCHEMA

    transactional_id: str | None  # Transactional id of the producer, or null outside transactions.
    acks: int  # What to wait for: 0 nothing, 1 the leader's log, -1 all replicas in sync.
    timeout_ms: int  # How long to wait for the replicas, in ms.
    topic_data: list[TopicProduceData]  # One entry for each topic.

    def __init__(
        self,
        *,
        transactional_id: str | None = None,
        acks: int = 0,
        timeout_ms: int = 0,
        topic_data: list[TopicProduceData] = UNSET_LIST,
    ) -> None:
        self.transactional_id = transactional_id
        self.acks = acks
        self.timeout_ms = timeout_ms
        self.topic_data = [] if topic_data is UNSET_LIST else topic_data

    @staticmethod
    def decode(data: bytes, version: int) -> ProduceRequest:
        message, end = ProduceRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ProduceRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ProduceRequest, int]:
        try:
            if version == 13:
                return _decode_13(data, offset)
            if 9 <= version <= 12:
                return _decode_9(data, offset)
            if 3 <= version <= 8:
                return _decode_3(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ProduceRequest", version, len(data), error) from None
        raise no_version("ProduceRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 13:
                return _encode_13(self, writer, version)
            if 9 <= version <= 12:
                return _encode_9(self, writer, version)
            if 3 <= version <= 8:
                return _encode_3(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ProduceRequest", version, error) from error
        raise no_encoding("ProduceRequest", version)


def _decode_3(data: bytes, i: i64) -> tuple[ProduceRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = ProduceRequest()
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.transactional_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ProduceRequest.TransactionalId", n, size - i)
        m.transactional_id = data[i:end].decode()
        i = end
    m.acks = read_i16_be(data, i)
    m.timeout_ms = read_i32_be(data, i + 2)
    n = read_i32_be(data, i + 6)
    i += 10
    if n < 0 or n * 6 > size - i:
        raise bad_count("ProduceRequest.TopicData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProduceRequest.TopicData", 1000000)
    count1 = n
    found1: list[TopicProduceData] = []
    m.topic_data = found1
    for _ in range(count1):
        s1 = TopicProduceData()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("ProduceRequest.TopicData.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 8 > size - i:
            raise bad_count("ProduceRequest.TopicData.PartitionData", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ProduceRequest.TopicData.PartitionData", 1000000)
        count2 = n
        found2: list[PartitionProduceData] = []
        s1.partition_data = found2
        for _ in range(count2):
            s2 = PartitionProduceData()
            s2.index = read_i32_be(data, i)
            n = read_i32_be(data, i + 4)
            i += 8
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("ProduceRequest.TopicData.PartitionData.Records", n, size - i)
                s2.records = data[i:end]
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_3(m: ProduceRequest, w: BytesWriter, version: int) -> None:
    v1 = m.transactional_id
    write_nullable_string(w, v1)
    write_i16_be(w, m.acks)
    write_i32_be(w, m.timeout_ms)
    v2 = m.topic_data
    write_i32_be(w, len(v2))
    for s1 in v2:
        v3 = s1.name
        write_string(w, v3)
        v4 = s1.partition_data
        write_i32_be(w, len(v4))
        for s2 in v4:
            write_i32_be(w, s2.index)
            v5 = s2.records
            write_nullable_records(w, v5)


def _decode_9(data: bytes, i: i64) -> tuple[ProduceRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = ProduceRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.transactional_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ProduceRequest.TransactionalId", n, size - i)
        m.transactional_id = data[i:end].decode()
        i = end
    m.acks = read_i16_be(data, i)
    m.timeout_ms = read_i32_be(data, i + 2)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("ProduceRequest.TopicData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProduceRequest.TopicData", 1000000)
    count1 = n
    found1: list[TopicProduceData] = []
    m.topic_data = found1
    for _ in range(count1):
        s1 = TopicProduceData()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ProduceRequest.TopicData.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 6 > size - i:
            raise bad_count("ProduceRequest.TopicData.PartitionData", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ProduceRequest.TopicData.PartitionData", 1000000)
        count2 = n
        found2: list[PartitionProduceData] = []
        s1.partition_data = found2
        for _ in range(count2):
            s2 = PartitionProduceData()
            s2.index = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("ProduceRequest.TopicData.PartitionData.Records", n, size - i)
                s2.records = data[i:end]
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


def _encode_9(m: ProduceRequest, w: BytesWriter, version: int) -> None:
    v1 = m.transactional_id
    write_compact_nullable_string(w, v1)
    write_i16_be(w, m.acks)
    write_i32_be(w, m.timeout_ms)
    v2 = m.topic_data
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.partition_data
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            write_i32_be(w, s2.index)
            v5 = s2.records
            write_compact_nullable_records(w, v5)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_13(data: bytes, i: i64) -> tuple[ProduceRequest, i64]:
    size: i64 = len(data)
    budget: int = 1000000
    n: int
    end: i64
    m = ProduceRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.transactional_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ProduceRequest.TransactionalId", n, size - i)
        m.transactional_id = data[i:end].decode()
        i = end
    m.acks = read_i16_be(data, i)
    m.timeout_ms = read_i32_be(data, i + 2)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("ProduceRequest.TopicData", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProduceRequest.TopicData", 1000000)
    count1 = n
    found1: list[TopicProduceData] = []
    m.topic_data = found1
    for _ in range(count1):
        s1 = TopicProduceData()
        end = i + 16
        if end > size:
            raise bad_length("ProduceRequest.TopicData.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 6 > size - i:
            raise bad_count("ProduceRequest.TopicData.PartitionData", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ProduceRequest.TopicData.PartitionData", 1000000)
        count2 = n
        found2: list[PartitionProduceData] = []
        s1.partition_data = found2
        for _ in range(count2):
            s2 = PartitionProduceData()
            s2.index = read_i32_be(data, i)
            n = data[i + 4]
            i += 5
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.records = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("ProduceRequest.TopicData.PartitionData.Records", n, size - i)
                s2.records = data[i:end]
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


def _encode_13(m: ProduceRequest, w: BytesWriter, version: int) -> None:
    v1 = m.transactional_id
    write_compact_nullable_string(w, v1)
    write_i16_be(w, m.acks)
    write_i32_be(w, m.timeout_ms)
    v2 = m.topic_data
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        write_uuid(w, s1.topic_id)
        v3 = s1.partition_data
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.index)
            v4 = s2.records
            write_compact_nullable_records(w, v4)
            w.append(0)
        w.append(0)
    w.append(0)
