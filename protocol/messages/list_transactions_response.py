"""ListTransactionsResponse, generated from ListTransactionsResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
    write_i16_be,
    write_i32_be,
    write_i64_be,
)

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
    write_compact_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":66,"type":"response","name":"ListTransactionsResponse","validVersions":"0-2","fl'
    'exibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"'
    'name":"ErrorCode","type":"int16","versions":"0+"},{"name":"UnknownStateFilters","type":"[]'
    'string","versions":"0+"},{"name":"TransactionStates","type":"[]TransactionState","versions'
    '":"0+","fields":[{"name":"TransactionalId","type":"string","versions":"0+","entityType":"t'
    'ransactionalId"},{"name":"ProducerId","type":"int64","versions":"0+","entityType":"produce'
    'rId"},{"name":"TransactionState","type":"string","versions":"0+"}]}]}'
)


class TransactionState(Struct):
    """One entry for each transactional id."""

    __slots__ = ("transactional_id", "producer_id", "transaction_state")
    FIELDS: ClassVar[tuple[str, ...]] = ("transactional_id", "producer_id", "transaction_state")
    transactional_id: str  # The transactional id.
    producer_id: int  # Producer id that belongs to it.
    transaction_state: str  # State of its transaction, such as Empty or Ongoing.

    def __init__(
        self,
        *,
        transactional_id: str = "",
        producer_id: int = 0,
        transaction_state: str = "",
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.transaction_state = transaction_state


class ListTransactionsResponse(Message):
    """The transactional ids that this broker takes care of."""

    __slots__ = ("throttle_time_ms", "error_code", "unknown_state_filters", "transaction_states")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "unknown_state_filters",
        "transaction_states",
    )
    NAME: ClassVar[str] = "ListTransactionsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 66
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the list cannot be given; 14 while the broker still loads some of them.
    unknown_state_filters: list[str]  # Those of the states asked for that do not exist.
    transaction_states: list[TransactionState]  # One entry for each transactional id.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        unknown_state_filters: list[str] = UNSET_LIST,
        transaction_states: list[TransactionState] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.unknown_state_filters = [] if unknown_state_filters is UNSET_LIST else unknown_state_filters
        self.transaction_states = [] if transaction_states is UNSET_LIST else transaction_states

    @staticmethod
    def decode(data: bytes, version: int) -> ListTransactionsResponse:
        message, end = ListTransactionsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ListTransactionsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ListTransactionsResponse, int]:
        try:
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ListTransactionsResponse", version, len(data), error) from None
        raise no_version("ListTransactionsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ListTransactionsResponse", version, error) from error
        raise no_encoding("ListTransactionsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[ListTransactionsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = ListTransactionsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    n = data[i + 6]
    i += 7
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ListTransactionsResponse.UnknownStateFilters", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListTransactionsResponse.UnknownStateFilters", 10000000)
    count1 = n
    found1: list[str] = []
    m.unknown_state_filters = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListTransactionsResponse.UnknownStateFilters", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 11 > size - i:
        raise bad_count("ListTransactionsResponse.TransactionStates", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListTransactionsResponse.TransactionStates", 10000000)
    count2 = n
    found2: list[TransactionState] = []
    m.transaction_states = found2
    for _ in range(count2):
        s1 = TransactionState()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListTransactionsResponse.TransactionStates.TransactionalId", n, size - i)
        s1.transactional_id = data[i:end].decode()
        i = end
        s1.producer_id = read_i64_be(data, i)
        n = data[i + 8]
        i += 9
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ListTransactionsResponse.TransactionStates.TransactionState", n, size - i)
        s1.transaction_state = data[i:end].decode()
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found2.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: ListTransactionsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    v1 = m.unknown_state_filters
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    v2 = m.transaction_states
    write_uvarint(w, len(v2) + 1)
    for s2 in v2:
        v3 = s2.transactional_id
        write_compact_string(w, v3)
        write_i64_be(w, s2.producer_id)
        v4 = s2.transaction_state
        write_compact_string(w, v4)
        w.append(0)
    w.append(0)
