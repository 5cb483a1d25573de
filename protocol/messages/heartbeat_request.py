"""HeartbeatRequest, generated from HeartbeatRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_string,
    write_compact_string,
    write_nullable_string,
    write_string,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":12,"type":"request","listeners":["broker"],"name":"HeartbeatRequest","validVersi'
    'ons":"0-4","flexibleVersions":"4+","fields":[{"name":"GroupId","type":"string","versions":'
    '"0+","entityType":"groupId"},{"name":"GenerationId","type":"int32","versions":"0+"},{"name'
    '":"MemberId","type":"string","versions":"0+"},{"name":"GroupInstanceId","type":"string","v'
    'ersions":"3+","nullableVersions":"3+","default":"null"}]}'
)


class HeartbeatRequest(Message):
    """Tells the coordinator that a member of a classic group lives, and asks whether the group rebalances."""

    __slots__ = ("group_id", "generation_id", "member_id", "group_instance_id")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "group_id",
        "generation_id",
        "member_id",
        "group_instance_id",
    )
    NAME: ClassVar[str] = "HeartbeatRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 12
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.
    generation_id: int  # Generation of the group that the member knows.
    member_id: str  # Id that the coordinator gave the member.
    group_instance_id: str | None  # Name that the member keeps over restarts (a static member), or null.

    def __init__(
        self,
        *,
        group_id: str = "",
        generation_id: int = 0,
        member_id: str = "",
        group_instance_id: str | None = None,
    ) -> None:
        self.group_id = group_id
        self.generation_id = generation_id
        self.member_id = member_id
        self.group_instance_id = group_instance_id

    @staticmethod
    def decode(data: bytes, version: int) -> HeartbeatRequest:
        message, end = HeartbeatRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("HeartbeatRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[HeartbeatRequest, int]:
        try:
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("HeartbeatRequest", version, len(data), error) from None
        raise no_version("HeartbeatRequest", version)

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
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("HeartbeatRequest", version, error) from error
        raise no_encoding("HeartbeatRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[HeartbeatRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = HeartbeatRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("HeartbeatRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("HeartbeatRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    return m, i


def _encode_0(m: HeartbeatRequest, w: BytesWriter, version: int) -> None:
    if m.group_instance_id is not None:
        raise not_carried("HeartbeatRequest.GroupInstanceId", version)
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.generation_id)
    v2 = m.member_id
    write_string(w, v2)


def _decode_3(data: bytes, i: i64) -> tuple[HeartbeatRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = HeartbeatRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("HeartbeatRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id = read_i32_be(data, i)
    n = read_i16_be(data, i + 4)
    i += 6
    end = i + n
    if n < 0 or end > size:
        raise bad_length("HeartbeatRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.group_instance_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("HeartbeatRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    return m, i


def _encode_3(m: HeartbeatRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_string(w, v1)
    write_i32_be(w, m.generation_id)
    v2 = m.member_id
    write_string(w, v2)
    v3 = m.group_instance_id
    write_nullable_string(w, v3)


def _decode_4(data: bytes, i: i64) -> tuple[HeartbeatRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = HeartbeatRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("HeartbeatRequest.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    m.generation_id = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("HeartbeatRequest.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.group_instance_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("HeartbeatRequest.GroupInstanceId", n, size - i)
        m.group_instance_id = data[i:end].decode()
        i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_4(m: HeartbeatRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_compact_string(w, v1)
    write_i32_be(w, m.generation_id)
    v2 = m.member_id
    write_compact_string(w, v2)
    v3 = m.group_instance_id
    write_compact_nullable_string(w, v3)
    w.append(0)
