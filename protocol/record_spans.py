"""Where the records of a batch of magic 2 begin and end, and their keys; nothing is decoded.

What compaction must know of a record. `records` decodes the same layout,
`record_walk` checks it. After compaction offsets have gaps, so they need only grow.
"""

from __future__ import annotations

from typing import Final

from .batch_errors import InvalidBatchError
from .errors import DecodeError
from .varints import read_uvarint_rest, read_varlong

Span = tuple[int, int, int, int, int, "bytes | None", bool]
"""Begin (of its length) and end of a record; where its offset delta begins; its timestamp delta and
its offset delta; its key; whether it has a value."""

SPANS_MAX: Final = 1_000_000
"""Records in one batch: as many as `records` decodes."""


def record_spans(data: bytes, count: int, last_offset_delta: int) -> list[Span]:
    """The records in `data`, which are decompressed; `count`: how many the header says.

    Raises InvalidBatchError(87): a length that does not fit, offsets that do not grow or go beyond
    the batch, bytes behind the last record.
    """
    if not 0 <= count <= min(len(data), SPANS_MAX):
        raise InvalidBatchError(f"{count} records in {len(data)} bytes")
    try:
        return _spans(data, count, last_offset_delta)
    except IndexError:
        raise InvalidBatchError("a record is cut short") from None
    except DecodeError as error:
        raise InvalidBatchError(str(error)) from None


# Flat on purpose: a call for each field would take twice the time.
def _spans(data: bytes, count: int, last: int) -> list[Span]:  # noqa: C901
    spans: list[Span] = []
    end = len(data)
    at = 0
    before = -1
    key: bytes | None
    for _ in range(count):
        begin = at
        size = data[at]
        at += 1
        if size > 0x7F:
            size, at = read_uvarint_rest(data, at, size)
        record_end = at + (size >> 1)
        if size & 1 or record_end > end:
            raise InvalidBatchError(f"a record of {size >> 1} bytes, {end - at} are left")
        time = data[at + 1]
        if time > 0x7F:
            time, at = read_varlong(data, at + 1)
        else:
            time = (time >> 1) ^ -(time & 1)
            at += 2
        rest = at
        offset = data[at]
        at += 1
        if offset > 0x7F:
            offset, at = read_uvarint_rest(data, at, offset)
        if offset & 1 or not before < offset >> 1 <= last:
            raise InvalidBatchError(f"offset delta {offset >> 1} after {before}, at most {last}")
        before = offset >> 1
        size = data[at]
        at += 1
        if size > 0x7F:
            size, at = read_uvarint_rest(data, at, size)
        if size & 1:
            key = None
        else:
            key = data[at : at + (size >> 1)]
            at += size >> 1
        has_value = not data[at] & 1
        if at >= record_end:
            raise InvalidBatchError("the fields of a record do not fit into it")
        spans.append((begin, record_end, rest, time, before, key, has_value))
        at = record_end
    if at != end:
        raise InvalidBatchError(f"{end - at} bytes behind the last of {count} records")
    return spans
