"""LegacyOffsetCommitValue, generated from LegacyOffsetCommitValue.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i64_be, write_i64_be)

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
    '{"apiKey":0,"type":"coordinator-value","name":"LegacyOffsetCommitValue","validVersions":"0'
    '","flexibleVersions":"none","fields":[{"name":"offset","type":"int64","versions":"0"},{"na'
    'me":"metadata","type":"string","versions":"0"},{"name":"commitTimestamp","type":"int64","v'
    'ersions":"0"}]}'
)


class LegacyOffsetCommitValue(Message):
    """A committed offset under a legacy key."""

    __slots__ = ("offset", "metadata", "commit_timestamp")
    FIELDS: ClassVar[tuple[str, ...]] = ("offset", "metadata", "commit_timestamp")
    NAME: ClassVar[str] = "LegacyOffsetCommitValue"
    KIND: ClassVar[str] = "coordinator-value"
    API_KEY: ClassVar[int | None] = 0
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    offset: int  # Offset of the next record that the group will read.
    metadata: str  # The note that the group stored with it; may be empty.
    commit_timestamp: int  # When it was committed, in ms since 1970.

    def __init__(
        self,
        *,
        offset: int = 0,
        metadata: str = "",
        commit_timestamp: int = 0,
    ) -> None:
        self.offset = offset
        self.metadata = metadata
        self.commit_timestamp = commit_timestamp

    @staticmethod
    def decode(data: bytes, version: int) -> LegacyOffsetCommitValue:
        message, end = LegacyOffsetCommitValue.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("LegacyOffsetCommitValue", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[LegacyOffsetCommitValue, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("LegacyOffsetCommitValue", version, len(data), error) from None
        raise no_version("LegacyOffsetCommitValue", version)

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
            raise no_encoding("LegacyOffsetCommitValue", version, error) from error
        raise no_encoding("LegacyOffsetCommitValue", version)


def _decode_0(data: bytes, i: i64) -> tuple[LegacyOffsetCommitValue, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = LegacyOffsetCommitValue()
    m.offset = read_i64_be(data, i)
    n = read_i16_be(data, i + 8)
    i += 10
    end = i + n
    if n < 0 or end > size:
        raise bad_length("LegacyOffsetCommitValue.metadata", n, size - i)
    m.metadata = data[i:end].decode()
    i = end
    m.commit_timestamp = read_i64_be(data, i)
    i += 8
    return m, i


def _encode_0(m: LegacyOffsetCommitValue, w: BytesWriter, version: int) -> None:
    write_i64_be(w, m.offset)
    v1 = m.metadata
    write_string(w, v1)
    write_i64_be(w, m.commit_timestamp)
