"""UnfenceBrokerRecord, generated from UnfenceBrokerRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":8,"type":"metadata","name":"UnfenceBrokerRecord","validVersions":"0","flexibleVe'
    'rsions":"0+","fields":[{"name":"Id","type":"int32","versions":"0+","entityType":"brokerId"'
    '},{"name":"Epoch","type":"int64","versions":"0+"}]}'
)


class UnfenceBrokerRecord(Message):
    """Metadata of old: a broker is live."""

    __slots__ = ("id", "epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("id", "epoch")
    NAME: ClassVar[str] = "UnfenceBrokerRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 8
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    id: int  # Id of the broker.
    epoch: int  # Epoch of its registration.

    def __init__(
        self,
        *,
        id: int = 0,
        epoch: int = 0,
    ) -> None:
        self.id = id
        self.epoch = epoch

    @staticmethod
    def decode(data: bytes, version: int) -> UnfenceBrokerRecord:
        message, end = UnfenceBrokerRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("UnfenceBrokerRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[UnfenceBrokerRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("UnfenceBrokerRecord", version, len(data), error) from None
        raise no_version("UnfenceBrokerRecord", version)

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
            raise no_encoding("UnfenceBrokerRecord", version, error) from error
        raise no_encoding("UnfenceBrokerRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[UnfenceBrokerRecord, i64]:
    m = UnfenceBrokerRecord()
    m.id = read_i32_be(data, i)
    m.epoch = read_i64_be(data, i + 4)
    if data[i + 12] == 0:
        i += 13
    else:
        i = skip_tagged_fields(data, i + 12)
    return m, i


def _encode_0(m: UnfenceBrokerRecord, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.id)
    write_i64_be(w, m.epoch)
    w.append(0)
