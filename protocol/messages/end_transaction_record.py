"""EndTransactionRecord, generated from EndTransactionRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":24,"type":"metadata","name":"EndTransactionRecord","validVersions":"0","flexible'
    'Versions":"0+","fields":[]}'
)


class EndTransactionRecord(Message):
    """Metadata: the records since the transaction began count from now on."""

    __slots__ = ()
    FIELDS: ClassVar[tuple[str, ...]] = ()
    NAME: ClassVar[str] = "EndTransactionRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 24
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA


    @staticmethod
    def decode(data: bytes, version: int) -> EndTransactionRecord:
        message, end = EndTransactionRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("EndTransactionRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[EndTransactionRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("EndTransactionRecord", version, len(data), error) from None
        raise no_version("EndTransactionRecord", version)

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
            raise no_encoding("EndTransactionRecord", version, error) from error
        raise no_encoding("EndTransactionRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[EndTransactionRecord, i64]:
    m = EndTransactionRecord()
    if data[i] == 0:
        i += 1
    else:
        i = skip_tagged_fields(data, i)
    return m, i


def _encode_0(m: EndTransactionRecord, w: BytesWriter, version: int) -> None:
    w.append(0)
