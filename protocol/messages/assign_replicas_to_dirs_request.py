"""AssignReplicasToDirsRequest, generated from AssignReplicasToDirsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

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
    '{"apiKey":73,"type":"request","listeners":["controller"],"name":"AssignReplicasToDirsReque'
    'st","validVersions":"0","flexibleVersions":"0+","fields":[{"name":"BrokerId","type":"int32'
    '","versions":"0+","entityType":"brokerId"},{"name":"BrokerEpoch","type":"int64","versions"'
    ':"0+","default":"-1"},{"name":"Directories","type":"[]DirectoryData","versions":"0+","fiel'
    'ds":[{"name":"Id","type":"uuid","versions":"0+"},{"name":"Topics","type":"[]TopicData","ve'
    'rsions":"0+","fields":[{"name":"TopicId","type":"uuid","versions":"0+"},{"name":"Partition'
    's","type":"[]PartitionData","versions":"0+","fields":[{"name":"PartitionIndex","type":"int'
    '32","versions":"0+"}]}]}]}]}'
)


class PartitionData(Struct):
    """The partitions with a replica in it."""

    __slots__ = ("partition_index",)
    FIELDS: ClassVar[tuple[str, ...]] = ("partition_index",)
    partition_index: int  # Number of the partition.

    def __init__(
        self,
        *,
        partition_index: int = 0,
    ) -> None:
        self.partition_index = partition_index


class TopicData(Struct):
    """The topics with replicas in it."""

    __slots__ = ("topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id", "partitions")
    topic_id: bytes  # Id of the topic.
    partitions: list[PartitionData]  # The partitions with a replica in it.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class DirectoryData(Struct):
    """One entry for each directory that gets replicas."""

    __slots__ = ("id", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("id", "topics")
    id: bytes  # Id of the directory.
    topics: list[TopicData]  # The topics with replicas in it.

    def __init__(
        self,
        *,
        id: bytes = ZERO_UUID,
        topics: list[TopicData] = UNSET_LIST,
    ) -> None:
        self.id = id
        self.topics = [] if topics is UNSET_LIST else topics


class AssignReplicasToDirsRequest(Message):
    """A broker says which log directories hold its replicas."""

    __slots__ = ("broker_id", "broker_epoch", "directories")
    FIELDS: ClassVar[tuple[str, ...]] = ("broker_id", "broker_epoch", "directories")
    NAME: ClassVar[str] = "AssignReplicasToDirsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 73
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    broker_id: int  # Id of the broker.
    broker_epoch: int  # Epoch of its registration.
    directories: list[DirectoryData]  # One entry for each directory that gets replicas.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        directories: list[DirectoryData] = UNSET_LIST,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.directories = [] if directories is UNSET_LIST else directories

    @staticmethod
    def decode(data: bytes, version: int) -> AssignReplicasToDirsRequest:
        message, end = AssignReplicasToDirsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AssignReplicasToDirsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AssignReplicasToDirsRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AssignReplicasToDirsRequest", version, len(data), error) from None
        raise no_version("AssignReplicasToDirsRequest", version)

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
            raise no_encoding("AssignReplicasToDirsRequest", version, error) from error
        raise no_encoding("AssignReplicasToDirsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[AssignReplicasToDirsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AssignReplicasToDirsRequest()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    n = data[i + 12]
    i += 13
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("AssignReplicasToDirsRequest.Directories", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AssignReplicasToDirsRequest.Directories", 100000)
    count1 = n
    found1: list[DirectoryData] = []
    m.directories = found1
    for _ in range(count1):
        s1 = DirectoryData()
        end = i + 16
        if end > size:
            raise bad_length("AssignReplicasToDirsRequest.Directories.Id", 16, size - i)
        s1.id = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 18 > size - i:
            raise bad_count("AssignReplicasToDirsRequest.Directories.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AssignReplicasToDirsRequest.Directories.Topics", 100000)
        count2 = n
        found2: list[TopicData] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = TopicData()
            end = i + 16
            if end > size:
                raise bad_length("AssignReplicasToDirsRequest.Directories.Topics.TopicId", 16, size - i)
            s2.topic_id = data[i:end]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 5 > size - i:
                raise bad_count("AssignReplicasToDirsRequest.Directories.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("AssignReplicasToDirsRequest.Directories.Topics.Partitions", 100000)
            count3 = n
            found3: list[PartitionData] = []
            s2.partitions = found3
            for _ in range(count3):
                s3 = PartitionData()
                s3.partition_index = read_i32_be(data, i)
                if data[i + 4] == 0:
                    i += 5
                else:
                    i = skip_tagged_fields(data, i + 4)
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


def _encode_0(m: AssignReplicasToDirsRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
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
                w.append(0)
            w.append(0)
        w.append(0)
    w.append(0)
