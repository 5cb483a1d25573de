"""GroupMetadataKey, generated from GroupMetadataKey.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    trailing,
    write_string,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":2,"type":"coordinator-key","name":"GroupMetadataKey","validVersions":"0","flexib'
    'leVersions":"none","fields":[{"name":"group","type":"string","versions":"0"}]}'
)


class GroupMetadataKey(Message):
    """Names a classic group."""

    __slots__ = ("group",)
    FIELDS: ClassVar[tuple[str, ...]] = ("group",)
    NAME: ClassVar[str] = "GroupMetadataKey"
    KIND: ClassVar[str] = "coordinator-key"
    API_KEY: ClassVar[int | None] = 2
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    group: str  # Id of the group.

    def __init__(
        self,
        *,
        group: str = "",
    ) -> None:
        self.group = group

    @staticmethod
    def decode(data: bytes, version: int) -> GroupMetadataKey:
        message, end = GroupMetadataKey.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("GroupMetadataKey", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[GroupMetadataKey, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("GroupMetadataKey", version, len(data), error) from None
        raise no_version("GroupMetadataKey", version)

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
            raise no_encoding("GroupMetadataKey", version, error) from error
        raise no_encoding("GroupMetadataKey", version)


def _decode_0(data: bytes, i: i64) -> tuple[GroupMetadataKey, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = GroupMetadataKey()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("GroupMetadataKey.group", n, size - i)
    m.group = data[i:end].decode()
    i = end
    return m, i


def _encode_0(m: GroupMetadataKey, w: BytesWriter, version: int) -> None:
    v1 = m.group
    write_string(w, v1)
