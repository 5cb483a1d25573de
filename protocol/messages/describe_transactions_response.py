"""DescribeTransactionsResponse, generated from DescribeTransactionsResponse.json: do not edit, run `make generate`."""

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
    '{"apiKey":65,"type":"response","name":"DescribeTransactionsResponse","validVersions":"0","'
    'flexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},'
    '{"name":"TransactionStates","type":"[]TransactionState","versions":"0+","fields":[{"name":'
    '"ErrorCode","type":"int16","versions":"0+"},{"name":"TransactionalId","type":"string","ver'
    'sions":"0+","entityType":"transactionalId"},{"name":"TransactionState","type":"string","ve'
    'rsions":"0+"},{"name":"TransactionTimeoutMs","type":"int32","versions":"0+"},{"name":"Tran'
    'sactionStartTimeMs","type":"int64","versions":"0+"},{"name":"ProducerId","type":"int64","v'
    'ersions":"0+","entityType":"producerId"},{"name":"ProducerEpoch","type":"int16","versions"'
    ':"0+"},{"name":"Topics","type":"[]TopicData","versions":"0+","fields":[{"name":"Topic","ty'
    'pe":"string","versions":"0+","mapKey":true,"entityType":"topicName"},{"name":"Partitions",'
    '"type":"[]int32","versions":"0+"}]}]}]}'
)


class TopicData(Struct):
    """The partitions in the transaction that is open or about to end."""

    __slots__ = ("topic", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "partitions")
    topic: str  # Name of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic: str = "",
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.partitions = [] if partitions is UNSET_LIST else partitions


class TransactionState(Struct):
    """One entry for each transactional id."""

    __slots__ = (
        "error_code",
        "transactional_id",
        "transaction_state",
        "transaction_timeout_ms",
        "transaction_start_time_ms",
        "producer_id",
        "producer_epoch",
        "topics",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "error_code",
        "transactional_id",
        "transaction_state",
        "transaction_timeout_ms",
        "transaction_start_time_ms",
        "producer_id",
        "producer_epoch",
        "topics",
    )
    error_code: int  # Zero, or why the transactional id is not described.
    transactional_id: str  # The transactional id.
    transaction_state: str  # State of its transaction: Empty, Ongoing, PrepareCommit, PrepareAbort, CompleteCommit or CompleteAbort.
    transaction_timeout_ms: int  # After how many ms the coordinator aborts an open transaction by itself.
    transaction_start_time_ms: int  # When the present or last transaction began, in ms since 1970; -1 if there was none.
    producer_id: int  # Producer id that belongs to the transactional id.
    producer_epoch: int  # Epoch of the producer.
    topics: list[TopicData]  # The partitions in the transaction that is open or about to end.

    def __init__(
        self,
        *,
        error_code: int = 0,
        transactional_id: str = "",
        transaction_state: str = "",
        transaction_timeout_ms: int = 0,
        transaction_start_time_ms: int = 0,
        producer_id: int = 0,
        producer_epoch: int = 0,
        topics: list[TopicData] = UNSET_LIST,
    ) -> None:
        self.error_code = error_code
        self.transactional_id = transactional_id
        self.transaction_state = transaction_state
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_start_time_ms = transaction_start_time_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.topics = [] if topics is UNSET_LIST else topics


class DescribeTransactionsResponse(Message):
    """State of each transactional id, and the partitions of its transaction."""

    __slots__ = ("throttle_time_ms", "transaction_states")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "transaction_states")
    NAME: ClassVar[str] = "DescribeTransactionsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 65
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    transaction_states: list[TransactionState]  # One entry for each transactional id.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        transaction_states: list[TransactionState] = UNSET_LIST,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.transaction_states = [] if transaction_states is UNSET_LIST else transaction_states

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeTransactionsResponse:
        message, end = DescribeTransactionsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeTransactionsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeTransactionsResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeTransactionsResponse", version, len(data), error) from None
        raise no_version("DescribeTransactionsResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("DescribeTransactionsResponse", version, error) from error
        raise no_encoding("DescribeTransactionsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeTransactionsResponse, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DescribeTransactionsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    n = data[i + 4]
    i += 5
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 28 > size - i:
        raise bad_count("DescribeTransactionsResponse.TransactionStates", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeTransactionsResponse.TransactionStates", 10000000)
    count1 = n
    found1: list[TransactionState] = []
    m.transaction_states = found1
    for _ in range(count1):
        s1 = TransactionState()
        s1.error_code = read_i16_be(data, i)
        n = data[i + 2]
        i += 3
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeTransactionsResponse.TransactionStates.TransactionalId", n, size - i)
        s1.transactional_id = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeTransactionsResponse.TransactionStates.TransactionState", n, size - i)
        s1.transaction_state = data[i:end].decode()
        i = end
        s1.transaction_timeout_ms = read_i32_be(data, i)
        s1.transaction_start_time_ms = read_i64_be(data, i + 4)
        s1.producer_id = read_i64_be(data, i + 12)
        s1.producer_epoch = read_i16_be(data, i + 20)
        n = data[i + 22]
        i += 23
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("DescribeTransactionsResponse.TransactionStates.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeTransactionsResponse.TransactionStates.Topics", 10000000)
        count2 = n
        found2: list[TopicData] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = TopicData()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeTransactionsResponse.TransactionStates.Topics.Topic", n, size - i)
            s2.topic = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("DescribeTransactionsResponse.TransactionStates.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("DescribeTransactionsResponse.TransactionStates.Topics.Partitions", 10000000)
            end = i + n * 4
            s2.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found2.append(s2)
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


def _encode_0(m: DescribeTransactionsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    v1 = m.transaction_states
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i16_be(w, s1.error_code)
        v2 = s1.transactional_id
        write_compact_string(w, v2)
        v3 = s1.transaction_state
        write_compact_string(w, v3)
        write_i32_be(w, s1.transaction_timeout_ms)
        write_i64_be(w, s1.transaction_start_time_ms)
        write_i64_be(w, s1.producer_id)
        write_i16_be(w, s1.producer_epoch)
        v4 = s1.topics
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            v5 = s2.topic
            write_compact_string(w, v5)
            v6 = s2.partitions
            write_uvarint(w, len(v6) + 1)
            for s3 in v6:
                write_i32_be(w, s3)
            w.append(0)
        w.append(0)
    w.append(0)
