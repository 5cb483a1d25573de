"""RemoveAccessControlEntryRecord, generated from RemoveAccessControlEntryRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    ZERO_UUID,
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_uuid,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":19,"type":"metadata","name":"RemoveAccessControlEntryRecord","validVersions":"0"'
    ',"flexibleVersions":"0+","fields":[{"name":"Id","type":"uuid","versions":"0+"}]}'
)


class RemoveAccessControlEntryRecord(Message):
    """Metadata: an access control entry is gone."""

    __slots__ = ("id",)
    FIELDS: ClassVar[tuple[str, ...]] = ("id",)
    NAME: ClassVar[str] = "RemoveAccessControlEntryRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 19
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    id: bytes  # Id of the entry.

    def __init__(
        self,
        *,
        id: bytes = ZERO_UUID,
    ) -> None:
        self.id = id

    @staticmethod
    def decode(data: bytes, version: int) -> RemoveAccessControlEntryRecord:
        message, end = RemoveAccessControlEntryRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("RemoveAccessControlEntryRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[RemoveAccessControlEntryRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("RemoveAccessControlEntryRecord", version, len(data), error) from None
        raise no_version("RemoveAccessControlEntryRecord", version)

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
            raise no_encoding("RemoveAccessControlEntryRecord", version, error) from error
        raise no_encoding("RemoveAccessControlEntryRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[RemoveAccessControlEntryRecord, i64]:
    size: i64 = len(data)
    end: i64
    m = RemoveAccessControlEntryRecord()
    end = i + 16
    if end > size:
        raise bad_length("RemoveAccessControlEntryRecord.Id", 16, size - i)
    m.id = data[i:end]
    i = end
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: RemoveAccessControlEntryRecord, w: BytesWriter, version: int) -> None:
    write_uuid(w, m.id)
    w.append(0)
