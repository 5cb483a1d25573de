"""AbortTransactionRecord, generated from AbortTransactionRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_length,
    bad_tag_size,
    check_tag_count,
    check_unknown_tag,
    decode_failure,
    no_encoding,
    no_version,
    read_tag,
    trailing,
    write_compact_nullable_string,
    write_tag,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":25,"type":"metadata","name":"AbortTransactionRecord","validVersions":"0","flexib'
    'leVersions":"0+","fields":[{"name":"Reason","type":"string","default":"null","versions":"0'
    '+","nullableVersions":"0+","taggedVersions":"0+","tag":0}]}'
)


class AbortTransactionRecord(Message):
    """Metadata: the records since the transaction began do not count."""

    __slots__ = ("reason",)
    FIELDS: ClassVar[tuple[str, ...]] = ("reason",)
    NAME: ClassVar[str] = "AbortTransactionRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 25
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    reason: str | None  # Why, or null.

    def __init__(
        self,
        *,
        reason: str | None = None,
    ) -> None:
        self.reason = reason

    @staticmethod
    def decode(data: bytes, version: int) -> AbortTransactionRecord:
        message, end = AbortTransactionRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AbortTransactionRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AbortTransactionRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AbortTransactionRecord", version, len(data), error) from None
        raise no_version("AbortTransactionRecord", version)

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
            raise no_encoding("AbortTransactionRecord", version, error) from error
        raise no_encoding("AbortTransactionRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[AbortTransactionRecord, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = AbortTransactionRecord()
    n = data[i]
    i += 1
    if n > 0:
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        check_tag_count(data, i, n)
        count1 = n
        tag1 = -1
        unknown1 = 0
        for _ in range(count1):
            tag1, start1, stop1 = read_tag(data, i, tag1)
            i = start1
            if tag1 == 0:
                n = data[i]
                i += 1
                if n > 127:
                    n, i = read_uvarint_rest(data, i, n)
                n -= 1
                if n == -1:
                    m.reason = None
                else:
                    end = i + n
                    if n < 0 or end > size or n > STRING_BYTES_MAX:
                        raise bad_length("AbortTransactionRecord.Reason", n, size - i)
                    m.reason = data[i:end].decode()
                    i = end
                if i != stop1:
                    raise bad_tag_size("AbortTransactionRecord.Reason")
            else:
                check_unknown_tag(tag1, stop1 - i, unknown1)
                unknown1 += 1
                i = stop1
    return m, i


def _encode_0(m: AbortTransactionRecord, w: BytesWriter, version: int) -> None:
    t1 = m.reason is not None
    if t1:
        write_uvarint(w, int(t1))
        if t1:
            w1 = BytesWriter()
            v1 = m.reason
            write_compact_nullable_string(w1, v1)
            write_tag(w, 0, w1)
    else:
        w.append(0)
