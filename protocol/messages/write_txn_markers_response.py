"""WriteTxnMarkersResponse, generated from WriteTxnMarkersResponse.json: do not edit, run `make generate`."""

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
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":27,"type":"response","name":"WriteTxnMarkersResponse","validVersions":"1-2","fle'
    'xibleVersions":"1+","fields":[{"name":"Markers","type":"[]WritableTxnMarkerResult","versio'
    'ns":"0+","fields":[{"name":"ProducerId","type":"int64","versions":"0+","entityType":"produ'
    'cerId"},{"name":"Topics","type":"[]WritableTxnMarkerTopicResult","versions":"0+","fields":'
    '[{"name":"Name","type":"string","versions":"0+","entityType":"topicName"},{"name":"Partiti'
    'ons","type":"[]WritableTxnMarkerPartitionResult","versions":"0+","fields":[{"name":"Partit'
    'ionIndex","type":"int32","versions":"0+"},{"name":"ErrorCode","type":"int16","versions":"0'
    '+"}]}]}]}]}'
)


class WritableTxnMarkerPartitionResult(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "error_code")
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why the marker was not written.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class WritableTxnMarkerTopicResult(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[WritableTxnMarkerPartitionResult]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[WritableTxnMarkerPartitionResult] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class WritableTxnMarkerResult(Struct):
    """One entry for each marker."""

    __slots__ = ("producer_id", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("producer_id", "topics")
    producer_id: int  # Producer id of the transaction.
    topics: list[WritableTxnMarkerTopicResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        producer_id: int = 0,
        topics: list[WritableTxnMarkerTopicResult] = UNSET_LIST,
    ) -> None:
        self.producer_id = producer_id
        self.topics = [] if topics is UNSET_LIST else topics


class WriteTxnMarkersResponse(Message):
    """Which partitions noted the ends of transactions."""

    __slots__ = ("markers",)
    FIELDS: ClassVar[tuple[str, ...]] = ("markers",)
    NAME: ClassVar[str] = "WriteTxnMarkersResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 27
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    markers: list[WritableTxnMarkerResult]  # One entry for each marker.

    def __init__(
        self,
        *,
        markers: list[WritableTxnMarkerResult] = UNSET_LIST,
    ) -> None:
        self.markers = [] if markers is UNSET_LIST else markers

    @staticmethod
    def decode(data: bytes, version: int) -> WriteTxnMarkersResponse:
        message, end = WriteTxnMarkersResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("WriteTxnMarkersResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[WriteTxnMarkersResponse, int]:
        try:
            if 1 <= version <= 2:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("WriteTxnMarkersResponse", version, len(data), error) from None
        raise no_version("WriteTxnMarkersResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 1 <= version <= 2:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("WriteTxnMarkersResponse", version, error) from error
        raise no_encoding("WriteTxnMarkersResponse", version)


def _decode_1(data: bytes, i: i64) -> tuple[WriteTxnMarkersResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = WriteTxnMarkersResponse()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 10 > size - i:
        raise bad_count("WriteTxnMarkersResponse.Markers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("WriteTxnMarkersResponse.Markers", 10000000)
    count1 = n
    found1: list[WritableTxnMarkerResult] = []
    m.markers = found1
    for _ in range(count1):
        s1 = WritableTxnMarkerResult()
        s1.producer_id = read_i64_be(data, i)
        n = data[i + 8]
        i += 9
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("WriteTxnMarkersResponse.Markers.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("WriteTxnMarkersResponse.Markers.Topics", 10000000)
        count2 = n
        found2: list[WritableTxnMarkerTopicResult] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = WritableTxnMarkerTopicResult()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("WriteTxnMarkersResponse.Markers.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 7 > size - i:
                raise bad_count("WriteTxnMarkersResponse.Markers.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("WriteTxnMarkersResponse.Markers.Topics.Partitions", 10000000)
            count3 = n
            found3: list[WritableTxnMarkerPartitionResult] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = WritableTxnMarkerPartitionResult()
                s3.partition_index = read_i32_be(data, i)
                s3.error_code = read_i16_be(data, i + 4)
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


def _encode_1(m: WriteTxnMarkersResponse, w: BytesWriter, version: int) -> None:
    v1 = m.markers
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i64_be(w, s1.producer_id)
        v2 = s1.topics
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            v3 = s2.name
            write_compact_string(w, v3)
            v4 = s2.partitions
            write_uvarint(w, len(v4) + 1)
            for s3 in v4:
                write_i32_be(w, s3.partition_index)
                write_i16_be(w, s3.error_code)
                w.append(0)
            w.append(0)
        w.append(0)
    w.append(0)
