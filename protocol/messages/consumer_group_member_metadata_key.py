"""ConsumerGroupMemberMetadataKey, generated from ConsumerGroupMemberMetadataKey.json: do not edit, run `make generate`."""

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
    '{"apiKey":5,"type":"coordinator-key","name":"ConsumerGroupMemberMetadataKey","validVersion'
    's":"0","flexibleVersions":"none","fields":[{"name":"GroupId","type":"string","versions":"0'
    '"},{"name":"MemberId","type":"string","versions":"0"}]}'
)


class ConsumerGroupMemberMetadataKey(Message):
    """Names a member of a consumer group."""

    __slots__ = ("group_id", "member_id")
    FIELDS: ClassVar[tuple[str, ...]] = ("group_id", "member_id")
    NAME: ClassVar[str] = "ConsumerGroupMemberMetadataKey"
    KIND: ClassVar[str] = "coordinator-key"
    API_KEY: ClassVar[int | None] = 5
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    group_id: str  # Id of the group.
    member_id: str  # Id of the member.

    def __init__(
        self,
        *,
        group_id: str = "",
        member_id: str = "",
    ) -> None:
        self.group_id = group_id
        self.member_id = member_id

    @staticmethod
    def decode(data: bytes, version: int) -> ConsumerGroupMemberMetadataKey:
        message, end = ConsumerGroupMemberMetadataKey.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConsumerGroupMemberMetadataKey", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConsumerGroupMemberMetadataKey, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConsumerGroupMemberMetadataKey", version, len(data), error) from None
        raise no_version("ConsumerGroupMemberMetadataKey", version)

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
            raise no_encoding("ConsumerGroupMemberMetadataKey", version, error) from error
        raise no_encoding("ConsumerGroupMemberMetadataKey", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConsumerGroupMemberMetadataKey, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = ConsumerGroupMemberMetadataKey()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("ConsumerGroupMemberMetadataKey.GroupId", n, size - i)
    m.group_id = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("ConsumerGroupMemberMetadataKey.MemberId", n, size - i)
    m.member_id = data[i:end].decode()
    i = end
    return m, i


def _encode_0(m: ConsumerGroupMemberMetadataKey, w: BytesWriter, version: int) -> None:
    v1 = m.group_id
    write_string(w, v1)
    v2 = m.member_id
    write_string(w, v2)
