"""AddPartitionsToTxnRequest, generated from AddPartitionsToTxnRequest.json: do not edit, run `make generate`."""

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
    '{"apiKey":24,"type":"request","listeners":["broker"],"name":"AddPartitionsToTxnRequest","l'
    'atestVersionUnstable":false,"validVersions":"0-5","flexibleVersions":"3+","commonStructs":'
    '[{"name":"AddPartitionsToTxnTopic","versions":"0+","fields":[{"name":"Name","type":"string'
    '","versions":"0+","mapKey":true,"entityType":"topicName"},{"name":"Partitions","type":"[]i'
    'nt32","versions":"0+"}]}],"fields":[{"name":"Transactions","type":"[]AddPartitionsToTxnTra'
    'nsaction","versions":"4+","fields":[{"name":"TransactionalId","type":"string","versions":"'
    '4+","mapKey":true,"entityType":"transactionalId"},{"name":"ProducerId","type":"int64","ver'
    'sions":"4+","entityType":"producerId"},{"name":"ProducerEpoch","type":"int16","versions":"'
    '4+"},{"name":"VerifyOnly","type":"bool","versions":"4+","default":false},{"name":"Topics",'
    '"type":"[]AddPartitionsToTxnTopic","versions":"4+"}]},{"name":"V3AndBelowTransactionalId",'
    '"type":"string","versions":"0-3","entityType":"transactionalId"},{"name":"V3AndBelowProduc'
    'erId","type":"int64","versions":"0-3","entityType":"producerId"},{"name":"V3AndBelowProduc'
    'erEpoch","type":"int16","versions":"0-3"},{"name":"V3AndBelowTopics","type":"[]AddPartitio'
    'nsToTxnTopic","versions":"0-3"}]}'
)


class AddPartitionsToTxnTopic(Struct):
    """Partitions of one topic."""

    __slots__ = ("name", "partitions")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "partitions")
    name: str  # Name of the topic.
    partitions: list[int]  # Numbers of the partitions.

    def __init__(
        self,
        *,
        name: str = "",
        partitions: list[int] = UNSET_LIST,
    ) -> None:
        self.name = name
        self.partitions = [] if partitions is UNSET_LIST else partitions


