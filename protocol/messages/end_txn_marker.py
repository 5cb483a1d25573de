"""EndTxnMarker, generated from EndTxnMarker.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"EndTxnMarker","validVersions":"0","flexibleVersions":"none","fields'
    '":[{"name":"CoordinatorEpoch","type":"int32","versions":"0+"}]}'
)


class EndTxnMarker(Message):
    """Value of the control record that ends a transaction in one partition."""

    __slots__ = ("coordinator_epoch",)
    FIELDS: ClassVar[tuple[str, ...]] = ("coordinator_epoch",)
    NAME: ClassVar[str] = "EndTxnMarker"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    coordinator_epoch: int  # Epoch of the transaction coordinator that wrote it, so that a late one is refused.

    def __init__(
        self,
        *,
        coordinator_epoch: int = 0,
    ) -> None:
        self.coordinator_epoch = coordinator_epoch

    @staticmethod
    def decode(data: bytes, version: int) -> EndTxnMarker:
        message, end = EndTxnMarker.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("EndTxnMarker", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[EndTxnMarker, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("EndTxnMarker", version, len(data), error) from None
        raise no_version("EndTxnMarker", version)

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
            raise no_encoding("EndTxnMarker", version, error) from error
        raise no_encoding("EndTxnMarker", version)


def _decode_0(data: bytes, i: i64) -> tuple[EndTxnMarker, i64]:
    m = EndTxnMarker()
    m.coordinator_epoch = read_i32_be(data, i)
    i += 4
    return m, i


def _encode_0(m: EndTxnMarker, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.coordinator_epoch)
