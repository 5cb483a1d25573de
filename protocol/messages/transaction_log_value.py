"""TransactionLogValue, generated from TransactionLogValue.json: do not edit, run `make generate`."""

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
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    over_budget,
    read_tag,
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
    '{"apiKey":0,"type":"coordinator-value","name":"TransactionLogValue","validVersions":"0-1",'
    '"flexibleVersions":"1+","fields":[{"name":"ProducerId","type":"int64","versions":"0+"},{"n'
    'ame":"PreviousProducerId","type":"int64","taggedVersions":"1+","tag":0,"default":-1},{"nam'
    'e":"NextProducerId","type":"int64","taggedVersions":"1+","tag":1,"default":-1},{"name":"Pr'
    'oducerEpoch","type":"int16","versions":"0+"},{"name":"NextProducerEpoch","type":"int16","t'
    'aggedVersions":"1+","tag":3,"default":-1},{"name":"TransactionTimeoutMs","type":"int32","v'
    'ersions":"0+"},{"name":"TransactionStatus","type":"int8","versions":"0+"},{"name":"Transac'
    'tionPartitions","type":"[]PartitionsSchema","versions":"0+","nullableVersions":"0+","field'
    's":[{"name":"Topic","type":"string","versions":"0+"},{"name":"PartitionIds","type":"[]int3'
    '2","versions":"0+"}]},{"name":"TransactionLastUpdateTimestampMs","type":"int64","versions"'
    ':"0+"},{"name":"TransactionStartTimestampMs","type":"int64","versions":"0+"},{"name":"Clie'
    'ntTransactionVersion","type":"int16","taggedVersions":"1+","tag":2,"default":0}]}'
)


class PartitionsSchema(Struct):
    """The partitions in the transaction; null when it is empty."""

    __slots__ = ("topic", "partition_ids")
    FIELDS: ClassVar[tuple[str, ...]] = ("topic", "partition_ids")
    topic: str  # Name of the topic.
    partition_ids: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        topic: str = "",
        partition_ids: list[int] = UNSET_LIST,
    ) -> None:
        self.topic = topic
        self.partition_ids = [] if partition_ids is UNSET_LIST else partition_ids


