"""FetchSnapshotResponse, generated from FetchSnapshotResponse.json: do not edit, run `make generate`."""

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
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    over_budget,
    read_tag,
    skip_tagged_fields,
    trailing,
    write_compact_records,
    write_compact_string,
    write_tag,
    write_u16,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

    from ..buffer import Buffer

_SCHEMA: Final = (
    '{"apiKey":59,"type":"response","name":"FetchSnapshotResponse","validVersions":"0-1","flexi'
    'bleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+","ignor'
    'able":true},{"name":"ErrorCode","type":"int16","versions":"0+","ignorable":false},{"name":'
    '"Topics","type":"[]TopicSnapshot","versions":"0+","fields":[{"name":"Name","type":"string"'
    ',"versions":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]PartitionSnapsho'
    't","versions":"0+","fields":[{"name":"Index","type":"int32","versions":"0+"},{"name":"Erro'
    'rCode","type":"int16","versions":"0+"},{"name":"SnapshotId","type":"SnapshotId","versions"'
    ':"0+","fields":[{"name":"EndOffset","type":"int64","versions":"0+"},{"name":"Epoch","type"'
    ':"int32","versions":"0+"}]},{"name":"CurrentLeader","type":"LeaderIdAndEpoch","versions":"'
    '0+","taggedVersions":"0+","tag":0,"fields":[{"name":"LeaderId","type":"int32","versions":"'
    '0+","entityType":"brokerId"},{"name":"LeaderEpoch","type":"int32","versions":"0+"}]},{"nam'
    'e":"Size","type":"int64","versions":"0+"},{"name":"Position","type":"int64","versions":"0+'
    '"},{"name":"UnalignedRecords","type":"records","versions":"0+"}]}]},{"name":"NodeEndpoints'
    '","type":"[]NodeEndpoint","versions":"1+","taggedVersions":"1+","tag":0,"fields":[{"name":'
    '"NodeId","type":"int32","versions":"1+","mapKey":true,"entityType":"brokerId"},{"name":"Ho'
    'st","type":"string","versions":"1+"},{"name":"Port","type":"uint16","versions":"1+"}]}]}'
)


class SnapshotId(Struct):
    """Which snapshot this is of."""

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


