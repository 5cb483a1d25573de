"""TransactionLogKey, generated from TransactionLogKey.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    bad_length,
    decode_failure,
    no_encoding,
    no_version,
    trailing,
    write_string,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":0,"type":"coordinator-key","name":"TransactionLogKey","validVersions":"0","flexi'
    'bleVersions":"none","fields":[{"name":"TransactionalId","type":"string","versions":"0"}]}'
)


class TransactionLogKey(Message):
    """Names a transactional id in the transaction coordinator's log."""

    __slots__ = ("transactional_id",)
    FIELDS: ClassVar[tuple[str, ...]] = ("transactional_id",)
    NAME: ClassVar[str] = "TransactionLogKey"
    KIND: ClassVar[str] = "coordinator-key"
    API_KEY: ClassVar[int | None] = 0
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    transactional_id: str  # The transactional id.

    def __init__(
        self,
        *,
        transactional_id: str = "",
    ) -> None:
        self.transactional_id = transactional_id

    @staticmethod
    def decode(data: bytes, version: int) -> TransactionLogKey:
        message, end = TransactionLogKey.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("TransactionLogKey", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[TransactionLogKey, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("TransactionLogKey", version, len(data), error) from None
        raise no_version("TransactionLogKey", version)

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
            raise no_encoding("TransactionLogKey", version, error) from error
        raise no_encoding("TransactionLogKey", version)


def _decode_0(data: bytes, i: i64) -> tuple[TransactionLogKey, i64]:
    size: i64 = len(data)
    n: int
    end: i64
    m = TransactionLogKey()
    n = read_i16_be(data, i)
    i += 2
    end = i + n
    if n < 0 or end > size:
        raise bad_length("TransactionLogKey.TransactionalId", n, size - i)
    m.transactional_id = data[i:end].decode()
    i = end
    return m, i


def _encode_0(m: TransactionLogKey, w: BytesWriter, version: int) -> None:
    v1 = m.transactional_id
    write_string(w, v1)
