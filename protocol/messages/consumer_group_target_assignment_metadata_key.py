"""ConsumerGroupTargetAssignmentMetadataKey, generated from ConsumerGroupTargetAssignmentMetadataKey.json: do not edit, run `make generate`."""

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
    '{"apiKey":6,"type":"coordinator-key","name":"ConsumerGroupTargetAssignmentMetadataKey","va'
    'lidVersions":"0","flexibleVersions":"none","fields":[{"name":"GroupId","type":"string","ve'
    'rsions":"0"}]}'
)


class ConsumerGroupTargetAssignmentMetadataKey(Message):
    """Names the target assignment of a consumer group as a whole."""

    __slots__ = ("group_id",)
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id",)
    NAME: ClassVar[str] = "ConsumerGroupTargetAssignmentMetadataKey"
    KIND: ClassVar[str] = "coordinator-key"
    API_KEY: ClassVar[int | None] = 6
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.

    def __init__(
        self,
        *,
        group_id: str = "",
    ) -> None:
        self.group_id = group_id

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupTargetAssignmentMetadataKey:
        message, end = ConsumerGroupTargetAssignmentMetadataKey.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupTargetAssignmentMetadataKey", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupTargetAssignmentMetadataKey, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupTargetAssignmentMetadataKey", version, len(data), error) from None
        raise no_version("ConsumerGroupTargetAssignmentMetadataKey", version)

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
            raise no_encoding("ConsumerGroupTargetAssignmentMetadataKey", version, error) from error
        raise no_encoding("ConsumerGroupTargetAssignmentMetadataKey", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupTargetAssignmentMetadataKey, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = ConsumerGroupTargetAssignmentMetadataKey()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("ConsumerGroupTargetAssignmentMetadataKey.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    return m, i


def _encode_0(m: ConsumerGroupTargetAssignmentMetadataKey, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_string(w, v1)
