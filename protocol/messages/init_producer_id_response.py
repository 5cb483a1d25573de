"""InitProducerIdResponse, generated from InitProducerIdResponse.json: do not edit, run `make generate`."""

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
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    skip_tagged_fields,
    trailing,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":22,"type":"response","name":"InitProducerIdResponse","validVersions":"0-6","flex'
    'ibleVersions":"2+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+","igno'
    'rable":true},{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ProducerId","typ'
    'e":"int64","versions":"0+","entityType":"producerId","default":-1},{"name":"ProducerEpoch"'
    ',"type":"int16","versions":"0+"},{"name":"OngoingTxnProducerId","type":"int64","versions":'
    '"6+","entityType":"producerId","default":-1},{"name":"OngoingTxnProducerEpoch","type":"int'
    '16","default":-1,"versions":"6+"}]}'
)


class InitProducerIdResponse(Message):
    """The producer id and epoch to work with."""

    __slots__ = (
        "throttle_time_ms",
        "error_code",
        "producer_id",
        "producer_epoch",
        "ongoing_txn_producer_id",
        "ongoing_txn_producer_epoch",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "producer_id",
        "producer_epoch",
        "ongoing_txn_producer_id",
        "ongoing_txn_producer_epoch",
    )
    NAME: ClassVar[str] = "InitProducerIdResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 22
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 6
    FLEXIBLE_SINCE: ClassVar[int | None] = 2
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why there is no producer id.
    producer_id: int  # The producer id.
    producer_epoch: int  # The epoch that goes with it.
    ongoing_txn_producer_id: int  # Producer id of the transaction that was kept, or -1.
    ongoing_txn_producer_epoch: int  # Epoch of the transaction that was kept, or -1.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = 0,
        ongoing_txn_producer_id: int = -1,
        ongoing_txn_producer_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch
        self.ongoing_txn_producer_id = ongoing_txn_producer_id
        self.ongoing_txn_producer_epoch = ongoing_txn_producer_epoch

    @staticmethod
    def decode(data: bytes, version: int) -> InitProducerIdResponse:
        message, end = InitProducerIdResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("InitProducerIdResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[InitProducerIdResponse, int]:
        try:
            if version == 6:
                return _decode_6(data, offset)
            if 2 <= version <= 5:
                return _decode_2(data, offset)
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("InitProducerIdResponse", version, len(data), error) from None
        raise no_version("InitProducerIdResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 6:
                return _encode_6(self, writer, version)
            if 2 <= version <= 5:
                return _encode_2(self, writer, version)
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("InitProducerIdResponse", version, error) from error
        raise no_encoding("InitProducerIdResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[InitProducerIdResponse, i64]:
    m = InitProducerIdResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.producer_id = read_i64_be(data, i + 6)
    m.producer_epoch = read_i16_be(data, i + 14)
    i += 16
    return m, i


def _encode_0(m: InitProducerIdResponse, w: BytesWriter, version: int) -> None:
    if m.ongoing_txn_producer_id != -1:
        raise not_carried("InitProducerIdResponse.OngoingTxnProducerId", version)
    if m.ongoing_txn_producer_epoch != -1:
        raise not_carried("InitProducerIdResponse.OngoingTxnProducerEpoch", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)


def _decode_2(data: bytes, i: i64) -> tuple[InitProducerIdResponse, i64]:
    m = InitProducerIdResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.producer_id = read_i64_be(data, i + 6)
    m.producer_epoch = read_i16_be(data, i + 14)
    if data[i + 16] == 0:
        i += 17
    else:
        i = skip_tagged_fields(data, i + 16)
    return m, i


def _encode_2(m: InitProducerIdResponse, w: BytesWriter, version: int) -> None:
    if m.ongoing_txn_producer_id != -1:
        raise not_carried("InitProducerIdResponse.OngoingTxnProducerId", version)
    if m.ongoing_txn_producer_epoch != -1:
        raise not_carried("InitProducerIdResponse.OngoingTxnProducerEpoch", version)
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    w.append(0)


def _decode_6(data: bytes, i: i64) -> tuple[InitProducerIdResponse, i64]:
    m = InitProducerIdResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.producer_id = read_i64_be(data, i + 6)
    m.producer_epoch = read_i16_be(data, i + 14)
    m.ongoing_txn_producer_id = read_i64_be(data, i + 16)
    m.ongoing_txn_producer_epoch = read_i16_be(data, i + 24)
    if data[i + 26] == 0:
        i += 27
    else:
        i = skip_tagged_fields(data, i + 26)
    return m, i


def _encode_6(m: InitProducerIdResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    write_i64_be(w, m.ongoing_txn_producer_id)
    write_i16_be(w, m.ongoing_txn_producer_epoch)
    w.append(0)
