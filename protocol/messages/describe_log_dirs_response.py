"""DescribeLogDirsResponse, generated from DescribeLogDirsResponse.json: do not edit, run `make generate`."""

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
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":35,"type":"response","name":"DescribeLogDirsResponse","validVersions":"1-5","fle'
    'xibleVersions":"2+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"n'
    'ame":"ErrorCode","type":"int16","versions":"3+","ignorable":true},{"name":"Results","type"'
    ':"[]DescribeLogDirsResult","versions":"0+","fields":[{"name":"ErrorCode","type":"int16","v'
    'ersions":"0+"},{"name":"LogDir","type":"string","versions":"0+"},{"name":"Topics","type":"'
    '[]DescribeLogDirsTopic","versions":"0+","fields":[{"name":"Name","type":"string","versions'
    '":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]DescribeLogDirsPartition",'
    '"versions":"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name"'
    ':"PartitionSize","type":"int64","versions":"0+"},{"name":"OffsetLag","type":"int64","versi'
    'ons":"0+"},{"name":"IsFutureKey","type":"bool","versions":"0+"}]}]},{"name":"TotalBytes","'
    'type":"int64","versions":"4+","ignorable":true,"default":"-1"},{"name":"UsableBytes","type'
    '":"int64","versions":"4+","ignorable":true,"default":"-1"},{"name":"IsCordoned","type":"bo'
    'ol","versions":"5+","ignorable":true,"default":false}]}]}'
)


class DescribeLogDirsPartition(Struct):
    """The partitions in it."""

    __slots__ = ("partition_index", "partition_size", "offset_lag", "is_future_key")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "partition_size",
        "offset_lag",
        "is_future_key",
    )
    partition_index: int  # Number of the partition.
    partition_size: int  # Size of its segments, in bytes.
    offset_lag: int  # How far the log is behind what it should hold, in offsets.
    is_future_key: bool  # Whether the log is a copy that will take over when it has caught up.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        partition_size: int = 0,
        offset_lag: int = 0,
        is_future_key: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.partition_size = partition_size
        self.offset_lag = offset_lag
        self.is_future_key = is_future_key


