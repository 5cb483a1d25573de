"""FetchSnapshotRequest, generated from FetchSnapshotRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    ZERO_UUID,
    bad_count,
    bad_length,
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    read_tag,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_tag,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":59,"type":"request","listeners":["controller"],"name":"FetchSnapshotRequest","va'
    'lidVersions":"0-1","flexibleVersions":"0+","fields":[{"name":"ClusterId","type":"string","'
    'versions":"0+","nullableVersions":"0+","default":"null","taggedVersions":"0+","tag":0},{"n'
    'ame":"ReplicaId","type":"int32","versions":"0+","default":"-1","entityType":"brokerId"},{"'
    'name":"MaxBytes","type":"int32","versions":"0+","default":"0x7fffffff"},{"name":"Topics","'
    'type":"[]TopicSnapshot","versions":"0+","fields":[{"name":"Name","type":"string","versions'
    '":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]PartitionSnapshot","versio'
    'ns":"0+","fields":[{"name":"Partition","type":"int32","versions":"0+"},{"name":"CurrentLea'
    'derEpoch","type":"int32","versions":"0+"},{"name":"SnapshotId","type":"SnapshotId","versio'
    'ns":"0+","fields":[{"name":"EndOffset","type":"int64","versions":"0+"},{"name":"Epoch","ty'
    'pe":"int32","versions":"0+"}]},{"name":"Position","type":"int64","versions":"0+"},{"name":'
    '"ReplicaDirectoryId","type":"uuid","versions":"1+","taggedVersions":"1+","tag":0,"ignorabl'
    'e":true}]}]}]}'
)


class SnapshotId(Struct):
    """Which snapshot to read."""

    __slots__ = ("end_offset", "epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("end_offset", "epoch")
    end_offset: int  # The snapshot covers all offsets below this one.
    epoch: int  # Epoch of the last record that it covers.

    def __init__(
        self,
        *,
        end_offset: int = 0,
        epoch: int = 0,
    ) -> None:
        self.end_offset = end_offset
        self.epoch = epoch


class PartitionSnapshot(Struct):
    """The partitions to read."""

    __slots__ = (
        "partition",
        "current_leader_epoch",
        "snapshot_id",
        "position",
        "replica_directory_id",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition",
        "current_leader_epoch",
        "snapshot_id",
        "position",
        "replica_directory_id",
    )
    partition: int  # Number of the partition.
    current_leader_epoch: int  # Leader epoch that the reader knows, or -1.
    snapshot_id: SnapshotId  # Which snapshot to read.
    position: int  # Byte of the snapshot from which to read.
    replica_directory_id: bytes  # Id of the directory that the reader keeps its log in.

    def __init__(
        self,
        *,
        partition: int = 0,
        current_leader_epoch: int = 0,
        snapshot_id: SnapshotId | None = None,
        position: int = 0,
        replica_directory_id: bytes = ZERO_UUID,
    ) -> None:
        self.partition = partition
        self.current_leader_epoch = current_leader_epoch
        self.snapshot_id = SnapshotId() if snapshot_id is None else snapshot_id
        self.position = position
        self.replica_directory_id = replica_directory_id


class TopicSnapshot(Struct):
    """The topics to read."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[PartitionSnapshot]  # The partitions to read.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[PartitionSnapshot] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class FetchSnapshotRequest(Message):
    """Reads a piece of a snapshot that stands for the begin of a log."""

    __slots__ = ("cluster_id", "replica_id", "max_bytes", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("cluster_id", "replica_id", "max_bytes", "topics")
    NAME: ClassVar[str] = "FetchSnapshotRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 59
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    cluster_id: str | None  # Id of the sender's cluster, or null when it does not say.
    replica_id: int  # Node id of the replica that reads, or -1.
    max_bytes: int  # How many bytes the answer should hold at most, over all partitions.
    topics: list[TopicSnapshot]  # The topics to read.

    def __init__(
        self,
        *,
        cluster_id: str | None = None,
        replica_id: int = -1,
        max_bytes: int = 2147483647,
        topics: list[TopicSnapshot] = UNSET_LIST,
    ) -> None:
        self.cluster_id = cluster_id
        self.replica_id = replica_id
        self.max_bytes = max_bytes
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> FetchSnapshotRequest:
        message, end = FetchSnapshotRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("FetchSnapshotRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[FetchSnapshotRequest, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("FetchSnapshotRequest", version, len(data), error) from None
        raise no_version("FetchSnapshotRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("FetchSnapshotRequest", version, error) from error
        raise no_encoding("FetchSnapshotRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[FetchSnapshotRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = FetchSnapshotRequest()
    m.replica_id = read_i32_be(data, i)
    m.max_bytes = read_i32_be(data, i + 4)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("FetchSnapshotRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchSnapshotRequest.Topics", 100000)
    count1 = n
    found1: list[TopicSnapshot] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicSnapshot()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("FetchSnapshotRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 30 > size - i:
            raise bad_count("FetchSnapshotRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchSnapshotRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionSnapshot] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionSnapshot()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s3 = SnapshotId()
            s3.end_offset = read_i64_be(data, i + 8)
            s3.epoch = read_i32_be(data, i + 16)
            if data[i + 20] == 0:
                i += 21
            else:
                i = skip_tagged_fields(data, i + 20)
            s2.snapshot_id = s3
            s2.position = read_i64_be(data, i)
            if data[i + 8] == 0:
                i += 9
            else:
                i = skip_tagged_fields(data, i + 8)
            found2.append(s2)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count3 = n
        tag1 = -1
        unknown1 = 0
        for _ in range(count3):
            tag1, start1, stop1 = read_tag(data, i, tag1)
            i = start1
            if tag1 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.cluster_id = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("FetchSnapshotRequest.ClusterId", n, size - i)
                    m.cluster_id = data[i:end].decode()
                    i = end
                if i != stop1:
                    raise bad_tag_size("FetchSnapshotRequest.ClusterId")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_0(m: FetchSnapshotRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.replica_id)
    write_i32_be(w, m.max_bytes)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            v4 = s2.snapshot_id
            write_i64_be(w, v4.end_offset)
            write_i32_be(w, v4.epoch)
            w.append(0)
            write_i64_be(w, s2.position)
            w.append(0)
        w.append(0)
    t1 = m.cluster_id is not None
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            w1 = BytesWriter()
            v5 = m.cluster_id
            write_compact_nullable_string(w1, v5)
            write_tag(w, 0, w1)
    else:
        w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[FetchSnapshotRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = FetchSnapshotRequest()
    m.replica_id = read_i32_be(data, i)
    m.max_bytes = read_i32_be(data, i + 4)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("FetchSnapshotRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchSnapshotRequest.Topics", 100000)
    count1 = n
    found1: list[TopicSnapshot] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicSnapshot()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("FetchSnapshotRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 30 > size - i:
            raise bad_count("FetchSnapshotRequest.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchSnapshotRequest.Topics.Partitions", 100000)
        count2 = n
        found2: list[PartitionSnapshot] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionSnapshot()
            s2.partition = read_i32_be(data, i)
            s2.current_leader_epoch = read_i32_be(data, i + 4)
            s3 = SnapshotId()
            s3.end_offset = read_i64_be(data, i + 8)
            s3.epoch = read_i32_be(data, i + 16)
            if data[i + 20] == 0:
                i += 21
            else:
                i = skip_tagged_fields(data, i + 20)
            s2.snapshot_id = s3
            s2.position = read_i64_be(data, i)
            n = data[i + 8]
            i += 9
            if n > 0:
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                check_tag_count(data, i, n)
                count3 = n
                tag1 = -1
                unknown1 = 0
                for _ in range(count3):
                    tag1, start1, stop1 = read_tag(data, i, tag1)
                    i = start1
                    if tag1 == 0:
                        end = i + 16
                        if end > size:
                            raise bad_length("FetchSnapshotRequest.Topics.Partitions.ReplicaDirectoryId", 16, size - i)
                        s2.replica_directory_id = data[i:end]
                        i = end
                        if i != stop1:
                            raise bad_tag_size("FetchSnapshotRequest.Topics.Partitions.ReplicaDirectoryId")
                    else:
                        check_unknown_tag(tag1, stop1 - i, unknown1)
                        unknown1 += 1
                        i = stop1
            found2.append(s2)
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count4 = n
        tag2 = -1
        unknown2 = 0
        for _ in range(count4):
            tag2, start2, stop2 = read_tag(data, i, tag2)
            i = start2
            if tag2 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.cluster_id = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("FetchSnapshotRequest.ClusterId", n, size - i)
                    m.cluster_id = data[i:end].decode()
                    i = end
                if i != stop2:
                    raise bad_tag_size("FetchSnapshotRequest.ClusterId")
            else:
                check_unknown_tag(tag2, stop2 - i, unknown2)
                unknown2 += 1
                i = stop2
    return m, i


def _encode_1(m: FetchSnapshotRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.replica_id)
    write_i32_be(w, m.max_bytes)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition)
            write_i32_be(w, s2.current_leader_epoch)
            v4 = s2.snapshot_id
            write_i64_be(w, v4.end_offset)
            write_i32_be(w, v4.epoch)
            w.append(0)
            write_i64_be(w, s2.position)
            t1 = s2.replica_directory_id != ZERO_UUID
            if t1:
                write_uvarint(w, int(t1))
                if t1:
                    write_uvarint(w, 0)
                    w.append(16)
                    write_uuid(w, s2.replica_directory_id)
            else:
                w.append(0)
        w.append(0)
    t2 = m.cluster_id is not None
    if t2:
        write_uvarint(w, int(t2))
        if t2:
            w1 = BytesWriter()
            v5 = m.cluster_id
            write_compact_nullable_string(w1, v5)
            write_tag(w, 0, w1)
    else:
        w.append(0)
