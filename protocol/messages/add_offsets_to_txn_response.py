"""AddOffsetsToTxnResponse, generated from AddOffsetsToTxnResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i16_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":25,"type":"response","name":"AddOffsetsToTxnResponse","validVersions":"0-4","fle'
    'xibleVersions":"3+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{"n'
    'ame":"ErrorCode","type":"int16","versions":"0+"}]}'
)


class AddOffsetsToTxnResponse(Message):
    """Whether the offsets may now be stored in the transaction."""

    __slots__ = ("throttle_time_ms", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("throttle_time_ms", "error_code")
    NAME: ClassVar[str] = "AddOffsetsToTxnResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 25
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the client should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why the group was not added.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code

    @staticmethod
    def decode(data: bytes, version: int) -> AddOffsetsToTxnResponse:
        message, end = AddOffsetsToTxnResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AddOffsetsToTxnResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AddOffsetsToTxnResponse, int]:
        try:
            if 3 <= version <= 4:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AddOffsetsToTxnResponse", version, len(data), error) from None
        raise no_version("AddOffsetsToTxnResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 3 <= version <= 4:
                return _encode_3(self, writer, version)
            if 0 <= version <= 2:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("AddOffsetsToTxnResponse", version, error) from error
        raise no_encoding("AddOffsetsToTxnResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[AddOffsetsToTxnResponse, i64]:
    m = AddOffsetsToTxnResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    i += 6
    return m, i


def _encode_0(m: AddOffsetsToTxnResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)


def _decode_3(data: bytes, i: i64) -> tuple[AddOffsetsToTxnResponse, i64]:
    m = AddOffsetsToTxnResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    if data[i + 6] == 0:
        i += 7
    else:
        i = skip_tagged_fields(data, i + 6)
    return m, i


def _encode_3(m: AddOffsetsToTxnResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    w.append(0)
