"""MetadataRequest, generated from MetadataRequest.json: do not edit, run `make generate`."""

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
    null_refused,
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
    '{"apiKey":3,"type":"request","listeners":["broker"],"name":"MetadataRequest","validVersion'
    's":"0-13","flexibleVersions":"9+","fields":[{"name":"Topics","type":"[]MetadataRequestTopi'
    'c","versions":"0+","nullableVersions":"1+","fields":[{"name":"TopicId","type":"uuid","vers'
    'ions":"10+","ignorable":true},{"name":"Name","type":"string","versions":"0+","entityType":'
    '"topicName","nullableVersions":"10+"}]},{"name":"AllowAutoTopicCreation","type":"bool","ve'
    'rsions":"4+","default":"true","ignorable":false},{"name":"IncludeClusterAuthorizedOperatio'
    'ns","type":"bool","versions":"8-10"},{"name":"IncludeTopicAuthorizedOperations","type":"bo'
    'ol","versions":"8+"}]}'
)


class MetadataRequestTopic(Struct):
    """The topics to describe; null asks for all of them."""

    __slots__ = ("topic_id", "name")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic_id", "name")
    topic_id: bytes  # Id of the topic; zero when it is asked for by name.
    name: str | None  # Name of the topic; null when it is asked for by id.

    def __init__(
        self,
        *,
        topic_id: bytes = ZERO_UUID,
        name: str | None = "",
    ) -> None:
        self.topic_id = topic_id
        self.name = name


