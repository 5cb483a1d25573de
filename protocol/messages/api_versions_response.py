"""ApiVersionsResponse, generated from ApiVersionsResponse.json: do not edit, run `make generate`."""

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
    over_budget,
    read_tag,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_tag,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":18,"type":"response","name":"ApiVersionsResponse","validVersions":"0-4","flexibl'
    'eVersions":"3+","fields":[{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"Api'
    'Keys","type":"[]ApiVersion","versions":"0+","fields":[{"name":"ApiKey","type":"int16","ver'
    'sions":"0+","mapKey":true},{"name":"MinVersion","type":"int16","versions":"0+"},{"name":"M'
    'axVersion","type":"int16","versions":"0+"}]},{"name":"ThrottleTimeMs","type":"int32","vers'
    'ions":"1+","ignorable":true},{"name":"SupportedFeatures","type":"[]SupportedFeatureKey","i'
    'gnorable":true,"versions":"3+","tag":0,"taggedVersions":"3+","fields":[{"name":"Name","typ'
    'e":"string","versions":"3+","mapKey":true},{"name":"MinVersion","type":"int16","versions":'
    '"3+"},{"name":"MaxVersion","type":"int16","versions":"3+"}]},{"name":"FinalizedFeaturesEpo'
    'ch","type":"int64","versions":"3+","tag":1,"taggedVersions":"3+","default":"-1","ignorable'
    '":true},{"name":"FinalizedFeatures","type":"[]FinalizedFeatureKey","ignorable":true,"versi'
    'ons":"3+","tag":2,"taggedVersions":"3+","fields":[{"name":"Name","type":"string","versions'
    '":"3+","mapKey":true},{"name":"MaxVersionLevel","type":"int16","versions":"3+"},{"name":"M'
    'inVersionLevel","type":"int16","versions":"3+"}]},{"name":"ZkMigrationReady","type":"bool"'
    ',"versions":"3+","taggedVersions":"3+","tag":3,"ignorable":true,"default":"false"}]}'
)


class ApiVersion(Struct):
    """One entry for each API that this listener serves."""

    __slots__ = ("api_key", "min_version", "max_version")
    FIELDS: ClassVar[tuple[str, ...]] = ("api_key", "min_version", "max_version")
    api_key: int  # The number of the API.
    min_version: int  # Oldest version that is served.
    max_version: int  # Newest version that is served.

    def __init__(
        self,
        *,
        api_key: int = 0,
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.api_key = api_key
        self.min_version = min_version
        self.max_version = max_version


class SupportedFeatureKey(Struct):
    """Features that this broker could run with."""

    __slots__ = ("name", "min_version", "max_version")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "min_version", "max_version")
    name: str  # Name of the feature.
    min_version: int  # Lowest level of the feature that the broker can run with.
    max_version: int  # Highest level of the feature that the broker can run with.

    def __init__(
        self,
        *,
        name: str = "",
        min_version: int = 0,
        max_version: int = 0,
    ) -> None:
        self.name = name
        self.min_version = min_version
        self.max_version = max_version


class FinalizedFeatureKey(Struct):
    """Features that the whole cluster has agreed on."""

    __slots__ = ("name", "max_version_level", "min_version_level")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "max_version_level", "min_version_level")
    name: str  # Name of the feature.
    max_version_level: int  # Highest level that the cluster uses.
    min_version_level: int  # Lowest level that the cluster uses.

    def __init__(
        self,
        *,
        name: str = "",
        max_version_level: int = 0,
        min_version_level: int = 0,
    ) -> None:
        self.name = name
        self.max_version_level = max_version_level
        self.min_version_level = min_version_level


