"""DescribeUserScramCredentialsRequest, generated from DescribeUserScramCredentialsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

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
    write_compact_string,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":50,"type":"request","listeners":["broker","controller"],"name":"DescribeUserScra'
    'mCredentialsRequest","validVersions":"0","flexibleVersions":"0+","fields":[{"name":"Users"'
    ',"type":"[]UserName","versions":"0+","nullableVersions":"0+","fields":[{"name":"Name","typ'
    'e":"string","versions":"0+"}]}]}'
)


class UserName(Struct):
    """Whom to tell about; null or nobody means all."""

    __slots__ = ("name",)
    FIELDS: ClassVar[tuple[str, ...]] = ("name",)
    name: str  # The user.

    def __init__(
        self,
        *,
        name: str = "",
    ) -> None:
        self.name = name


class DescribeUserScramCredentialsRequest(Message):
    """Ask which users can log in by SCRAM."""

    __slots__ = ("users",)
    FIELDS: ClassVar[tuple[str, ...]] = ("users",)
    NAME: ClassVar[str] = "DescribeUserScramCredentialsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 50
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    users: list[UserName] | None  # Whom to tell about; null or nobody means all.

    def __init__(
        self,
        *,
        users: list[UserName] | None = UNSET_LIST,
    ) -> None:
        self.users = [] if users is UNSET_LIST else users

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeUserScramCredentialsRequest:
        message, end = DescribeUserScramCredentialsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeUserScramCredentialsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeUserScramCredentialsRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeUserScramCredentialsRequest", version, len(data), error) from None
        raise no_version("DescribeUserScramCredentialsRequest", version)

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
            raise no_encoding("DescribeUserScramCredentialsRequest", version, error) from error
        raise no_encoding("DescribeUserScramCredentialsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeUserScramCredentialsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeUserScramCredentialsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.users = None
    else:
        if n < 0 or n * 2 > size - i:
            raise bad_count("DescribeUserScramCredentialsRequest.Users", n, size - i)
        budget -= n
        if budget < 0:
            raise over_budget("DescribeUserScramCredentialsRequest.Users", 100000)
        count1 = n
        found1: list[UserName] = []
        m.users = found1
        for _ in range(count1):
            s1 = UserName()
            n = data[i]
            i += 1
            if n > 127:
                n, i = read_uvarint_rest(data, i, n)
            n -= 1
            end = i + n
            if n < 0 or end > size or n > STRING_BYTES_MAX:
                raise bad_length("DescribeUserScramCredentialsRequest.Users.Name", n, size - i)
            s1.name = data[i:end].decode()
            i = end
            if data[i] == 0:
                i += 1
            else:
                i = skip_tagged_fields(data, i)
            found1.append(s1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: DescribeUserScramCredentialsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.users
    if v1 is None:
        w.append(0)
    else:
        write_uvarint(w, len(v1) + 1)
        for s1 in v1:
            v2 = s1.name
            write_compact_string(w, v2)
            w.append(0)
    w.append(0)
