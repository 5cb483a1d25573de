"""DelegationTokenRecord, generated from DelegationTokenRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i64_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, UNSET_LIST)
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
    '{"apiKey":10,"type":"metadata","name":"DelegationTokenRecord","validVersions":"0","flexibl'
    'eVersions":"0+","fields":[{"name":"Owner","type":"string","versions":"0+"},{"name":"Reques'
    'ter","type":"string","versions":"0+"},{"name":"Renewers","type":"[]string","versions":"0+"'
    '},{"name":"IssueTimestamp","type":"int64","versions":"0+"},{"name":"MaxTimestamp","type":"'
    'int64","versions":"0+"},{"name":"ExpirationTimestamp","type":"int64","versions":"0+"},{"na'
    'me":"TokenId","type":"string","versions":"0+"}]}'
)


class DelegationTokenRecord(Message):
    """Metadata: a delegation token is there, or has been renewed."""

    __slots__ = (
        "owner",
        "requester",
        "renewers",
        "issue_timestamp",
        "max_timestamp",
        "expiration_timestamp",
        "token_id",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "owner",
        "requester",
        "renewers",
        "issue_timestamp",
        "max_timestamp",
        "expiration_timestamp",
        "token_id",
    )
    NAME: ClassVar[str] = "DelegationTokenRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 10
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    owner: str  # Whom the token stands for.
    requester: str  # Who asked for it.
    renewers: list[str]  # Who may renew it.
    issue_timestamp: int  # When it was made, in ms since 1970.
    max_timestamp: int  # Beyond when it cannot be renewed, in ms since 1970.
    expiration_timestamp: int  # When it ends if it is not renewed, in ms since 1970.
    token_id: str  # Id of the token.

    def __init__(
        self,
        *,
        owner: str = "",
        requester: str = "",
        renewers: list[str] = UNSET_LIST,
        issue_timestamp: int = 0,
        max_timestamp: int = 0,
        expiration_timestamp: int = 0,
        token_id: str = "",
    ) -> None:
        self.owner = owner
        self.requester = requester
        self.renewers = [] if renewers is UNSET_LIST else renewers
        self.issue_timestamp = issue_timestamp
        self.max_timestamp = max_timestamp
        self.expiration_timestamp = expiration_timestamp
        self.token_id = token_id

    @staticmethod
    def decode(data: bytes, version: int) -> DelegationTokenRecord:
        message, end = DelegationTokenRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DelegationTokenRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DelegationTokenRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DelegationTokenRecord", version, len(data), error) from None
        raise no_version("DelegationTokenRecord", version)

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
            raise no_encoding("DelegationTokenRecord", version, error) from error
        raise no_encoding("DelegationTokenRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[DelegationTokenRecord, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    end: i64
    m = DelegationTokenRecord()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("DelegationTokenRecord.Owner", n, size - i)
    m.owner = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("DelegationTokenRecord.Requester", n, size - i)
    m.requester = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("DelegationTokenRecord.Renewers", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DelegationTokenRecord.Renewers", 10000000)
    count1 = n
    found1: list[str] = []
    m.renewers = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DelegationTokenRecord.Renewers", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    m.issue_timestamp = read_i64_be(data, i)
    m.max_timestamp = read_i64_be(data, i + 8)
    m.expiration_timestamp = read_i64_be(data, i + 16)
    n = data[i + 24]
    i += 25
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("DelegationTokenRecord.TokenId", n, size - i)
    m.token_id = data[i:end].decode()
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: DelegationTokenRecord, w: BytesWriter, version: int) -> None:
    v1 = m.owner
    write_compact_string(w, v1)
    v2 = m.requester
    write_compact_string(w, v2)
    v3 = m.renewers
    write_uvarint(w, len(v3) + 1)
    for s1 in v3:
        write_compact_string(w, s1)
    write_i64_be(w, m.issue_timestamp)
    write_i64_be(w, m.max_timestamp)
    write_i64_be(w, m.expiration_timestamp)
    v4 = m.token_id
    write_compact_string(w, v4)
    w.append(0)
