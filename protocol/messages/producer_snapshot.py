"""ProducerSnapshot, generated from ProducerSnapshot.json: do not edit, run `make generate`."""

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
from ..message import (Message, Struct, UNSET_LIST)
from ..primitives import (
    bad_count,
    decode_failure,
    no_encoding,
    no_version,
    over_budget,
    trailing,
    write_u32,
)

if TYPE_CHECKING:
    from mypy_extensions import i64

_SCHEMA: Final = (
    '{"type":"data","name":"ProducerSnapshot","validVersions":"1","flexibleVersions":"none","fi'
    'elds":[{"name":"Crc","type":"uint32","versions":"1"},{"name":"ProducerEntries","type":"[]P'
    'roducerEntry","versions":"1","fields":[{"name":"ProducerId","type":"int64","versions":"1"}'
    ',{"name":"Epoch","type":"int16","versions":"1"},{"name":"LastSequence","type":"int32","ver'
    'sions":"1"},{"name":"LastOffset","type":"int64","versions":"1"},{"name":"OffsetDelta","typ'
    'e":"int32","versions":"1"},{"name":"Timestamp","type":"int64","versions":"1"},{"name":"Coo'
    'rdinatorEpoch","type":"int32","versions":"1"},{"name":"CurrentTxnFirstOffset","type":"int6'
    '4","versions":"1"}]}]}'
)


class ProducerEntry(Struct):
    """One entry for each producer."""

    __slots__ = (
        "producer_id",
        "epoch",
        "last_sequence",
        "last_offset",
        "offset_delta",
        "timestamp",
        "coordinator_epoch",
        "current_txn_first_offset",
    )
    FIELDS: ClassVar[tuple[str, ...]] = (
        "producer_id",
        "epoch",
        "last_sequence",
        "last_offset",
        "offset_delta",
        "timestamp",
        "coordinator_epoch",
        "current_txn_first_offset",
    )
    producer_id: int  # Id of the producer.
    epoch: int  # The epoch that it last wrote with.
    last_sequence: int  # Sequence number of its last record.
    last_offset: int  # Offset of its last record.
    offset_delta: int  # How many offsets its last batch spans, less one.
    timestamp: int  # When it last wrote, in ms since 1970.
    coordinator_epoch: int  # Epoch of the coordinator that last ended a transaction of it.
    current_txn_first_offset: int  # First offset of its open transaction, or -1.

    def __init__(
        self,
        *,
        producer_id: int = 0,
        epoch: int = 0,
        last_sequence: int = 0,
        last_offset: int = 0,
        offset_delta: int = 0,
        timestamp: int = 0,
        coordinator_epoch: int = 0,
        current_txn_first_offset: int = 0,
    ) -> None:
        self.producer_id = producer_id
        self.epoch = epoch
        self.last_sequence = last_sequence
        self.last_offset = last_offset
        self.offset_delta = offset_delta
        self.timestamp = timestamp
        self.coordinator_epoch = coordinator_epoch
        self.current_txn_first_offset = current_txn_first_offset


class ProducerSnapshot(Message):
    """What a log remembers of its producers, saved beside a segment."""

    __slots__ = ("crc", "producer_entries")
    FIELDS: ClassVar[tuple[str, ...]] = ("crc", "producer_entries")
    NAME: ClassVar[str] = "ProducerSnapshot"
    KIND: ClassVar[str] = "data"
    API_KEY: ClassVar[int | None] = None
    MIN_VERSION: ClassVar[int] = 1
    MAX_VERSION: ClassVar[int] = 1
    FLEXIBLE_SINCE: ClassVar[int | None] = None
    SCHEMA: ClassVar[str] = _SCHEMA

    crc: int  # CRC-32C of all that follows.
    producer_entries: list[ProducerEntry]  # One entry for each producer.

    def __init__(
        self,
        *,
        crc: int = 0,
        producer_entries: list[ProducerEntry] = UNSET_LIST,
    ) -> None:
        self.crc = crc
        self.producer_entries = [] if producer_entries is UNSET_LIST else producer_entries

    @staticmethod
    def decode(data: bytes, version: int) -> ProducerSnapshot:
        message, end = ProducerSnapshot.decode_at(data, 0, version)
        if end != len(data):
            raise trailing("ProducerSnapshot", version, len(data) - end)
        return message

    @staticmethod
    def decode_at(data: bytes, offset: int, version: int) -> tuple[ProducerSnapshot, int]:
        try:
            if version == 1:
                return _decode_1(data, offset)
        except (IndexError, ValueError, DecodeError) as error:
            raise decode_failure("ProducerSnapshot", version, len(data), error) from None
        raise no_version("ProducerSnapshot", version)

    def encode(self, version: int) -> bytes:
        writer = BytesWriter()
        self.encode_into(writer, version)
        return writer.getvalue()

    def encode_into(self, writer: BytesWriter, version: int) -> None:
        try:
            if version == 1:
                return _encode_1(self, writer, version)
        except EncodeError:
            raise
        except (ValueError, OverflowError, TypeError, AttributeError) as error:
            raise no_encoding("ProducerSnapshot", version, error) from error
        raise no_encoding("ProducerSnapshot", version)


def _decode_1(data: bytes, i: i64) -> tuple[ProducerSnapshot, i64]:
    size: i64 = len(data)
    budget: int = 10000000
    n: int
    m = ProducerSnapshot()
    m.crc = read_i32_be(data, i) & 0xFFFFFFFF
    n = read_i32_be(data, i + 4)
    i += 8
    if n < 0 or n * 46 > size - i:
        raise bad_count("ProducerSnapshot.ProducerEntries", n, size - i)
    budget -= n
    if budget < 0:
        raise over_budget("ProducerSnapshot.ProducerEntries", 10000000)
    count1 = n
    found1: list[ProducerEntry] = []
    m.producer_entries = found1
    for _ in range(count1):
        s1 = ProducerEntry()
        s1.producer_id = read_i64_be(data, i)
        s1.epoch = read_i16_be(data, i + 8)
        s1.last_sequence = read_i32_be(data, i + 10)
        s1.last_offset = read_i64_be(data, i + 14)
        s1.offset_delta = read_i32_be(data, i + 22)
        s1.timestamp = read_i64_be(data, i + 26)
        s1.coordinator_epoch = read_i32_be(data, i + 34)
        s1.current_txn_first_offset = read_i64_be(data, i + 38)
        found1.append(s1)
        i += 46
    return m, i


def _encode_1(m: ProducerSnapshot, w: BytesWriter, version: int) -> None:
    write_u32(w, m.crc)
    v1 = m.producer_entries
    write_i32_be(w, len(v1))
    for s1 in v1:
        write_i64_be(w, s1.producer_id)
        write_i16_be(w, s1.epoch)
        write_i32_be(w, s1.last_sequence)
        write_i64_be(w, s1.last_offset)
        write_i32_be(w, s1.offset_delta)
        write_i64_be(w, s1.timestamp)
        write_i32_be(w, s1.coordinator_epoch)
        write_i64_be(w, s1.current_txn_first_offset)
