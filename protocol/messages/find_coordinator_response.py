"""FindCoordinatorResponse, generated from FindCoordinatorResponse.json: do not edit, run `make generate`."""

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
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":10,"type":"response","name":"FindCoordinatorResponse","validVersions":"0-6","fle'
    'xibleVersions":"3+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"1+","ign'
    'orable":true},{"name":"ErrorCode","type":"int16","versions":"0-3"},{"name":"ErrorMessage",'
    '"type":"string","versions":"1-3","nullableVersions":"1-3","ignorable":true},{"name":"NodeI'
    'd","type":"int32","versions":"0-3","entityType":"brokerId"},{"name":"Host","type":"string"'
    ',"versions":"0-3"},{"name":"Port","type":"int32","versions":"0-3"},{"name":"Coordinators",'
    '"type":"[]Coordinator","versions":"4+","fields":[{"name":"Key","type":"string","versions":'
    '"4+"},{"name":"NodeId","type":"int32","versions":"4+","entityType":"brokerId"},{"name":"Ho'
    'st","type":"string","versions":"4+"},{"name":"Port","type":"int32","versions":"4+"},{"name'
    '":"ErrorCode","type":"int16","versions":"4+"},{"name":"ErrorMessage","type":"string","vers'
    'ions":"4+","nullableVersions":"4+","ignorable":true}]}]}'
)


class Coordinator(Struct):
    """One entry for each key."""

    __slots__ = ("key", "node_id", "host", "port", "error_code", "error_message")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "key",
        "node_id",
        "host",
        "port",
        "error_code",
        "error_message",
    )
    key: str  # The group id or transactional id that was looked up.
    node_id: int  # Node id of its coordinator, or -1 when there is an error.
    host: str  # Host name or address of its coordinator; empty when there is an error.
    port: int  # Port of its coordinator, or -1 when there is an error.
    error_code: int  # Zero, or why no coordinator was found for this key.
    error_message: str | None  # The reason in words; empty or null when there is nothing to say.

    def __init__(
        self,
        *,
        key: str = "",
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
    ) -> None:
        self.key = key
        self.node_id = node_id
        self.host = host
        self.port = port
        self.error_code = error_code
        self.error_message = error_message