class TransactionLogValue(Message):
    """The state of a transactional id: its producer, and the transaction that it has or had last."""

    __slots__ = (
        "producer_id",
        "previous_producer_id",
        "next_producer_id",
        "producer_epoch",
        "next_producer_epoch",
        "transaction_timeout_ms",
        "transaction_status",
        "transaction_partitions",
        "transaction_last_update_timestamp_ms",
        "transaction_start_timestamp_ms",
        "client_transaction_version",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "producer_id",
        "previous_producer_id",
        "next_producer_id",
        "producer_epoch",
        "next_producer_epoch",
        "transaction_timeout_ms",
        "transaction_status",
        "transaction_partitions",
        "transaction_last_update_timestamp_ms",
        "transaction_start_timestamp_ms",
        "client_transaction_version",
    )
    NAME: ClassVar[str] = "TransactionLogValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 0
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    producer_id: int  # Producer id that belongs to the transactional id.
    previous_producer_id: int  # Producer id before the present one, to recognise a request that is sent again; -1 for none.
    next_producer_id: int  # Producer id that takes over when the transaction ends, because epochs have run out; -1 for none.
    producer_epoch: int  # Epoch of the producer; requests with a lower one are fenced.
    next_producer_epoch: int  # Epoch that goes with the producer id that takes over; -1 for none.
    transaction_timeout_ms: int  # After how many ms the coordinator aborts an open transaction by itself.
    transaction_status: int  # State of the transaction: 0 empty, 1 ongoing, 2 about to commit, 3 about to abort, 4 committed, 5 aborted, 6 to be forgotten.
    transaction_partitions: list[PartitionsSchema] | None  # The partitions in the transaction; null when it is empty.
    transaction_last_update_timestamp_ms: int  # When the state last changed, in ms since 1970.
    transaction_start_timestamp_ms: int  # When the transaction began, in ms since 1970; -1 if there was none.
    client_transaction_version: int  # How the producer runs transactions: below 2 its epoch may stay, at 2 the epoch goes up with each transaction.

    def __init__(
        self,
        *,
        producer_id: int = 0,
        previous_producer_id: int = -1,
        next_producer_id: int = -1,
        producer_epoch: int = 0,
        next_producer_epoch: int = -1,
        transaction_timeout_ms: int = 0,
        transaction_status: int = 0,
        transaction_partitions: list[PartitionsSchema] | None = UNSET_LIST,
        transaction_last_update_timestamp_ms: int = 0,
        transaction_start_timestamp_ms: int = 0,
        client_transaction_version: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.previous_producer_id = previous_producer_id
        self.next_producer_id = next_producer_id
        self.producer_epoch = producer_epoch
        self.next_producer_epoch = next_producer_epoch
        self.transaction_timeout_ms = transaction_timeout_ms
        self.transaction_status = transaction_status
        self.transaction_partitions = [] if transaction_partitions is UNSET_LIST else transaction_partitions
        self.transaction_last_update_timestamp_ms = transaction_last_update_timestamp_ms
        self.transaction_start_timestamp_ms = transaction_start_timestamp_ms
        self.client_transaction_version = client_transaction_version

    @staticmethod
    def decode(data: bytes, version: int) -> TransactionLogValue:
        message, end = TransactionLogValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("TransactionLogValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[TransactionLogValue, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("TransactionLogValue", version, len(data), error) from None
        raise no_version("TransactionLogValue", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("TransactionLogValue", version, error) from error
        raise no_encoding("TransactionLogValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[TransactionLogValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = TransactionLogValue()
    m.producer_id = read_i64_be(data, i)
    m.producer_epoch = read_i16_be(data, i + 8)
    m.transaction_timeout_ms = read_i32_be(data, i + 10)
    m.transaction_status = (data[i + 14] ^ 0x80) - 0x80
    n = read_i32_be(data, i + 15)
    i += 19
    if n == -1:
        m.transaction_partitions = None
    else:
        if n < 0 or n * 6 > size - i:
            raise bad_count("TransactionLogValue.TransactionPartitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("TransactionLogValue.TransactionPartitions", 10000000)
        count1 = n
        found1: list[PartitionsSchema] = []
        m.transaction_partitions = found1
        for _ in range(count1):
            s1 = PartitionsSchema()
            n = read_i16_be(data, i)
            i += 2
            end = i + n
            if n < 0 or end > size:
                raise bad_length("TransactionLogValue.TransactionPartitions.Topic", n, size - i)
            s1.topic = data[i:end].decode()
            i = end
            n = read_i32_be(data, i)
            i += 4
            if n < 0 or n * 4 > size - i:
                raise bad_count("TransactionLogValue.TransactionPartitions.PartitionIds", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("TransactionLogValue.TransactionPartitions.PartitionIds", 10000000)
            end = i + n * 4
            s1.partition_ids = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            found1.append(s1)
    m.transaction_last_update_timestamp_ms = read_i64_be(data, i)
    m.transaction_start_timestamp_ms = read_i64_be(data, i + 8)
    i += 16
    return m, i


def _encode_0(m: TransactionLogValue, w: BytesWriter, version: int) -> None:
    if m.previous_producer_id != -1:
        raise not_carried("TransactionLogValue.PreviousProducerId", version)
    if m.next_producer_id != -1:
        raise not_carried("TransactionLogValue.NextProducerId", version)
    if m.next_producer_epoch != -1:
        raise not_carried("TransactionLogValue.NextProducerEpoch", version)
    if m.client_transaction_version != 0:
        raise not_carried("TransactionLogValue.ClientTransactionVersion", version)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    write_i32_be(w, m.transaction_timeout_ms)
    write_i8(w, m.transaction_status)
    v1 = m.transaction_partitions
    if v1 is None:
        write_i32_be(w, -1)
    else:
        write_i32_be(w, len(v1))
        for s1 in v1:
            v2 = s1.topic
            write_string(w, v2)
            v3 = s1.partition_ids
            write_i32_be(w, len(v3))
            for s2 in v3:
                write_i32_be(w, s2)
    write_i64_be(w, m.transaction_last_update_timestamp_ms)
    write_i64_be(w, m.transaction_start_timestamp_ms)


def _decode_1(data: bytes, i: i64) -> tuple[TransactionLogValue, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = TransactionLogValue()
    m.producer_id = read_i64_be(data, i)
    m.producer_epoch = read_i16_be(data, i + 8)
    m.transaction_timeout_ms = read_i32_be(data, i + 10)
    m.transaction_status = (data[i + 14] ^ 0x80) - 0x80
    n = data[i + 15]
    i += 16
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.transaction_partitions = None
    else:
        if n < 0 or n * 3 > size - i:
            raise bad_count("TransactionLogValue.TransactionPartitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("TransactionLogValue.TransactionPartitions", 10000000)
        count1 = n
        found1: list[PartitionsSchema] = []
        m.transaction_partitions = found1
        for _ in range(count1):
            s1 = PartitionsSchema()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("TransactionLogValue.TransactionPartitions.Topic", n, size - i)
            s1.topic = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("TransactionLogValue.TransactionPartitions.PartitionIds", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("TransactionLogValue.TransactionPartitions.PartitionIds", 10000000)
            end = i + n * 4
            s1.partition_ids = [read_i32_be(data, j) for j in range(i, end, 4)]
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found1.append(s1)
    m.transaction_last_update_timestamp_ms = read_i64_be(data, i)
    m.transaction_start_timestamp_ms = read_i64_be(data, i + 8)
    n = data[i + 16]
    i += 17
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count2 = n
        tag1 = -1
        unknown1 = 0
        for _ in range(count2):
            tag1, start1, stop1 = read_tag(data, i, tag1)
            i = start1
            if tag1 == 0:
                m.previous_producer_id = read_i64_be(data, i)
                i += 8
                if i != stop1:
                    raise bad_tag_size("TransactionLogValue.PreviousProducerId")
            elif tag1 == 1:
                m.next_producer_id = read_i64_be(data, i)
                i += 8
                if i != stop1:
                    raise bad_tag_size("TransactionLogValue.NextProducerId")
            elif tag1 == 2:
                m.client_transaction_version = read_i16_be(data, i)
                i += 2
                if i != stop1:
                    raise bad_tag_size("TransactionLogValue.ClientTransactionVersion")
            elif tag1 == 3:
                m.next_producer_epoch = read_i16_be(data, i)
                i += 2
                if i != stop1:
                    raise bad_tag_size("TransactionLogValue.NextProducerEpoch")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_1(m: TransactionLogValue, w: BytesWriter, version: int) -> None:
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    write_i32_be(w, m.transaction_timeout_ms)
    write_i8(w, m.transaction_status)
    v1 = m.transaction_partitions
    if v1 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v1) + 1)
        for s1 in v1:
            v2 = s1.topic
            write_compact_string(w, v2)
            v3 = s1.partition_ids
            write_uvarint(w, len(v3) + 1)
            for s2 in v3:
                write_i32_be(w, s2)
            w.append(0)
    write_i64_be(w, m.transaction_last_update_timestamp_ms)
    write_i64_be(w, m.transaction_start_timestamp_ms)
    t1 = m.previous_producer_id != -1
    t2 = m.next_producer_id != -1
    t3 = m.client_transaction_version != 0
    t4 = m.next_producer_epoch != -1
    if t1 or t2 or t3 or t4:
        write_uvarint(w, int(t1) + int(t2) + int(t3) + int(t4))
        if t1:
            write_uvarint(w, 0)
            w.append(8)
            write_i64_be(w, m.previous_producer_id)
        if t2:
            write_uvarint(w, 1)
            w.append(8)
            write_i64_be(w, m.next_producer_id)
        if t3:
            write_uvarint(w, 2)
            w.append(2)
            write_i16_be(w, m.client_transaction_version)
        if t4:
            write_uvarint(w, 3)
            w.append(2)
            write_i16_be(w, m.next_producer_epoch)
    else:
        w.append(0)
