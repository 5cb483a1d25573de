"""EnvelopeResponse, generated from EnvelopeResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, write_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_compact_nullable_bytes,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":58,"type":"response","name":"EnvelopeResponse","validVersions":"0","flexibleVers'
    'ions":"0+","fields":[{"name":"ResponseData","type":"bytes","versions":"0+","nullableVersio'
    'ns":"0+","zeroCopy":true,"default":"null"},{"name":"ErrorCode","type":"int16","versions":"'
    '0+"}]}'
)


class EnvelopeResponse(Message):
    """The controller's answer to a request that was handed on."""

    __slots__ = ("response_data", "error_code")
    FIELDS: ClassVar[tuple[str, ...]] = ("response_data", "error_code")
    NAME: ClassVar[str] = "EnvelopeResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 58
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    response_data: bytes | None  # The answer for the client with its header, or null when there is none.
    error_code: int  # Zero, or what was wrong with the envelope itself.

    def __init__(
        self,
        *,
        response_data: bytes | None = None,
        error_code: int = 0,
    ) -> None:
        self.response_data = response_data
        self.error_code = error_code

    @staticmethod
    def decode(data: bytes, version: int) -> EnvelopeResponse:
        message, end = EnvelopeResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("EnvelopeResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[EnvelopeResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("EnvelopeResponse", version, len(data), error) from None
        raise no_version("EnvelopeResponse", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("EnvelopeResponse", version, error) from error
        raise no_encoding("EnvelopeResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[EnvelopeResponse, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = EnvelopeResponse()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.response_data = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("EnvelopeResponse.ResponseData", n, size - i)
        m.response_data = data[i:end]
        i = end
    m.error_code = read_i16_be(data, i)
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_0(m: EnvelopeResponse, w: BytesWriter, version: int) -> None:
    v1 = m.response_data
    write_compact_nullable_bytes(w, v1)
    write_i16_be(w, m.error_code)
    w.append(0)
