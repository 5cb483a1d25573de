"""DeleteGroupsRequest, generated from DeleteGroupsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, UNSET_LIST)
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
    write_compact_string,
    write_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":42,"type":"request","listeners":["broker"],"name":"DeleteGroupsRequest","validVe'
    'rsions":"0-2","flexibleVersions":"2+","fields":[{"name":"GroupsNames","type":"[]string","v'
    'ersions":"0+","entityType":"groupId"}]}'
)


class DeleteGroupsRequest(Message):
    """Removes groups without members, and their offsets."""

    __slots__ = ("groups_names",)
    FIELDS: ClassVar[tuple[str, ...]] = ("groups_names",)
    NAME: ClassVar[str] = "DeleteGroupsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 42
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    groups_names: list[str]  # Ids of the groups to remove.

    def __init__(
        self,
        *,
        groups_names: list[str] = UNSET_LIST,
    ) -> None:
        self.groups_names = [] if groups_names is UNSET_LIST else groups_names

    @staticmethod
    def decode(data: bytes, version: int) -> DeleteGroupsRequest:
        message, end = DeleteGroupsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DeleteGroupsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DeleteGroupsRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DeleteGroupsRequest", version, len(data), error) from None
        raise no_version("DeleteGroupsRequest", version)

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
            raise no_encoding("DeleteGroupsRequest", version, error) from error
        raise no_encoding("DeleteGroupsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DeleteGroupsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DeleteGroupsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 2 > size - i:
        raise bad_count("DeleteGroupsRequest.GroupsNames", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteGroupsRequest.GroupsNames", 100000)
    count1 = n
    found1: list[str] = []
    m.groups_names = found1
    for _ in range(count1):
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DeleteGroupsRequest.GroupsNames", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    return m, i


def _encode_0(m: DeleteGroupsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.groups_names
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_string(w, s1)


def _decode_2(data: bytes, i: i64) -> tuple[DeleteGroupsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DeleteGroupsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("DeleteGroupsRequest.GroupsNames", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DeleteGroupsRequest.GroupsNames", 100000)
    count1 = n
    found1: list[str] = []
    m.groups_names = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DeleteGroupsRequest.GroupsNames", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: DeleteGroupsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.groups_names
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    w.append(0)