class DescribeLogDirsTopic(Struct):
    """The topics in it."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[DescribeLogDirsPartition]  # The partitions in it.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[DescribeLogDirsPartition] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class DescribeLogDirsResult(Struct):
    """One entry for each directory."""

    __slots__ = ("error_code", "log_dir", "topics", "total_bytes", "usable_bytes", "is_cordoned")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "log_dir",
        "topics",
        "total_bytes",
        "usable_bytes",
        "is_cordoned",
    )
    error_code: int  # Zero, or what is wrong with the directory.
    log_dir: str  # Path of the directory.
    topics: list[DescribeLogDirsTopic]  # The topics in it.
    total_bytes: int  # Size of the volume, in bytes, or -1.
    usable_bytes: int  # Free room on the volume, in bytes, or -1.
    is_cordoned: bool  # Whether no new partition may go there.

    def __init__(
        self,
        *,
        error_code: int = 0,
        log_dir: str = "",
        topics: list[DescribeLogDirsTopic] = UNSET_LIST,
        total_bytes: int = -1,
        usable_bytes: int = -1,
        is_cordoned: bool = False,
    ) -> None:
        self.error_code = error_code
        self.log_dir = log_dir
        self.topics = [] if topics is UNSET_LIST else topics
        self.total_bytes = total_bytes
        self.usable_bytes = usable_bytes
        self.is_cordoned = is_cordoned


class DescribeLogDirsResponse(Message):
    """The log directories, and how much of what is in them."""

    __slots__ = ("throttle_time_ms", "error_code", "results")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code", "results")
    NAME: ClassVar[str] = "DescribeLogDirsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 35
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why there is no answer.
    results: list[DescribeLogDirsResult]  # One entry for each directory.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        results: list[DescribeLogDirsResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.results = [] if results is UNSET_LIST else results

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeLogDirsResponse:
        message, end = DescribeLogDirsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeLogDirsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeLogDirsResponse, int]:
        try:
            if version == 5:
                return _decode_5(data, offset)
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeLogDirsResponse", version, len(data), error) from None
        raise no_version("DescribeLogDirsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 5:
                return _encode_5(self, writer, version)
            if version == 4:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeLogDirsResponse", version, error) from error
        raise no_encoding("DescribeLogDirsResponse", version)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeLogDirsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeLogDirsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 8 > size - i:
        raise bad_count("DescribeLogDirsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeLogDirsResponse.Results", 10000000)
    count1 = n
    found1: list[DescribeLogDirsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DescribeLogDirsResult()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeLogDirsResponse.Results.LogDir", n, size - i)
        s1.log_dir = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 6 > size - i:
            raise bad_count("DescribeLogDirsResponse.Results.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeLogDirsResponse.Results.Topics", 10000000)
        count2 = n
        found2: list[DescribeLogDirsTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = DescribeLogDirsTopic()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeLogDirsResponse.Results.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 21 > size - i:
                raise bad_count("DescribeLogDirsResponse.Results.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeLogDirsResponse.Results.Topics.Partitions", 10000000)
            count3 = n
            found3: list[DescribeLogDirsPartition] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = DescribeLogDirsPartition()
                s3.partition_index = read_i32_be(data, i)
                s3.partition_size = read_i64_be(data, i + 4)
                s3.offset_lag = read_i64_be(data, i + 12)
                s3.is_future_key = data[i + 20] != 0
                found3.append(s3)
                i += 21
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_1(m: DescribeLogDirsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.log_dir
        write_string(w, v2)
        v3 = s1.topics
        write_i32_be(w, len(v3))
        for s2 in v3:
            v4 = s2.name
            write_string(w, v4)
            v5 = s2.partitions
            write_i32_be(w, len(v5))
            for s3 in v5:
                write_i32_be(w, s3.partition_index)
                write_i64_be(w, s3.partition_size)
                write_i64_be(w, s3.offset_lag)
                w.append(1 if s3.is_future_key else 0)


def _decode_2(data: bytes, i: i64) -> tuple[DescribeLogDirsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeLogDirsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("DescribeLogDirsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeLogDirsResponse.Results", 10000000)
    count1 = n
    found1: list[DescribeLogDirsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DescribeLogDirsResult()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeLogDirsResponse.Results.LogDir", n, size - i)
        s1.log_dir = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("DescribeLogDirsResponse.Results.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeLogDirsResponse.Results.Topics", 10000000)
        count2 = n
        found2: list[DescribeLogDirsTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = DescribeLogDirsTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeLogDirsResponse.Results.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 22 > size - i:
                raise bad_count("DescribeLogDirsResponse.Results.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeLogDirsResponse.Results.Topics.Partitions", 10000000)
            count3 = n
            found3: list[DescribeLogDirsPartition] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = DescribeLogDirsPartition()
                s3.partition_index = read_i32_be(data, i)
                s3.partition_size = read_i64_be(data, i + 4)
                s3.offset_lag = read_i64_be(data, i + 12)
                s3.is_future_key = data[i + 20] != 0
                if data[i + 21] == 0:
                    i += 22
                else:
                    i = skip_tagged_fields(data, i + 21)
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


def _encode_2(m: DescribeLogDirsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.log_dir
        write_compact_string(w, v2)
        v3 = s1.topics
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.name
            write_compact_string(w, v4)
            v5 = s2.partitions
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3.partition_index)
                write_i64_be(w, s3.partition_size)
                write_i64_be(w, s3.offset_lag)
                w.append(1 if s3.is_future_key else 0)
                w.append(0)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_3(data: bytes, i: i64) -> tuple[DescribeLogDirsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeLogDirsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("DescribeLogDirsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeLogDirsResponse.Results", 10000000)
    count1 = n
    found1: list[DescribeLogDirsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DescribeLogDirsResult()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeLogDirsResponse.Results.LogDir", n, size - i)
        s1.log_dir = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("DescribeLogDirsResponse.Results.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeLogDirsResponse.Results.Topics", 10000000)
        count2 = n
        found2: list[DescribeLogDirsTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = DescribeLogDirsTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeLogDirsResponse.Results.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 22 > size - i:
                raise bad_count("DescribeLogDirsResponse.Results.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeLogDirsResponse.Results.Topics.Partitions", 10000000)
            count3 = n
            found3: list[DescribeLogDirsPartition] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = DescribeLogDirsPartition()
                s3.partition_index = read_i32_be(data, i)
                s3.partition_size = read_i64_be(data, i + 4)
                s3.offset_lag = read_i64_be(data, i + 12)
                s3.is_future_key = data[i + 20] != 0
                if data[i + 21] == 0:
                    i += 22
                else:
                    i = skip_tagged_fields(data, i + 21)
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


def _encode_3(m: DescribeLogDirsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.log_dir
        write_compact_string(w, v2)
        v3 = s1.topics
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.name
            write_compact_string(w, v4)
            v5 = s2.partitions
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3.partition_index)
                write_i64_be(w, s3.partition_size)
                write_i64_be(w, s3.offset_lag)
                w.append(1 if s3.is_future_key else 0)
                w.append(0)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_4(data: bytes, i: i64) -> tuple[DescribeLogDirsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeLogDirsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 21 > size - i:
        raise bad_count("DescribeLogDirsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeLogDirsResponse.Results", 10000000)
    count1 = n
    found1: list[DescribeLogDirsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DescribeLogDirsResult()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeLogDirsResponse.Results.LogDir", n, size - i)
        s1.log_dir = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("DescribeLogDirsResponse.Results.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeLogDirsResponse.Results.Topics", 10000000)
        count2 = n
        found2: list[DescribeLogDirsTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = DescribeLogDirsTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeLogDirsResponse.Results.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 22 > size - i:
                raise bad_count("DescribeLogDirsResponse.Results.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeLogDirsResponse.Results.Topics.Partitions", 10000000)
            count3 = n
            found3: list[DescribeLogDirsPartition] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = DescribeLogDirsPartition()
                s3.partition_index = read_i32_be(data, i)
                s3.partition_size = read_i64_be(data, i + 4)
                s3.offset_lag = read_i64_be(data, i + 12)
                s3.is_future_key = data[i + 20] != 0
                if data[i + 21] == 0:
                    i += 22
                else:
                    i = skip_tagged_fields(data, i + 21)
                found3.append(s3)
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.total_bytes = read_i64_be(data, i)
        s1.usable_bytes = read_i64_be(data, i + 8)
        if data[i + 16] == 0:
            i += 17
        else:
            i = skip_tagged_fields(data, i + 16)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_4(m: DescribeLogDirsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.log_dir
        write_compact_string(w, v2)
        v3 = s1.topics
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.name
            write_compact_string(w, v4)
            v5 = s2.partitions
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3.partition_index)
                write_i64_be(w, s3.partition_size)
                write_i64_be(w, s3.offset_lag)
                w.append(1 if s3.is_future_key else 0)
                w.append(0)
            w.append(0)
        write_i64_be(w, s1.total_bytes)
        write_i64_be(w, s1.usable_bytes)
        w.append(0)
    w.append(0)


def _decode_5(data: bytes, i: i64) -> tuple[DescribeLogDirsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeLogDirsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 22 > size - i:
        raise bad_count("DescribeLogDirsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeLogDirsResponse.Results", 10000000)
    count1 = n
    found1: list[DescribeLogDirsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DescribeLogDirsResult()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeLogDirsResponse.Results.LogDir", n, size - i)
        s1.log_dir = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("DescribeLogDirsResponse.Results.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeLogDirsResponse.Results.Topics", 10000000)
        count2 = n
        found2: list[DescribeLogDirsTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = DescribeLogDirsTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeLogDirsResponse.Results.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 22 > size - i:
                raise bad_count("DescribeLogDirsResponse.Results.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeLogDirsResponse.Results.Topics.Partitions", 10000000)
            count3 = n
            found3: list[DescribeLogDirsPartition] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = DescribeLogDirsPartition()
                s3.partition_index = read_i32_be(data, i)
                s3.partition_size = read_i64_be(data, i + 4)
                s3.offset_lag = read_i64_be(data, i + 12)
                s3.is_future_key = data[i + 20] != 0
                if data[i + 21] == 0:
                    i += 22
                else:
                    i = skip_tagged_fields(data, i + 21)
                found3.append(s3)
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
        s1.total_bytes = read_i64_be(data, i)
        s1.usable_bytes = read_i64_be(data, i + 8)
        s1.is_cordoned = data[i + 16] != 0
        if data[i + 17] == 0:
            i += 18
        else:
            i = skip_tagged_fields(data, i + 17)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_5(m: DescribeLogDirsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.log_dir
        write_compact_string(w, v2)
        v3 = s1.topics
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.name
            write_compact_string(w, v4)
            v5 = s2.partitions
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3.partition_index)
                write_i64_be(w, s3.partition_size)
                write_i64_be(w, s3.offset_lag)
                w.append(1 if s3.is_future_key else 0)
                w.append(0)
            w.append(0)
        write_i64_be(w, s1.total_bytes)
        write_i64_be(w, s1.usable_bytes)
        w.append(1 if s1.is_cordoned else 0)
        w.append(0)
    w.append(0)
