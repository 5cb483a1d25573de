"""ConfigRecord, generated from ConfigRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

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
    write_compact_nullable_string,
    write_compact_string,
    write_i8,
)
from ..varints import (read_uvarint_rest)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":4,"type":"metadata","name":"ConfigRecord","validVersions":"0","flexibleVersions"'
    ':"0+","fields":[{"name":"ResourceType","type":"int8","versions":"0+"},{"name":"ResourceNam'
    'e","type":"string","versions":"0+"},{"name":"Name","type":"string","versions":"0+"},{"name'
    '":"Value","type":"string","versions":"0+","nullableVersions":"0+"}]}'
)


class ConfigRecord(Message):
    """Metadata: a setting of a topic, a broker or another thing has changed."""

    __slots__ = ("resource_type", "resource_name", "name", "value")
    FIELDS: ClassVar[tuple[str, ...]] = ("resource_type", "resource_name", "name", "value")
    NAME: ClassVar[str] = "ConfigRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 4
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    resource_type: int  # What kind of thing it is, as in DescribeConfigs.
    resource_name: str  # Its name; empty for the default of all brokers.
    name: str  # Name of the setting.
    value: str | None  # The new value, or null for the default.

    def __init__(
        self,
        *,
        resource_type: int = 0,
        resource_name: str = "",
        name: str = "",
        value: str | None = "",
    ) -> None:
        self.resource_type = resource_type
        self.resource_name = resource_name
        self.name = name
        self.value = value

    @staticmethod
    def decode(data: bytes, version: int) -> ConfigRecord:
        message, end = ConfigRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ConfigRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ConfigRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ConfigRecord", version, len(data), error) from None
        raise no_version("ConfigRecord", version)

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
            raise no_encoding("ConfigRecord", version, error) from error
        raise no_encoding("ConfigRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[ConfigRecord, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = ConfigRecord()
    m.resource_type = (data[i] ^ 0x80) - 0x80
    n = data[i + 1]
    i += 2
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ConfigRecord.ResourceName", n, size - i)
    m.resource_name = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    end = i + n
    if n < 0 or end > size or n > STRING_BYTES_MAX:
        raise bad_length("ConfigRecord.Name", n, size - i)
    m.name = data[i:end].decode()
    i = end
    n = data[i]
    i += 1
    if n > 127:
        n, i = read_uvarint_rest(data, i, n)
    n -= 1
    if n == -1:
        m.value = None
    else:
        end = i + n
        if n < 0 or end > size or n > STRING_BYTES_MAX:
            raise bad_length("ConfigRecord.Value", n, size - i)
        m.value = data[i:end].decode()
        i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: ConfigRecord, w: BytesWriter, version: int) -> None:
    write_i8(w, m.resource_type)
    v1 = m.resource_name
    write_compact_string(w, v1)
    v2 = m.name
    write_compact_string(w, v2)
    v3 = m.value
    write_compact_nullable_string(w, v3)
    w.append(0)
