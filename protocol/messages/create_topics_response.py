"""CreateTopicsResponse, generated from CreateTopicsResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

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
    write_i8,
    write_nullable_string,
    write_string,
    write_uuid,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":19,"type":"response","name":"CreateTopicsResponse","validVersions":"2-7","flexib'
    'leVersions":"5+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"2+","ignora'
    'ble":true},{"name":"Topics","type":"[]CreatableTopicResult","versions":"0+","fields":[{"na'
    'me":"Name","type":"string","versions":"0+","mapKey":true,"entityType":"topicName"},{"name"'
    ':"TopicId","type":"uuid","versions":"7+","ignorable":true},{"name":"ErrorCode","type":"int'
    '16","versions":"0+"},{"name":"ErrorMessage","type":"string","versions":"1+","nullableVersi'
    'ons":"0+","ignorable":true},{"name":"TopicConfigErrorCode","type":"int16","versions":"5+",'
    '"tag":0,"taggedVersions":"5+","ignorable":true},{"name":"NumPartitions","type":"int32","ve'
    'rsions":"5+","default":"-1","ignorable":true},{"name":"ReplicationFactor","type":"int16","'
    'versions":"5+","default":"-1","ignorable":true},{"name":"Configs","type":"[]CreatableTopic'
    'Configs","versions":"5+","nullableVersions":"5+","ignorable":true,"fields":[{"name":"Name"'
    ',"type":"string","versions":"5+"},{"name":"Value","type":"string","versions":"5+","nullabl'
    'eVersions":"5+"},{"name":"ReadOnly","type":"bool","versions":"5+"},{"name":"ConfigSource",'
    '"type":"int8","versions":"5+","default":"-1","ignorable":true},{"name":"IsSensitive","type'
    '":"bool","versions":"5+"}]}]}]}'
)


class CreatableTopicConfigs(Struct):
    """All settings of the topic."""

    __slots__ = ("name", "value", "read_only", "config_source", "is_sensitive")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "name",
        "value",
        "read_only",
        "config_source",
        "is_sensitive",
    )
    name: str  # Name of the setting.
    value: str | None  # Its value; null when it is secret.
    read_only: bool  # Whether it cannot be changed.
    config_source: int  # Where the value comes from, as in DescribeConfigs.
    is_sensitive: bool  # Whether it is secret.

    def __init__(
        self,
        *,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.config_source = config_source
        self.is_sensitive = is_sensitive


class CreatableTopicResult(Struct):
    """One entry for each topic."""

    __slots__ = (
        "name",
        "topic_id",
        "error_code",
        "error_message",
        "topic_config_error_code",
        "num_partitions",
        "replication_factor",
        "configs",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "name",
        "topic_id",
        "error_code",
        "error_message",
        "topic_config_error_code",
        "num_partitions",
        "replication_factor",
        "configs",
    )
    name: str  # Name of the topic.
    topic_id: bytes  # Id that the topic got.
    error_code: int  # Zero, or why it was not made.
    error_message: str | None  # The reason in words, or null.
    topic_config_error_code: int  # Why the settings are not told, when they are not.
    num_partitions: int  # How many partitions it has, or -1.
    replication_factor: int  # How many replicas each has, or -1.
    configs: list[CreatableTopicConfigs] | None  # All settings of the topic.

    def __init__(
        self,
        *,
        name: str = "",
        topic_id: bytes = ZERO_UUID,
        error_code: int = 0,
        error_message: str | None = "",
        topic_config_error_code: int = 0,
        num_partitions: int = -1,
        replication_factor: int = -1,
        configs: list[CreatableTopicConfigs] | None = UNSET_LIST,
    ) -> None:
        self.name = name
        self.topic_id = topic_id
        self.error_code = error_code
        self.error_message = error_message
        self.topic_config_error_code = topic_config_error_code
        self.num_partitions = num_partitions
        self.replication_factor = replication_factor
        self.configs = [] if configs is UNSET_LIST else configs


class CreateTopicsResponse(Message):
    """What became of each topic."""

    __slots__ = ("throttle_time_ms", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "topics")
    NAME: ClassVar[str] = "CreateTopicsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 19
    MIN_VERSION: ClassVar[int] = 2
    MAX_VERSION: ClassVar[int] = 7
    FLEXIBLE_SINCE: ClassVar[int | None] = 5
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    topics: list[CreatableTopicResult]  # One entry for each topic.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        topics: list[CreatableTopicResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.topics = [] if topics is UNSET_LIST else topics

    @staticmethod
    def decode(data: bytes, version: int) -> CreateTopicsResponse:
        message, end = CreateTopicsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("CreateTopicsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[CreateTopicsResponse, int]:
        try:
            if version == 7:
                return _decode_7(data, offset)
            if 5 <= version <= 6:
                return _decode_5(data, offset)
            if 2 <= version <= 4:
                return _decode_2(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("CreateTopicsResponse", version, len(data), error) from None
        raise no_version("CreateTopicsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 7:
                return _encode_7(self, writer, version)
            if 5 <= version <= 6:
                return _encode_5(self, writer, version)
            if 2 <= version <= 4:
                return _encode_2(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("CreateTopicsResponse", version, error) from error
        raise no_encoding("CreateTopicsResponse", version)


def _decode_2(data: bytes, i: i64) -> tuple[CreateTopicsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = CreateTopicsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 6 > size - i:
        raise bad_count("CreateTopicsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreateTopicsResponse.Topics", 10000000)
    count1 = n
    found1: list[CreatableTopicResult] = []
    m.topics = found1
    for _ in range(count1):
        s1 = CreatableTopicResult()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("CreateTopicsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("CreateTopicsResponse.Topics.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        found1.append(s1)
    return m, i


def _encode_2(m: CreateTopicsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_i32_be(w, len(v1))
    for s1 in v1:
        v2 = s1.name
        write_string(w, v2)
        write_i16_be(w, s1.error_code)
        v3 = s1.error_message
        write_nullable_string(w, v3)


def _decode_5(data: bytes, i: i64) -> tuple[CreateTopicsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = CreateTopicsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 12 > size - i:
        raise bad_count("CreateTopicsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreateTopicsResponse.Topics", 10000000)
    count1 = n
    found1: list[CreatableTopicResult] = []
    m.topics = found1
    for _ in range(count1):
        s1 = CreatableTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("CreateTopicsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("CreateTopicsResponse.Topics.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        s1.num_partitions = read_i32_be(data, i)
        s1.replication_factor = read_i16_be(data, i + 4)
        n = data[i + 6]
        i += 7
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.configs = None
        else:
            if n < 0 or n * 6 > size - i:
                raise bad_count("CreateTopicsResponse.Topics.Configs", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("CreateTopicsResponse.Topics.Configs", 10000000)
            count2 = n
            found2: list[CreatableTopicConfigs] = []
            s1.configs = found2
            for _ in range(count2):
                s2 = CreatableTopicConfigs()
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("CreateTopicsResponse.Topics.Configs.Name", n, size - i)
                s2.name = data[i:end].decode()
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    s2.value = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("CreateTopicsResponse.Topics.Configs.Value", n, size - i)
                    s2.value = data[i:end].decode()
                    i = end
                s2.read_only = data[i] != 0
                s2.config_source = (data[i + 1] ^ 0x80) - 0x80
                s2.is_sensitive = data[i + 2] != 0
                if data[i + 3] == 0:
                    i += 4
                else:
                    i = skip_tagged_fields(data, i + 3)
                found2.append(s2)
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
                    s1.topic_config_error_code = read_i16_be(data, i)
                    i += 2
                    if i != stop1:
                        raise bad_tag_size("CreateTopicsResponse.Topics.TopicConfigErrorCode")
                else:
                    check_unknown_tag(tag1, stop1 - i, unknown1)
                    unknown1 += 1
                    i = stop1
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_5(m: CreateTopicsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        write_i16_be(w, s1.error_code)
        v3 = s1.error_message
        write_compact_nullable_string(w, v3)
        write_i32_be(w, s1.num_partitions)
        write_i16_be(w, s1.replication_factor)
        v4 = s1.configs
        if v4 is None:
            w.append(0)
        else:
            write_uvarint(w, len(v4) + 1)
            for s2 in v4:
                v5 = s2.name
                write_compact_string(w, v5)
                v6 = s2.value
                write_compact_nullable_string(w, v6)
                w.append(1 if s2.read_only else 0)
                write_i8(w, s2.config_source)
                w.append(1 if s2.is_sensitive else 0)
                w.append(0)
        t1 = s1.topic_config_error_code != 0
        if t1:
            write_uvarint(w, int(t1))
            if t1:
                write_uvarint(w, 0)
                w.append(2)
                write_i16_be(w, s1.topic_config_error_code)
        else:
            w.append(0)
    w.append(0)


def _decode_7(data: bytes, i: i64) -> tuple[CreateTopicsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = CreateTopicsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 28 > size - i:
        raise bad_count("CreateTopicsResponse.Topics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("CreateTopicsResponse.Topics", 10000000)
    count1 = n
    found1: list[CreatableTopicResult] = []
    m.topics = found1
    for _ in range(count1):
        s1 = CreatableTopicResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("CreateTopicsResponse.Topics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        end = i + 16
        if end > size:
            raise bad_length("CreateTopicsResponse.Topics.TopicId", 16, size - i)
        s1.topic_id = data[i:end]
        i = end
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("CreateTopicsResponse.Topics.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        s1.num_partitions = read_i32_be(data, i)
        s1.replication_factor = read_i16_be(data, i + 4)
        n = data[i + 6]
        i += 7
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.configs = None
        else:
            if n < 0 or n * 6 > size - i:
                raise bad_count("CreateTopicsResponse.Topics.Configs", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("CreateTopicsResponse.Topics.Configs", 10000000)
            count2 = n
            found2: list[CreatableTopicConfigs] = []
            s1.configs = found2
            for _ in range(count2):
                s2 = CreatableTopicConfigs()
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("CreateTopicsResponse.Topics.Configs.Name", n, size - i)
                s2.name = data[i:end].decode()
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    s2.value = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("CreateTopicsResponse.Topics.Configs.Value", n, size - i)
                    s2.value = data[i:end].decode()
                    i = end
                s2.read_only = data[i] != 0
                s2.config_source = (data[i + 1] ^ 0x80) - 0x80
                s2.is_sensitive = data[i + 2] != 0
                if data[i + 3] == 0:
                    i += 4
                else:
                    i = skip_tagged_fields(data, i + 3)
                found2.append(s2)
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
                    s1.topic_config_error_code = read_i16_be(data, i)
                    i += 2
                    if i != stop1:
                        raise bad_tag_size("CreateTopicsResponse.Topics.TopicConfigErrorCode")
                else:
                    check_unknown_tag(tag1, stop1 - i, unknown1)
                    unknown1 += 1
                    i = stop1
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_7(m: CreateTopicsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.topics
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        write_uuid(w, s1.topic_id)
        write_i16_be(w, s1.error_code)
        v3 = s1.error_message
        write_compact_nullable_string(w, v3)
        write_i32_be(w, s1.num_partitions)
        write_i16_be(w, s1.replication_factor)
        v4 = s1.configs
        if v4 is None:
            w.append(0)
        else:
            write_uvarint(w, len(v4) + 1)
            for s2 in v4:
                v5 = s2.name
                write_compact_string(w, v5)
                v6 = s2.value
                write_compact_nullable_string(w, v6)
                w.append(1 if s2.read_only else 0)
                write_i8(w, s2.config_source)
                w.append(1 if s2.is_sensitive else 0)
                w.append(0)
        t1 = s1.topic_config_error_code != 0
        if t1:
            write_uvarint(w, int(t1))
            if t1:
                write_uvarint(w, 0)
                w.append(2)
                write_i16_be(w, s1.topic_config_error_code)
        else:
            w.append(0)
    w.append(0)
