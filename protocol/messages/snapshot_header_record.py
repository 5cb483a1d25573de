"""SnapshotHeaderRecord, generated from SnapshotHeaderRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, read_i64_be, write_i16_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"SnapshotHeaderRecord","validVersions":"0","flexibleVersions":"0+","'
    'fields":[{"name":"Version","type":"int16","versions":"0+"},{"name":"LastContainedLogTimest'
    'amp","type":"int64","versions":"0+"}]}'
)


class SnapshotHeaderRecord(Message):
    """First control record of a snapshot."""

    __slots__ = ("version", "last_contained_log_timestamp")
    FIELDS: ClassVar[tuple[str, ...]] = ("version", "last_contained_log_timestamp")
    NAME: ClassVar[str] = "SnapshotHeaderRecord"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    version: int  # Version of this record.
    last_contained_log_timestamp: int  # Timestamp of the last record that the snapshot covers, in ms since 1970.

    def __init__(
        self,
        *,
        version: int = 0,
        last_contained_log_timestamp: int = 0,
    ) -> None:
        self.version = version
        self.last_contained_log_timestamp = last_contained_log_timestamp

    @staticmethod
    def decode(data: bytes, version: int) -> SnapshotHeaderRecord:
        message, end = SnapshotHeaderRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("SnapshotHeaderRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[SnapshotHeaderRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("SnapshotHeaderRecord", version, len(data), error) from None
        raise no_version("SnapshotHeaderRecord", version)

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
            raise no_encoding("SnapshotHeaderRecord", version, error) from error
        raise no_encoding("SnapshotHeaderRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[SnapshotHeaderRecord, i64]:
    m = SnapshotHeaderRecord()
    m.version = read_i16_be(data, i)
    m.last_contained_log_timestamp = read_i64_be(data, i + 2)
    if data[i + 10] == 0:
        i += 11
    else:
        i = skip_tagged_fields(data, i + 10)
    return m, i


def _encode_0(m: SnapshotHeaderRecord, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.version)
    write_i64_be(w, m.last_contained_log_timestamp)
    w.append(0)
