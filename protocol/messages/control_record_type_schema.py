"""ControlRecordTypeSchema, generated from ControlRecordTypeSchema.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, write_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"ControlRecordTypeSchema","validVersions":"0","flexibleVersions":"no'
    'ne","fields":[{"name":"Type","type":"int16","versions":"0+"}]}'
)


class ControlRecordTypeSchema(Message):
    """Key of a control record, behind its version."""

    __slots__ = ("type",)
    FIELDS: ClassVar[tuple[str, ...]] = ("type",)
    NAME: ClassVar[str] = "ControlRecordTypeSchema"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    type: int  # What the record is: 0 abort, 1 commit, 2 leader change, 3 and 4 ends of a snapshot, 5 quorum version, 6 voters.

    def __init__(
        self,
        *,
        type: int = 0,
    ) -> None:
        self.type = type

    @staticmethod
    def decode(data: bytes, version: int) -> ControlRecordTypeSchema:
        message, end = ControlRecordTypeSchema.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ControlRecordTypeSchema", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ControlRecordTypeSchema, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ControlRecordTypeSchema", version, len(data), error) from None
        raise no_version("ControlRecordTypeSchema", version)

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
            raise no_encoding("ControlRecordTypeSchema", version, error) from error
        raise no_encoding("ControlRecordTypeSchema", version)


def _decode_0(data: bytes, i: i64) -> tuple[ControlRecordTypeSchema, i64]:
    m = ControlRecordTypeSchema()
    m.type = read_i16_be(data, i)
    i += 2
    return m, i


def _encode_0(m: ControlRecordTypeSchema, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.type)
