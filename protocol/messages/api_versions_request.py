"""ApiVersionsRequest, generated from ApiVersionsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

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
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":18,"type":"request","listeners":["broker","controller"],"name":"ApiVersionsReque'
    'st","validVersions":"0-4","flexibleVersions":"3+","fields":[{"name":"ClientSoftwareName","'
    'type":"string","versions":"3+","ignorable":true},{"name":"ClientSoftwareVersion","type":"s'
    'tring","versions":"3+","ignorable":true}]}'
)


class ApiVersionsRequest(Message):
    """Asks which APIs the broker serves, and in which versions."""

    __slots__ = ("client_software_name", "client_software_version")
    FIELDS: ClassVar[tuple[str, ...]] = ("client_software_name", "client_software_version")
    NAME: ClassVar[str] = "ApiVersionsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 18
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 4
    FLEXIBLE_SINCE: ClassVar[int | None] = 3
    SCHEMA: ClassVar[str] = _SCHEMA

    client_software_name: str  # Which client library this is.
    client_software_version: str  # The release of that library.

    def __init__(
        self,
        *,
        client_software_name: str = "",
        client_software_version: str = "",
    ) -> None:
        self.client_software_name = client_software_name
        self.client_software_version = client_software_version

    @staticmethod
    def decode(data: bytes, version: int) -> ApiVersionsRequest:
        message, end = ApiVersionsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ApiVersionsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ApiVersionsRequest, int]:
        try:
            if 3 <= version <= 4:
                return _decode_3(data, offset)
            if 0 <= version <= 2:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ApiVersionsRequest", version, len(data), error) from None
        raise no_version("ApiVersionsRequest", version)

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
            raise no_encoding("ApiVersionsRequest", version, error) from error
        raise no_encoding("ApiVersionsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[ApiVersionsRequest, i64]:
    m = ApiVersionsRequest()
    return m, i


def _encode_0(m: ApiVersionsRequest, w: BytesWriter, version: int) -> None:
    return


def _decode_3(data: bytes, i: i64) -> tuple[ApiVersionsRequest, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = ApiVersionsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ApiVersionsRequest.ClientSoftwareName", n, size - i)
    m.client_software_name = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ApiVersionsRequest.ClientSoftwareVersion", n, size - i)
    m.client_software_version = data[i:end].decode()
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_3(m: ApiVersionsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.client_software_name
    write_compact_string(w, v1)
    v2 = m.client_software_version
    write_compact_string(w, v2)
    w.append(0)
