"""ConsumerGroupHeartbeatRequest, generated from ConsumerGroupHeartbeatRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

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
    not_carried,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":68,"type":"request","listeners":["broker"],"name":"ConsumerGroupHeartbeatRequest'
    '","validVersions":"0-1","flexibleVersions":"0+","fields":[{"name":"GroupId","type":"string'
    '","versions":"0+","entityType":"groupId"},{"name":"MemberId","type":"string","versions":"0'
    '+"},{"name":"MemberEpoch","type":"int32","versions":"0+"},{"name":"InstanceId","type":"str'
    'ing","versions":"0+","nullableVersions":"0+","default":"null"},{"name":"RackId","type":"st'
    'ring","versions":"0+","nullableVersions":"0+","default":"null"},{"name":"RebalanceTimeoutM'
    's","type":"int32","versions":"0+","default":-1},{"name":"SubscribedTopicNames","type":"[]s'
    'tring","versions":"0+","nullableVersions":"0+","default":"null","entityType":"topicName"},'
    '{"name":"SubscribedTopicRegex","type":"string","versions":"1+","nullableVersions":"1+","de'
    'fault":"null"},{"name":"ServerAssignor","type":"string","versions":"0+","nullableVersions"'
    ':"0+","default":"null"},{"name":"TopicPartitions","type":"[]TopicPartitions","versions":"0'
    '+","nullableVersions":"0+","default":"null","fields":[{"name":"TopicId","type":"uuid","ver'
    'sions":"0+"},{"name":"Partitions","type":"[]int32","versions":"0+"}]}]}'
)


class TopicPartitions(Struct):
    """The partitions that the member owns now; null when unchanged."""

    __slots__ = ("topic_id", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id", "partitions")
    topic_id: bytes  # Id of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.topic_id = topic_id
        self.partitions = [] if partitions is UNSET_LIST else partitions


class ConsumerGroupHeartbeatRequest(Message):
    """Joins a consumer group, stays in it or leaves it; the coordinator assigns the partitions (KIP-848)."""

    __slots__ = (
        "group_id",
        "member_id",
        "member_epoch",
        "instance_id",
        "rack_id",
        "rebalance_timeout_ms",
        "subscribed_topic_names",
        "subscribed_topic_regex",
        "server_assignor",
        "topic_partitions",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "group_id",
        "member_id",
        "member_epoch",
        "instance_id",
        "rack_id",
        "rebalance_timeout_ms",
        "subscribed_topic_names",
        "subscribed_topic_regex",
        "server_assignor",
        "topic_partitions",
    )
    NAME: ClassVar[str] = "ConsumerGroupHeartbeatRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 68
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.
    member_id: str  # Id that the member chose for itself when it started; in version 0 it may be empty at first, and the coordinator chooses.
    member_epoch: int  # Epoch of the member as last answered; 0 to join, -1 to leave, -2 to leave for a while and keep the partitions (with an instance id only).
    instance_id: str | None  # Name that the member keeps over restarts; null for none, or unchanged since the last request.
    rack_id: str | None  # Where the member stands; null for nowhere in particular, or unchanged since the last request.
    rebalance_timeout_ms: int  # How long the member may take to give partitions back before it is removed, in ms; -1 when unchanged.
    subscribed_topic_names: list[str] | None  # Names of the topics to read; null when unchanged.
    subscribed_topic_regex: str | None  # Regular expression (RE2) that whole names of topics to read must match; empty for none, null when unchanged.
    server_assignor: str | None  # Name of the way of sharing partitions that the member would like; null for any, or when unchanged.
    topic_partitions: list[TopicPartitions] | None  # The partitions that the member owns now; null when unchanged.

    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
        member_epoch: int = 0,
        instance_id: str | None = None,
        rack_id: str | None = None,
        rebalance_timeout_ms: int = -1,
        subscribed_topic_names: list[str] | None = None,
        subscribed_topic_regex: str | None = None,
        server_assignor: str | None = None,
        topic_partitions: list[TopicPartitions] | None = None,
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id
        self.member_epoch = member_epoch
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.subscribed_topic_names = subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.server_assignor = server_assignor
        self.topic_partitions = topic_partitions

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupHeartbeatRequest:
        message, end = ConsumerGroupHeartbeatRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupHeartbeatRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupHeartbeatRequest, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupHeartbeatRequest", version, len(data), error) from None
        raise no_version("ConsumerGroupHeartbeatRequest", version)

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
            raise no_encoding("ConsumerGroupHeartbeatRequest", version, error) from error
        raise no_encoding("ConsumerGroupHeartbeatRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupHeartbeatRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ConsumerGroupHeartbeatRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ConsumerGroupHeartbeatRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ConsumerGroupHeartbeatRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    m.member_epoch = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.instance_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupHeartbeatRequest.InstanceId", n, size - i)
        m.instance_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.rack_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupHeartbeatRequest.RackId", n, size - i)
        m.rack_id = data[i:end].decode()
        i = end
    m.rebalance_timeout_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.subscribed_topic_names = None
    else:
        if n < 0 or n > size - i:
            raise bad_count("ConsumerGroupHeartbeatRequest.SubscribedTopicNames", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupHeartbeatRequest.SubscribedTopicNames", 100000)
        count1 = n
        found1: list[str] = []
        m.subscribed_topic_names = found1
        for _ in range(count1):
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupHeartbeatRequest.SubscribedTopicNames", n, size - i)
            v1 = data[i:end].decode()
            i = end
            found1.append(v1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.server_assignor = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupHeartbeatRequest.ServerAssignor", n, size - i)
        m.server_assignor = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.topic_partitions = None
    else:
        if n < 0 or n * 18 > size - i:
            raise bad_count("ConsumerGroupHeartbeatRequest.TopicPartitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupHeartbeatRequest.TopicPartitions", 100000)
        count2 = n
        found2: list[TopicPartitions] = []
        m.topic_partitions = found2
        for _ in range(count2):
            s1 = TopicPartitions()
            end = i + 16
            if end > size:
                raise bad_length("ConsumerGroupHeartbeatRequest.TopicPartitions.TopicId", 16, size - i)
            s1.topic_id = data[i:end]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("ConsumerGroupHeartbeatRequest.TopicPartitions.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupHeartbeatRequest.TopicPartitions.Partitions", 100000)
            end = i + n * 4
            s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: ConsumerGroupHeartbeatRequest, w: BytesWriter, version: int) -> None:
    if m.subscribed_topic_regex is not None:
        raise not_carried("ConsumerGroupHeartbeatRequest.SubscribedTopicRegex", version)
    v1 = m.group_id
    write_compact_string(w, v1)
    v2 = m.member_id
    write_compact_string(w, v2)
    write_i32_be(w, m.member_epoch)
    v3 = m.instance_id
    write_compact_nullable_string(w, v3)
    v4 = m.rack_id
    write_compact_nullable_string(w, v4)
    write_i32_be(w, m.rebalance_timeout_ms)
    v5 = m.subscribed_topic_names
    if v5 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v5) + 1)
        for s1 in v5:
            write_compact_string(w, s1)
    v6 = m.server_assignor
    write_compact_nullable_string(w, v6)
    v7 = m.topic_partitions
    if v7 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v7) + 1)
        for s2 in v7:
            write_uuid(w, s2.topic_id)
            v8 = s2.partitions
            write_uvarint(w, len(v8) + 1)
            for s3 in v8:
                write_i32_be(w, s3)
            w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[ConsumerGroupHeartbeatRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ConsumerGroupHeartbeatRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ConsumerGroupHeartbeatRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ConsumerGroupHeartbeatRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    m.member_epoch = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.instance_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupHeartbeatRequest.InstanceId", n, size - i)
        m.instance_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.rack_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupHeartbeatRequest.RackId", n, size - i)
        m.rack_id = data[i:end].decode()
        i = end
    m.rebalance_timeout_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.subscribed_topic_names = None
    else:
        if n < 0 or n > size - i:
            raise bad_count("ConsumerGroupHeartbeatRequest.SubscribedTopicNames", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupHeartbeatRequest.SubscribedTopicNames", 100000)
        count1 = n
        found1: list[str] = []
        m.subscribed_topic_names = found1
        for _ in range(count1):
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ConsumerGroupHeartbeatRequest.SubscribedTopicNames", n, size - i)
            v1 = data[i:end].decode()
            i = end
            found1.append(v1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.subscribed_topic_regex = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupHeartbeatRequest.SubscribedTopicRegex", n, size - i)
        m.subscribed_topic_regex = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.server_assignor = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupHeartbeatRequest.ServerAssignor", n, size - i)
        m.server_assignor = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.topic_partitions = None
    else:
        if n < 0 or n * 18 > size - i:
            raise bad_count("ConsumerGroupHeartbeatRequest.TopicPartitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ConsumerGroupHeartbeatRequest.TopicPartitions", 100000)
        count2 = n
        found2: list[TopicPartitions] = []
        m.topic_partitions = found2
        for _ in range(count2):
            s1 = TopicPartitions()
            end = i + 16
            if end > size:
                raise bad_length("ConsumerGroupHeartbeatRequest.TopicPartitions.TopicId", 16, size - i)
            s1.topic_id = data[i:end]
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("ConsumerGroupHeartbeatRequest.TopicPartitions.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ConsumerGroupHeartbeatRequest.TopicPartitions.Partitions", 100000)
            end = i + n * 4
            s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_1(m: ConsumerGroupHeartbeatRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_compact_string(w, v1)
    v2 = m.member_id
    write_compact_string(w, v2)
    write_i32_be(w, m.member_epoch)
    v3 = m.instance_id
    write_compact_nullable_string(w, v3)
    v4 = m.rack_id
    write_compact_nullable_string(w, v4)
    write_i32_be(w, m.rebalance_timeout_ms)
    v5 = m.subscribed_topic_names
    if v5 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v5) + 1)
        for s1 in v5:
            write_compact_string(w, s1)
    v6 = m.subscribed_topic_regex
    write_compact_nullable_string(w, v6)
    v7 = m.server_assignor
    write_compact_nullable_string(w, v7)
    v8 = m.topic_partitions
    if v8 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v8) + 1)
        for s2 in v8:
            write_uuid(w, s2.topic_id)
            v9 = s2.partitions
            write_uvarint(w, len(v9) + 1)
            for s3 in v9:
                write_i32_be(w, s3)
            w.append(0)
    w.append(0)