class AddPartitionsToTxnTransaction(Struct):
    """The transactions to add to, several at once; from brokers only."""

    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "verify_only", "topics")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "transactional_id",
        "producer_id",
        "producer_epoch",
        "verify_only",
        "topics",
    )
    transactional_id: str  # The transactional id of the producer.
    producer_id: int  # Producer id that belongs to it.
    producer_epoch: int  # Epoch of the producer; a lower one than the coordinator knows is fenced.
    verify_only: bool  # Whether to add nothing, and only say whether the partitions are in the transaction.
    topics: list[AddPartitionsToTxnTopic]  # The partitions to add or to check.

    def __init__(
        self,
        *,
        transactional_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        verify_only: bool = False,
        topics: list[AddPartitionsToTxnTopic] = UNSET_LIST,
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.verify_only = verify_only
        self.topics = [] if topics is UNSET_LIST else topics


class AddPartitionsToTxnRequest(Message):
    """Adds partitions to a transaction before it writes to them; brokers also use it to check that they are in it."""

    __slots__ = (
        "transactions",
        "v3_and_below_transactional_id",
        "v3_and_below_producer_id",
        "v3_and_below_producer_epoch",
        "v3_and_below_topics",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "transactions",
        "v3_and_below_transactional_id",
        "v3_and_below_producer_id",
        "v3_and_below_producer_epoch",
        "v3_and_below_topics",
    )
    NAME: ClassVar[str] = "AddPartitionsToTxnRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 24
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    transactions: list[AddPartitionsToTxnTransaction]  # The transactions to add to, several at once; from brokers only.
    v3_and_below_transactional_id: str  # The transactional id of the producer.
    v3_and_below_producer_id: int  # Producer id that belongs to it.
    v3_and_below_producer_epoch: int  # Epoch of the producer; a lower one than the coordinator knows is fenced.
    v3_and_below_topics: list[AddPartitionsToTxnTopic]  # The partitions to add.

    def __init__(
        self,
        *,
        transactions: list[AddPartitionsToTxnTransaction] = UNSET_LIST,
        v3_and_below_transactional_id: str = "",
        v3_and_below_producer_id: int = 0,
        v3_and_below_producer_epoch: int = 0,
        v3_and_below_topics: list[AddPartitionsToTxnTopic] = UNSET_LIST,
    ) -> None:
        self.transactions = [] if transactions is UNSET_LIST else transactions
        self.v3_and_below_transactional_id = v3_and_below_transactional_id
        self.v3_and_below_producer_id = v3_and_below_producer_id
        self.v3_and_below_producer_epoch = v3_and_below_producer_epoch
        self.v3_and_below_topics = [] if v3_and_below_topics is UNSET_LIST else v3_and_below_topics

    @staticmethod
    def decode(data: bytes, version: int) -> AddPartitionsToTxnRequest:
        message, end = AddPartitionsToTxnRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AddPartitionsToTxnRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AddPartitionsToTxnRequest, int]:
        try:
            if 4 <= version <= 5:
                return _decode_4(data, offset)
            if version == 3:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AddPartitionsToTxnRequest", version, len(data), error) from None
        raise no_version("AddPartitionsToTxnRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 4 <= version <= 5:
                return _encode_4(self, writer, version)
            if version == 3:
                return _encode_3(self, writer, version)
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AddPartitionsToTxnRequest", version, error) from error
        raise no_encoding("AddPartitionsToTxnRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[AddPartitionsToTxnRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AddPartitionsToTxnRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("AddPartitionsToTxnRequest.V3AndBelowTransactionalId", n, size - i)
    m.v3_and_below_transactional_id = data[i:end].decode()
    i = end
    m.v3_and_below_producer_id = read_i64_be(data, i)
    m.v3_and_below_producer_epoch = read_i16_be(data, i + 8)
    n = read_i32_be(data, i + 10)
    i += 14
    if n < 0 or n * 6 > size - i:
        raise bad_count("AddPartitionsToTxnRequest.V3AndBelowTopics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AddPartitionsToTxnRequest.V3AndBelowTopics", 100000)
    count1 = n
    found1: list[AddPartitionsToTxnTopic] = []
    m.v3_and_below_topics = found1
    for _ in range(count1):
        s1 = AddPartitionsToTxnTopic()
        n = read_i16_be(data, i)
        i += 2
        end = i + n
        if n < 0 or end > size:
            raise bad_length("AddPartitionsToTxnRequest.V3AndBelowTopics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = read_i32_be(data, i)
        i += 4
        if n < 0 or n * 4 > size - i:
            raise bad_count("AddPartitionsToTxnRequest.V3AndBelowTopics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AddPartitionsToTxnRequest.V3AndBelowTopics.Partitions", 100000)
        end = i + n * 4
        s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
        found1.append(s1)
    return m, i


def _encode_0(m: AddPartitionsToTxnRequest, w: BytesWriter, version: int) -> None:
    if len(m.transactions) > 0:
        raise not_carried("AddPartitionsToTxnRequest.Transactions", version)
    v1 = m.v3_and_below_transactional_id
    write_string(w, v1)
    write_i64_be(w, m.v3_and_below_producer_id)
    write_i16_be(w, m.v3_and_below_producer_epoch)
    v2 = m.v3_and_below_topics
    write_i32_be(w, len(v2))
    for s1 in v2:
        v3 = s1.name
        write_string(w, v3)
        v4 = s1.partitions
        write_i32_be(w, len(v4))
        for s2 in v4:
            write_i32_be(w, s2)


def _decode_3(data: bytes, i: i64) -> tuple[AddPartitionsToTxnRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AddPartitionsToTxnRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("AddPartitionsToTxnRequest.V3AndBelowTransactionalId", n, size - i)
    m.v3_and_below_transactional_id = data[i:end].decode()
    i = end
    m.v3_and_below_producer_id = read_i64_be(data, i)
    m.v3_and_below_producer_epoch = read_i16_be(data, i + 8)
    n = data[i + 10]
    i += 11
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AddPartitionsToTxnRequest.V3AndBelowTopics", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AddPartitionsToTxnRequest.V3AndBelowTopics", 100000)
    count1 = n
    found1: list[AddPartitionsToTxnTopic] = []
    m.v3_and_below_topics = found1
    for _ in range(count1):
        s1 = AddPartitionsToTxnTopic()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AddPartitionsToTxnRequest.V3AndBelowTopics.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 4 > size - i:
            raise bad_count("AddPartitionsToTxnRequest.V3AndBelowTopics.Partitions", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AddPartitionsToTxnRequest.V3AndBelowTopics.Partitions", 100000)
        end = i + n * 4
        s1.partitions = [read_i32_be(data, j) for j in range(i, end, 4)]
        i = end
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


def _encode_3(m: AddPartitionsToTxnRequest, w: BytesWriter, version: int) -> None:
    if len(m.transactions) > 0:
        raise not_carried("AddPartitionsToTxnRequest.Transactions", version)
    v1 = m.v3_and_below_transactional_id
    write_compact_string(w, v1)
    write_i64_be(w, m.v3_and_below_producer_id)
    write_i16_be(w, m.v3_and_below_producer_epoch)
    v2 = m.v3_and_below_topics
    write_uvarint(w, len(v2) + 1)
    for s1 in v2:
        v3 = s1.name
        write_compact_string(w, v3)
        v4 = s1.partitions
        write_uvarint(w, len(v4) + 1)
        for s2 in v4:
            write_i32_be(w, s2)
        w.append(0)
    w.append(0)


def _decode_4(data: bytes, i: i64) -> tuple[AddPartitionsToTxnRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AddPartitionsToTxnRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 14 > size - i:
        raise bad_count("AddPartitionsToTxnRequest.Transactions", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AddPartitionsToTxnRequest.Transactions", 100000)
    count1 = n
    found1: list[AddPartitionsToTxnTransaction] = []
    m.transactions = found1
    for _ in range(count1):
        s1 = AddPartitionsToTxnTransaction()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AddPartitionsToTxnRequest.Transactions.TransactionalId", n, size - i)
        s1.transactional_id = data[i:end].decode()
        i = end
        s1.producer_id = read_i64_be(data, i)
        s1.producer_epoch = read_i16_be(data, i + 8)
        s1.verify_only = data[i + 10] != 0
        n = data[i + 11]
        i += 12
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        if n < 0 or n * 3 > size - i:
            raise bad_count("AddPartitionsToTxnRequest.Transactions.Topics", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("AddPartitionsToTxnRequest.Transactions.Topics", 100000)
        count2 = n
        found2: list[AddPartitionsToTxnTopic] = []
        s1.topics = found2
        for _ in range(count2):
            s2 = AddPartitionsToTxnTopic()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("AddPartitionsToTxnRequest.Transactions.Topics.Name", n, size - i)
            s2.name = data[i:end].decode()
            i = end
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            if n < 0 or n * 4 > size - i:
                raise bad_count("AddPartitionsToTxnRequest.Transactions.Topics.Partitions", n, size - i)
            budget -= n
            if budget < 0:
                raise over_budget("AddPartitionsToTxnRequest.Transactions.Topics.Partitions", 100000)
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


def _encode_4(m: AddPartitionsToTxnRequest, w: BytesWriter, version: int) -> None:
    if m.v3_and_below_transactional_id != "":
        raise not_carried("AddPartitionsToTxnRequest.V3AndBelowTransactionalId", version)
    if m.v3_and_below_producer_id != 0:
        raise not_carried("AddPartitionsToTxnRequest.V3AndBelowProducerId", version)
    if m.v3_and_below_producer_epoch != 0:
        raise not_carried("AddPartitionsToTxnRequest.V3AndBelowProducerEpoch", version)
    if len(m.v3_and_below_topics) > 0:
        raise not_carried("AddPartitionsToTxnRequest.V3AndBelowTopics", version)
    v1 = m.transactions
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.transactional_id
        write_compact_string(w, v2)
        write_i64_be(w, s1.producer_id)
        write_i16_be(w, s1.producer_epoch)
        w.append(1 if s1.verify_only else 0)
        v3 = s1.topics
        write_uvarint(w, len(v3) + 1)
        for s2 in v3:
            v4 = s2.name
            write_compact_string(w, v4)
            v5 = s2.partitions
            write_uvarint(w, len(v5) + 1)
            for s3 in v5:
                write_i32_be(w, s3)
            w.append(0)
        w.append(0)
    w.append(0)
