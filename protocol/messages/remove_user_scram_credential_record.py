"""RemoveUserScramCredentialRecord, generated from RemoveUserScramCredentialRecord.json: do not edit, run `make generate`."""

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
    write_i8,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":22,"type":"metadata","name":"RemoveUserScramCredentialRecord","validVersions":"0'
    '","flexibleVersions":"0+","fields":[{"name":"Name","type":"string","versions":"0+"},{"name'
    '":"Mechanism","type":"int8","versions":"0+"}]}'
)


class RemoveUserScramCredentialRecord(Message):
    """Metadata: a user's SCRAM credential is gone."""

    __slots__ = ("name", "mechanism")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "mechanism")
    NAME: ClassVar[str] = "RemoveUserScramCredentialRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 22
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    name: str  # The user.
    mechanism: int  # Number of the SCRAM mechanism.

    def __init__(
        self,
        *,
        name: str = "",
        mechanism: int = 0,
    ) -> None:
        self.name = name
        self.mechanism = mechanism

    @staticmethod
    def decode(data: bytes, version: int) -> RemoveUserScramCredentialRecord:
        message, end = RemoveUserScramCredentialRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("RemoveUserScramCredentialRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[RemoveUserScramCredentialRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("RemoveUserScramCredentialRecord", version, len(data), error) from None
        raise no_version("RemoveUserScramCredentialRecord", version)

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
            raise no_encoding("RemoveUserScramCredentialRecord", version, error) from error
        raise no_encoding("RemoveUserScramCredentialRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[RemoveUserScramCredentialRecord, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = RemoveUserScramCredentialRecord()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("RemoveUserScramCredentialRecord.Name", n, size - i)
    m.name = data[i:end].decode()
    i = end
    m.mechanism = (data[i] ^ 0x80) - 0x80
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_0(m: RemoveUserScramCredentialRecord, w: BytesWriter, version: int) -> None:
    v1 = m.name
    write_compact_string(w, v1)
    write_i8(w, m.mechanism)
    w.append(0)
