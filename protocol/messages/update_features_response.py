"""UpdateFeaturesResponse, generated from UpdateFeaturesResponse.json: do not edit, run `make generate`."""

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
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":57,"type":"response","name":"UpdateFeaturesResponse","validVersions":"0-2","flex'
    'ibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"na'
    'me":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessage","type":"string","ve'
    'rsions":"0+","nullableVersions":"0+"},{"name":"Results","type":"[]UpdatableFeatureResult",'
    '"versions":"0-1","ignorable":true,"fields":[{"name":"Feature","type":"string","versions":"'
    '0+","mapKey":true},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ErrorMessa'
    'ge","type":"string","versions":"0+","nullableVersions":"0+"}]}]}'
)


class UpdatableFeatureResult(Struct):
    """One entry for each feature."""

    __slots__ = ("feature", "error_code", "error_message")
    FIELDS: ClassVar[tuple[str, ...]] = ("feature", "error_code", "error_message")
    feature: str  # Name of the feature.
    error_code: int  # Zero, or why its level was not set.
    error_message: str | None  # The reason in words, or null.

    def __init__(
        self,
        *,
        feature: str = "",
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.feature = feature
        self.error_code = error_code
        self.error_message = error_message


class UpdateFeaturesResponse(Message):
    """Whether the levels were set."""

    __slots__ = ("throttle_time_ms", "error_code", "error_message", "results")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "results",
    )
    NAME: ClassVar[str] = "UpdateFeaturesResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 57
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why no level was set.
    error_message: str | None  # The reason in words, or null.
    results: list[UpdatableFeatureResult]  # One entry for each feature.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        results: list[UpdatableFeatureResult] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.results = [] if results is UNSET_LIST else results

    @staticmethod
    def decode(data: bytes, version: int) -> UpdateFeaturesResponse:
        message, end = UpdateFeaturesResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("UpdateFeaturesResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[UpdateFeaturesResponse, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("UpdateFeaturesResponse", version, len(data), error) from None
        raise no_version("UpdateFeaturesResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("UpdateFeaturesResponse", version, error) from error
        raise no_encoding("UpdateFeaturesResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[UpdateFeaturesResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = UpdateFeaturesResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("UpdateFeaturesResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 5 > size - i:
        raise bad_count("UpdateFeaturesResponse.Results", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("UpdateFeaturesResponse.Results", 10000000)
    count1 = n
    found1: list[UpdatableFeatureResult] = []
    m.results = found1
    for _ in range(count1):
        s1 = UpdatableFeatureResult()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("UpdateFeaturesResponse.Results.Feature", n, size - i)
        s1.feature = data[i:end].decode()
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
                raise bad_length("UpdateFeaturesResponse.Results.ErrorMessage", n, size - i)
            s1.error_message = data[i:end].decode()
            i = end
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


def _encode_0(m: UpdateFeaturesResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    v2 = m.results
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.feature
        write_compact_string(w, v3)
        write_i16_be(w, s1.error_code)
        v4 = s1.error_message
        write_compact_nullable_string(w, v4)
        w.append(0)
    w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[UpdateFeaturesResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = UpdateFeaturesResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("UpdateFeaturesResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: UpdateFeaturesResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    w.append(0)
