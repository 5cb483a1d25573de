"""ZkMigrationStateRecord, generated from ZkMigrationRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (
    decode_failure,
    no_encoding,
    no_version,
    skip_tagged_fields,
    trailing,
    write_i8,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"apiKey":21,"type":"metadata","name":"ZkMigrationStateRecord","validVersions":"0","flexib'
    'leVersions":"0+","fields":[{"name":"ZkMigrationState","type":"int8","versions":"0+"}]}'
)


class ZkMigrationStateRecord(Message):
    """Metadata: how far the way from ZooKeeper has come."""

    __slots__ = ("zk_migration_state",)
    FIELDS: ClassVar[tuple[str, ...]] = ("zk_migration_state",)
    NAME: ClassVar[str] = "ZkMigrationStateRecord"
    KIND: ClassVar[str] = "metadata"
    API_KEY: ClassVar[int | None] = 21
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    zk_migration_state: int  # Number of the state.

    def __init__(
        self,
        *,
        zk_migration_state: int = 0,
    ) -> None:
        self.zk_migration_state = zk_migration_state

    @staticmethod
    def decode(data: bytes, version: int) -> ZkMigrationStateRecord:
        message, end = ZkMigrationStateRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ZkMigrationStateRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ZkMigrationStateRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ZkMigrationStateRecord", version, len(data), error) from None
        raise no_version("ZkMigrationStateRecord", version)

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
            raise no_encoding("ZkMigrationStateRecord", version, error) from error
        raise no_encoding("ZkMigrationStateRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[ZkMigrationStateRecord, i64]:
    m = ZkMigrationStateRecord()
    m.zk_migration_state = (data[i] ^ 0x80) - 0x80
    if data[i + 1] == 0:
        i += 2
    else:
        i = skip_tagged_fields(data, i + 1)
    return m, i


def _encode_0(m: ZkMigrationStateRecord, w: BytesWriter, version: int) -> None:
    write_i8(w, m.zk_migration_state)
    w.append(0)
