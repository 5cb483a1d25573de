"""DescribeTransactionsRequest, generated from DescribeTransactionsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

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
    '{"apiKey":65,"type":"request","listeners":["broker"],"name":"DescribeTransactionsRequest",'
    '"validVersions":"0","flexibleVersions":"0+","fields":[{"name":"TransactionalIds","type":"['
    ']string","versions":"0+","entityType":"transactionalId"}]}'
)


class DescribeTransactionsRequest(Message):
    """Asks how transactional ids are doing."""

    __slots__ = ("transactional_ids",)
    FIELDS: ClassVar[tuple[str, ...]] = ("transactional_ids",)
    NAME: ClassVar[str] = "DescribeTransactionsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 65
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    transactional_ids: list[str]  # The transactional ids to describe.

    def __init__(
        self,
        *,
        transactional_ids: list[str] = UNSET_LIST,
    ) -> None:
        self.transactional_ids = [] if transactional_ids is UNSET_LIST else transactional_ids

    @staticmethod
    def decode(data: bytes, version: int) -> DescribeTransactionsRequest:
        message, end = DescribeTransactionsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("DescribeTransactionsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[DescribeTransactionsRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("DescribeTransactionsRequest", version, len(data), error) from None
        raise no_version("DescribeTransactionsRequest", version)

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
            raise no_encoding("DescribeTransactionsRequest", version, error) from error
        raise no_encoding("DescribeTransactionsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[DescribeTransactionsRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = DescribeTransactionsRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("DescribeTransactionsRequest.TransactionalIds", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("DescribeTransactionsRequest.TransactionalIds", 100000)
    count1 = n
    found1: list[str] = []
    m.transactional_ids = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("DescribeTransactionsRequest.TransactionalIds", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: DescribeTransactionsRequest, w: BytesWriter, version: int) -> None:
    v1 = m.transactional_ids
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    w.append(0)
