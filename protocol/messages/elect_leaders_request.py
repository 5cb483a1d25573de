"""ElectLeadersRequest, generated from ElectLeadersRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_i8,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":43,"type":"request","listeners":["broker","controller"],"name":"ElectLeadersRequ'
    'est","validVersions":"0-2","flexibleVersions":"2+","fields":[{"name":"ElectionType","type"'
    ':"int8","versions":"1+"},{"name":"TopicPartitions","type":"[]TopicPartitions","versions":"'
    '0+","nullableVersions":"0+","fields":[{"name":"Topic","type":"string","versions":"0+","ent'
    'ityType":"topicName","mapKey":true},{"name":"Partitions","type":"[]int32","versions":"0+"}'
    ']},{"name":"TimeoutMs","type":"int32","versions":"0+","default":"60000"}]}'
)


class TopicPartitions(Struct):
    """Which partitions get a leader; null for all."""

    __slots__ = ("topic", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "partitions")
    topic: str  # Name of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic: str = "",
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET_LIST else partitions


class ElectLeadersRequest(Message):
    """Has the controller choose leaders anew."""

    __slots__ = ("election_type", "topic_partitions", "timeout_ms")
    FIELDS: ClassVar[tuple[str, ...]] = ("election_type", "topic_partitions", "timeout_ms")
    NAME: ClassVar[str] = "ElectLeadersRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 43
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    election_type: int  # Whom to choose: 0 the preferred replica, 1 a live one even if not in sync.
    topic_partitions: list[TopicPartitions] | None  # Which partitions get a leader; null for all.
    timeout_ms: int  # How long to wait until they have leaders, in ms.

    def __init__(
        self,
        *,
        election_type: int = 0,
        topic_partitions: list[TopicPartitions] | None = UNSET_LIST,
        timeout_ms: int = 60000,
    ) -> None:
        self.election_type = election_type
        self.topic_partitions = [] if topic_partitions is UNSET_LIST else topic_partitions
        self.timeout_ms = timeout_ms

    @staticmethod
    def decode(data: bytes, version: int) -> ElectLeadersRequest:
        message, end = ElectLeadersRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ElectLeadersRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ElectLeadersRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ElectLeadersRequest", version, len(data), error) from None
        raise no_version("ElectLeadersRequest", version)

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
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ElectLeadersRequest", version, error) from error
        raise no_encoding("ElectLeadersRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[ElectLeadersRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ElectLeadersRequest()
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.topic_partitions = None
    else:
        if n < 0 or n * 6 > size - i:
            raise bad_count("ElectLeadersRequest.TopicPartitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ElectLeadersRequest.TopicPartitions", 100000)
        count1 = n
        found1: list[TopicPartitions] = []
        m.topic_partitions = found1
        for _ in range(count1):
            s1 = TopicPartitions()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("ElectLeadersRequest.TopicPartitions.Topic", n, size - i)
            s1.topic = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("ElectLeadersRequest.TopicPartitions.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ElectLeadersRequest.TopicPartitions.Partitions", 100000)
            end = i + n * 4
            s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found1.append(s1)
    m.timeout_ms = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_0(m: ElectLeadersRequest, w: BytesWriter, version: int) -> None:
    if m.election_type != 0:
        raise not_carried("ElectLeadersRequest.ElectionType", version)
    v1 = m.topic_partitions
    if v1 is None:
        write_i32_be(w, -1)
    else:
        write_i32_be(w, len(v1))
        for s1 in v1:
            v2 = s1.topic
            write_string(w, v2)
            v3 = s1.partitions
            write_i32_be(w, len(v3))
            for s2 in v3:
                write_i32_be(w, s2)
    write_i32_be(w, m.timeout_ms)


def _decode_1(data: bytes, i: i64) -> tuple[ElectLeadersRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ElectLeadersRequest()
    m.election_type = (data[i] ^ 0x80) - 0x80
    n = read_i32_be(data, i + 1)
    i += 5
    if n == -1:
        m.topic_partitions = None
    else:
        if n < 0 or n * 6 > size - i:
            raise bad_count("ElectLeadersRequest.TopicPartitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ElectLeadersRequest.TopicPartitions", 100000)
        count1 = n
        found1: list[TopicPartitions] = []
        m.topic_partitions = found1
        for _ in range(count1):
            s1 = TopicPartitions()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("ElectLeadersRequest.TopicPartitions.Topic", n, size - i)
            s1.topic = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("ElectLeadersRequest.TopicPartitions.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ElectLeadersRequest.TopicPartitions.Partitions", 100000)
            end = i + n * 4
            s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found1.append(s1)
    m.timeout_ms = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_1(m: ElectLeadersRequest, w: BytesWriter, version: int) -> None:
    write_i8(w, m.election_type)
    v1 = m.topic_partitions
    if v1 is None:
        write_i32_be(w, -1)
    else:
        write_i32_be(w, len(v1))
        for s1 in v1:
            v2 = s1.topic
            write_string(w, v2)
            v3 = s1.partitions
            write_i32_be(w, len(v3))
            for s2 in v3:
                write_i32_be(w, s2)
    write_i32_be(w, m.timeout_ms)


def _decode_2(data: bytes, i: i64) -> tuple[ElectLeadersRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ElectLeadersRequest()
    m.election_type = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.topic_partitions = None
    else:
        if n < 0 or n * 3 > size - i:
            raise bad_count("ElectLeadersRequest.TopicPartitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("ElectLeadersRequest.TopicPartitions", 100000)
        count1 = n
        found1: list[TopicPartitions] = []
        m.topic_partitions = found1
        for _ in range(count1):
            s1 = TopicPartitions()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("ElectLeadersRequest.TopicPartitions.Topic", n, size - i)
            s1.topic = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("ElectLeadersRequest.TopicPartitions.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("ElectLeadersRequest.TopicPartitions.Partitions", 100000)
            end = i + n * 4
            s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found1.append(s1)
    m.timeout_ms = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_2(m: ElectLeadersRequest, w: BytesWriter, version: int) -> None:
    write_i8(w, m.election_type)
    v1 = m.topic_partitions
    if v1 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v1) + 1)
        for s1 in v1:
            v2 = s1.topic
            write_compact_string(w, v2)
            v3 = s1.partitions
            write_uvarint(w, len(v3) + 1)
            for s2 in v3:
                write_i32_be(w, s2)
            w.append(0)
    write_i32_be(w, m.timeout_ms)
    w.append(0)
