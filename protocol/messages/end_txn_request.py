"""EndTxnRequest, generated from EndTxnRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i64_be, write_i16_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_compact_string,
    write_string,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":26,"type":"request","listeners":["broker"],"name":"EndTxnRequest","latestVersion'
    'Unstable":false,"validVersions":"0-5","flexibleVersions":"3+","fields":[{"name":"Transacti'
    'onalId","type":"string","versions":"0+","entityType":"transactionalId"},{"name":"ProducerI'
    'd","type":"int64","versions":"0+","entityType":"producerId"},{"name":"ProducerEpoch","type'
    '":"int16","versions":"0+"},{"name":"Committed","type":"bool","versions":"0+"}]}'
)


class EndTxnRequest(Message):
    """Commits or aborts a producer's transaction."""

    __slots__ = ("transactional_id", "producer_id", "producer_epoch", "committed")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "transactional_id",
        "producer_id",
        "producer_epoch",
        "committed",
    )
    NAME: ClassVar[str] = "EndTxnRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 26
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    transactional_id: str  # The transactional id of the producer.
    producer_id: int  # Producer id that belongs to it.
    producer_epoch: int  # Epoch of the producer; a lower one than the coordinator knows is fenced.
    committed: bool  # True to commit, false to abort.

    def __init__(
        self,
        *,
        transactional_id: str = "",
        producer_id: int = 0,
        producer_epoch: int = 0,
        committed: bool = False,
    ) -> None:
        self.transactional_id = transactional_id
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.committed = committed

    @staticmethod
    def decode(data: bytes, version: int) -> EndTxnRequest:
        message, end = EndTxnRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("EndTxnRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[EndTxnRequest, int]:
        try:
            if 3 <= version <= 5:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("EndTxnRequest", version, len(data), error) from None
        raise no_version("EndTxnRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 3 <= version <= 5:
                return _encode_3(self, writer, version)
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("EndTxnRequest", version, error) from error
        raise no_encoding("EndTxnRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[EndTxnRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = EndTxnRequest()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("EndTxnRequest.TransactionalId", n, size - i)
    m.transactional_id = data[i:end].decode()
    i = end
    m.producer_id = read_i64_be(data, i)
    m.producer_epoch = read_i16_be(data, i + 8)
    m.committed = data[i + 10] != 0
    i += 11
    return m, i


def _encode_0(m: EndTxnRequest, w: BytesWriter, version: int) -> None:
    v1 = m.transactional_id
    write_string(w, v1)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    w.append(1 if m.committed else 0)


def _decode_3(data: bytes, i: i64) -> tuple[EndTxnRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = EndTxnRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("EndTxnRequest.TransactionalId", n, size - i)
    m.transactional_id = data[i:end].decode()
    i = end
    m.producer_id = read_i64_be(data, i)
    m.producer_epoch = read_i16_be(data, i + 8)
    m.committed = data[i + 10] != 0
    if data[i + 11] == 0:
        i += 12
    else:
        i = skip_tagged_fields(data, i + 11)
    return m, i


def _encode_3(m: EndTxnRequest, w: BytesWriter, version: int) -> None:
    v1 = m.transactional_id
    write_compact_string(w, v1)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    w.append(1 if m.committed else 0)
    w.append(0)
