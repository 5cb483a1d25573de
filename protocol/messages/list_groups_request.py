"""ListGroupsRequest, generated from ListGroupsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

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
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":16,"type":"request","listeners":["broker"],"name":"ListGroupsRequest","validVers'
    'ions":"0-5","flexibleVersions":"3+","fields":[{"name":"StatesFilter","type":"[]string","ve'
    'rsions":"4+"},{"name":"TypesFilter","type":"[]string","versions":"5+"}]}'
)


class ListGroupsRequest(Message):
    """Asks a broker for the groups that it takes care of."""

    __slots__ = ("states_filter", "types_filter")
    FIELDS: ClassVar[tuple[str, ...]] = ("states_filter", "types_filter")
    NAME: ClassVar[str] = "ListGroupsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 16
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    states_filter: list[str]  # Which states to list, in capitals or not; empty for all.
    types_filter: list[str]  # Which types of group to list, "classic" or "consumer"; empty for all.

    def __init__(
        self,
        *,
        states_filter: list[str] = UNSET_LIST,
        types_filter: list[str] = UNSET_LIST,
    ) -> None:
        self.states_filter = [] if states_filter is UNSET_LIST else states_filter
        self.types_filter = [] if types_filter is UNSET_LIST else types_filter

    @staticmethod
    def decode(data: bytes, version: int) -> ListGroupsRequest:
        message, end = ListGroupsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ListGroupsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ListGroupsRequest, int]:
        try:
            if version == 5:
                return _decode_5(data, offset)
            if version == 4:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ListGroupsRequest", version, len(data), error) from None
        raise no_version("ListGroupsRequest", version)

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
            if version == 3:
                return _encode_3(self, writer, version)
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ListGroupsRequest", version, error) from error
        raise no_encoding("ListGroupsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[ListGroupsRequest, i64]:
    m = ListGroupsRequest()
    return m, i


def _encode_0(m: ListGroupsRequest, w: BytesWriter, version: int) -> None:
    if len(m.states_filter) > 0:
        raise not_carried("ListGroupsRequest.StatesFilter", version)
    if len(m.types_filter) > 0:
        raise not_carried("ListGroupsRequest.TypesFilter", version)


def _decode_3(data: bytes, i: i64) -> tuple[ListGroupsRequest, i64]:
    m = ListGroupsRequest()
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_3(m: ListGroupsRequest, w: BytesWriter, version: int) -> None:
    if len(m.states_filter) > 0:
        raise not_carried("ListGroupsRequest.StatesFilter", version)
    if len(m.types_filter) > 0:
        raise not_carried("ListGroupsRequest.TypesFilter", version)
    w.append(0)


def _decode_4(data: bytes, i: i64) -> tuple[ListGroupsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListGroupsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ListGroupsRequest.StatesFilter", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListGroupsRequest.StatesFilter", 100000)
    count1 = n
    found1: list[str] = []
    m.states_filter = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsRequest.StatesFilter", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_4(m: ListGroupsRequest, w: BytesWriter, version: int) -> None:
    if len(m.types_filter) > 0:
        raise not_carried("ListGroupsRequest.TypesFilter", version)
    v1 = m.states_filter
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    w.append(0)


def _decode_5(data: bytes, i: i64) -> tuple[ListGroupsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListGroupsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ListGroupsRequest.StatesFilter", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListGroupsRequest.StatesFilter", 100000)
    count1 = n
    found1: list[str] = []
    m.states_filter = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsRequest.StatesFilter", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ListGroupsRequest.TypesFilter", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListGroupsRequest.TypesFilter", 100000)
    count2 = n
    found2: list[str] = []
    m.types_filter = found2
    for _ in range(count2):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListGroupsRequest.TypesFilter", n, size - i)
        v2 = data[i:end].decode()
        i = end
        found2.append(v2)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_5(m: ListGroupsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.states_filter
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    v2 = m.types_filter
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        write_compact_string(w, s2)
    w.append(0)
