"""EndTxnResponse, generated from EndTxnResponse.json: do not edit, run `make generate`."""

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
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":26,"type":"response","name":"EndTxnResponse","validVersions":"0-5","flexibleVers'
    'ions":"3+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"name":"Err'
    'orCode","type":"int16","versions":"0+"},{"name":"ProducerId","type":"int64","versions":"5+'
    '","default":"-1","ignorable":true,"entityType":"producerId"},{"name":"ProducerEpoch","type'
    '":"int16","versions":"5+","default":"-1","ignorable":true}]}'
)


class EndTxnResponse(Message):
    """Whether the transaction's end is decided; partitions may hear of it a little later."""

    __slots__ = ("throttle_time_ms", "error_code", "producer_id", "producer_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "producer_id",
        "producer_epoch",
    )
    NAME: ClassVar[str] = "EndTxnResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 26
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 5
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the transaction did not end.
    producer_id: int  # Producer id for the next transaction, or -1 when there is an error.
    producer_epoch: int  # Epoch for the next transaction, or -1 when there is an error.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id: int = -1,
        producer_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id = producer_id
        self.producer_epoch = producer_epoch

    @staticmethod
    def decode(data: bytes, version: int) -> EndTxnResponse:
        message, end = EndTxnResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("EndTxnResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[EndTxnResponse, int]:
        try:
            if version == 5:
                return _decode_5(data, offset)
            if 3 <= version <= 4:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("EndTxnResponse", version, len(data), error) from None
        raise no_version("EndTxnResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 5:
                return _encode_5(self, writer, version)
            if 3 <= version <= 4:
                return _encode_3(self, writer, version)
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("EndTxnResponse", version, error) from error
        raise no_encoding("EndTxnResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[EndTxnResponse, i64]:
    m = EndTxnResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    i += 6
    return m, i


def _encode_0(m: EndTxnResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)


def _decode_3(data: bytes, i: i64) -> tuple[EndTxnResponse, i64]:
    m = EndTxnResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    if data[i + 6] == 0:
        i += 7
    else:
        i = skip_tagged_fields(data, i + 6)
    return m, i


def _encode_3(m: EndTxnResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    w.append(0)


def _decode_5(data: bytes, i: i64) -> tuple[EndTxnResponse, i64]:
    m = EndTxnResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.producer_id = read_i64_be(data, i + 6)
    m.producer_epoch = read_i16_be(data, i + 14)
    if data[i + 16] == 0:
        i += 17
    else:
        i = skip_tagged_fields(data, i + 16)
    return m, i


def _encode_5(m: EndTxnResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i64_be(w, m.producer_id)
    write_i16_be(w, m.producer_epoch)
    w.append(0)
