"""Record batches as a log holds them: keyed, records a millisecond apart, and mutable."""

from __future__ import annotations

import struct
from dataclasses import dataclass
from typing import TypedDict, Unpack

from .batches import around, record

BASE_TIME = 1_700_000_000_000


@dataclass(frozen=True, kw_only=True)
class Batch:
    """What a batch is to hold; `encoded` is its bytes."""

    values: tuple[bytes, ...] = (b"v",)
    key: bytes | None = b"k"
    timestamp: int = BASE_TIME
    producer_id: int = -1
    epoch: int = -1
    sequence: int = -1
    attributes: int = 0
    base_offset: int = 0
    leader_epoch: int = -1

    @property
    def encoded(self) -> bytearray:
        records = b"".join(
            record(number, value, self.key, number) for number, value in enumerate(self.values)
        )
        count = len(self.values)
        return self.around(records, count, self.timestamp + count - 1)

    def around(self, records: bytes, count: int, max_timestamp: int) -> bytearray:
        """The batch with these bytes for records."""
        return bytearray(
            around(
                records,
                count=count,
                timestamp=self.timestamp,
                max_timestamp=max_timestamp,
                attributes=self.attributes,
                producer_id=self.producer_id,
                producer_epoch=self.epoch,
                base_sequence=self.sequence,
                base_offset=self.base_offset,
                leader_epoch=self.leader_epoch,
            )
        )


class BatchFields(TypedDict, total=False):
    """The numbers of a `Batch`."""

    timestamp: int
    producer_id: int
    epoch: int
    sequence: int
    attributes: int
    base_offset: int
    leader_epoch: int


def batch(*values: bytes, **fields: Unpack[BatchFields]) -> bytearray:
    """A batch with these values; fields as of `Batch`."""
    return Batch(values=values or (b"v",), **fields).encoded


def marker(producer_id: int, epoch: int, *, commit: bool, coordinator_epoch: int = 0) -> bytearray:
    """The control batch that ends a transaction."""
    key = struct.pack(">hh", 0, 1 if commit else 0)
    value = struct.pack(">hi", 0, coordinator_epoch)
    control = Batch(producer_id=producer_id, epoch=epoch, attributes=0x30)
    return control.around(record(0, value, key), 1, BASE_TIME)
