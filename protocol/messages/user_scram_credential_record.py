"""UserScramCredentialRecord, generated from UserScramCredentialRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

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
    write_compact_bytes,
    write_compact_string,
    write_i8,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":11,"type":"metadata","name":"UserScramCredentialRecord","validVersions":"0","fle'
    'xibleVersions":"0+","fields":[{"name":"Name","type":"string","versions":"0+"},{"name":"Mec'
    'hanism","type":"int8","versions":"0+"},{"name":"Salt","type":"bytes","versions":"0+"},{"na'
    'me":"StoredKey","type":"bytes","versions":"0+"},{"name":"ServerKey","type":"bytes","versio'
    'ns":"0+"},{"name":"Iterations","type":"int32","versions":"0+"}]}'
)


class UserScramCredentialRecord(Message):
    """Metadata: a user's SCRAM credential is there, or has changed."""

    __slots__ = ("name", "mechanism", "salt", "stored_key", "server_key", "iterations")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "name",
        "mechanism",
        "salt",
        "stored_key",
        "server_key",
        "iterations",
    )
    NAME: ClassVar[str] = "UserScramCredentialRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 11
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    name: str  # The user.
    mechanism: int  # Number of the SCRAM mechanism.
    salt: bytes  # Random bytes that went into the keys.
    stored_key: bytes  # What the server compares a proof with.
    server_key: bytes  # What the server proves itself with.
    iterations: int  # How often the hash was applied.

    def __init__(
        self,
        *,
        name: str = "",
        mechanism: int = 0,
        salt: bytes = b'',
        stored_key: bytes = b'',
        server_key: bytes = b'',
        iterations: int = 0,
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.salt = salt
        self.stored_key = stored_key
        self.server_key = server_key
        self.iterations = iterations

    @staticmethod
    def decode(data: bytes, version: int) -> UserScramCredentialRecord:
        message, end = UserScramCredentialRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("UserScramCredentialRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[UserScramCredentialRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("UserScramCredentialRecord", version, len(data), error) from None
        raise no_version("UserScramCredentialRecord", version)

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
            raise no_encoding("UserScramCredentialRecord", version, error) from error
        raise no_encoding("UserScramCredentialRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[UserScramCredentialRecord, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = UserScramCredentialRecord()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("UserScramCredentialRecord.Name", n, size - i)
    m.name = data[i:end].decode()
    i = end
    m.mechanism = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size:
        raise bad_length("UserScramCredentialRecord.Salt", n, size - i)
    m.salt = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size:
        raise bad_length("UserScramCredentialRecord.StoredKey", n, size - i)
    m.stored_key = data[i:end]
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size:
        raise bad_length("UserScramCredentialRecord.ServerKey", n, size - i)
    m.server_key = data[i:end]
    i = end
    m.iterations = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_0(m: UserScramCredentialRecord, w: BytesWriter, version: int) -> None:
    v1 = m.name
    write_compact_string(w, v1)
    write_i8(w, m.mechanism)
    v2 = m.salt
    write_compact_bytes(w, v2)
    v3 = m.stored_key
    write_compact_bytes(w, v3)
    v4 = m.server_key
    write_compact_bytes(w, v4)
    write_i32_be(w, m.iterations)
    w.append(0)
