"""HeartbeatResponse, generated from HeartbeatResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":12,"type":"response","name":"HeartbeatResponse","validVersions":"0-4","flexibleV'
    'ersions":"4+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"1+","ignorable'
    '":true},{"name":"ErrorCode","type":"int16","versions":"0+"}]}'
)


class HeartbeatResponse(Message):
    """Whether the member may go on as before."""

    __slots__ = ("throttle_time_ms", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code")
    NAME: ClassVar[str] = "HeartbeatResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 12
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 4
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero to go on, 27 to join again, or why the member is not in the group.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code

    @staticmethod
    def decode(data: bytes, version: int) -> HeartbeatResponse:
        message, end = HeartbeatResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("HeartbeatResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[HeartbeatResponse, int]:
        try:
            if version == 4:
                return _decode_4(data, offset)
            if 1 <= version <= 3:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("HeartbeatResponse", version, len(data), error) from None
        raise no_version("HeartbeatResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 4:
                return _encode_4(self, writer, version)
            if 1 <= version <= 3:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("HeartbeatResponse", version, error) from error
        raise no_encoding("HeartbeatResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[HeartbeatResponse, i64]:
    m = HeartbeatResponse()
    m.error_code = read_i16_be(data, i)
    i += 2
    return m, i


def _encode_0(m: HeartbeatResponse, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.error_code)


def _decode_1(data: bytes, i: i64) -> tuple[HeartbeatResponse, i64]:
    m = HeartbeatResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    i += 6
    return m, i


def _encode_1(m: HeartbeatResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)


def _decode_4(data: bytes, i: i64) -> tuple[HeartbeatResponse, i64]:
    m = HeartbeatResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    if data[i + 6] == 0:
        i += 7
    else:
        i = skip_tagged_fields(data, i + 6)
    return m, i


def _encode_4(m: HeartbeatResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    w.append(0)
