"""ListTransactionsRequest, generated from ListTransactionsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i64_be, write_i64_be)

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
    write_compact_nullable_string,
    write_compact_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":66,"type":"request","listeners":["broker"],"name":"ListTransactionsRequest","val'
    'idVersions":"0-2","flexibleVersions":"0+","fields":[{"name":"StateFilters","type":"[]strin'
    'g","versions":"0+"},{"name":"ProducerIdFilters","type":"[]int64","versions":"0+","entityTy'
    'pe":"producerId"},{"name":"DurationFilter","type":"int64","versions":"1+","default":-1},{"'
    'name":"TransactionalIdPattern","type":"string","versions":"2+","nullableVersions":"2+","de'
    'fault":"null"}]}'
)


class ListTransactionsRequest(Message):
    """Asks a broker for the transactional ids that it takes care of."""

    __slots__ = (
        "state_filters",
        "producer_id_filters",
        "duration_filter",
        "transactional_id_pattern",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "state_filters",
        "producer_id_filters",
        "duration_filter",
        "transactional_id_pattern",
    )
    NAME: ClassVar[str] = "ListTransactionsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 66
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    state_filters: list[str]  # Which states to list; empty for all.
    producer_id_filters: list[int]  # Which producer ids to list; empty for all.
    duration_filter: int  # List only what has been going on for more than so many ms; -1 for all.
    transactional_id_pattern: str | None  # Regular expression (RE2) that the whole transactional id must match; null or empty for all.

    def __init__(
        self,
        *,
        state_filters: list[str] = UNSET_LIST,
        producer_id_filters: list[int] = UNSET_LIST,
        duration_filter: int = -1,
        transactional_id_pattern: str | None = None,
    ) -> None:
        self.state_filters = [] if state_filters is UNSET_LIST else state_filters
        self.producer_id_filters = [] if producer_id_filters is UNSET_LIST else producer_id_filters
        self.duration_filter = duration_filter
        self.transactional_id_pattern = transactional_id_pattern

    @staticmethod
    def decode(data: bytes, version: int) -> ListTransactionsRequest:
        message, end = ListTransactionsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ListTransactionsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ListTransactionsRequest, int]:
        try:
            if version == 2:
                return _decode_2(data, offset)
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ListTransactionsRequest", version, len(data), error) from None
        raise no_version("ListTransactionsRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 2:
                return _encode_2(self, writer, version)
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ListTransactionsRequest", version, error) from error
        raise no_encoding("ListTransactionsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[ListTransactionsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListTransactionsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ListTransactionsRequest.StateFilters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListTransactionsRequest.StateFilters", 100000)
    count1 = n
    found1: list[str] = []
    m.state_filters = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListTransactionsRequest.StateFilters", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 8 > size - i:
        raise bad_count("ListTransactionsRequest.ProducerIdFilters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListTransactionsRequest.ProducerIdFilters", 100000)
    end = i + n * 8
    m.producer_id_filters = [read_i64_be(data, j) for j in range(i, end, 8)]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: ListTransactionsRequest, w: BytesWriter, version: int) -> None:
    if m.duration_filter != -1:
        raise not_carried("ListTransactionsRequest.DurationFilter", version)
    if m.transactional_id_pattern is not None:
        raise not_carried("ListTransactionsRequest.TransactionalIdPattern", version)
    v1 = m.state_filters
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    v2 = m.producer_id_filters
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        write_i64_be(w, s2)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[ListTransactionsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListTransactionsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ListTransactionsRequest.StateFilters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListTransactionsRequest.StateFilters", 100000)
    count1 = n
    found1: list[str] = []
    m.state_filters = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListTransactionsRequest.StateFilters", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 8 > size - i:
        raise bad_count("ListTransactionsRequest.ProducerIdFilters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListTransactionsRequest.ProducerIdFilters", 100000)
    end = i + n * 8
    m.producer_id_filters = [read_i64_be(data, j) for j in range(i, end, 8)]
    i = end
    m.duration_filter = read_i64_be(data, i)
    if data[i + 8] == 0:
        i += 9
    else:
        i = skip_tagged_fields(data, i + 8)
    return m, i


def _encode_1(m: ListTransactionsRequest, w: BytesWriter, version: int) -> None:
    if m.transactional_id_pattern is not None:
        raise not_carried("ListTransactionsRequest.TransactionalIdPattern", version)
    v1 = m.state_filters
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    v2 = m.producer_id_filters
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        write_i64_be(w, s2)
    write_i64_be(w, m.duration_filter)
    w.append(0)


def _decode_2(data: bytes, i: i64) -> tuple[ListTransactionsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListTransactionsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ListTransactionsRequest.StateFilters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListTransactionsRequest.StateFilters", 100000)
    count1 = n
    found1: list[str] = []
    m.state_filters = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListTransactionsRequest.StateFilters", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 8 > size - i:
        raise bad_count("ListTransactionsRequest.ProducerIdFilters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListTransactionsRequest.ProducerIdFilters", 100000)
    end = i + n * 8
    m.producer_id_filters = [read_i64_be(data, j) for j in range(i, end, 8)]
    i = end
    m.duration_filter = read_i64_be(data, i)
    n = data[i + 8]
    i += 9
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.transactional_id_pattern = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListTransactionsRequest.TransactionalIdPattern", n, size - i)
        m.transactional_id_pattern = data[i:end].decode()
        i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_2(m: ListTransactionsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.state_filters
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    v2 = m.producer_id_filters
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        write_i64_be(w, s2)
    write_i64_be(w, m.duration_filter)
    v3 = m.transactional_id_pattern
    write_compact_nullable_string(w, v3)
    w.append(0)
