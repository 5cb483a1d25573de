"""ListConfigResourcesRequest, generated from ListConfigResourcesRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message, UNSET_LIST)
from ..primitives import (
    bad_count,
    decode_failure,
    no_encoding,
    no_version,
    not_carried,
    over_budget,
    skip_tagged_fields,
    trailing,
    write_i8,
)
from ..varints import (read_uvarint_rest, write_uvarint)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":74,"type":"request","listeners":["broker"],"name":"ListConfigResourcesRequest","'
    'validVersions":"0-1","flexibleVersions":"0+","fields":[{"name":"ResourceTypes","type":"[]i'
    'nt8","versions":"1+"}]}'
)


class ListConfigResourcesRequest(Message):
    """Asks what there is that has settings."""

    __slots__ = ("resource_types",)
    FIELDS: ClassVar[tuple[str, ...]] = ("resource_types",)
    NAME: ClassVar[str] = "ListConfigResourcesRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 74
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    resource_types: list[int]  # Kinds of resources to list; none stands for every kind. Version 0 lists client metrics.

    def __init__(
        self,
        *,
        resource_types: list[int] = UNSET_LIST,
    ) -> None:
        self.resource_types = [] if resource_types is UNSET_LIST else resource_types

    @staticmethod
    def decode(data: bytes, version: int) -> ListConfigResourcesRequest:
        message, end = ListConfigResourcesRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ListConfigResourcesRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ListConfigResourcesRequest, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ListConfigResourcesRequest", version, len(data), error) from None
        raise no_version("ListConfigResourcesRequest", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 1:
                return _encode_1(self, writer, version)
            if version == 0:
                return _encode_0(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ListConfigResourcesRequest", version, error) from error
        raise no_encoding("ListConfigResourcesRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[ListConfigResourcesRequest, i64]:
    m = ListConfigResourcesRequest()
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: ListConfigResourcesRequest, w: BytesWriter, version: int) -> None:
    if len(m.resource_types) > 0:
        raise not_carried("ListConfigResourcesRequest.ResourceTypes", version)
    w.append(0)


def _decode_1(data: bytes, i: i64) -> tuple[ListConfigResourcesRequest, i64]:
    size: i64 = len(data)
    budget: int = 100000
    n: int
    end: i64
    m = ListConfigResourcesRequest()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n < 0 or n > size - i:
        raise bad_count("ListConfigResourcesRequest.ResourceTypes", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ListConfigResourcesRequest.ResourceTypes", 100000)
    end = i + n
    m.resource_types = [(data[j] ^ 0x80) - 0x80 for j in range(i, end)]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_1(m: ListConfigResourcesRequest, w: BytesWriter, version: int) -> None:
    v1 = m.resource_types
    write_uvarint(w, len(v1) + 1)
    for s1 in v1:
        write_i8(w, s1)
    w.append(0)
