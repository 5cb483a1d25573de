"""VoteResponse, generated from VoteResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

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
    write_compact_string,
    write_tag,
    write_u16,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":52,"type":"response","name":"VoteResponse","validVersions":"0-2","flexibleVersio'
    'ns":"0+","fields":[{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"Topics","t'
    'ype":"[]TopicData","versions":"0+","fields":[{"name":"TopicName","type":"string","versions'
    '":"0+","entityType":"topicName"},{"name":"Partitions","type":"[]PartitionData","versions":'
    '"0+","fields":[{"name":"PartitionIndex","type":"int32","versions":"0+"},{"name":"ErrorCode'
    '","type":"int16","versions":"0+"},{"name":"LeaderId","type":"int32","versions":"0+","entit'
    'yType":"brokerId"},{"name":"LeaderEpoch","type":"int32","versions":"0+"},{"name":"VoteGran'
    'ted","type":"bool","versions":"0+"}]}]},{"name":"NodeEndpoints","type":"[]NodeEndpoint","v'
    'ersions":"1+","taggedVersions":"1+","tag":0,"fields":[{"name":"NodeId","type":"int32","ver'
    'sions":"1+","mapKey":true,"entityType":"brokerId"},{"name":"Host","type":"string","version'
    's":"1+"},{"name":"Port","type":"uint16","versions":"1+"}]}]}'
)


class PartitionData(Struct):
    """One entry for each partition."""

    __slots__ = ("partition_index", "error_code", "leader_id", "leader_epoch", "vote_granted")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "partition_index",
        "error_code",
        "leader_id",
        "leader_epoch",
        "vote_granted",
    )
    partition_index: int  # Number of the partition.
    error_code: int  # Zero, or why the vote was not considered.
    leader_id: int  # Node id of the leader that the voter knows, or -1.
    leader_epoch: int  # Newest epoch that the voter knows.
    vote_granted: bool  # Whether the sender has this vote.

    def __init__(
        self,
        *,
        partition_index: int = 0,
        error_code: int = 0,
        leader_id: int = 0,
        leader_epoch: int = 0,
        vote_granted: bool = False,
    ) -> None:
        self.partition_index = partition_index
        self.error_code = error_code
        self.leader_id = leader_id
        self.leader_epoch = leader_epoch
        self.vote_granted = vote_granted


class TopicData(Struct):
    """One entry for each topic."""

    __slots__ = ("topic_name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_name", "partitions")
    topic_name: str  # Name of the topic.
    partitions: list[PartitionData]  # One entry for each partition.

    def __init__(
        self,
        *,
        topic_name: str = "",
        partitions: list[PartitionData] = UNSET_LIST,
    ) -> None:
        self.topic_name = topic_name
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


class VoteResponse(Message):
    """Whether the voter gives its vote, and which leader it knows of."""

    __slots__ = ("error_code", "topics", "node_endpoints")
    FIELDS: ClassVar[tuple[str, ...]] = ("error_code", "topics", "node_endpoints")
    NAME: ClassVar[str] = "VoteResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 52
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    error_code: int  # Zero, or why the whole request failed.
    topics: list[TopicData]  # One entry for each topic.
    node_endpoints: list[NodeEndpoint]  # Where the leaders named above are reached.

    def __init__(
        self,
        *,
        error_code: int = 0,
        topics: list[TopicData] = UNSET_LIST,
        node_endpoints: list[NodeEndpoint] = UNSET_LIST,
    ) -> None:
        self.error_code = error_code
        self.topics = [] if topics is UNSET_LIST else topics
        self.node_endpoints = [] if node_endpoints is UNSET_LIST else node_endpoints

    @staticmethod
    def decode(data: bytes, version: int) -> VoteResponse:
        message, end = VoteResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("VoteResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[VoteResponse, int]:
        try:
            if 1 <= version <= 2:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("VoteResponse", version, len(data), error) from None
        raise no_version("VoteResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 1 <= version <= 2:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("VoteResponse", version, error) from error
        raise no_encoding("VoteResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[VoteResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = VoteResponse()
    m.error_code = read_i16_be(data, i)
    n = data[i + 2]
    i += 3
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("VoteResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("VoteResponse.Topics", 10000000)
    count1 = n
    found1: list[TopicData] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicData()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("VoteResponse.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 16 > size - i:
            raise bad_count("VoteResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("VoteResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.leader_id = read_i32_be(data, i + 6)
            s2.leader_epoch = read_i32_be(data, i + 10)
            s2.vote_granted = data[i + 14] != 0
            if data[i + 15] == 0:
                i += 16
            else:
                i = skip_tagged_fields(data, i + 15)
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


def _encode_0(m: VoteResponse, w: BytesWriter, version: int) -> None:
    if len(m.node_endpoints) > 0:
        raise not_carried("VoteResponse.NodeEndpoints", version)
    write_i16_be(w, m.error_code)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic_name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)
            w.append(1 if s2.vote_granted else 0)
            w.append(0)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[VoteResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = VoteResponse()
    m.error_code = read_i16_be(data, i)
    n = data[i + 2]
    i += 3
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("VoteResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("VoteResponse.Topics", 10000000)
    count1 = n
    found1: list[TopicData] = []
    m.topics = found1
    for _ in range(count1):
        s1 = TopicData()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("VoteResponse.Topics.TopicName", n, size - i)
        s1.topic_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 16 > size - i:
            raise bad_count("VoteResponse.Topics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("VoteResponse.Topics.Partitions", 10000000)
        count2 = n
        found2: list[PartitionData] = []
        s1.partitions = found2
        for _ in range(count2):
            s2 = PartitionData()
            s2.partition_index = read_i32_be(data, i)
            s2.error_code = read_i16_be(data, i + 4)
            s2.leader_id = read_i32_be(data, i + 6)
            s2.leader_epoch = read_i32_be(data, i + 10)
            s2.vote_granted = data[i + 14] != 0
            if data[i + 15] == 0:
                i += 16
            else:
                i = skip_tagged_fields(data, i + 15)
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
                if n < 0 or n * 8 > size - i:
                    raise bad_count("VoteResponse.NodeEndpoints", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("VoteResponse.NodeEndpoints", 10000000)
                count4 = n
                found3: list[NodeEndpoint] = []
                m.node_endpoints = found3
                for _ in range(count4):
                    s3 = NodeEndpoint()
                    s3.node_id = read_i32_be(data, i)
                    n = data[i + 4]
                    i += 5
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("VoteResponse.NodeEndpoints.Host", n, size - i)
                    s3.host = data[i:end].decode()
                    i = end
                    s3.port = read_i16_be(data, i) & 0xFFFF
                    if data[i + 2] == 0:
                        i += 3
                    else:
                        i = skip_tagged_fields(data, i + 2)
                    found3.append(s3)
                if i != stop1:
                    raise bad_tag_size("VoteResponse.NodeEndpoints")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_1(m: VoteResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.topic_name
        write_compact_string(w, v2)
        v3 = s1.partitions
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            write_i32_be(w, s2.partition_index)
            write_i16_be(w, s2.error_code)
            write_i32_be(w, s2.leader_id)
            write_i32_be(w, s2.leader_epoch)
            w.append(1 if s2.vote_granted else 0)
            w.append(0)
        w.append(0)
    t1 = len(m.node_endpoints) > 0
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            w1 = BytesWriter()
            v4 = m.node_endpoints
            write_uvarint(w1, len(v4) + 1)
            for s3 in v4:
                write_i32_be(w1, s3.node_id)
                v5 = s3.host
                write_compact_string(w1, v5)
                write_u16(w1, s3.port)
                w1.append(0)
            write_tag(w, 0, w1)
    else:
        w.append(0)
