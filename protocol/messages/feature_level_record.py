"""FeatureLevelRecord, generated from FeatureLevelRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, write_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    STRING_BYTES_MAX,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_compact_string,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":12,"type":"metadata","name":"FeatureLevelRecord","validVersions":"0","flexibleVe'
    'rsions":"0+","fields":[{"name":"Name","type":"string","versions":"0+"},{"name":"FeatureLev'
    'el","type":"int16","versions":"0+"}]}'
)


class FeatureLevelRecord(Message):
    """Metadata: the cluster agrees on a level of a feature."""

    __slots__ = ("name", "feature_level")
    FIELDS: ClassVar[tuple[str, ...]] = ("name", "feature_level")
    NAME: ClassVar[str] = "FeatureLevelRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 12
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    name: str  # Name of the feature.
    feature_level: int  # The level; 0 switches it off.

    def __init__(
        self,
        *,
        name: str = "",
        feature_level: int = 0,
    ) -> None:
        self.name = name
        self.feature_level = feature_level

    @staticmethod
    def decode(data: bytes, version: int) -> FeatureLevelRecord:
        message, end = FeatureLevelRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("FeatureLevelRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[FeatureLevelRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("FeatureLevelRecord", version, len(data), error) from None
        raise no_version("FeatureLevelRecord", version)

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
            raise no_encoding("FeatureLevelRecord", version, error) from error
        raise no_encoding("FeatureLevelRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[FeatureLevelRecord, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = FeatureLevelRecord()
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("FeatureLevelRecord.Name", n, size - i)
    m.name = data[i:end].decode()
    i = end
    m.feature_level = read_i16_be(data, i)
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_0(m: FeatureLevelRecord, w: BytesWriter, version: int) -> None:
    v1 = m.name
    write_compact_string(w, v1)
    write_i16_be(w, m.feature_level)
    w.append(0)
