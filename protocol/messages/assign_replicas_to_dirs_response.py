"""AssignReplicasToDirsResponse, generated from AssignReplicasToDirsResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    ZERO_UUID,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":73,"type":"response","name":"AssignReplicasToDirsResponse","validVersions":"0","'
    'flexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},'
    '{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"Directories","type":"[]Direct'
    'oryData","versions":"0+","fields":[{"name":"Id","type":"uuid","versions":"0+"},{"name":"To'
    'pics","type":"[]TopicData","versions":"0+","fields":[{"name":"TopicId","type":"uuid","vers'
    'ions":"0+"},{"name":"Partitions","type":"[]PartitionData","versions":"0+","fields":[{"name'
    '":"PartitionIndex","type":"int32","versions":"0+"},{"name":"ErrorCode","type":"int16","ver'
    'sions":"0+"}]}]}]}]}'
)


class PartitionData(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index", "error_code")
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why its directory was not written down.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code


class TopicData(Struct):
    """One entry for each topic."""

    __slots__ = ("topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id", "partitions")
    topic_id: bytes  # Id of the topic.
    partitions: list[PartitionData]  # One entry for each partition.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class DirectoryData(Struct):
    """One entry for each directory."""

    __slots__ = ("id", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("id", "topics")
    id: bytes  # Id of the directory.
    topics: list[TopicData]  # One entry for each topic.

    def __init__(
        self,
        *,
        id: bytes = ZERO_UUID,
        topics: list[TopicData] = UNSET_LIST,
    ) -> None:
        self.id = id
        self.topics = [] if topics is UNSET_LIST else topics


class AssignReplicasToDirsResponse(Message):
    """Whether the controller wrote down which directory holds which replica."""

    __slots__ = ("throttle_time_ms", "error_code", "directories")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code", "directories")
    NAME: ClassVar[str] = "AssignReplicasToDirsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 73
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the broker should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the whole request failed.
    directories: list[DirectoryData]  # One entry for each directory.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        directories: list[DirectoryData] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.directories = [] if directories is UNSET_LIST else directories

    @staticmethod
    def decode(data: bytes, version: int) -> AssignReplicasToDirsResponse:
        message, end = AssignReplicasToDirsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AssignReplicasToDirsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AssignReplicasToDirsResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AssignReplicasToDirsResponse", version, len(data), error) from None
        raise no_version("AssignReplicasToDirsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AssignReplicasToDirsResponse", version, error) from error
        raise no_encoding("AssignReplicasToDirsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[AssignReplicasToDirsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = AssignReplicasToDirsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("AssignReplicasToDirsResponse.Directories", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AssignReplicasToDirsResponse.Directories", 10000000)
    count1 = n
    found1: list[DirectoryData] = []
    m.directories = found1
    for _ in range(count1):
        s1 = DirectoryData()
        end = i + 16
        if end > size:
            raise bad_length("AssignReplicasToDirsResponse.Directories.Id", 16, size - i)
        s1.id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("AssignReplicasToDirsResponse.Directories.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AssignReplicasToDirsResponse.Directories.Topics", 10000000)
        count2 = n
        found2: list[TopicData] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = TopicData()
            end = i + 16
            if end > size:
                raise bad_length("AssignReplicasToDirsResponse.Directories.Topics.TopicId", 16, size - i)
            s2.topic_id = data[i:end]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 7 > size - i:
                raise bad_count("AssignReplicasToDirsResponse.Directories.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("AssignReplicasToDirsResponse.Directories.Topics.Partitions", 10000000)
            count3 = n
            found3: list[PartitionData] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = PartitionData()
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


def _encode_0(m: AssignReplicasToDirsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.directories
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_uuid(w, s1.id)
        v2 = s1.topics
        write_uvarint(w, len(v2) + 1)
        for s2 in v2:
            write_uuid(w, s2.topic_id)
            v3 = s2.partitions
            write_uvarint(w, len(v3) + 1)
            for s3 in v3:
                write_i32_be(w, s3.partition_index)
                write_i16_be(w, s3.error_code)
                w.append(0)
            w.append(0)
        w.append(0)
    w.append(0)