class LeaderIdAndEpoch(Struct):
    """The leader that this node knows; absent when it does not matter."""

    __slots__ = ("leader_id", "leader_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("leader_id", "leader_epoch")
    leader_id: int  # Node id of the leader, or -1.
    leader_epoch: int  # Newest epoch that this node knows.

    def __init__(
        self,
        *,
        leader_id: int = 0,
        leader_epoch: int = 0,
    ) -> None:
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch


class PartitionSnapshot(Struct):
    """One entry for each partition."""

    __slots__ = (
        "index",
        "error_code",
        "snapshot_id",
        "current_leader",
        "size",
        "position",
        "unaligned_records",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "index",
        "error_code",
        "snapshot_id",
        "current_leader",
        "size",
        "position",
        "unaligned_records",
    )
    index: int  # Number of the partition.
    error_code: int  # Zero, or why nothing was read.
    snapshot_id: SnapshotId  # Which snapshot this is of.
    current_leader: LeaderIdAndEpoch  # The leader that this node knows; absent when it does not matter.
    size: int  # Length of the whole snapshot in bytes.
    position: int  # Byte of the snapshot at which the piece begins.
    unaligned_records: Buffer  # The piece; it may begin and end inside of a record batch.

    def __init__(
        self,
        *,
        index: int = 0,
        error_code: int = 0,
        snapshot_id: SnapshotId | None = None,
        current_leader: LeaderIdAndEpoch | None = None,
        size: int = 0,
        position: int = 0,
        unaligned_records: Buffer = b'',
    ) -> None:
        self.index = index
        self.error_code = error_code
        self.snapshot_id = SnapshotId() if snapshot_id is None else snapshot_id
        self.current_leader = LeaderIdAndEpoch() if current_leader is None else current_leader
        self.size = size
        self.position = position
        self.unaligned_records = unaligned_records


class TopicSnapshot(Struct):
    """One entry for each topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[PartitionSnapshot]  # One entry for each partition.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[PartitionSnapshot] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class NodeEndpoint(Struct):
    """Where the leaders named above are reached."""

    __slots__ = ("node_id", "host", "port")
    FIELDS: ClassVar[tuple[str, ...]] = ("node_id", "host", "port")
    node_id: int  # Node id of the leader.
    host: str  # Host name or address.
    port: int  # Port.

    def __init__(
        self,
        *,
        node_id: int = 0,
        host: str = "",
        port: int = 0,
    ) -> None:
        self.node_id = node_id
        self.host = host
        self.port = port


class FetchSnapshotResponse(Message):
    """A piece of a snapshot, and how large the whole is."""

    __slots__ = ("throttle_time_ms", "error_code", "topics", "node_endpoints")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "topics",
        "node_endpoints",
    )
    NAME: ClassVar[str] = "FetchSnapshotResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 59
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the reader should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the whole request failed.
    topics: list[TopicSnapshot]  # One entry for each topic.
    node_endpoints: list[NodeEndpoint]  # Where the leaders named above are reached.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        topics: list[TopicSnapshot] = UNSET_LIST,
        node_endpoints: list[NodeEndpoint] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.topics = [] if topics is UNSET_LIST else topics
        self.node_endpoints = [] if node_endpoints is UNSET_LIST else node_endpoints

    @staticmethod
    def decode(data: bytes, version: int) -> FetchSnapshotResponse:
        message, end = FetchSnapshotResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("FetchSnapshotResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[FetchSnapshotResponse, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("FetchSnapshotResponse", version, len(data), error) from None
        raise no_version("FetchSnapshotResponse", version)

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
            raise no_encoding("FetchSnapshotResponse", version, error) from error
        raise no_encoding("FetchSnapshotResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[FetchSnapshotResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FetchSnapshotResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("FetchSnapshotResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchSnapshotResponse.Topics", 10000000)
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
            raise bad_length("FetchSnapshotResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 37 > size - i:
            raise bad_count("FetchSnapshotResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchSnapshotResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[PartitionSnapshot] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionSnapshot()
            s2.index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s3 = SnapshotId()
            s3.end_offset = read_i64_be(data, i + 6)
            s3.epoch = read_i32_be(data, i + 14)
            if data[i + 18] == 0:
                i += 19
            else:
                i = skip_tagged_fields(data, i + 18)
            s2.snapshot_id = s3
            s2.size = read_i64_be(data, i)
            s2.position = read_i64_be(data, i + 8)
            n = data[i + 16]
            i += 17
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size:
                raise bad_length("FetchSnapshotResponse.Topics.Partitions.UnalignedRecords", n, size - i)
            s2.unaligned_records = data[i:end]
            i = end
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
                        s4 = LeaderIdAndEpoch()
                        s4.leader_id = read_i32_be(data, i)
                        s4.leader_epoch = read_i32_be(data, i + 4)
                        if data[i + 8] == 0:
                            i += 9
                        else:
                            i = skip_tagged_fields(data, i + 8)
                        s2.current_leader = s4
                        if i != stop1:
                            raise bad_tag_size("FetchSnapshotResponse.Topics.Partitions.CurrentLeader")
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
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: FetchSnapshotResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("FetchSnapshotResponse.NodeEndpoints", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.index)
            write_i16_be(w, s2.error_code)
            v4 = s2.snapshot_id
            write_i64_be(w, v4.end_offset)
            write_i32_be(w, v4.epoch)
            w.append(0)
            write_i64_be(w, s2.size)
            write_i64_be(w, s2.position)
            v5 = s2.unaligned_records
            write_compact_records(w, v5)
            t1 = (s2.current_leader.leader_id != 0 or s2.current_leader.leader_epoch != 0)
            if t1:
                write_uvarint(w, int(t1))
                if t1:
                    w1 = BytesWriter()
                    v6 = s2.current_leader
                    write_i32_be(w1, v6.leader_id)
                    write_i32_be(w1, v6.leader_epoch)
                    w1.append(0)
                    write_tag(w, 0, w1)
            else:
                w.append(0)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[FetchSnapshotResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FetchSnapshotResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("FetchSnapshotResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FetchSnapshotResponse.Topics", 10000000)
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
            raise bad_length("FetchSnapshotResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 37 > size - i:
            raise bad_count("FetchSnapshotResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("FetchSnapshotResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[PartitionSnapshot] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionSnapshot()
            s2.index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s3 = SnapshotId()
            s3.end_offset = read_i64_be(data, i + 6)
            s3.epoch = read_i32_be(data, i + 14)
            if data[i + 18] == 0:
                i += 19
            else:
                i = skip_tagged_fields(data, i + 18)
            s2.snapshot_id = s3
            s2.size = read_i64_be(data, i)
            s2.position = read_i64_be(data, i + 8)
            n = data[i + 16]
            i += 17
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size:
                raise bad_length("FetchSnapshotResponse.Topics.Partitions.UnalignedRecords", n, size - i)
            s2.unaligned_records = data[i:end]
            i = end
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
                        s4 = LeaderIdAndEpoch()
                        s4.leader_id = read_i32_be(data, i)
                        s4.leader_epoch = read_i32_be(data, i + 4)
                        if data[i + 8] == 0:
                            i += 9
                        else:
                            i = skip_tagged_fields(data, i + 8)
                        s2.current_leader = s4
                        if i != stop1:
                            raise bad_tag_size("FetchSnapshotResponse.Topics.Partitions.CurrentLeader")
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
                if n < 0 or n * 8 > size - i:
                    raise bad_count("FetchSnapshotResponse.NodeEndpoints", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("FetchSnapshotResponse.NodeEndpoints", 10000000)
                count5 = n
                found3: list[NodeEndpoint] = []
                m.node_endpoints = found3
                for _ in range(count5):
                    s5 = NodeEndpoint()
                    s5.node_id = read_i32_be(data, i)
                    n = data[i + 4]
                    i += 5
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("FetchSnapshotResponse.NodeEndpoints.Host", n, size - i)
                    s5.host = data[i:end].decode()
                    i = end
                    s5.port = read_i16_be(data, i) & 0xFFFF
                    if data[i + 2] == 0:
                        i += 3
                    else:
                        i = skip_tagged_fields(data, i + 2)
                    found3.append(s5)
                if i != stop2:
                    raise bad_tag_size("FetchSnapshotResponse.NodeEndpoints")
            else:
                check_unknown_tag(tag2, stop2 - i, unknown2)
                unknown2 += 1
                i = stop2
    return m, i


def _encode_1(m: FetchSnapshotResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.index)
            write_i16_be(w, s2.error_code)
            v4 = s2.snapshot_id
            write_i64_be(w, v4.end_offset)
            write_i32_be(w, v4.epoch)
            w.append(0)
            write_i64_be(w, s2.size)
            write_i64_be(w, s2.position)
            v5 = s2.unaligned_records
            write_compact_records(w, v5)
            t1 = (s2.current_leader.leader_id != 0 or s2.current_leader.leader_epoch != 0)
            if t1:
                write_uvarint(w, int(t1))
                if t1:
                    w1 = BytesWriter()
                    v6 = s2.current_leader
                    write_i32_be(w1, v6.leader_id)
                    write_i32_be(w1, v6.leader_epoch)
                    w1.append(0)
                    write_tag(w, 0, w1)
            else:
                w.append(0)
        w.append(0)
    t2 = len(m.node_endpoints) > 0
    if t2:
        write_uvarint(w, int(t2))
        if t2:
            w2 = BytesWriter()
            v7 = m.node_endpoints
            write_uvarint(w2, len(v7) + 1)
            for s3 in v7:
                write_i32_be(w2, s3.node_id)
                v8 = s3.host
                write_compact_string(w2, v8)
                write_u16(w2, s3.port)
                w2.append(0)
            write_tag(w, 0, w2)
    else:
        w.append(0)
