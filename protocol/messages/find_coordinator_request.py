"""FindCoordinatorRequest, generated from FindCoordinatorRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, UNSET_LIST)
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
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":10,"type":"request","listeners":["broker"],"name":"FindCoordinatorRequest","vali'
    'dVersions":"0-6","flexibleVersions":"3+","fields":[{"name":"Key","type":"string","versions'
    '":"0-3"},{"name":"KeyType","type":"int8","versions":"1+","default":"0","ignorable":false},'
    '{"name":"CoordinatorKeys","type":"[]string","versions":"4+"}]}'
)


class FindCoordinatorRequest(Message):
    """Asks which broker takes care of a group or of a transactional id."""

    __slots__ = ("key", "key_type", "coordinator_keys")
    FIELDS: ClassVar[tuple[str, ...]] = ("key", "key_type", "coordinator_keys")
    NAME: ClassVar[str] = "FindCoordinatorRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 10
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 6
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    key: str  # What to look up: the id of a group or a transactional id.
    key_type: int  # What the keys are: 0 groups, 1 transactional ids, 2 partitions of share groups (from version 6 on).
    coordinator_keys: list[str]  # What to look up, several at once.

    def __init__(
        self,
        *,
        key: str = "",
        key_type: int = 0,
        coordinator_keys: list[str] = UNSET_LIST,
    ) -> None:
        self.key = key
        self.key_type = key_type
        self.coordinator_keys = [] if coordinator_keys is UNSET_LIST else coordinator_keys

    @staticmethod
    def decode(data: bytes, version: int) -> FindCoordinatorRequest:
        message, end = FindCoordinatorRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("FindCoordinatorRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[FindCoordinatorRequest, int]:
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
            raise decode_failure("FindCoordinatorRequest", version, len(data), error) from None
        raise no_version("FindCoordinatorRequest", version)

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
            raise no_encoding("FindCoordinatorRequest", version, error) from error
        raise no_encoding("FindCoordinatorRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[FindCoordinatorRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = FindCoordinatorRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("FindCoordinatorRequest.Key", n, size - i)
    m.key = data[i:end].decode()
    i = end
    return m, i


def _encode_0(m: FindCoordinatorRequest, w: BytesWriter, version: int) -> None:
    if m.key_type != 0:
        raise not_carried("FindCoordinatorRequest.KeyType", version)
    if len(m.coordinator_keys) > 0:
        raise not_carried("FindCoordinatorRequest.CoordinatorKeys", version)
    v1 = m.key
    write_string(w, v1)


def _decode_1(data: bytes, i: i64) -> tuple[FindCoordinatorRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = FindCoordinatorRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("FindCoordinatorRequest.Key", n, size - i)
    m.key = data[i:end].decode()
    i = end
    m.key_type = (data[i] ^ 0x80) - 0x80
    i += 1
    return m, i


def _encode_1(m: FindCoordinatorRequest, w: BytesWriter, version: int) -> None:
    if len(m.coordinator_keys) > 0:
        raise not_carried("FindCoordinatorRequest.CoordinatorKeys", version)
    v1 = m.key
    write_string(w, v1)
    write_i8(w, m.key_type)


def _decode_3(data: bytes, i: i64) -> tuple[FindCoordinatorRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = FindCoordinatorRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("FindCoordinatorRequest.Key", n, size - i)
    m.key = data[i:end].decode()
    i = end
    m.key_type = (data[i] ^ 0x80) - 0x80
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_3(m: FindCoordinatorRequest, w: BytesWriter, version: int) -> None:
    if len(m.coordinator_keys) > 0:
        raise not_carried("FindCoordinatorRequest.CoordinatorKeys", version)
    v1 = m.key
    write_compact_string(w, v1)
    write_i8(w, m.key_type)
    w.append(0)


def _decode_4(data: bytes, i: i64) -> tuple[FindCoordinatorRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = FindCoordinatorRequest()
    m.key_type = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("FindCoordinatorRequest.CoordinatorKeys", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("FindCoordinatorRequest.CoordinatorKeys", 100000)
    count1 = n
    found1: list[str] = []
    m.coordinator_keys = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("FindCoordinatorRequest.CoordinatorKeys", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_4(m: FindCoordinatorRequest, w: BytesWriter, version: int) -> None:
    if m.key != "":
        raise not_carried("FindCoordinatorRequest.Key", version)
    write_i8(w, m.key_type)
    v1 = m.coordinator_keys
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    w.append(0)
