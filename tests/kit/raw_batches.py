"""Record batches around any bytes, for the tests of those who read them."""

from __future__ import annotations

from barnabas.protocol.compression import Codec
from barnabas.protocol.record_builder import RecordBatchBuilder

from .batches import around
from .varints import varint

NOW = 1_700_000_000_000
COMPRESSED = [codec for codec in Codec if codec != Codec.NONE]


def record(
    *,
    timestamp_delta: bytes = b"\0",
    offset_delta: bytes = b"\0",
    key: bytes = b"\x02k",
    value: bytes = b"\x02v",
    headers: bytes = b"\0",
    size: bytes | None = None,
) -> bytes:
    """One record of magic 2; every part can be given as bytes, right or wrong."""
    body = b"\0" + timestamp_delta + offset_delta + key + value + headers
    return (varint(len(body)) if size is None else size) + body


def batch(
    body: bytes,
    *,
    count: int = 1,
    last_delta: int | None = None,
    codec: int = 0,
    attributes: int = 0,
    base_offset: int = 0,
    base_timestamp: int = NOW,
    producer_id: int = -1,
    base_sequence: int = -1,
) -> bytes:
    """A batch around any bytes, with a right length and a right checksum.

    `body` is what stands there, so it is compressed already if `codec` says so.
    """
    return around(
        body,
        count=count,
        timestamp=base_timestamp,
        last_offset_delta=last_delta,
        attributes=attributes | codec,
        producer_id=producer_id,
        producer_epoch=0 if producer_id >= 0 else -1,
        base_sequence=base_sequence,
        base_offset=base_offset,
        leader_epoch=7,
    )


def small_batch(codec: Codec = Codec.NONE, records: int = 3, base_offset: int = 0) -> bytes:
    """An honest batch of a few records."""
    builder = RecordBatchBuilder(codec=codec, base_offset=base_offset, leader_epoch=2)
    for number in range(records):
        builder.append(NOW + number, b"key-%d" % number, b"value " * 5, (("h", b"1"), ("n", None)))
    return builder.build()
