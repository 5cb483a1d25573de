"""AllocateProducerIdsResponse, generated from AllocateProducerIdsResponse.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (
    BytesWriter,
    read_i16_be,
    read_i32_be,
    read_i64_be,
    write_i16_be,
    write_i32_be,
    write_i64_be,
)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":67,"type":"response","name":"AllocateProducerIdsResponse","validVersions":"0","f'
    'lexibleVersions":"0+","fields":[{"name":"ThrottleTimeMs","type":"int32","versions":"0+"},{'
    '"name":"ErrorCode","type":"int16","versions":"0+"},{"name":"ProducerIdStart","type":"int64'
    '","versions":"0+","entityType":"producerId"},{"name":"ProducerIdLen","type":"int32","versi'
    'ons":"0+"}]}'
)


class AllocateProducerIdsResponse(Message):
    """A block of producer ids that nobody else has."""

    __slots__ = ("throttle_time_ms", "error_code", "producer_id_start", "producer_id_len")
    FIELDS: ClassVar[tuple[str, ...]] = (
        "throttle_time_ms",
        "error_code",
        "producer_id_start",
        "producer_id_len",
    )
    NAME: ClassVar[str] = "AllocateProducerIdsResponse"
    KIND: ClassVar[str] = "response"
    API_KEY: ClassVar[int | None] = 67
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    throttle_time_ms: int  # How long the broker should wait before it asks again, because of a quota; in ms.
    error_code: int  # Zero, or why there is no block.
    producer_id_start: int  # First id of the block.
    producer_id_len: int  # How many ids the block has.

    def __init__(
        self,
        *,
        throttle_time_ms: int = 0,
        error_code: int = 0,
        producer_id_start: int = 0,
        producer_id_len: int = 0,
    ) -> None:
        self.throttle_time_ms = throttle_time_ms
        self.error_code = error_code
        self.producer_id_start = producer_id_start
        self.producer_id_len = producer_id_len

    @staticmethod
    def decode(data: bytes, version: int) -> AllocateProducerIdsResponse:
        message, end = AllocateProducerIdsResponse.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("AllocateProducerIdsResponse", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[AllocateProducerIdsResponse, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("AllocateProducerIdsResponse", version, len(data), error) from None
        raise no_version("AllocateProducerIdsResponse", version)

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
            raise no_encoding("AllocateProducerIdsResponse", version, error) from error
        raise no_encoding("AllocateProducerIdsResponse", version)


def _decode_0(data: bytes, i: i64) -> tuple[AllocateProducerIdsResponse, i64]:
    m = AllocateProducerIdsResponse()
    m.throttle_time_ms = read_i32_be(data, i)
    m.error_code = read_i16_be(data, i + 4)
    m.producer_id_start = read_i64_be(data, i + 6)
    m.producer_id_len = read_i32_be(data, i + 14)
    if data[i + 18] == 0:
        i += 19
    else:
        i = skip_tagged_fields(data, i + 18)
    return m, i


def _encode_0(m: AllocateProducerIdsResponse, w: BytesWriter, version: int) -> None:
    write_i32_be(w, m.throttle_time_ms)
    write_i16_be(w, m.error_code)
    write_i64_be(w, m.producer_id_start)
    write_i32_be(w, m.producer_id_len)
    w.append(0)
