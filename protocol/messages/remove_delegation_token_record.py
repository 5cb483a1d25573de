"""RemoveDelegationTokenRecord, generated from RemoveDelegationTokenRecord.json: do not edit, run `make generate`."""

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
    '{"apiKey":26,"type":"metadata","name":"RemoveDelegationTokenRecord","validVersions":"0","f'
    'lexibleVersions":"0+","fields":[{"name":"TokenId","type":"string","versions":"0+"}]}'
)


class RemoveDelegationTokenRecord(Message):
    """Metadata: a delegation token is gone."""

    __slots__ = ("token_id",)
    FIELDS: ClassVar[tuple[str, ...]] = ("token_id",)
    NAME: ClassVar[str] = "RemoveDelegationTokenRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 26
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    token_id: str  # Id of the token.

    def __init__(
        self,
        *,
        token_id: str = "",
    ) -> None:
        self.token_id = token_id

    @staticmethod
    def decode(data: bytes, version: int) -> RemoveDelegationTokenRecord:
        message, end = RemoveDelegationTokenRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("RemoveDelegationTokenRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[RemoveDelegationTokenRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("RemoveDelegationTokenRecord", version, len(data), error) from None
        raise no_version("RemoveDelegationTokenRecord", version)

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
            raise no_encoding("RemoveDelegationTokenRecord", version, error) from error
        raise no_encoding("RemoveDelegationTokenRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[RemoveDelegationTokenRecord, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = RemoveDelegationTokenRecord()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("RemoveDelegationTokenRecord.TokenId", n, size - i)
    m.token_id = data[i:end].decode()
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: RemoveDelegationTokenRecord, w: BytesWriter, version: int) -> None:
    v1 = m.token_id
    write_compact_string(w, v1)
    w.append(0)
