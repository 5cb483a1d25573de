"""BrokerHeartbeatResponse, generated from BrokerHeartbeatResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":63,"type":"response","name":"BrokerHeartbeatResponse","validVersions":"0-2","fle'
    'xibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"n'
    'ame":"ErrorCode","type":"int16","versions":"0+"},{"name":"IsCaughtUp","type":"bool","versi'
    'ons":"0+","default":"false"},{"name":"IsFenced","type":"bool","versions":"0+","default":"t'
    'rue"},{"name":"ShouldShutDown","type":"bool","versions":"0+"}]}'
)


class BrokerHeartbeatResponse(Message):
    """How the controller regards the broker."""

    __slots__ = ("throttle_time_ms", "error_code", "is_caught_up", "is_fenced", "should_shut_down")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "is_caught_up",
        "is_fenced",
        "should_shut_down",
    )
    NAME: ClassVar[str] = "BrokerHeartbeatResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 63
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 2
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the broker should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the heartbeat does not count.
    is_caught_up: bool  # Whether it has applied the metadata at least up to its own registration.
    is_fenced: bool  # Whether it is fenced.
    should_shut_down: bool  # Whether it may shut down now.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        is_caught_up: bool = False,
        is_fenced: bool = True,
        should_shut_down: bool = False,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.is_caught_up = is_caught_up
        self.is_fenced = is_fenced
        self.should_shut_down = should_shut_down

    @staticmethod
    def decode(data: bytes, version: int) -> BrokerHeartbeatResponse:
        message, end = BrokerHeartbeatResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("BrokerHeartbeatResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[BrokerHeartbeatResponse, int]:
        try:
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("BrokerHeartbeatResponse", version, len(data), error) from None
        raise no_version("BrokerHeartbeatResponse", version)

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
            raise no_encoding("BrokerHeartbeatResponse", version, error) from error
        raise no_encoding("BrokerHeartbeatResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[BrokerHeartbeatResponse, i64]:
    m = BrokerHeartbeatResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.is_caught_up = data[i + 6] != 0
    m.is_fenced = data[i + 7] != 0
    m.should_shut_down = data[i + 8] != 0
    if data[i + 9] == 0:
        i += 10
    else:
        i = skip_tagged_fields(data, i + 9)
    return m, i


def _encode_0(m: BrokerHeartbeatResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    w.append(1 if m.is_caught_up else 0)
    w.append(1 if m.is_fenced else 0)
    w.append(1 if m.should_shut_down else 0)
    w.append(0)
