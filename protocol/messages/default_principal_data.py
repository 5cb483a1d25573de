"""DefaultPrincipalData, generated from DefaultPrincipalData.json: do not edit, run `make generate`."""

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
    '{"type":"data","name":"DefaultPrincipalData","validVersions":"0","flexibleVersions":"0+","'
    'fields":[{"name":"Type","type":"string","versions":"0+"},{"name":"Name","type":"string","v'
    'ersions":"0+"},{"name":"TokenAuthenticated","type":"bool","versions":"0+"}]}'
)


class DefaultPrincipalData(Message):
    """A principal, as brokers tell it to controllers."""

    __slots__ = ("type", "name", "token_authenticated")
    FIELDS: ClassVar[tuple[str, ...]] = ("type", "name", "token_authenticated")
    NAME: ClassVar[str] = "DefaultPrincipalData"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    type: str  # The type, such as User.
    name: str  # The name.
    token_authenticated: bool  # Whether a delegation token was shown.

    def __init__(
        self,
        *,
        type: str = "",
        name: str = "",
        token_authenticated: bool = False,
    ) -> None:
        self.type = type
        self.name = name
        self.token_authenticated = token_authenticated

    @staticmethod
    def decode(data: bytes, version: int) -> DefaultPrincipalData:
        message, end = DefaultPrincipalData.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DefaultPrincipalData", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DefaultPrincipalData, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DefaultPrincipalData", version, len(data), error) from None
        raise no_version("DefaultPrincipalData", version)

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
            raise no_encoding("DefaultPrincipalData", version, error) from error
        raise no_encoding("DefaultPrincipalData", version)


def _decode_0(data: bytes, i: i64) -> tuple[DefaultPrincipalData, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = DefaultPrincipalData()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("DefaultPrincipalData.Type", n, size - i)
    m.type = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("DefaultPrincipalData.Name", n, size - i)
    m.name = data[i:end].decode()
    i = end
    m.token_authenticated = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_0(m: DefaultPrincipalData, w: BytesWriter, version: int) -> None:
    v1 = m.type
    write_compact_string(w, v1)
    v2 = m.name
    write_compact_string(w, v2)
    w.append(1 if m.token_authenticated else 0)
    w.append(0)
