"""UnregisterBrokerRequest, generated from UnregisterBrokerRequest.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i32_be, write_i32_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":64,"type":"request","listeners":["broker","controller"],"name":"UnregisterBroker'
    'Request","validVersions":"0","flexibleVersions":"0+","fields":[{"name":"BrokerId","type":"'
    'int32","versions":"0+","entityType":"brokerId"}]}'
)


class UnregisterBrokerRequest(Message):
    """Takes a broker out of the cluster's metadata."""

    __slots__ = ("broker_id",)
    FIELDS: ClassVar[tuple[str, ...]] = ("broker_id",)
    NAME: ClassVar[str] = "UnregisterBrokerRequest"
    KIND: ClassVar[str] = "request"
    API_KEY: ClassVar[int | None] = 64
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    broker_id: int  # Id of the broker.

    def __init__(
        self,
        *,
        broker_id: int = 0,
    ) -> None:
        self.broker_id = broker_id

    @staticmethod
    def decode(data: bytes, version: int) -> UnregisterBrokerRequest:
        message, end = UnregisterBrokerRequest.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("UnregisterBrokerRequest", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[UnregisterBrokerRequest, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("UnregisterBrokerRequest", version, len(data), error) from None
        raise no_version("UnregisterBrokerRequest", version)

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
            raise no_encoding("UnregisterBrokerRequest", version, error) from error
        raise no_encoding("UnregisterBrokerRequest", version)


def _decode_0(data: bytes, i: i64) -> tuple[UnregisterBrokerRequest, i64]:
    m = UnregisterBrokerRequest()
    m.broker_id = read_i32_be(data, i)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_0(m: UnregisterBrokerRequest, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.broker_id)
    w.append(0)
