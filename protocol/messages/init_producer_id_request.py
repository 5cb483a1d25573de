"""InitProducerIdRequest, generated from InitProducerIdRequest.json: do not edit, run `make generate`."""

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
    write_nullable_string,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":22,"type":"request","listeners":["broker"],"name":"InitProducerIdRequest","lates'
    'tVersionUnstable":true,"validVersions":"0-6","flexibleVersions":"2+","fields":[{"name":"Tr'
    'ansactionalId","type":"string","versions":"0+","nullableVersions":"0+","entityType":"trans'
    'actionalId"},{"name":"TransactionTimeoutMs","type":"int32","versions":"0+"},{"name":"Produ'
    'cerId","type":"int64","versions":"3+","default":"-1","entityType":"producerId"},{"name":"P'
    'roducerEpoch","type":"int16","versions":"3+","default":"-1"},{"name":"Enable2Pc","type":"b'
    'ool","versions":"6+","default":"false"},{"name":"KeepPreparedTxn","type":"bool","versions"'
    ':"6+","default":"false"}]}'
)


class InitProducerIdRequest(Message):
    """Gets a producer id; with a transactional id, fences its earlier owners."""

    __slots__ = (
        "transactional_id",
        "transaction_timeout_ms",
        "producer_id",
        "producer_epoch",
        "enable2_pc",
        "keep_prepared_txn",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "transactional_id",
        "transaction_timeout_ms",
        "producer_id",
        "producer_epoch",
        "enable2_pc",
        "keep_prepared_txn",
    )
    NAME: ClassVar[str] = "InitProducerIdRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 22
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 6
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    transactional_id: str | None  # The transactional id, or null for a producer that is only idempotent.
    transaction_timeout_ms: int  # After which time the coordinator may abort a transaction by itself, in ms.
    producer_id: int  # Producer id that the producer has already, or -1.
    producer_epoch: int  # Epoch that the producer has already, or -1.
    enable2_pc: bool  # Whether somebody else decides when transactions commit, so that none may time out.
    keep_prepared_txn: bool  # Whether a prepared transaction stays open instead of being aborted.

    def __init__(
        self,
        *,
        transactional_id: str | None = "",
        transaction_timeout_ms: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
        enable2_pc: bool = False,
        keep_prepared_txn: bool = False,
    ) -> None:
        self.transactional_id = transactional_id
        self.transaction_timeout_ms = transaction_timeout_ms
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.enable2_pc = enable2_pc
        self.keep_prepared_txn = keep_prepared_txn

    @staticmethod
    def decode(data: bytes, version: int) -> InitProducerIdRequest:
        message, end = InitProducerIdRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("InitProducerIdRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[InitProducerIdRequest, int]:
        try:
            if version == 6:
                return _decode_6(data, offset)
            if 3 <= version <= 5:
                return _decode_3(data, offset)
            if version == 2:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("InitProducerIdRequest", version, len(data), error) from None
        raise no_version("InitProducerIdRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 6:
                return _encode_6(self, writer, version)
            if 3 <= version <= 5:
                return _encode_3(self, writer, version)
            if version == 2:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("InitProducerIdRequest", version, error) from error
        raise no_encoding("InitProducerIdRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[InitProducerIdRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = InitProducerIdRequest()
    n = read_i16_be(data, i)
    i += 2
    if n == -1:
        m.transactional_id = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("InitProducerIdRequest.TransactionalId", n, size - i)
        m.transactional_id = data[i:end].decode()
        i = end
    m.transaction_timeout_ms = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_0(m: InitProducerIdRequest, w: BytesWriter, version: int) -> None:
    if m.producer_id != -1:
        raise not_carried("InitProducerIdRequest.ProducerId", version)
    if m.producer_epoch != -1:
        raise not_carried("InitProducerIdRequest.ProducerEpoch", version)
    if m.enable2_pc:
        raise not_carried("InitProducerIdRequest.Enable2Pc", version)
    if m.keep_prepared_txn:
        raise not_carried("InitProducerIdRequest.KeepPreparedTxn", version)
    v1 = m.transactional_id
    write_nullable_string(w, v1)
    write_i32_be(w, m.transaction_timeout_ms)


def _decode_2(data: bytes, i: i64) -> tuple[InitProducerIdRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = InitProducerIdRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.transactional_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("InitProducerIdRequest.TransactionalId", n, size - i)
        m.transactional_id = data[i:end].decode()
        i = end
    m.transaction_timeout_ms = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_2(m: InitProducerIdRequest, w: BytesWriter, version: int) -> None:
    if m.producer_id != -1:
        raise not_carried("InitProducerIdRequest.ProducerId", version)
    if m.producer_epoch != -1:
        raise not_carried("InitProducerIdRequest.ProducerEpoch", version)
    if m.enable2_pc:
        raise not_carried("InitProducerIdRequest.Enable2Pc", version)
    if m.keep_prepared_txn:
        raise not_carried("InitProducerIdRequest.KeepPreparedTxn", version)
    v1 = m.transactional_id
    write_compact_nullable_string(w, v1)
    write_i32_be(w, m.transaction_timeout_ms)
    w.append(0)


def _decode_3(data: bytes, i: i64) -> tuple[InitProducerIdRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = InitProducerIdRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.transactional_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("InitProducerIdRequest.TransactionalId", n, size - i)
        m.transactional_id = data[i:end].decode()
        i = end
    m.transaction_timeout_ms = read_i32_be(data, i)
    m.producer_id = read_i64_be(data, i + 4)
    m.producer_epoch = read_i16_be(data, i + 12)
    if data[i + 14] == 0:
        i += 15
    else:
        i = skip_tagged_fields(data, i + 14)
    return m, i


def _encode_3(m: InitProducerIdRequest, w: BytesWriter, version: int) -> None:
    if m.enable2_pc:
        raise not_carried("InitProducerIdRequest.Enable2Pc", version)
    if m.keep_prepared_txn:
        raise not_carried("InitProducerIdRequest.KeepPreparedTxn", version)
    v1 = m.transactional_id
    write_compact_nullable_string(w, v1)
    write_i32_be(w, m.transaction_timeout_ms)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    w.append(0)


def _decode_6(data: bytes, i: i64) -> tuple[InitProducerIdRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = InitProducerIdRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.transactional_id = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("InitProducerIdRequest.TransactionalId", n, size - i)
        m.transactional_id = data[i:end].decode()
        i = end
    m.transaction_timeout_ms = read_i32_be(data, i)
    m.producer_id = read_i64_be(data, i + 4)
    m.producer_epoch = read_i16_be(data, i + 12)
    m.enable2_pc = data[i + 14] != 0
    m.keep_prepared_txn = data[i + 15] != 0
    if data[i + 16] == 0:
        i += 17
    else:
        i = skip_tagged_fields(data, i + 16)
    return m, i


def _encode_6(m: InitProducerIdRequest, w: BytesWriter, version: int) -> None:
    v1 = m.transactional_id
    write_compact_nullable_string(w, v1)
    write_i32_be(w, m.transaction_timeout_ms)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    w.append(1 if m.enable2_pc else 0)
    w.append(1 if m.keep_prepared_txn else 0)
    w.append(0)
