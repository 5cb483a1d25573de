"""SnapshotFooterRecord, generated from SnapshotFooterRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, write_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"SnapshotFooterRecord","validVersions":"0","flexibleVersions":"0+","'
    'fields":[{"name":"Version","type":"int16","versions":"0+"}]}'
)


class SnapshotFooterRecord(Message):
    """Last control record of a snapshot: without it, the file is not whole."""

    __slots__ = ("version",)
    FIELDS: ClassVar[tuple[str, ...]] = ("version",)
    NAME: ClassVar[str] = "SnapshotFooterRecord"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    version: int  # Version of this record.

    def __init__(
        self,
        *,
        version: int = 0,
    ) -> None:
        self.version = version

    @staticmethod
    def decode(data: bytes, version: int) -> SnapshotFooterRecord:
        message, end = SnapshotFooterRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("SnapshotFooterRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[SnapshotFooterRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("SnapshotFooterRecord", version, len(data), error) from None
        raise no_version("SnapshotFooterRecord", version)

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
            raise no_encoding("SnapshotFooterRecord", version, error) from error
        raise no_encoding("SnapshotFooterRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[SnapshotFooterRecord, i64]:
    m = SnapshotFooterRecord()
    m.version = read_i16_be(data, i)
    if data[i + 2] == 0:
        i += 3
    else:
        i = skip_tagged_fields(data, i + 2)
    return m, i


def _encode_0(m: SnapshotFooterRecord, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.version)
    w.append(0)
