"""The keys of a batch in the dirty part, for the map of a round (CMP-03)."""

from __future__ import annotations

from barnabas.protocol.batch_walk import BatchFields
from barnabas.protocol.compression import codec_of, decompress
from barnabas.protocol.record_batch import (
    CODEC_MASK,
    CONTROL_MASK,
    HEADER,
    HEADER_SIZE,
    TRANSACTIONAL_MASK,
)
from barnabas.protocol.record_spans import record_spans
from barnabas.protocol.records import decode_batch

from .offset_map import OffsetMap
from .transactions import AbortedRanges


def read_keys(
    batch: memoryview,
    fields: BatchFields,
    offsets: OffsetMap,
    aborted: AbortedRanges,
    first_dirty: int,
    limit: int,
) -> bool:
    """Note the keys of a batch's records from `first_dirty` on; False when the map is full.

    Those of aborted transactions and markers are passed over. `limit` bounds what a batch may
    decompress to. Raises InvalidBatchError.
    """
    if fields.magic < 2:
        for record in decode_batch(batch, 0, limit):
            is_new = record.offset >= first_dirty and record.key is not None
            if is_new and not offsets.put(record.key or b"", record.offset):
                return False
        return True
    header = HEADER.unpack_from(batch)
    base, attributes, producer_id, count = header[0], header[5], header[9], header[12]
    is_aborted = attributes & TRANSACTIONAL_MASK and aborted.has(producer_id, base)
    if not count or attributes & CONTROL_MASK or is_aborted:
        return True
    data = decompress(codec_of(attributes & CODEC_MASK), batch[HEADER_SIZE:], limit)
    put = offsets.put
    for span in record_spans(data, count, header[6]):
        key, offset = span[5], base + span[4]
        if key is not None and offset >= first_dirty and not put(key, offset):
            return False
    return True