class ApiVersionsResponse(Message):
    """The APIs of the broker, and the features that its cluster has agreed on."""

    __slots__ = (
        "error_code",
        "api_keys",
        "throttle_time_ms",
        "supported_features",
        "finalized_features_epoch",
        "finalized_features",
        "zk_migration_ready",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "api_keys",
        "throttle_time_ms",
        "supported_features",
        "finalized_features_epoch",
        "finalized_features",
        "zk_migration_ready",
    )
    NAME: ClassVar[str] = "ApiVersionsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 18
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    error_code: int  # Zero, or why the request could not be answered.
    api_keys: list[ApiVersion]  # One entry for each API that this listener serves.
    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    supported_features: list[SupportedFeatureKey]  # Features that this broker could run with.
    finalized_features_epoch: int  # Grows whenever the agreed levels change; -1 when it is not known.
    finalized_features: list[FinalizedFeatureKey]  # Features that the whole cluster has agreed on.
    zk_migration_ready: bool  # Whether a controller of old could be taken over from ZooKeeper; false here.

    def __init__(
        self,
        *,
        error_code: int = 0,
        api_keys: list[ApiVersion] = UNSET_LIST,
        throttle_time_ms: int = 0,
        supported_features: list[SupportedFeatureKey] = UNSET_LIST,
        finalized_features_epoch: int = -1,
        finalized_features: list[FinalizedFeatureKey] = UNSET_LIST,
        zk_migration_ready: bool = False,
    ) -> None:
        self.error_code = error_code
        self.api_keys = [] if api_keys is UNSET_LIST else api_keys
        self.throttle_time_ms = throttle_time_ms
        self.supported_features = [] if supported_features is UNSET_LIST else supported_features
        self.finalized_features_epoch = finalized_features_epoch
        self.finalized_features = [] if finalized_features is UNSET_LIST else finalized_features
        self.zk_migration_ready = zk_migration_ready

    @staticmethod
    def decode(data: bytes, version: int) -> ApiVersionsResponse:
        message, end = ApiVersionsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ApiVersionsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ApiVersionsResponse, int]:
        try:
            if 3 <= version <= 4:
                return _decode_3(data, offset)
            if 1 <= version <= 2:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ApiVersionsResponse", version, len(data), error) from None
        raise no_version("ApiVersionsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 3 <= version <= 4:
                return _encode_3(self, writer, version)
            if 1 <= version <= 2:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ApiVersionsResponse", version, error) from error
        raise no_encoding("ApiVersionsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[ApiVersionsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    m = ApiVersionsResponse()
    m.error_code = read_i16_be(data, i)
    n = read_i32_be(data, i + 2)
    i += 6
    if n < 0 or n * 6 > size - i:
        raise bad_count("ApiVersionsResponse.ApiKeys", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ApiVersionsResponse.ApiKeys", 10000000)
    count1 = n
    found1: list[ApiVersion] = []
    m.api_keys = found1
    for _ in range(count1):
        s1 = ApiVersion()
        s1.api_key = read_i16_be(data, i)
        s1.min_version = read_i16_be(data, i + 2)
        s1.max_version = read_i16_be(data, i + 4)
        found1.append(s1)
        i += 6
    return m, i


def _encode_0(m: ApiVersionsResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.api_keys
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i16_be(w, s1.api_key)
        write_i16_be(w, s1.min_version)
        write_i16_be(w, s1.max_version)


def _decode_1(data: bytes, i: i64) -> tuple[ApiVersionsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    m = ApiVersionsResponse()
    m.error_code = read_i16_be(data, i)
    n = read_i32_be(data, i + 2)
    i += 6
    if n < 0 or n * 6 > size - i:
        raise bad_count("ApiVersionsResponse.ApiKeys", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ApiVersionsResponse.ApiKeys", 10000000)
    count1 = n
    found1: list[ApiVersion] = []
    m.api_keys = found1
    for _ in range(count1):
        s1 = ApiVersion()
        s1.api_key = read_i16_be(data, i)
        s1.min_version = read_i16_be(data, i + 2)
        s1.max_version = read_i16_be(data, i + 4)
        found1.append(s1)
        i += 6
    m.throttle_time_ms = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_1(m: ApiVersionsResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.api_keys
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i16_be(w, s1.api_key)
        write_i16_be(w, s1.min_version)
        write_i16_be(w, s1.max_version)
    write_i32_be(w, m.throttle_time_ms)


def _decode_3(data: bytes, i: i64) -> tuple[ApiVersionsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ApiVersionsResponse()
    m.error_code = read_i16_be(data, i)
    n = data[i + 2]
    i += 3
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 7 > size - i:
        raise bad_count("ApiVersionsResponse.ApiKeys", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ApiVersionsResponse.ApiKeys", 10000000)
    count1 = n
    found1: list[ApiVersion] = []
    m.api_keys = found1
    for _ in range(count1):
        s1 = ApiVersion()
        s1.api_key = read_i16_be(data, i)
        s1.min_version = read_i16_be(data, i + 2)
        s1.max_version = read_i16_be(data, i + 4)
        if data[i + 6] == 0:
            i += 7
        else:
            i = skip_tagged_fields(data, i + 6)
        found1.append(s1)
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
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
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 6 > size - i:
                    raise bad_count("ApiVersionsResponse.SupportedFeatures", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("ApiVersionsResponse.SupportedFeatures", 10000000)
                count3 = n
                found2: list[SupportedFeatureKey] = []
                m.supported_features = found2
                for _ in range(count3):
                    s2 = SupportedFeatureKey()
                    n = data[i]
                    i += 1
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("ApiVersionsResponse.SupportedFeatures.Name", n, size - i)
                    s2.name = data[i:end].decode()
                    i = end
                    s2.min_version = read_i16_be(data, i)
                    s2.max_version = read_i16_be(data, i + 2)
                    if data[i + 4] == 0:
                        i += 5
                    else:
                        i = skip_tagged_fields(data, i + 4)
                    found2.append(s2)
                if i != stop1:
                    raise bad_tag_size("ApiVersionsResponse.SupportedFeatures")
            elif tag1 == 1:
                m.finalized_features_epoch = read_i64_be(data, i)
                i += 8
                if i != stop1:
                    raise bad_tag_size("ApiVersionsResponse.FinalizedFeaturesEpoch")
            elif tag1 == 2:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n < 0 or n * 6 > size - i:
                    raise bad_count("ApiVersionsResponse.FinalizedFeatures", n, size - i)
                budget -= n
                if budget < 0:
                    raise over_budget("ApiVersionsResponse.FinalizedFeatures", 10000000)
                count4 = n
                found3: list[FinalizedFeatureKey] = []
                m.finalized_features = found3
                for _ in range(count4):
                    s3 = FinalizedFeatureKey()
                    n = data[i]
                    i += 1
                    if n > 127:
                        n, i = read_uvarint_rest(data, i, n)
                    n -= 1
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("ApiVersionsResponse.FinalizedFeatures.Name", n, size - i)
                    s3.name = data[i:end].decode()
                    i = end
                    s3.max_version_level = read_i16_be(data, i)
                    s3.min_version_level = read_i16_be(data, i + 2)
                    if data[i + 4] == 0:
                        i += 5
                    else:
                        i = skip_tagged_fields(data, i + 4)
                    found3.append(s3)
                if i != stop1:
                    raise bad_tag_size("ApiVersionsResponse.FinalizedFeatures")
            elif tag1 == 3:
                m.zk_migration_ready = data[i] != 0
                i += 1
                if i != stop1:
                    raise bad_tag_size("ApiVersionsResponse.ZkMigrationReady")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_3(m: ApiVersionsResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.api_keys
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.api_key)
        write_i16_be(w, s1.min_version)
        write_i16_be(w, s1.max_version)
        w.append(0)
    write_i32_be(w, m.throttle_time_ms)
    t1 = len(m.supported_features) > 0
    t2 = m.finalized_features_epoch != -1
    t3 = len(m.finalized_features) > 0
    t4 = m.zk_migration_ready
    if t1 or t2 or t3 or t4:
        write_uvarint(w, int(t1) + int(t2) + int(t3) + int(t4))
        if t1:
            w1 = BytesWriter()
            v2 = m.supported_features
            write_uvarint(w1, len(v2) + 1)
            for s2 in v2:
                v3 = s2.name
                write_compact_string(w1, v3)
                write_i16_be(w1, s2.min_version)
                write_i16_be(w1, s2.max_version)
                w1.append(0)
            write_tag(w, 0, w1)
        if t2:
            write_uvarint(w, 1)
            w.append(8)
            write_i64_be(w, m.finalized_features_epoch)
        if t3:
            w2 = BytesWriter()
            v4 = m.finalized_features
            write_uvarint(w2, len(v4) + 1)
            for s3 in v4:
                v5 = s3.name
                write_compact_string(w2, v5)
                write_i16_be(w2, s3.max_version_level)
                write_i16_be(w2, s3.min_version_level)
                w2.append(0)
            write_tag(w, 2, w2)
        if t4:
            write_uvarint(w, 3)
            w.append(1)
            w.append(1 if m.zk_migration_ready else 0)
    else:
        w.append(0)
