"""DescribeConfigsResponse, generated from DescribeConfigsResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_i8,
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":32,"type":"response","name":"DescribeConfigsResponse","validVersions":"1-4","fle'
    'xibleVersions":"4+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"n'
    'ame":"Results","type":"[]DescribeConfigsResult","versions":"0+","fields":[{"name":"ErrorCo'
    'de","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","versions":"0+"'
    ',"nullableVersions":"0+"},{"name":"ResourceType","type":"int8","versions":"0+"},{"name":"R'
    'esourceName","type":"string","versions":"0+"},{"name":"Configs","type":"[]DescribeConfigsR'
    'esourceResult","versions":"0+","fields":[{"name":"Name","type":"string","versions":"0+"},{'
    '"name":"Value","type":"string","versions":"0+","nullableVersions":"0+"},{"name":"ReadOnly"'
    ',"type":"bool","versions":"0+"},{"name":"ConfigSource","type":"int8","versions":"1+","defa'
    'ult":"-1","ignorable":true},{"name":"IsSensitive","type":"bool","versions":"0+"},{"name":"'
    'Synonyms","type":"[]DescribeConfigsSynonym","versions":"1+","ignorable":true,"fields":[{"n'
    'ame":"Name","type":"string","versions":"1+"},{"name":"Value","type":"string","versions":"1'
    '+","nullableVersions":"0+"},{"name":"Source","type":"int8","versions":"1+"}]},{"name":"Con'
    'figType","type":"int8","versions":"3+","default":"0","ignorable":true},{"name":"Documentat'
    'ion","type":"string","versions":"3+","nullableVersions":"0+","ignorable":true}]}]}]}'
)


class DescribeConfigsSynonym(Struct):
    """Settings that could give the value, the one that does first."""

    __slots__ = ("name", "value", "source")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "value", "source")
    name: str  # Name of that setting.
    value: str | None  # Its value; null when it is secret.
    source: int  # Where that value comes from.

    def __init__(
        self,
        *,
        name: str = "",
        value: str | None = "",
        source: int = 0,
    ) -> None:
        self.name = name
        self.value = value
        self.source = source


class DescribeConfigsResourceResult(Struct):
    """Its settings."""

    __slots__ = (
        "name",
        "value",
        "read_only",
        "config_source",
        "is_sensitive",
        "synonyms",
        "config_type",
        "documentation",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "name",
        "value",
        "read_only",
        "config_source",
        "is_sensitive",
        "synonyms",
        "config_type",
        "documentation",
    )
    name: str  # Name of the setting.
    value: str | None  # Its value; null when it is secret.
    read_only: bool  # Whether it cannot be changed while running.
    config_source: int  # Where the value comes from: 1 topic, 2 broker, 3 all brokers, 4 start-up file, 5 default.
    is_sensitive: bool  # Whether it is secret.
    synonyms: list[DescribeConfigsSynonym]  # Settings that could give the value, the one that does first.
    config_type: int  # Type of the value: 1 boolean, 2 string, 3 int, 4 short, 5 long, 6 double, 7 list, 8 class, 9 password.
    documentation: str | None  # What the setting means, or null.

    def __init__(
        self,
        *,
        name: str = "",
        value: str | None = "",
        read_only: bool = False,
        config_source: int = -1,
        is_sensitive: bool = False,
        synonyms: list[DescribeConfigsSynonym] = UNSET_LIST,
        config_type: int = 0,
        documentation: str | None = "",
    ) -> None:
        self.name = name
        self.value = value
        self.read_only = read_only
        self.config_source = config_source
        self.is_sensitive = is_sensitive
        self.synonyms = [] if synonyms is UNSET_LIST else synonyms
        self.config_type = config_type
        self.documentation = documentation


class DescribeConfigsResult(Struct):
    """One entry for each thing."""

    __slots__ = ("error_code", "error_message", "resource_type", "resource_name", "configs")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "error_message",
        "resource_type",
        "resource_name",
        "configs",
    )
    error_code: int  # Zero, or why it is not described.
    error_message: str | None  # The reason in words, or null.
    resource_type: int  # What kind of thing it is.
    resource_name: str  # Its name.
    configs: list[DescribeConfigsResourceResult]  # Its settings.

    def __init__(
        self,
        *,
        error_code: int = 0,
        error_message: str | None = "",
        resource_type: int = 0,
        resource_name: str = "",
        configs: list[DescribeConfigsResourceResult] = UNSET_LIST,
    ) -> None:
        self.error_code = error_code
        self.error_message = error_message
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.configs = [] if configs is UNSET_LIST else configs


class DescribeConfigsResponse(Message):
    """The settings, and where each has its value from."""

    __slots__ = ("throttle_time_ms", "results")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "results")
    NAME: ClassVar[str] = "DescribeConfigsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 32
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    results: list[DescribeConfigsResult]  # One entry for each thing.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        results: list[DescribeConfigsResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.results = [] if results is UNSET_LIST else results

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeConfigsResponse:
        message, end = DescribeConfigsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeConfigsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeConfigsResponse, int]:
        try:
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 1 <= version <= 2:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeConfigsResponse", version, len(data), error) from None
        raise no_version("DescribeConfigsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 4:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if 1 <= version <= 2:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeConfigsResponse", version, error) from error
        raise no_encoding("DescribeConfigsResponse", version)


def _decode_1(data: bytes, i: i64) -> tuple[DescribeConfigsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeConfigsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 11 > size - i:
        raise bad_count("DescribeConfigsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeConfigsResponse.Results", 10000000)
    count1 = n
    found1: list[DescribeConfigsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DescribeConfigsResult()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeConfigsResponse.Results.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeConfigsResponse.Results.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 11 > size - i:
            raise bad_count("DescribeConfigsResponse.Results.Configs", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeConfigsResponse.Results.Configs", 10000000)
        count2 = n
        found2: list[DescribeConfigsResourceResult] = []
        s1.configs = found2
        for _ in range(count2):
            s2 = DescribeConfigsResourceResult()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeConfigsResponse.Results.Configs.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            if n == -1:
                s2.value = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeConfigsResponse.Results.Configs.Value", n, size - i)
                s2.value = data[i:end].decode()
                i = end
            s2.read_only = data[i] != 0
            s2.config_source = (data[i + 1] ^ 0x80) - 0x80
            s2.is_sensitive = data[i + 2] != 0
            n = read_i32_be(data, i + 3)
            i += 7
            if n < 0 or n * 5 > size - i:
                raise bad_count("DescribeConfigsResponse.Results.Configs.Synonyms", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeConfigsResponse.Results.Configs.Synonyms", 10000000)
            count3 = n
            found3: list[DescribeConfigsSynonym] = []
            s2.synonyms = found3
            for _ in range(count3):
                s3 = DescribeConfigsSynonym()
                n = read_i16_be(data, i)
                i += 2
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeConfigsResponse.Results.Configs.Synonyms.Name", n, size - i)
                s3.name = data[i:end].decode()
                i = end
                n = read_i16_be(data, i)
                i += 2
                if n == -1:
                    s3.value = None
                else:
                    end = i + n
                    if n < 0 or end > size:
                        raise bad_length("DescribeConfigsResponse.Results.Configs.Synonyms.Value", n, size - i)
                    s3.value = data[i:end].decode()
                    i = end
                s3.source = (data[i] ^ 0x80) - 0x80
                found3.append(s3)
                i += 1
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_1(m: DescribeConfigsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_nullable_string(w, v2)
        write_i8(w, s1.resource_type)
        v3 = s1.resource_name
        write_string(w, v3)
        v4 = s1.configs
        write_i32_be(w, len(v4))
        for s2 in v4:
            v5 = s2.name
            write_string(w, v5)
            v6 = s2.value
            write_nullable_string(w, v6)
            w.append(1 if s2.read_only else 0)
            write_i8(w, s2.config_source)
            w.append(1 if s2.is_sensitive else 0)
            v7 = s2.synonyms
            write_i32_be(w, len(v7))
            for s3 in v7:
                v8 = s3.name
                write_string(w, v8)
                v9 = s3.value
                write_nullable_string(w, v9)
                write_i8(w, s3.source)


def _decode_3(data: bytes, i: i64) -> tuple[DescribeConfigsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeConfigsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 11 > size - i:
        raise bad_count("DescribeConfigsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeConfigsResponse.Results", 10000000)
    count1 = n
    found1: list[DescribeConfigsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DescribeConfigsResult()
        s1.error_code = read_i16_be(data, i)
        n = read_i16_be(data, i + 2)
        i += 4
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeConfigsResponse.Results.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = read_i16_be(data, i + 1)
        i += 3
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeConfigsResponse.Results.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 14 > size - i:
            raise bad_count("DescribeConfigsResponse.Results.Configs", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeConfigsResponse.Results.Configs", 10000000)
        count2 = n
        found2: list[DescribeConfigsResourceResult] = []
        s1.configs = found2
        for _ in range(count2):
            s2 = DescribeConfigsResourceResult()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("DescribeConfigsResponse.Results.Configs.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = read_i16_be(data, i)
            i += 2
            if n == -1:
                s2.value = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeConfigsResponse.Results.Configs.Value", n, size - i)
                s2.value = data[i:end].decode()
                i = end
            s2.read_only = data[i] != 0
            s2.config_source = (data[i + 1] ^ 0x80) - 0x80
            s2.is_sensitive = data[i + 2] != 0
            n = read_i32_be(data, i + 3)
            i += 7
            if n < 0 or n * 5 > size - i:
                raise bad_count("DescribeConfigsResponse.Results.Configs.Synonyms", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeConfigsResponse.Results.Configs.Synonyms", 10000000)
            count3 = n
            found3: list[DescribeConfigsSynonym] = []
            s2.synonyms = found3
            for _ in range(count3):
                s3 = DescribeConfigsSynonym()
                n = read_i16_be(data, i)
                i += 2
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeConfigsResponse.Results.Configs.Synonyms.Name", n, size - i)
                s3.name = data[i:end].decode()
                i = end
                n = read_i16_be(data, i)
                i += 2
                if n == -1:
                    s3.value = None
                else:
                    end = i + n
                    if n < 0 or end > size:
                        raise bad_length("DescribeConfigsResponse.Results.Configs.Synonyms.Value", n, size - i)
                    s3.value = data[i:end].decode()
                    i = end
                s3.source = (data[i] ^ 0x80) - 0x80
                found3.append(s3)
                i += 1
            s2.config_type = (data[i] ^ 0x80) - 0x80
            n = read_i16_be(data, i + 1)
            i += 3
            if n == -1:
                s2.documentation = None
            else:
                end = i + n
                if n < 0 or end > size:
                    raise bad_length("DescribeConfigsResponse.Results.Configs.Documentation", n, size - i)
                s2.documentation = data[i:end].decode()
                i = end
            found2.append(s2)
        found1.append(s1)
    return m, i


def _encode_3(m: DescribeConfigsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_nullable_string(w, v2)
        write_i8(w, s1.resource_type)
        v3 = s1.resource_name
        write_string(w, v3)
        v4 = s1.configs
        write_i32_be(w, len(v4))
        for s2 in v4:
            v5 = s2.name
            write_string(w, v5)
            v6 = s2.value
            write_nullable_string(w, v6)
            w.append(1 if s2.read_only else 0)
            write_i8(w, s2.config_source)
            w.append(1 if s2.is_sensitive else 0)
            v7 = s2.synonyms
            write_i32_be(w, len(v7))
            for s3 in v7:
                v8 = s3.name
                write_string(w, v8)
                v9 = s3.value
                write_nullable_string(w, v9)
                write_i8(w, s3.source)
            write_i8(w, s2.config_type)
            v10 = s2.documentation
            write_nullable_string(w, v10)


def _decode_4(data: bytes, i: i64) -> tuple[DescribeConfigsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeConfigsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("DescribeConfigsResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeConfigsResponse.Results", 10000000)
    count1 = n
    found1: list[DescribeConfigsResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = DescribeConfigsResult()
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
                raise bad_length("DescribeConfigsResponse.Results.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
        s1.resource_type = (data[i] ^ 0x80) - 0x80
        n = data[i + 1]
        i += 2
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeConfigsResponse.Results.ResourceName", n, size - i)
        s1.resource_name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 9 > size - i:
            raise bad_count("DescribeConfigsResponse.Results.Configs", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeConfigsResponse.Results.Configs", 10000000)
        count2 = n
        found2: list[DescribeConfigsResourceResult] = []
        s1.configs = found2
        for _ in range(count2):
            s2 = DescribeConfigsResourceResult()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeConfigsResponse.Results.Configs.Name", n, size - i)
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
                    raise bad_length("DescribeConfigsResponse.Results.Configs.Value", n, size - i)
                s2.value = data[i:end].decode()
                i = end
            s2.read_only = data[i] != 0
            s2.config_source = (data[i + 1] ^ 0x80) - 0x80
            s2.is_sensitive = data[i + 2] != 0
            n = data[i + 3]
            i += 4
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("DescribeConfigsResponse.Results.Configs.Synonyms", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeConfigsResponse.Results.Configs.Synonyms", 10000000)
            count3 = n
            found3: list[DescribeConfigsSynonym] = []
            s2.synonyms = found3
            for _ in range(count3):
                s3 = DescribeConfigsSynonym()
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("DescribeConfigsResponse.Results.Configs.Synonyms.Name", n, size - i)
                s3.name = data[i:end].decode()
                i = end
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    s3.value = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("DescribeConfigsResponse.Results.Configs.Synonyms.Value", n, size - i)
                    s3.value = data[i:end].decode()
                    i = end
                s3.source = (data[i] ^ 0x80) - 0x80
                if data[i + 1] == 0:
                    i += 2
                else:
                    i = skip_tagged_fields(data, i + 1)
                found3.append(s3)
            s2.config_type = (data[i] ^ 0x80) - 0x80
            n = data[i + 1]
            i += 2
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n == -1:
                s2.documentation = None
            else:
                end = i + n
                if n < 0 or end > size or n > STRING_BYTES_MAX:
                    raise bad_length("DescribeConfigsResponse.Results.Configs.Documentation", n, size - i)
                s2.documentation = data[i:end].decode()
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
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_4(m: DescribeConfigsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.results
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.error_message
        write_compact_nullable_string(w, v2)
        write_i8(w, s1.resource_type)
        v3 = s1.resource_name
        write_compact_string(w, v3)
        v4 = s1.configs
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            v5 = s2.name
            write_compact_string(w, v5)
            v6 = s2.value
            write_compact_nullable_string(w, v6)
            w.append(1 if s2.read_only else 0)
            write_i8(w, s2.config_source)
            w.append(1 if s2.is_sensitive else 0)
            v7 = s2.synonyms
            write_uvarint(w, len(v7) + 1)
            for s3 in v7:
                v8 = s3.name
                write_compact_string(w, v8)
                v9 = s3.value
                write_compact_nullable_string(w, v9)
                write_i8(w, s3.source)
                w.append(0)
            write_i8(w, s2.config_type)
            v10 = s2.documentation
            write_compact_nullable_string(w, v10)
            w.append(0)
        w.append(0)
    w.append(0)
