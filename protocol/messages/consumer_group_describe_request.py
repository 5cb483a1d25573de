"""ConsumerGroupDescribeRequest, generated from ConsumerGroupDescribeRequest.json: do not edit, run `make generate`."""

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
    '{"apiKey":69,"type":"request","listeners":["broker"],"name":"ConsumerGroupDescribeRequest"'
    ',"validVersions":"0-1","flexibleVersions":"0+","fields":[{"name":"GroupIds","type":"[]stri'
    'ng","versions":"0+","entityType":"groupId"},{"name":"IncludeAuthorizedOperations","type":"'
    'bool","versions":"0+"}]}'
)


class ConsumerGroupDescribeRequest(Message):
    """Asks for the state and the members of consumer groups (KIP-848)."""

    __slots__ = ("group_ids", "include_authorized_operations")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_ids", "include_authorized_operations")
    NAME: ClassVar[str] = "ConsumerGroupDescribeRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 69
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    group_ids: list[str]  # Ids of the groups to describe.
    include_authorized_operations: bool  # Whether to tell what the user may do to each group.

    def __init__(
        self,
        *,
        group_ids: list[str] = UNSET_LIST,
        include_authorized_operations: bool = False,
    ) -> None:
        self.group_ids = [] if group_ids is UNSET_LIST else group_ids
        self.include_authorized_operations = include_authorized_operations

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupDescribeRequest:
        message, end = ConsumerGroupDescribeRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupDescribeRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupDescribeRequest, int]:
        try:
            if 0 <= version <= 1:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupDescribeRequest", version, len(data), error) from None
        raise no_version("ConsumerGroupDescribeRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if 0 <= version <= 1:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ConsumerGroupDescribeRequest", version, error) from error
        raise no_encoding("ConsumerGroupDescribeRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupDescribeRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ConsumerGroupDescribeRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ConsumerGroupDescribeRequest.GroupIds", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ConsumerGroupDescribeRequest.GroupIds", 100000)
    count1 = n
    found1: list[str] = []
    m.group_ids = found1
    for _ in range(count1):
        n = data[i]
        i += 1
        if n > 127:
            n, i = read_uvarint_rest(data, i, n)
        n -= 1
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConsumerGroupDescribeRequest.GroupIds", n, size - i)
        v1 = data[i:end].decode()
        i = end
        found1.append(v1)
    m.include_authorized_operations = data[i] != 0
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_0(m: ConsumerGroupDescribeRequest, w: BytesWriter, version: int) -> None:
    v1 = m.group_ids
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_compact_string(w, s1)
    w.append(1 if m.include_authorized_operations else 0)
    w.append(0)
