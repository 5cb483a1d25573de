"""Record batches for the tests of the log, built here so that they do not trust our own builder."""

from __future__ import annotations

import struct
from dataclasses import dataclass

import crc32c

BASE_TIME = 1_700_000_000_000


def varint(value: int) -> bytes:
    """Zig-zag varint of a signed number."""
    number = (value << 1) ^ (value >> 63)
    out = bytearray()
    while number >= 0x80:
        out.append(number & 0x7F | 0x80)
        number >>= 7
    out.append(number)
    return bytes(out)


def record(delta: int, time_delta: int, key: bytes | None, value: bytes | None) -> bytes:
    """One record of a batch of magic 2, without headers."""
    body = b"\0" + varint(time_delta) + varint(delta)
    for part in (key, value):
        body += varint(-1) if part is None else varint(len(part)) + part
    body += varint(0)
    return varint(len(body)) + body


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
            record(number, number, self.key, value) for number, value in enumerate(self.values)
        )
        count = len(self.values)
        return self.around(records, count, self.timestamp + count - 1)

    def around(self, records: bytes, count: int, max_timestamp: int) -> bytearray:
        covered = struct.pack(
            ">hiqqqhii",
            self.attributes,
            count - 1,
            self.timestamp,
            max_timestamp,
            self.producer_id,
            self.epoch,
            self.sequence,
            count,
        )
        covered += records
        head = struct.pack(">qiib", self.base_offset, len(covered) + 9, self.leader_epoch, 2)
        return bytearray(head + struct.pack(">I", crc32c.crc32c(covered)) + covered)


def batch(*values: bytes, **fields: int) -> bytearray:
    """A batch with these values; fields as of `Batch`."""
    return Batch(values=values or (b"v",), **fields).encoded  # type: ignore[arg-type]


def marker(producer_id: int, epoch: int, *, commit: bool, coordinator_epoch: int = 0) -> bytearray:
    """The control batch that ends a transaction."""
    key = struct.pack(">hh", 0, 1 if commit else 0)
    value = struct.pack(">hi", 0, coordinator_epoch)
    control = Batch(producer_id=producer_id, epoch=epoch, attributes=0x30)
    return control.around(record(0, 0, key, value), 1, BASE_TIME)
