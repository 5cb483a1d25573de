"""UpdateFeaturesRequest, generated from UpdateFeaturesRequest.json: do not edit, run `make generate`."""

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
    not_carried,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_i8,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":57,"type":"request","listeners":["broker","controller"],"name":"UpdateFeaturesRe'
    'quest","validVersions":"0-2","flexibleVersions":"0+","fields":[{"name":"timeoutMs","type":'
    '"int32","versions":"0+","default":"60000"},{"name":"FeatureUpdates","type":"[]FeatureUpdat'
    'eKey","versions":"0+","fields":[{"name":"Feature","type":"string","versions":"0+","mapKey"'
    ':true},{"name":"MaxVersionLevel","type":"int16","versions":"0+"},{"name":"AllowDowngrade",'
    '"type":"bool","versions":"0"},{"name":"UpgradeType","type":"int8","versions":"1+","default'
    '":1}]},{"name":"ValidateOnly","type":"bool","versions":"1+","default":false}]}'
)


class FeatureUpdateKey(Struct):
    """The features to set."""

    __slots__ = ("feature", "max_version_level", "allow_downgrade", "upgrade_type")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "feature",
        "max_version_level",
        "allow_downgrade",
        "upgrade_type",
    )
    feature: str  # Name of the feature.
    max_version_level: int  # Level that it shall run at; 0 or less switches it off.
    allow_downgrade: bool  # Whether the level may go down.
    upgrade_type: int  # Where it may go: 1 up, 2 down without loss, 3 down even with loss of metadata.

    def __init__(
        self,
        *,
        feature: str = "",
        max_version_level: int = 0,
        allow_downgrade: bool = False,
        upgrade_type: int = 1,
    ) -> None:
        self.feature = feature
        self.max_version_level = max_version_level
        self.allow_downgrade = allow_downgrade
        self.upgrade_type = upgrade_type


class UpdateFeaturesRequest(Message):
    """Sets the levels that the cluster's features run at."""

    __slots__ = ("timeout_ms", "feature_updates", "validate_only")
    FIELDS: ClassVar[tuple[str, ...]] = ("timeout_ms", "feature_updates", "validate_only")
    NAME: ClassVar[str] = "UpdateFeaturesRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 57
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    timeout_ms: int  # How long to wait until the levels are set, in ms.
    feature_updates: list[FeatureUpdateKey]  # The features to set.
    validate_only: bool  # Whether to check the request without doing it.

    def __init__(
        self,
        *,
        timeout_ms: int = 60000,
        feature_updates: list[FeatureUpdateKey] = UNSET_LIST,
        validate_only: bool = False,
    ) -> None:
        self.timeout_ms = timeout_ms
        self.feature_updates = [] if feature_updates is UNSET_LIST else feature_updates
        self.validate_only = validate_only

    @staticmethod
    def decode(data: bytes, version: int) -> UpdateFeaturesRequest:
        message, end = UpdateFeaturesRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("UpdateFeaturesRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[UpdateFeaturesRequest, int]:
        try:
            if 1 <= version <= 2:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("UpdateFeaturesRequest", version, len(data), error) from None
        raise no_version("UpdateFeaturesRequest", version)

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
            raise no_encoding("UpdateFeaturesRequest", version, error) from error
        raise no_encoding("UpdateFeaturesRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[UpdateFeaturesRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = UpdateFeaturesRequest()
    m.timeout_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("UpdateFeaturesRequest.FeatureUpdates", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("UpdateFeaturesRequest.FeatureUpdates", 100000)
    count1 = n
    found1: list[FeatureUpdateKey] = []
    m.feature_updates = found1
    for _ in range(count1):
        s1 = FeatureUpdateKey()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("UpdateFeaturesRequest.FeatureUpdates.Feature", n, size - i)
        s1.feature = data[i:end].decode()
        i = end
        s1.max_version_level = read_i16_be(data, i)
        s1.allow_downgrade = data[i + 2] != 0
        if data[i + 3] == 0:
            i += 4
        else:
            i = skip_tagged_fields(data, i + 3)
        found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: UpdateFeaturesRequest, w: BytesWriter, version: int) -> None:
    if m.validate_only:
        raise not_carried("UpdateFeaturesRequest.ValidateOnly", version)
    write_i32_be(w, m.timeout_ms)
    v1 = m.feature_updates
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        if s1.upgrade_type != 1:
            raise not_carried("UpdateFeaturesRequest.FeatureUpdates.UpgradeType", version)
        v2 = s1.feature
        write_compact_string(w, v2)
        write_i16_be(w, s1.max_version_level)
        w.append(1 if s1.allow_downgrade else 0)
        w.append(0)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[UpdateFeaturesRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = UpdateFeaturesRequest()
    m.timeout_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("UpdateFeaturesRequest.FeatureUpdates", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("UpdateFeaturesRequest.FeatureUpdates", 100000)
    count1 = n
    found1: list[FeatureUpdateKey] = []
    m.feature_updates = found1
    for _ in range(count1):
        s1 = FeatureUpdateKey()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("UpdateFeaturesRequest.FeatureUpdates.Feature", n, size - i)
        s1.feature = data[i:end].decode()
        i = end
        s1.max_version_level = read_i16_be(data, i)
        s1.upgrade_type = (data[i + 2] ^ 0x80) - 0x80
        if data[i + 3] == 0:
            i += 4
        else:
            i = skip_tagged_fields(data, i + 3)
        found1.append(s1)
    m.validate_only = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_1(m: UpdateFeaturesRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.timeout_ms)
    v1 = m.feature_updates
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        if s1.allow_downgrade:
            raise not_carried("UpdateFeaturesRequest.FeatureUpdates.AllowDowngrade", version)
        v2 = s1.feature
        write_compact_string(w, v2)
        write_i16_be(w, s1.max_version_level)
        write_i8(w, s1.upgrade_type)
        w.append(0)
    w.append(1 if m.validate_only else 0)
    w.append(0)
