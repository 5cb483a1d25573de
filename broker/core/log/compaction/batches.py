"""Reading a segment batch by batch for compaction: each is checked before anything is left out."""

from __future__ import annotations

from collections.abc import Iterator
from zlib import crc32

from barnabas.protocol.batch_errors import CorruptBatchError
from barnabas.protocol.batch_walk import BatchFields, batch_fields
from barnabas.protocol.record_batch import LOG_OVERHEAD, check_batch

from ...ports import Buffer
from ..segment import Segment

_LEGACY_CRC_FROM = 16


def stored_batches(
    segment: Segment, buffer_bytes: int, from_offset: int = 0
) -> Iterator[tuple[BatchFields, memoryview]]:
    """The batches of a segment that end at `from_offset` or later, read `buffer_bytes` at a time.

    From the beginning, for no index is believed that the batches were not held against.
    Raises CorruptBatchError and InvalidBatchError for bytes that are no batch or do not match their
    checksum, OSError.
    """
    size = segment.size
    position = data_at = 0
    data: Buffer = b""
    view = memoryview(data)
    while position < size:
        at = position - data_at
        fields = batch_fields(data, at, position)
        if fields is None or at + fields.size > len(data):
            wanted = max(buffer_bytes, fields.size if fields else 0)
            data = segment.file.pread(min(wanted, size - position), position)
            data_at, at = position, 0
            fields = batch_fields(data, 0, position)
            if fields is not None and fields.size > len(data):
                data = segment.file.pread(min(fields.size, size - position), position)
            view = memoryview(data)
        if fields is None or at + fields.size > len(data):
            raise CorruptBatchError(f"{segment.path()} has no batch at position {position}")
        position += fields.size
        if fields.last_offset < from_offset:
            continue
        batch = view[at : at + fields.size]
        _check(batch, fields)
        yield fields, batch


def _check(batch: memoryview, fields: BatchFields) -> None:
    if fields.magic >= 2:
        check_batch(batch, 0, len(batch))
    elif crc32(batch[_LEGACY_CRC_FROM:]) != int.from_bytes(
        batch[LOG_OVERHEAD:_LEGACY_CRC_FROM], "big"
    ):
        raise CorruptBatchError("a message does not match its checksum")
