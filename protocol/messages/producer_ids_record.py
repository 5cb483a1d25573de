"""ProducerIdsRecord, generated from ProducerIdsRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, read_i64_be, write_i32_be, write_i64_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":15,"type":"metadata","name":"ProducerIdsRecord","validVersions":"0","flexibleVer'
    'sions":"0+","fields":[{"name":"BrokerId","type":"int32","versions":"0+","entityType":"brok'
    'erId"},{"name":"BrokerEpoch","type":"int64","versions":"0+","default":"-1"},{"name":"NextP'
    'roducerId","type":"int64","versions":"0+"}]}'
)


class ProducerIdsRecord(Message):
    """Metadata: a broker has taken a block of producer ids."""

    __slots__ = ("broker_id", "broker_epoch", "next_producer_id")
    FIELDS: ClassVar[tuple[str, ...]] = ("broker_id", "broker_epoch", "next_producer_id")
    NAME: ClassVar[str] = "ProducerIdsRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 15
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    broker_id: int  # Id of the broker.
    broker_epoch: int  # Epoch of its registration.
    next_producer_id: int  # The first producer id that is still free.

    def __init__(
        self,
        *,
        broker_id: int = 0,
        broker_epoch: int = -1,
        next_producer_id: int = 0,
    ) -> None:
        self.broker_id = broker_id
        self.broker_epoch = broker_epoch
        self.next_producer_id = next_producer_id

    @staticmethod
    def decode(data: bytes, version: int) -> ProducerIdsRecord:
        message, end = ProducerIdsRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ProducerIdsRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ProducerIdsRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ProducerIdsRecord", version, len(data), error) from None
        raise no_version("ProducerIdsRecord", version)

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
            raise no_encoding("ProducerIdsRecord", version, error) from error
        raise no_encoding("ProducerIdsRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[ProducerIdsRecord, i64]:
    m = ProducerIdsRecord()
    m.broker_id = read_i32_be(data, i)
    m.broker_epoch = read_i64_be(data, i + 4)
    m.next_producer_id = read_i64_be(data, i + 12)
    if data[i + 20] == 0:
        i += 21
    else:
        i = skip_tagged_fields(data, i + 20)
    return m, i


def _encode_0(m: ProducerIdsRecord, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    write_i64_be(w, m.broker_epoch)
    write_i64_be(w, m.next_producer_id)
    w.append(0)
