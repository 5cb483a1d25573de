"""DeleteTopicsRequest, generated from DeleteTopicsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

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
    write_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":20,"type":"request","listeners":["broker","controller"],"name":"DeleteTopicsRequ'
    'est","validVersions":"1-6","flexibleVersions":"4+","fields":[{"name":"Topics","type":"[]De'
    'leteTopicState","versions":"6+","fields":[{"name":"Name","type":"string","versions":"6+","'
    'nullableVersions":"6+","default":"null","entityType":"topicName"},{"name":"TopicId","type"'
    ':"uuid","versions":"6+"}]},{"name":"TopicNames","type":"[]string","versions":"0-5","entity'
    'Type":"topicName","ignorable":true},{"name":"TimeoutMs","type":"int32","versions":"0+"}]}'
)


class DeleteTopicState(Struct):
    """The topics to remove, by name or by id."""

    __slots__ = ("name", "topic_id")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "topic_id")
    name: str | None  # Name of the topic; null when the id is given.
    topic_id: bytes  # Id of the topic; zero when the name is given.

    def __init__(
        self,
        *,
        name: str | None = None,
        topic_id: bytes = ZERO_UUID,
    ) -> None:
        self.name = name
        self.topic_id = topic_id


class DeleteTopicsRequest(Message):
    """Removes topics and all that is in them."""

    __slots__ = ("topics", "topic_names", "timeout_ms")
    FIELDS: ClassVar[tuple[str, ...]] = ("topics", "topic_names", "timeout_ms")
    NAME: ClassVar[str] = "DeleteTopicsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 20
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 6
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[DeleteTopicState]  # The topics to remove, by name or by id.
    topic_names: list[str]  # Names of the topics to remove.
    timeout_ms: int  # How long to wait until they are gone, in ms.

    def __init__(
        self,
        *,
        topics: list[DeleteTopicState] = UNSET_LIST,
        topic_names: list[str] = UNSET_LIST,
        timeout_ms: int = 0,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics
        self.topic_names = [] if topic_names is UNSET_LIST else topic_names
        self.timeout_ms = timeout_ms

    @staticmethod
    def decode(data: bytes, version: int) -> DeleteTopicsRequest:
        message, end = DeleteTopicsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DeleteTopicsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DeleteTopicsRequest, int]:
        try:
            if version == 6:
                return _decode_6(data, offset)
            if 4 <= version <= 5:
                return _decode_4(data, offset)
            if 1 <= version <= 3:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DeleteTopicsRequest", version, len(data), error) from None
        raise no_version("DeleteTopicsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 6:
                return _encode_6(self, writer, version)
            if 4 <= version <= 5:
                return _encode_4(self, writer, version)
            if 1 <= version <= 3:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DeleteTopicsRequest", version, error) from error
        raise no_encoding("DeleteTopicsRequest", version)


def _decode_1(data: bytes, i: i64) -> tuple[DeleteTopicsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DeleteTopicsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 2 > size - i:
        raise bad_count("DeleteTopicsRequest.TopicNames", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteTopicsRequest.TopicNames", 100000)
    count1 = n
    found1: list[str] = []
    m.topic_names = found1
    for _ in range(count1):
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DeleteTopicsRequest.TopicNames", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    m.timeout_ms = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_1(m: DeleteTopicsRequest, w: BytesWriter, version: int) -> None:
    if len(m.topics) > 0:
        raise not_carried("DeleteTopicsRequest.Topics", version)
    v1 = m.topic_names
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_string(w, s1)
    write_i32_be(w, m.timeout_ms)


def _decode_4(data: bytes, i: i64) -> tuple[DeleteTopicsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DeleteTopicsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("DeleteTopicsRequest.TopicNames", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteTopicsRequest.TopicNames", 100000)
    count1 = n
    found1: list[str] = []
    m.topic_names = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DeleteTopicsRequest.TopicNames", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    m.timeout_ms = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_4(m: DeleteTopicsRequest, w: BytesWriter, version: int) -> None:
    if len(m.topics) > 0:
        raise not_carried("DeleteTopicsRequest.Topics", version)
    v1 = m.topic_names
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    write_i32_be(w, m.timeout_ms)
    w.append(0)


def _decode_6(data: bytes, i: i64) -> tuple[DeleteTopicsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DeleteTopicsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 18 > size - i:
        raise bad_count("DeleteTopicsRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteTopicsRequest.Topics", 100000)
    count1 = n
    found1: list[DeleteTopicState] = []
    m.topics = found1
    for _ in range(count1):
        s1 = DeleteTopicState()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.name = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DeleteTopicsRequest.Topics.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
        end = i + 16
        if end > size:
            raise bad_length("DeleteTopicsRequest.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
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


def _encode_6(m: DeleteTopicsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_nullable_string(w, v2)
        write_uuid(w, s1.topic_id)
        w.append(0)
    write_i32_be(w, m.timeout_ms)
    w.append(0)
