"""OffsetCommitKey, generated from OffsetCommitKey.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i32_be, write_i32_be)

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
    '{"apiKey":1,"type":"coordinator-key","name":"OffsetCommitKey","validVersions":"0","flexibl'
    'eVersions":"none","fields":[{"name":"group","type":"string","versions":"0"},{"name":"topic'
    '","type":"string","versions":"0"},{"name":"partition","type":"int32","versions":"0"}]}'
)


class OffsetCommitKey(Message):
    """Names a committed offset: one group's in one partition."""

    __slots__ = ("group", "topic", "partition")
    FIELDS: ClassVar[tuple[str, ...]] = ("group", "topic", "partition")
    NAME: ClassVar[str] = "OffsetCommitKey"
    KIND: ClassVar[str] = "coordinator-key"
    API_KEY: ClassVar[int | None] = 1
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    group: str  # Id of the group.
    topic: str  # Name of the topic.
    partition: int  # Number of the partition.

    def __init__(
        self,
        *,
        group: str = "",
        topic: str = "",
        partition: int = 0,
    ) -> None:
        self.group = group
        self.topic = topic
        self.partition = partition

    @staticmethod
    def decode(data: bytes, version: int) -> OffsetCommitKey:
        message, end = OffsetCommitKey.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("OffsetCommitKey", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[OffsetCommitKey, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("OffsetCommitKey", version, len(data), error) from None
        raise no_version("OffsetCommitKey", version)

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
            raise no_encoding("OffsetCommitKey", version, error) from error
        raise no_encoding("OffsetCommitKey", version)


def _decode_0(data: bytes, i: i64) -> tuple[OffsetCommitKey, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = OffsetCommitKey()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitKey.group", n, size - i)
    m.group = data[i:end].decode()
    i = end
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("OffsetCommitKey.topic", n, size - i)
    m.topic = data[i:end].decode()
    i = end
    m.partition = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_0(m: OffsetCommitKey, w: BytesWriter, version: int) -> None:
    v1 = m.group
    write_string(w, v1)
    v2 = m.topic
    write_string(w, v2)
    write_i32_be(w, m.partition)
