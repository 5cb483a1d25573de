"""ConsumerGroupMemberMetadataValue, generated from ConsumerGroupMemberMetadataValue.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_count,
    bad_length,
    bad_presence,
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
    write_compact_bytes,
    write_compact_nullable_string,
    write_compact_string,
    write_tag,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from typing import Any

    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":5,"type":"coordinator-value","name":"ConsumerGroupMemberMetadataValue","validVer'
    'sions":"0","flexibleVersions":"0+","fields":[{"name":"InstanceId","type":"string","version'
    's":"0+","nullableVersions":"0+"},{"name":"RackId","type":"string","versions":"0+","nullabl'
    'eVersions":"0+"},{"name":"ClientId","type":"string","versions":"0+"},{"name":"ClientHost",'
    '"type":"string","versions":"0+"},{"name":"SubscribedTopicNames","type":"[]string","version'
    's":"0+"},{"name":"SubscribedTopicRegex","type":"string","versions":"0+","nullableVersions"'
    ':"0+"},{"name":"RebalanceTimeoutMs","type":"int32","versions":"0+","default":-1},{"name":"'
    'ServerAssignor","type":"string","versions":"0+","nullableVersions":"0+"},{"name":"ClassicM'
    'emberMetadata","type":"ClassicMemberMetadata","versions":"0+","nullableVersions":"0+","tag'
    'gedVersions":"0+","tag":0,"default":null,"fields":[{"name":"SessionTimeoutMs","type":"int3'
    '2","versions":"0+"},{"name":"SupportedProtocols","type":"[]ClassicProtocol","versions":"0+'
    '","fields":[{"name":"Name","type":"string","versions":"0+"},{"name":"Metadata","type":"byt'
    'es","versions":"0+"}]}]}]}'
)


class ClassicProtocol(Struct):
    """The ways of sharing work that the member knows, the best first."""

    __slots__ = ("name", "metadata")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "metadata")
    name: str  # Name of one way of sharing work, such as "range".
    metadata: bytes  # What the member sent for it, a ConsumerProtocolSubscription.

    def __init__(
        self,
        *,
        name: str = "",
        metadata: bytes = b'',
    ) -> None:
        self.name = name
        self.metadata = metadata


class ClassicMemberMetadata(Struct):
    """What is known only of a member that takes part by the classic protocol; null for all others."""

    __slots__ = ("session_timeout_ms", "supported_protocols")
    FIELDS: ClassVar[tuple[str, ...]] = ("session_timeout_ms", "supported_protocols")
    session_timeout_ms: int  # After how many ms without a sign of life the member is removed.
    supported_protocols: list[ClassicProtocol]  # The ways of sharing work that the member knows, the best first.

    def __init__(
        self,
        *,
        session_timeout_ms: int = 0,
        supported_protocols: list[ClassicProtocol] = UNSET_LIST,
    ) -> None:
        self.session_timeout_ms = session_timeout_ms
        self.supported_protocols = [] if supported_protocols is UNSET_LIST else supported_protocols


class ConsumerGroupMemberMetadataValue(Message):
    """A member of a consumer group, and what it wants to read."""

    __slots__ = (
        "instance_id",
        "rack_id",
        "client_id",
        "client_host",
        "subscribed_topic_names",
        "subscribed_topic_regex",
        "rebalance_timeout_ms",
        "server_assignor",
        "classic_member_metadata",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "instance_id",
        "rack_id",
        "client_id",
        "client_host",
        "subscribed_topic_names",
        "subscribed_topic_regex",
        "rebalance_timeout_ms",
        "server_assignor",
        "classic_member_metadata",
    )
    NAME: ClassVar[str] = "ConsumerGroupMemberMetadataValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 5
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.
    rack_id: str | None  # Where the member stands, or null.
    client_id: str  # Client id that the member sends with its requests.
    client_host: str  # Address that the member's requests come from.
    subscribed_topic_names: list[str]  # Names of the topics that the member asked for.
    subscribed_topic_regex: str | None  # Regular expression of the topics that the member asked for; null or empty for none.
    rebalance_timeout_ms: int  # How long the member may take to give partitions back before it is removed, in ms; -1 if it did not say.
    server_assignor: str | None  # Name of the way of sharing partitions that the member would like, or null for any.
    classic_member_metadata: ClassicMemberMetadata | None  # What is known only of a member that takes part by the classic protocol; null for all others.

    def __init__(
        self,
        *,
        instance_id: str | None = "",
        rack_id: str | None = "",
        client_id: str = "",
        client_host: str = "",
        subscribed_topic_names: list[str] = UNSET_LIST,
        subscribed_topic_regex: str | None = "",
        rebalance_timeout_ms: int = -1,
        server_assignor: str | None = "",
        classic_member_metadata: Any = UNSET,
    ) -> None:
        self.instance_id = instance_id
        self.rack_id = rack_id
        self.client_id = client_id
        self.client_host = client_host
        self.subscribed_topic_names = [] if subscribed_topic_names is UNSET_LIST else subscribed_topic_names
        self.subscribed_topic_regex = subscribed_topic_regex
        self.rebalance_timeout_ms = rebalance_timeout_ms
        self.server_assignor = server_assignor
        self.classic_member_metadata = ClassicMemberMetadata() if classic_member_metadata is UNSET else classic_member_metadata

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupMemberMetadataValue:
        message, end = ConsumerGroupMemberMetadataValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupMemberMetadataValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupMemberMetadataValue, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupMemberMetadataValue", version, len(data), error) from None
        raise no_version("ConsumerGroupMemberMetadataValue", version)

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
            raise no_encoding("ConsumerGroupMemberMetadataValue", version, error) from error
        raise no_encoding("ConsumerGroupMemberMetadataValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupMemberMetadataValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ConsumerGroupMemberMetadataValue()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.instance_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupMemberMetadataValue.InstanceId", n, size - i)
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
            raise bad_length("ConsumerGroupMemberMetadataValue.RackId", n, size - i)
        m.rack_id = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ConsumerGroupMemberMetadataValue.ClientId", n, size - i)
    m.client_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ConsumerGroupMemberMetadataValue.ClientHost", n, size - i)
    m.client_host = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ConsumerGroupMemberMetadataValue.SubscribedTopicNames", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerGroupMemberMetadataValue.SubscribedTopicNames", 10000000)
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
            raise bad_length("ConsumerGroupMemberMetadataValue.SubscribedTopicNames", n, size - i)
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
            raise bad_length("ConsumerGroupMemberMetadataValue.SubscribedTopicRegex", n, size - i)
        m.subscribed_topic_regex = data[i:end].decode()
        i = end
    m.rebalance_timeout_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.server_assignor = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupMemberMetadataValue.ServerAssignor", n, size - i)
        m.server_assignor = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count2 = n
        tag1 = -1
        unknown1 = 0
        for _ in range(count2):
            tag1, start1, stop1 = read_tag(data, i, tag1)
            i = start1
            if tag1 == 0:
                n = data[i]
                i += 1
                if n == 0:
                    m.classic_member_metadata = None
                elif n == 1:
                    s1 = ClassicMemberMetadata()
                    s1.session_timeout_ms = read_i32_be(data, i)
                    n = data[i + 4]
                    i += 5
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    if n < 0 or n * 3 > size - i:
                        raise bad_count("ConsumerGroupMemberMetadataValue.ClassicMemberMetadata.SupportedProtocols", n, size - i)
                    budget -= n
                    if budget < 0:
                        raise over_budget("ConsumerGroupMemberMetadataValue.ClassicMemberMetadata.SupportedProtocols", 10000000)
                    count3 = n
                    found2: list[ClassicProtocol] = []
                    s1.supported_protocols = found2
                    for _ in range(count3):
                        s2 = ClassicProtocol()
                        n = data[i]
                        i += 1
                        if n > 127:
                            n, i = read_uvarint_rest(data, i, n)
                        n -= 1
                        end = i + n
                        if n < 0 or end > size or n > STRING_BYTES_MAX:
                            raise bad_length("ConsumerGroupMemberMetadataValue.ClassicMemberMetadata.SupportedProtocols.Name", n, size - i)
                        s2.name = data[i:end].decode()
                        i = end
                        n = data[i]
                        i += 1
                        if n > 127:
                            n, i = read_uvarint_rest(data, i, n)
                        n -= 1
                        end = i + n
                        if n < 0 or end > size:
                            raise bad_length("ConsumerGroupMemberMetadataValue.ClassicMemberMetadata.SupportedProtocols.Metadata", n, size - i)
                        s2.metadata = data[i:end]
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
                    m.classic_member_metadata = s1
                else:
                    raise bad_presence("ConsumerGroupMemberMetadataValue.ClassicMemberMetadata", n)
                if i != stop1:
                    raise bad_tag_size("ConsumerGroupMemberMetadataValue.ClassicMemberMetadata")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_0(m: ConsumerGroupMemberMetadataValue, w: BytesWriter, version: int) -> None:
    v1 = m.instance_id
    write_compact_nullable_string(w, v1)
    v2 = m.rack_id
    write_compact_nullable_string(w, v2)
    v3 = m.client_id
    write_compact_string(w, v3)
    v4 = m.client_host
    write_compact_string(w, v4)
    v5 = m.subscribed_topic_names
    write_uvarint(w, len(v5) + 1)
    for s1 in v5:
        write_compact_string(w, s1)
    v6 = m.subscribed_topic_regex
    write_compact_nullable_string(w, v6)
    write_i32_be(w, m.rebalance_timeout_ms)
    v7 = m.server_assignor
    write_compact_nullable_string(w, v7)
    t1 = (m.classic_member_metadata is None or (m.classic_member_metadata.session_timeout_ms != 0 or len(m.classic_member_metadata.supported_protocols) > 0))
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            w1 = BytesWriter()
            v8 = m.classic_member_metadata
            if v8 is None:
                w1.append(0x00)
            else:
                w1.append(1)
                write_i32_be(w1, v8.session_timeout_ms)
                v9 = v8.supported_protocols
                write_uvarint(w1, len(v9) + 1)
                for s2 in v9:
                    v10 = s2.name
                    write_compact_string(w1, v10)
                    v11 = s2.metadata
                    write_compact_bytes(w1, v11)
                    w1.append(0)
                w1.append(0)
            write_tag(w, 0, w1)
    else:
        w.append(0)
