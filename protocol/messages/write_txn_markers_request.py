"""WriteTxnMarkersRequest, generated from WriteTxnMarkersRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
    write_i16_be,
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
    write_i8,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":27,"type":"request","listeners":["broker"],"name":"WriteTxnMarkersRequest","vali'
    'dVersions":"1-2","flexibleVersions":"1+","fields":[{"name":"Markers","type":"[]WritableTxn'
    'Marker","versions":"0+","fields":[{"name":"ProducerId","type":"int64","versions":"0+","ent'
    'ityType":"producerId"},{"name":"ProducerEpoch","type":"int16","versions":"0+"},{"name":"Tr'
    'ansactionResult","type":"bool","versions":"0+"},{"name":"Topics","type":"[]WritableTxnMark'
    'erTopic","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+","entityT'
    'ype":"topicName"},{"name":"PartitionIndexes","type":"[]int32","versions":"0+"}]},{"name":"'
    'CoordinatorEpoch","type":"int32","versions":"0+"},{"name":"TransactionVersion","type":"int'
    '8","versions":"2+","default":"0","ignorable":true}]}]}'
)


class WritableTxnMarkerTopic(Struct):
    """The topics in which to note it."""

    __slots__ = ("name", "partition_indexes")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partition_indexes")
    name: str  # Name of the topic.
    partition_indexes: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        name: str = "",
        partition_indexes: list[int] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partition_indexes = [] if partition_indexes is UNSET_LIST else partition_indexes


class WritableTxnMarker(Struct):
    """The transactions that end."""

    __slots__ = (
        "producer_id",
        "producer_epoch",
        "transaction_result",
        "topics",
        "coordinator_epoch",
        "transaction_version",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "producer_id",
        "producer_epoch",
        "transaction_result",
        "topics",
        "coordinator_epoch",
        "transaction_version",
    )
    producer_id: int  # Producer id of the transaction.
    producer_epoch: int  # Epoch that the producer has from now on; partitions refuse writes of lower ones.
    transaction_result: bool  # True for committed, false for aborted.
    topics: list[WritableTxnMarkerTopic]  # The topics in which to note it.
    coordinator_epoch: int  # Epoch of the coordinator, so that an earlier one is refused.
    transaction_version: int  # How the transaction was run: below 2 its epoch may stay, at 2 the epoch goes up with each transaction.

    def __init__(
        self,
        *,
        producer_id: int = 0,
        producer_epoch: int = 0,
        transaction_result: bool = False,
        topics: list[WritableTxnMarkerTopic] = UNSET_LIST,
        coordinator_epoch: int = 0,
        transaction_version: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.transaction_result = transaction_result
        self.topics = [] if topics is UNSET_LIST else topics
        self.coordinator_epoch = coordinator_epoch
        self.transaction_version = transaction_version


class WriteTxnMarkersRequest(Message):
    """Has partitions note in their logs that transactions are committed or aborted; from coordinators."""

    __slots__ = ("markers",)
    FIELDS: ClassVar[tuple[str, ...]] = ("markers",)
    NAME: ClassVar[str] = "WriteTxnMarkersRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 27
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    markers: list[WritableTxnMarker]  # The transactions that end.

    def __init__(
        self,
        *,
        markers: list[WritableTxnMarker] = UNSET_LIST,
    ) -> None:
        self.markers = [] if markers is UNSET_LIST else markers

    @staticmethod
    def decode(data: bytes, version: int) -> WriteTxnMarkersRequest:
        message, end = WriteTxnMarkersRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("WriteTxnMarkersRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[WriteTxnMarkersRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("WriteTxnMarkersRequest", version, len(data), error) from None
        raise no_version("WriteTxnMarkersRequest", version)

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
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("WriteTxnMarkersRequest", version, error) from error
        raise no_encoding("WriteTxnMarkersRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[WriteTxnMarkersRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = WriteTxnMarkersRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 17 > size - i:
        raise bad_count("WriteTxnMarkersRequest.Markers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("WriteTxnMarkersRequest.Markers", 100000)
    count1 = n
    found1: list[WritableTxnMarker] = []
    m.markers = found1
    for _ in range(count1):
        s1 = WritableTxnMarker()
        s1.producer_id = read_i64_be(data, i)
        s1.producer_epoch = read_i16_be(data, i + 8)
        s1.transaction_result = data[i + 10] != 0
        n = data[i + 11]
        i += 12
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("WriteTxnMarkersRequest.Markers.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("WriteTxnMarkersRequest.Markers.Topics", 100000)
        count2 = n
        found2: list[WritableTxnMarkerTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = WritableTxnMarkerTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("WriteTxnMarkersRequest.Markers.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("WriteTxnMarkersRequest.Markers.Topics.PartitionIndexes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("WriteTxnMarkersRequest.Markers.Topics.PartitionIndexes", 100000)
            end = i + n * 4
            s2.partition_indexes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.coordinator_epoch = read_i32_be(data, i)
        if data[i + 4] == 0:
            i += 5
        else:
            i = skip_tagged_fields(data, i + 4)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_1(m: WriteTxnMarkersRequest, w: BytesWriter, version: int) -> None:
    v1 = m.markers
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i64_be(w, s1.producer_id)
        write_i16_be(w, s1.producer_epoch)
        w.append(1 if s1.transaction_result else 0)
        v2 = s1.topics
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            v3 = s2.name
            write_compact_string(w, v3)
            v4 = s2.partition_indexes
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                write_i32_be(w, s3)
            w.append(0)
        write_i32_be(w, s1.coordinator_epoch)
        w.append(0)
    w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[WriteTxnMarkersRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = WriteTxnMarkersRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("WriteTxnMarkersRequest.Markers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("WriteTxnMarkersRequest.Markers", 100000)
    count1 = n
    found1: list[WritableTxnMarker] = []
    m.markers = found1
    for _ in range(count1):
        s1 = WritableTxnMarker()
        s1.producer_id = read_i64_be(data, i)
        s1.producer_epoch = read_i16_be(data, i + 8)
        s1.transaction_result = data[i + 10] != 0
        n = data[i + 11]
        i += 12
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("WriteTxnMarkersRequest.Markers.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("WriteTxnMarkersRequest.Markers.Topics", 100000)
        count2 = n
        found2: list[WritableTxnMarkerTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = WritableTxnMarkerTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("WriteTxnMarkersRequest.Markers.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("WriteTxnMarkersRequest.Markers.Topics.PartitionIndexes", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("WriteTxnMarkersRequest.Markers.Topics.PartitionIndexes", 100000)
            end = i + n * 4
            s2.partition_indexes = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.coordinator_epoch = read_i32_be(data, i)
        s1.transaction_version = (data[i + 4] ^ 0x80) - 0x80
        if data[i + 5] == 0:
            i += 6
        else:
            i = skip_tagged_fields(data, i + 5)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: WriteTxnMarkersRequest, w: BytesWriter, version: int) -> None:
    v1 = m.markers
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i64_be(w, s1.producer_id)
        write_i16_be(w, s1.producer_epoch)
        w.append(1 if s1.transaction_result else 0)
        v2 = s1.topics
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            v3 = s2.name
            write_compact_string(w, v3)
            v4 = s2.partition_indexes
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                write_i32_be(w, s3)
            w.append(0)
        write_i32_be(w, s1.coordinator_epoch)
        write_i8(w, s1.transaction_version)
        w.append(0)
    w.append(0)
