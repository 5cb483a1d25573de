"""ResponseHeader, generated from ResponseHeader.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"header","name":"ResponseHeader","validVersions":"0-1","flexibleVersions":"1+","fi'
    'elds":[{"name":"CorrelationId","type":"int32","versions":"0+"}]}'
)


class ResponseHeader(Message):
    """What stands before every response."""

    __slots__ = ("correlation_id",)
    FIELDS: ClassVar[tuple[str, ...]] = ("correlation_id",)
    NAME: ClassVar[str] = "ResponseHeader"
    KIND: ClassVar[str] = "header"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 1
    SCHEMA: ClassVar[str] = _SCHEMA

    correlation_id: int  # The number of the request that this answers.

    def __init__(
        self,
        *,
        correlation_id: int = 0,
    ) -> None:
        self.correlation_id = correlation_id

    @staticmethod
    def decode(data: bytes, version: int) -> ResponseHeader:
        message, end = ResponseHeader.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ResponseHeader", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ResponseHeader, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ResponseHeader", version, len(data), error) from None
        raise no_version("ResponseHeader", version)

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
            raise no_encoding("ResponseHeader", version, error) from error
        raise no_encoding("ResponseHeader", version)


def _decode_0(data: bytes, i: i64) -> tuple[ResponseHeader, i64]:
    m = ResponseHeader()
    m.correlation_id = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_0(m: ResponseHeader, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.correlation_id)


def _decode_1(data: bytes, i: i64) -> tuple[ResponseHeader, i64]:
    m = ResponseHeader()
    m.correlation_id = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_1(m: ResponseHeader, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.correlation_id)
    w.append(0)
