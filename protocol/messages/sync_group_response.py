"""SyncGroupResponse, generated from SyncGroupResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_bytes,
    write_compact_bytes,
    write_compact_nullable_string,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":14,"type":"response","name":"SyncGroupResponse","validVersions":"0-5","flexibleV'
    'ersions":"4+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"1+","ignorable'
    '":true},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ProtocolType","type":'
    '"string","versions":"5+","nullableVersions":"5+","default":"null","ignorable":true},{"name'
    '":"ProtocolName","type":"string","versions":"5+","nullableVersions":"5+","default":"null",'
    '"ignorable":true},{"name":"Assignment","type":"bytes","versions":"0+"}]}'
)


class SyncGroupResponse(Message):
    """The member's part of the work."""

    __slots__ = ("throttle_time_ms", "error_code", "protocol_type", "protocol_name", "assignment")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "protocol_type",
        "protocol_name",
        "assignment",
    )
    NAME: ClassVar[str] = "SyncGroupResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 14
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why there is no assignment.
    protocol_type: str | None  # What the group is for, or null.
    protocol_name: str | None  # The way of sharing work that made the assignment, or null.
    assignment: bytes  # What the leader assigned to the member, as the leader wrote it; empty for nothing.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        protocol_type: str | None = None,
        protocol_name: str | None = None,
        assignment: bytes = b'',
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.protocol_type = protocol_type
        self.protocol_name = protocol_name
        self.assignment = assignment

    @staticmethod
    def decode(data: bytes, version: int) -> SyncGroupResponse:
        message, end = SyncGroupResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("SyncGroupResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[SyncGroupResponse, int]:
        try:
            if version == 5:
                return _decode_5(data, offset)
            if version == 4:
                return _decode_4(data, offset)
            if 1 <= version <= 3:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("SyncGroupResponse", version, len(data), error) from None
        raise no_version("SyncGroupResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 5:
                return _encode_5(self, writer, version)
            if version == 4:
                return _encode_4(self, writer, version)
            if 1 <= version <= 3:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("SyncGroupResponse", version, error) from error
        raise no_encoding("SyncGroupResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[SyncGroupResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SyncGroupResponse()
    m.error_code = read_i16_be(data, i)
    n = read_i32_be(data, i + 2)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SyncGroupResponse.Assignment", n, size - i)
    m.assignment = data[i:end]
    i = end
    return m, i


def _encode_0(m: SyncGroupResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)
    v1 = m.assignment
    write_bytes(w, v1)


def _decode_1(data: bytes, i: i64) -> tuple[SyncGroupResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SyncGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = read_i32_be(data, i + 6)
    i += 10
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SyncGroupResponse.Assignment", n, size - i)
    m.assignment = data[i:end]
    i = end
    return m, i


def _encode_1(m: SyncGroupResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.assignment
    write_bytes(w, v1)


def _decode_4(data: bytes, i: i64) -> tuple[SyncGroupResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SyncGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SyncGroupResponse.Assignment", n, size - i)
    m.assignment = data[i:end]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_4(m: SyncGroupResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.assignment
    write_compact_bytes(w, v1)
    w.append(0)


def _decode_5(data: bytes, i: i64) -> tuple[SyncGroupResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = SyncGroupResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.protocol_type = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("SyncGroupResponse.ProtocolType", n, size - i)
        m.protocol_type = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.protocol_name = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("SyncGroupResponse.ProtocolName", n, size - i)
        m.protocol_name = data[i:end].decode()
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size:
        raise bad_length("SyncGroupResponse.Assignment", n, size - i)
    m.assignment = data[i:end]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_5(m: SyncGroupResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.protocol_type
    write_compact_nullable_string(w, v1)
    v2 = m.protocol_name
    write_compact_nullable_string(w, v2)
    v3 = m.assignment
    write_compact_bytes(w, v3)
    w.append(0)