class FindCoordinatorResponse(Message):
    """The brokers that take care of the groups or transactional ids."""

    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "node_id",
        "host",
        "port",
        "coordinators",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "error_message",
        "node_id",
        "host",
        "port",
        "coordinators",
    )
    NAME: ClassVar[str] = "FindCoordinatorResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 10
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 6
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why no coordinator was found.
    error_message: str | None  # The reason in words; null or NONE when there is no error.
    node_id: int  # Node id of the coordinator, or -1 when there is an error.
    host: str  # Host name or address of the coordinator; empty when there is an error.
    port: int  # Port of the coordinator, or -1 when there is an error.
    coordinators: list[Coordinator]  # One entry for each key.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        error_message: str | None = "",
        node_id: int = 0,
        host: str = "",
        port: int = 0,
        coordinators: list[Coordinator] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.error_message = error_message
        self.node_id = node_id
        self.host = host
        self.port = port
        self.coordinators = [] if coordinators is UNSET_LIST else coordinators

    @staticmethod
    def decode(data: bytes, version: int) -> FindCoordinatorResponse:
        message, end = FindCoordinatorResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("FindCoordinatorResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[FindCoordinatorResponse, int]:
        try:
            if 4 <= version <= 6:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 1 <= version <= 2:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("FindCoordinatorResponse", version, len(data), error) from None
        raise no_version("FindCoordinatorResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 4 <= version <= 6:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if 1 <= version <= 2:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("FindCoordinatorResponse", version, error) from error
        raise no_encoding("FindCoordinatorResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[FindCoordinatorResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = FindCoordinatorResponse()
    m.error_code = read_i16_be(data, i)
    m.node_id = read_i32_be(data, i + 2)
    n = read_i16_be(data, i + 6)
    i += 8
    end = i + n
    if n < 0 or end > size:
        raise bad_length("FindCoordinatorResponse.Host", n, size - i)
    m.host = data[i:end].decode()
    i = end
    m.port = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_0(m: FindCoordinatorResponse, w: BytesWriter, version: int) -> None:
    if len(m.coordinators) > 0:
        raise not_carried("FindCoordinatorResponse.Coordinators", version)
    write_i16_be(w, m.error_code)
    write_i32_be(w, m.node_id)
    v1 = m.host
    write_string(w, v1)
    write_i32_be(w, m.port)


def _decode_1(data: bytes, i: i64) -> tuple[FindCoordinatorResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = FindCoordinatorResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = read_i16_be(data, i + 6)
    i += 8
    if n == -1:
        m.error_message = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("FindCoordinatorResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    m.node_id = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("FindCoordinatorResponse.Host", n, size - i)
    m.host = data[i:end].decode()
    i = end
    m.port = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_1(m: FindCoordinatorResponse, w: BytesWriter, version: int) -> None:
    if len(m.coordinators) > 0:
        raise not_carried("FindCoordinatorResponse.Coordinators", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_nullable_string(w, v1)
    write_i32_be(w, m.node_id)
    v2 = m.host
    write_string(w, v2)
    write_i32_be(w, m.port)


def _decode_3(data: bytes, i: i64) -> tuple[FindCoordinatorResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = FindCoordinatorResponse()
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
            raise bad_length("FindCoordinatorResponse.ErrorMessage", n, size - i)
        m.error_message = data[i:end].decode()
        i = end
    m.node_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("FindCoordinatorResponse.Host", n, size - i)
    m.host = data[i:end].decode()
    i = end
    m.port = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_3(m: FindCoordinatorResponse, w: BytesWriter, version: int) -> None:
    if len(m.coordinators) > 0:
        raise not_carried("FindCoordinatorResponse.Coordinators", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.error_message
    write_compact_nullable_string(w, v1)
    write_i32_be(w, m.node_id)
    v2 = m.host
    write_compact_string(w, v2)
    write_i32_be(w, m.port)
    w.append(0)


def _decode_4(data: bytes, i: i64) -> tuple[FindCoordinatorResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = FindCoordinatorResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 14 > size - i:
        raise bad_count("FindCoordinatorResponse.Coordinators", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FindCoordinatorResponse.Coordinators", 10000000)
    count1 = n
    found1: list[Coordinator] = []
    m.coordinators = found1
    for _ in range(count1):
        s1 = Coordinator()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("FindCoordinatorResponse.Coordinators.Key", n, size - i)
        s1.key = data[i:end].decode()
        i = end
        s1.node_id = read_i32_be(data, i)
        n = data[i + 4]
        i += 5
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("FindCoordinatorResponse.Coordinators.Host", n, size - i)
        s1.host = data[i:end].decode()
        i = end
        s1.port = read_i32_be(data, i)
        s1.error_code = read_i16_be(data, i + 4)
        n = data[i + 6]
        i += 7
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n == -1:
            s1.error_message = None
        else:
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("FindCoordinatorResponse.Coordinators.ErrorMessage", n, size - i)
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


def _encode_4(m: FindCoordinatorResponse, w: BytesWriter, version: int) -> None:
    if m.error_code != 0:
        raise not_carried("FindCoordinatorResponse.ErrorCode", version)
    if m.node_id != 0:
        raise not_carried("FindCoordinatorResponse.NodeId", version)
    if m.host != "":
        raise not_carried("FindCoordinatorResponse.Host", version)
    if m.port != 0:
        raise not_carried("FindCoordinatorResponse.Port", version)
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.coordinators
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.key
        write_compact_string(w, v2)
        write_i32_be(w, s1.node_id)
        v3 = s1.host
        write_compact_string(w, v3)
        write_i32_be(w, s1.port)
        write_i16_be(w, s1.error_code)
        v4 = s1.error_message
        write_compact_nullable_string(w, v4)
        w.append(0)
    w.append(0)
