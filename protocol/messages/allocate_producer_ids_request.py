"""AllocateProducerIdsRequest, generated from AllocateProducerIdsRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":67,"type":"request","listeners":["controller"],"name":"AllocateProducerIdsReques'
    't","validVersions":"0","flexibleVersions":"0+","fields":[{"name":"BrokerId","type":"int32"'
    ',"versions":"0+","entityType":"brokerId"},{"name":"BrokerEpoch","type":"int64","versions":'
    '"0+","default":"-1"}]}'
)


class AllocateProducerIdsRequest(Message):
    """A broker asks for a block of producer ids to hand out."""

    __slots__ = ("broker_id", "broker_epoch")
    FIELDS: ClassVar[tuple[str, ...]] = ("broker_id", "broker_epoch")
    NAME: ClassVar[str] = "AllocateProducerIdsRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 67
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    broker_id: int  # Id of the broker.
    broker_epoch: int  # Epoch of its registration.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch

    @staticmethod
    def decode(data: bytes, version: int) -> AllocateProducerIdsRequest:
        message, end = AllocateProducerIdsRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AllocateProducerIdsRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AllocateProducerIdsRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AllocateProducerIdsRequest", version, len(data), error) from None
        raise no_version("AllocateProducerIdsRequest", version)

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
            raise no_encoding("AllocateProducerIdsRequest", version, error) from error
        raise no_encoding("AllocateProducerIdsRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[AllocateProducerIdsRequest, i64]:
    m = AllocateProducerIdsRequest()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    if data[i + 12] == 0:
        i += 13
    else:
        i = skip_tagged_fields(data, i + 12)
    return m, i


def _encode_0(m: AllocateProducerIdsRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    w.append(0)
