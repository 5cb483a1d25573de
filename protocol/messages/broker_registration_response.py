"""BrokerRegistrationResponse, generated from BrokerRegistrationResponse.json: do not edit, run `make generate`."""

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
    '{"apiKey":62,"type":"response","name":"BrokerRegistrationResponse","validVersions":"0-4","'
    'flexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},'
    '{"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"BrokerEpoch","type":"int64","'
    'versions":"0+","default":"-1"}]}'
)


class BrokerRegistrationResponse(Message):
    """Whether the broker is registered, and the epoch that it now has."""

    __slots__ = ("throttle_time_ms", "error_code", "broker_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code", "broker_epoch")
    NAME: ClassVar[str] = "BrokerRegistrationResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 62
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the broker should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why it is not registered.
    broker_epoch: int  # Epoch of the registration, or -1.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        broker_epoch: int = -1,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.broker_epoch = broker_epoch

    @staticmethod
    def decode(data: bytes, version: int) -> BrokerRegistrationResponse:
        message, end = BrokerRegistrationResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("BrokerRegistrationResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[BrokerRegistrationResponse, int]:
        try:
            if 0 <= version <= 4:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("BrokerRegistrationResponse", version, len(data), error) from None
        raise no_version("BrokerRegistrationResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 0 <= version <= 4:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("BrokerRegistrationResponse", version, error) from error
        raise no_encoding("BrokerRegistrationResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[BrokerRegistrationResponse, i64]:
    m = BrokerRegistrationResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.broker_epoch = read_i64_be(data, i + 6)
    if data[i + 14] == 0:
        i += 15
    else:
        i = skip_tagged_fields(data, i + 14)
    return m, i


def _encode_0(m: BrokerRegistrationResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i64_be(w, m.broker_epoch)
    w.append(0)
