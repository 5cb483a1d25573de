"""DescribeGroupsRequest, generated from DescribeGroupsRequest.json: do not edit, run `make generate`."""

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
    not_carried,
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
    '{"apiKey":15,"type":"request","listeners":["broker"],"name":"DescribeGroupsRequest","valid'
    'Versions":"0-6","flexibleVersions":"5+","fields":[{"name":"Groups","type":"[]string","vers'
    'ions":"0+","entityType":"groupId"},{"name":"IncludeAuthorizedOperations","type":"bool","ve'
    'rsions":"3+"}]}'
)


class DescribeGroupsRequest(Message):
    """Asks for the state and the members of classic groups."""

    __slots__ = ("groups", "include_authorized_operations")
    FIELDS: ClassVar[tuple[str, ...]] = ("groups", "include_authorized_operations")
    NAME: ClassVar[str] = "DescribeGroupsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 15
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 6
    FLEXIBLE_SINCE: ClassVar[int | None] = 5
    SCHEMA: ClassVar[str] = _SCHEMA

    groups: list[str]  # Ids of the groups to describe.
    include_authorized_operations: bool  # Whether to tell what the user may do to each group.

    def __init__(
        self,
        *,
        groups: list[str] = UNSET_LIST,
        include_authorized_operations: bool = False,
    ) -> None:
        self.groups = [] if groups is UNSET_LIST else groups
        self.include_authorized_operations = include_authorized_operations

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeGroupsRequest:
        message, end = DescribeGroupsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeGroupsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeGroupsRequest, int]:
        try:
            if 5 <= version <= 6:
                return _decode_5(data, offset)
            if 3 <= version <= 4:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeGroupsRequest", version, len(data), error) from None
        raise no_version("DescribeGroupsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 5 <= version <= 6:
                return _encode_5(self, writer, version)
            if 3 <= version <= 4:
                return _encode_3(self, writer, version)
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeGroupsRequest", version, error) from error
        raise no_encoding("DescribeGroupsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeGroupsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeGroupsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 2 > size - i:
        raise bad_count("DescribeGroupsRequest.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeGroupsRequest.Groups", 100000)
    count1 = n
    found1: list[str] = []
    m.groups = found1
    for _ in range(count1):
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsRequest.Groups", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    return m, i


def _encode_0(m: DescribeGroupsRequest, w: BytesWriter, version: int) -> None:
    if m.include_authorized_operations:
        raise not_carried("DescribeGroupsRequest.IncludeAuthorizedOperations", version)
    v1 = m.groups
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_string(w, s1)


def _decode_3(data: bytes, i: i64) -> tuple[DescribeGroupsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeGroupsRequest()
    n = read_i32_be(data, i)
    i += 4
    if n < 0 or n * 2 > size - i:
        raise bad_count("DescribeGroupsRequest.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeGroupsRequest.Groups", 100000)
    count1 = n
    found1: list[str] = []
    m.groups = found1
    for _ in range(count1):
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("DescribeGroupsRequest.Groups", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    m.include_authorized_operations = data[i] != 0
    i += 1
    return m, i


def _encode_3(m: DescribeGroupsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.groups
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_string(w, s1)
    w.append(1 if m.include_authorized_operations else 0)


def _decode_5(data: bytes, i: i64) -> tuple[DescribeGroupsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeGroupsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("DescribeGroupsRequest.Groups", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeGroupsRequest.Groups", 100000)
    count1 = n
    found1: list[str] = []
    m.groups = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeGroupsRequest.Groups", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    m.include_authorized_operations = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_5(m: DescribeGroupsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.groups
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    w.append(1 if m.include_authorized_operations else 0)
    w.append(0)
