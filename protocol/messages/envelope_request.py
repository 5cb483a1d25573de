"""EnvelopeRequest, generated from EnvelopeRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_compact_bytes,
    write_compact_nullable_bytes,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":58,"type":"request","listeners":["controller"],"name":"EnvelopeRequest","validVe'
    'rsions":"0","flexibleVersions":"0+","fields":[{"name":"RequestData","type":"bytes","versio'
    'ns":"0+","zeroCopy":true},{"name":"RequestPrincipal","type":"bytes","versions":"0+","nulla'
    'bleVersions":"0+"},{"name":"ClientHostAddress","type":"bytes","versions":"0+"}]}'
)


class EnvelopeRequest(Message):
    """A broker hands a client's request on to the active controller."""

    __slots__ = ("request_data", "request_principal", "client_host_address")
    FIELDS: ClassVar[tuple[str, ...]] = ("request_data", "request_principal", "client_host_address")
    NAME: ClassVar[str] = "EnvelopeRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 58
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    request_data: bytes  # The client's request as it came, with its header.
    request_principal: bytes | None  # Who the client is, in the serialised form of a principal; null if nobody says.
    client_host_address: bytes  # The client's address: 4 bytes, or 16 with IPv6.

    def __init__(
        self,
        *,
        request_data: bytes = b'',
        request_principal: bytes | None = b'',
        client_host_address: bytes = b'',
    ) -> None:
        self.request_data = request_data
        self.request_principal = request_principal
        self.client_host_address = client_host_address

    @staticmethod
    def decode(data: bytes, version: int) -> EnvelopeRequest:
        message, end = EnvelopeRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("EnvelopeRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[EnvelopeRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("EnvelopeRequest", version, len(data), error) from None
        raise no_version("EnvelopeRequest", version)

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
            raise no_encoding("EnvelopeRequest", version, error) from error
        raise no_encoding("EnvelopeRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[EnvelopeRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = EnvelopeRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size:
        raise bad_length("EnvelopeRequest.RequestData", n, size - i)
    m.request_data = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.request_principal = None
    else:
        end = i + n
        if n < 0 or end > size:
            raise bad_length("EnvelopeRequest.RequestPrincipal", n, size - i)
        m.request_principal = data[i:end]
        i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size:
        raise bad_length("EnvelopeRequest.ClientHostAddress", n, size - i)
    m.client_host_address = data[i:end]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: EnvelopeRequest, w: BytesWriter, version: int) -> None:
    v1 = m.request_data
    write_compact_bytes(w, v1)
    v2 = m.request_principal
    write_compact_nullable_bytes(w, v2)
    v3 = m.client_host_address
    write_compact_bytes(w, v3)
    w.append(0)
