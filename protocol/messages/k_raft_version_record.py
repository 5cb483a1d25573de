"""KRaftVersionRecord, generated from KRaftVersionRecord.json: do not edit, run `make generate`."""

from __future__ import annotations

from typing import TYPE_CHECKING, ClassVar, Final

from librt.strings import (BytesWriter, read_i16_be, write_i16_be)

from ..errors import (DecodeError, EncodeError)
from ..message import (Message)
from ..primitives import (decode_failure, no_encoding, no_version, skip_tagged_fields, trailing)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"KRaftVersionRecord","validVersions":"0","flexibleVersions":"0+","fi'
    'elds":[{"name":"Version","type":"int16","versions":"0+"},{"name":"KRaftVersion","type":"in'
    't16","versions":"0+"}]}'
)


class KRaftVersionRecord(Message):
    """Control record: which version of the quorum's own rules holds from here on."""

    __slots__ = ("version", "k_raft_version")
    FIELDS: ClassVar[tuple[str, ...]] = ("version", "k_raft_version")
    NAME: ClassVar[str] = "KRaftVersionRecord"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 0
    MAX_VERSION: ClassVar[int] = 0
    FLEXIBLE_SINCE: ClassVar[int | None] = 0
    SCHEMA: ClassVar[str] = _SCHEMA

    version: int  # Version of this record.
    k_raft_version: int  # The version of the rules.

    def __init__(
        self,
        *,
        version: int = 0,
        k_raft_version: int = 0,
    ) -> None:
        self.version = version
        self.k_raft_version = k_raft_version

    @staticmethod
    def decode(data: bytes, version: int) -> KRaftVersionRecord:
        message, end = KRaftVersionRecord.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("KRaftVersionRecord", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[KRaftVersionRecord, int]:
        try:
            if version == 0:
                return _decode_0(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("KRaftVersionRecord", version, len(data), error) from None
        raise no_version("KRaftVersionRecord", version)

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
            raise no_encoding("KRaftVersionRecord", version, error) from error
        raise no_encoding("KRaftVersionRecord", version)


def _decode_0(data: bytes, i: i64) -> tuple[KRaftVersionRecord, i64]:
    m = KRaftVersionRecord()
    m.version = read_i16_be(data, i)
    m.k_raft_version = read_i16_be(data, i + 2)
    if data[i + 4] == 0:
        i += 5
    else:
        i = skip_tagged_fields(data, i + 4)
    return m, i


def _encode_0(m: KRaftVersionRecord, w: BytesWriter, version: int) -> None:
    write_i16_be(w, m.version)
    write_i16_be(w, m.k_raft_version)
    w.append(0)
