"""AlterUserScramCredentialsRequest, generated from AlterUserScramCredentialsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_count,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_compact_bytes,
    write_compact_string,
    write_i8,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":51,"type":"request","listeners":["broker","controller"],"name":"AlterUserScramCr'
    'edentialsRequest","validVersions":"0","flexibleVersions":"0+","fields":[{"name":"Deletions'
    '","type":"[]ScramCredentialDeletion","versions":"0+","fields":[{"name":"Name","type":"stri'
    'ng","versions":"0+"},{"name":"Mechanism","type":"int8","versions":"0+"}]},{"name":"Upserti'
    'ons","type":"[]ScramCredentialUpsertion","versions":"0+","fields":[{"name":"Name","type":"'
    'string","versions":"0+"},{"name":"Mechanism","type":"int8","versions":"0+"},{"name":"Itera'
    'tions","type":"int32","versions":"0+"},{"name":"Salt","type":"bytes","versions":"0+"},{"na'
    'me":"SaltedPassword","type":"bytes","versions":"0+"}]}]}'
)


class ScramCredentialDeletion(Struct):
    """Credentials to take away."""

    __slots__ = ("name", "mechanism")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "mechanism")
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


class ScramCredentialUpsertion(Struct):
    """Credentials to make or to change."""

    __slots__ = ("name", "mechanism", "iterations", "salt", "salted_password")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "name",
        "mechanism",
        "iterations",
        "salt",
        "salted_password",
    )
    name: str  # The user.
    mechanism: int  # Number of the SCRAM mechanism.
    iterations: int  # How often the hash was applied.
    salt: bytes  # Random bytes that went into the salted password.
    salted_password: bytes  # The password after all iterations; keys are made of it.

    def __init__(
        self,
        *,
        name: str = "",
        mechanism: int = 0,
        iterations: int = 0,
        salt: bytes = b'',
        salted_password: bytes = b'',
    ) -> None:
        self.name = name
        self.mechanism = mechanism
        self.iterations = iterations
        self.salt = salt
        self.salted_password = salted_password


class AlterUserScramCredentialsRequest(Message):
    """Give users SCRAM credentials, or take them away."""

    __slots__ = ("deletions", "upsertions")
    FIELDS: ClassVar[tuple[str, ...]] = ("deletions", "upsertions")
    NAME: ClassVar[str] = "AlterUserScramCredentialsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 51
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    deletions: list[ScramCredentialDeletion]  # Credentials to take away.
    upsertions: list[ScramCredentialUpsertion]  # Credentials to make or to change.

    def __init__(
        self,
        *,
        deletions: list[ScramCredentialDeletion] = UNSET_LIST,
        upsertions: list[ScramCredentialUpsertion] = UNSET_LIST,
    ) -> None:
        self.deletions = [] if deletions is UNSET_LIST else deletions
        self.upsertions = [] if upsertions is UNSET_LIST else upsertions

    @staticmethod
    def decode(data: bytes, version: int) -> AlterUserScramCredentialsRequest:
        message, end = AlterUserScramCredentialsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AlterUserScramCredentialsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AlterUserScramCredentialsRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AlterUserScramCredentialsRequest", version, len(data), error) from None
        raise no_version("AlterUserScramCredentialsRequest", version)

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
            raise no_encoding("AlterUserScramCredentialsRequest", version, error) from error
        raise no_encoding("AlterUserScramCredentialsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[AlterUserScramCredentialsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = AlterUserScramCredentialsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 3 > size - i:
        raise bad_count("AlterUserScramCredentialsRequest.Deletions", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterUserScramCredentialsRequest.Deletions", 100000)
    count1 = n
    found1: list[ScramCredentialDeletion] = []
    m.deletions = found1
    for _ in range(count1):
        s1 = ScramCredentialDeletion()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterUserScramCredentialsRequest.Deletions.Name", n, size - i)
        s1.name = data[i:end].decode()
        i = end
        s1.mechanism = (data[i] ^ 0x80) - 0x80
        if data[i + 1] == 0:
            i += 2
        else:
            i = skip_tagged_fields(data, i + 1)
        found1.append(s1)
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n * 9 > size - i:
        raise bad_count("AlterUserScramCredentialsRequest.Upsertions", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("AlterUserScramCredentialsRequest.Upsertions", 100000)
    count2 = n
    found2: list[ScramCredentialUpsertion] = []
    m.upsertions = found2
    for _ in range(count2):
        s2 = ScramCredentialUpsertion()
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("AlterUserScramCredentialsRequest.Upsertions.Name", n, size - i)
        s2.name = data[i:end].decode()
        i = end
        s2.mechanism = (data[i] ^ 0x80) - 0x80
        s2.iterations = read_i32_be(data, i + 1)
        n = data[i + 5]
        i += 6
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("AlterUserScramCredentialsRequest.Upsertions.Salt", n, size - i)
        s2.salt = data[i:end]
        i = end
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size:
            raise bad_length("AlterUserScramCredentialsRequest.Upsertions.SaltedPassword", n, size - i)
        s2.salted_password = data[i:end]
        i = end
        if data[i] == 0:
            i += 1
        else:
            i = skip_tagged_fields(data, i)
        found2.append(s2)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: AlterUserScramCredentialsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.deletions
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        v2 = s1.name
        write_compact_string(w, v2)
        write_i8(w, s1.mechanism)
        w.append(0)
    v3 = m.upsertions
    write_uvarint(w, len(v3) + 1)
    for s2 in v3:
        v4 = s2.name
        write_compact_string(w, v4)
        write_i8(w, s2.mechanism)
        write_i32_be(w, s2.iterations)
        v5 = s2.salt
        write_compact_bytes(w, v5)
        v6 = s2.salted_password
        write_compact_bytes(w, v6)
        w.append(0)
    w.append(0)
