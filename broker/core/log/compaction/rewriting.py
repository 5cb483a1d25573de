"""Batches from which compaction took records, or which got a delete horizon, as new bytes.

CMP-11: base and last offset, leader epoch, producer, sequences and codec stay. Kept records are
copied as they are; only with a new horizon, which stands where the base timestamp was, their
timestamp deltas are written anew (CMP-05).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from librt.strings import BytesWriter

from barnabas.protocol.checksum import crc32c
from barnabas.protocol.compression import Codec, compress
from barnabas.protocol.record_batch import (
    ATTRIBUTES_AT,
    CODEC_MASK,
    DELETE_HORIZON_MASK,
    HEADER,
    HEADER_SIZE,
    LOG_OVERHEAD,
    NO_TIMESTAMP,
    TIMESTAMP_TYPE_MASK,
)
from barnabas.protocol.record_spans import Span
from barnabas.protocol.varints import write_uvarint, write_varint

Fields = tuple[int, int, int, int, int, int, int, int, int, int, int, int, int]
"""The 13 fields of a header, in order."""

_ATTRIBUTES: Final = 5
_BASE_TIMESTAMP: Final = 7
_MAX_TIMESTAMP: Final = 8
_COUNT: Final = 12


def rewritten(fields: Fields, data: bytes, kept: Sequence[Span], horizon_ms: int | None) -> bytes:
    """The batch with only the `kept` records of `data`; `horizon_ms`: a new horizon, if any."""
    attributes, base_time = fields[_ATTRIBUTES], fields[_BASE_TIMESTAMP]
    values = list(fields)
    if horizon_ms is None:
        body = b"".join(_stretches(data, kept))
    else:
        body = _with_base_time(data, kept, base_time - horizon_ms)
        values[_ATTRIBUTES] = attributes | DELETE_HORIZON_MASK
        values[_BASE_TIMESTAMP] = horizon_ms
    if not attributes & TIMESTAMP_TYPE_MASK:
        values[_MAX_TIMESTAMP] = _largest(fields, kept)
    values[_COUNT] = len(kept)
    return _sealed(values, compress(Codec(attributes & CODEC_MASK), body))


def emptied(fields: Fields) -> bytes:
    """The batch without its records, so that producer and offsets stay known (CMP-09, CMP-10)."""
    values = list(fields)
    values[_ATTRIBUTES] = fields[_ATTRIBUTES] & ~(CODEC_MASK | DELETE_HORIZON_MASK)
    values[_BASE_TIMESTAMP] = NO_TIMESTAMP
    values[_COUNT] = 0
    return _sealed(values, b"")


def _largest(fields: Fields, kept: Sequence[Span]) -> int:
    """The largest timestamp of the kept records. A horizon that is there already is their base."""
    return max(fields[_BASE_TIMESTAMP] + max(span[3] for span in kept), NO_TIMESTAMP)


def _stretches(data: bytes, kept: Sequence[Span]) -> list[memoryview]:
    """The kept records; what lies side by side comes in one piece."""
    view = memoryview(data)
    pieces = []
    begin, end = kept[0][0], kept[0][1]
    for span in kept:
        if span[0] > end:
            pieces.append(view[begin:end])
            begin = span[0]
        end = span[1]
    pieces.append(view[begin:end])
    return pieces


def _with_base_time(data: bytes, kept: Sequence[Span], shift: int) -> bytes:
    """The kept records, whose times count from another base: each delta grows by `shift`."""
    writer, scratch = BytesWriter(), BytesWriter()
    for _, end, rest, delta, _, _, _ in kept:
        scratch.truncate(0)
        write_varint(scratch, delta + shift)
        time = scratch.getvalue()
        write_uvarint(writer, (1 + len(time) + end - rest) * 2)
        writer.append(0)  # attributes: none is defined
        writer.write(time)
        writer.write(data[rest:end])
    return writer.getvalue()


def _sealed(values: list[int], body: bytes) -> bytes:
    values[1] = HEADER_SIZE - LOG_OVERHEAD + len(body)
    values[4] = 0
    values[4] = crc32c(body, crc32c(HEADER.pack(*values)[ATTRIBUTES_AT:]))
    return HEADER.pack(*values) + body