class MetadataRequest(Message):
    """Asks which brokers there are, and who leads the partitions of some topics."""

    __slots__ = (
        "topics",
        "allow_auto_topic_creation",
        "include_cluster_authorized_operations",
        "include_topic_authorized_operations",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "topics",
        "allow_auto_topic_creation",
        "include_cluster_authorized_operations",
        "include_topic_authorized_operations",
    )
    NAME: ClassVar[str] = "MetadataRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 3
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 13
    FLEXIBLE_SINCE: ClassVar[int | None] = 9
    SCHEMA: ClassVar[str] = _SCHEMA

    topics: list[MetadataRequestTopic] | None  # The topics to describe; null asks for all of them.
    allow_auto_topic_creation: bool  # Whether a topic that does not exist may be made, if the broker is set so.
    include_cluster_authorized_operations: bool  # Whether to tell what the user may do to the cluster.
    include_topic_authorized_operations: bool  # Whether to tell what the user may do to each topic.

    def __init__(
        self,
        *,
        topics: list[MetadataRequestTopic] | None = UNSET_LIST,
        allow_auto_topic_creation: bool = True,
        include_cluster_authorized_operations: bool = False,
        include_topic_authorized_operations: bool = False,
    ) -> None:
        self.topics = [] if topics is UNSET_LIST else topics
        self.allow_auto_topic_creation = allow_auto_topic_creation
        self.include_cluster_authorized_operations = include_cluster_authorized_operations
        self.include_topic_authorized_operations = include_topic_authorized_operations

    @staticmethod
    def decode(data: bytes, version: int) -> MetadataRequest:
        message, end = MetadataRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("MetadataRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[MetadataRequest, int]:
        try:
            if 11 <= version <= 13:
                return _decode_11(data, offset)
            if version == 10:
                return _decode_10(data, offset)
            if version == 9:
                return _decode_9(data, offset)
            if version == 8:
                return _decode_8(data, offset)
            if 4 <= version <= 7:
                return _decode_4(data, offset)
            if 1 <= version <= 3:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("MetadataRequest", version, len(data), error) from None
        raise no_version("MetadataRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 11 <= version <= 13:
                return _encode_11(self, writer, version)
            if version == 10:
                return _encode_10(self, writer, version)
            if version == 9:
                return _encode_9(self, writer, version)
            if version == 8:
                return _encode_8(self, writer, version)
            if 4 <= version <= 7:
                return _encode_4(self, writer, version)
            if 1 <= version <= 3:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("MetadataRequest", version, error) from error
        raise no_encoding("MetadataRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[MetadataRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = MetadataRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 2 > size - i:
        raise bad_count("MetadataRequest.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("MetadataRequest.Topics", 100000)
    count1 = n
    found1: list[MetadataRequestTopic] = []
    m.topics = found1
    for _ in range(count1):
        s1 = MetadataRequestTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("MetadataRequest.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        found1.append(s1)
    return m, i


def _encode_0(m: MetadataRequest, w: BytesWriter, version: int) -> None:
    if not m.allow_auto_topic_creation:
        raise not_carried("MetadataRequest.AllowAutoTopicCreation", version)
    if m.include_cluster_authorized_operations:
        raise not_carried("MetadataRequest.IncludeClusterAuthorizedOperations", version)
    if m.include_topic_authorized_operations:
        raise not_carried("MetadataRequest.IncludeTopicAuthorizedOperations", version)
    v1 = m.topics
    if v1 is None:
        raise null_refused("MetadataRequest.Topics", version)
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        if v2 is None:
            raise null_refused("MetadataRequest.Topics.Name", version)
        write_string(w, v2)


def _decode_1(data: bytes, i: i64) -> tuple[MetadataRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = MetadataRequest()
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 2 > size - i:
            raise bad_count("MetadataRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataRequest.Topics", 100000)
        count1 = n
        found1: list[MetadataRequestTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = MetadataRequestTopic()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("MetadataRequest.Topics.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
            found1.append(s1)
    return m, i


def _encode_1(m: MetadataRequest, w: BytesWriter, version: int) -> None:
    if not m.allow_auto_topic_creation:
        raise not_carried("MetadataRequest.AllowAutoTopicCreation", version)
    if m.include_cluster_authorized_operations:
        raise not_carried("MetadataRequest.IncludeClusterAuthorizedOperations", version)
    if m.include_topic_authorized_operations:
        raise not_carried("MetadataRequest.IncludeTopicAuthorizedOperations", version)
    v1 = m.topics
    if v1 is None:
        write_i32_be(w, -1)
    else:
        write_i32_be(w, len(v1))
        for s1 in v1:
            v2 = s1.name
            if v2 is None:
                raise null_refused("MetadataRequest.Topics.Name", version)
            write_string(w, v2)


def _decode_4(data: bytes, i: i64) -> tuple[MetadataRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = MetadataRequest()
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 2 > size - i:
            raise bad_count("MetadataRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataRequest.Topics", 100000)
        count1 = n
        found1: list[MetadataRequestTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = MetadataRequestTopic()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("MetadataRequest.Topics.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
            found1.append(s1)
    m.allow_auto_topic_creation = data[i] != 0
    i += 1
    return m, i


def _encode_4(m: MetadataRequest, w: BytesWriter, version: int) -> None:
    if m.include_cluster_authorized_operations:
        raise not_carried("MetadataRequest.IncludeClusterAuthorizedOperations", version)
    if m.include_topic_authorized_operations:
        raise not_carried("MetadataRequest.IncludeTopicAuthorizedOperations", version)
    v1 = m.topics
    if v1 is None:
        write_i32_be(w, -1)
    else:
        write_i32_be(w, len(v1))
        for s1 in v1:
            v2 = s1.name
            if v2 is None:
                raise null_refused("MetadataRequest.Topics.Name", version)
            write_string(w, v2)
    w.append(1 if m.allow_auto_topic_creation else 0)


def _decode_8(data: bytes, i: i64) -> tuple[MetadataRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = MetadataRequest()
    n = read_i32_be(data, i)
    i += 4
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 2 > size - i:
            raise bad_count("MetadataRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataRequest.Topics", 100000)
        count1 = n
        found1: list[MetadataRequestTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = MetadataRequestTopic()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("MetadataRequest.Topics.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
            found1.append(s1)
    m.allow_auto_topic_creation = data[i] != 0
    m.include_cluster_authorized_operations = data[i + 1] != 0
    m.include_topic_authorized_operations = data[i + 2] != 0
    i += 3
    return m, i


def _encode_8(m: MetadataRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    if v1 is None:
        write_i32_be(w, -1)
    else:
        write_i32_be(w, len(v1))
        for s1 in v1:
            v2 = s1.name
            if v2 is None:
                raise null_refused("MetadataRequest.Topics.Name", version)
            write_string(w, v2)
    w.append(1 if m.allow_auto_topic_creation else 0)
    w.append(1 if m.include_cluster_authorized_operations else 0)
    w.append(1 if m.include_topic_authorized_operations else 0)


def _decode_9(data: bytes, i: i64) -> tuple[MetadataRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = MetadataRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 2 > size - i:
            raise bad_count("MetadataRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataRequest.Topics", 100000)
        count1 = n
        found1: list[MetadataRequestTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = MetadataRequestTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("MetadataRequest.Topics.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found1.append(s1)
    m.allow_auto_topic_creation = data[i] != 0
    m.include_cluster_authorized_operations = data[i + 1] != 0
    m.include_topic_authorized_operations = data[i + 2] != 0
    if data[i + 3] == 0:
        i += 4
    else:
        i = skip_tagged_fields(data, i + 3)
    return m, i


def _encode_9(m: MetadataRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    if v1 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v1) + 1)
        for s1 in v1:
            v2 = s1.name
            if v2 is None:
                raise null_refused("MetadataRequest.Topics.Name", version)
            write_compact_string(w, v2)
            w.append(0)
    w.append(1 if m.allow_auto_topic_creation else 0)
    w.append(1 if m.include_cluster_authorized_operations else 0)
    w.append(1 if m.include_topic_authorized_operations else 0)
    w.append(0)


def _decode_10(data: bytes, i: i64) -> tuple[MetadataRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = MetadataRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataRequest.Topics", 100000)
        count1 = n
        found1: list[MetadataRequestTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = MetadataRequestTopic()
            end = i + 16
            if end > size:
                raise bad_length("MetadataRequest.Topics.TopicId", 16, size - i)
            s1.topic_id = data[i:end]
            i = end
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
                    raise bad_length("MetadataRequest.Topics.Name", n, size - i)
                s1.name = data[i:end].decode()
                i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found1.append(s1)
    m.allow_auto_topic_creation = data[i] != 0
    m.include_cluster_authorized_operations = data[i + 1] != 0
    m.include_topic_authorized_operations = data[i + 2] != 0
    if data[i + 3] == 0:
        i += 4
    else:
        i = skip_tagged_fields(data, i + 3)
    return m, i


def _encode_10(m: MetadataRequest, w: BytesWriter, version: int) -> None:
    v1 = m.topics
    if v1 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v1) + 1)
        for s1 in v1:
            write_uuid(w, s1.topic_id)
            v2 = s1.name
            write_compact_nullable_string(w, v2)
            w.append(0)
    w.append(1 if m.allow_auto_topic_creation else 0)
    w.append(1 if m.include_cluster_authorized_operations else 0)
    w.append(1 if m.include_topic_authorized_operations else 0)
    w.append(0)


def _decode_11(data: bytes, i: i64) -> tuple[MetadataRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = MetadataRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.topics = None
    else:
        if n < 0 or n * 18 > size - i:
            raise bad_count("MetadataRequest.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("MetadataRequest.Topics", 100000)
        count1 = n
        found1: list[MetadataRequestTopic] = []
        m.topics = found1
        for _ in range(count1):
            s1 = MetadataRequestTopic()
            end = i + 16
            if end > size:
                raise bad_length("MetadataRequest.Topics.TopicId", 16, size - i)
            s1.topic_id = data[i:end]
            i = end
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
                    raise bad_length("MetadataRequest.Topics.Name", n, size - i)
                s1.name = data[i:end].decode()
                i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found1.append(s1)
    m.allow_auto_topic_creation = data[i] != 0
    m.include_topic_authorized_operations = data[i + 1] != 0
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_11(m: MetadataRequest, w: BytesWriter, version: int) -> None:
    if m.include_cluster_authorized_operations:
        raise not_carried("MetadataRequest.IncludeClusterAuthorizedOperations", version)
    v1 = m.topics
    if v1 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v1) + 1)
        for s1 in v1:
            write_uuid(w, s1.topic_id)
            v2 = s1.name
            write_compact_nullable_string(w, v2)
            w.append(0)
    w.append(1 if m.allow_auto_topic_creation else 0)
    w.append(1 if m.include_topic_authorized_operations else 0)
    w.append(0)
