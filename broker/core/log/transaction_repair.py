"""Holding a transaction index against the log, and making it again when it is damaged.

The file has no checksum, and a wrong entry would hide committed records or show aborted ones. So
the first time a segment's index is read from disk, each entry must have its marker and its first
batch in the log; where compaction left a hole, what lay in it is believed. A file that is missing
altogether is taken for "no aborted transactions", as Kafka takes it.
"""

from __future__ import annotations

from bisect import bisect_right

from barnabas.protocol.record_batch import CONTROL_MASK, HEADER, HEADER_SIZE, TRANSACTIONAL_MASK

from .failures import CorruptIndexError
from .file_names import TRANSACTION_INDEX
from .producers import Producers
from .recovery import read_stored_batch, replay_batch
from .segment import Segment
from .segment_reading import find_batch
from .transaction_index import AbortedTransaction
from .walking import walk_batches


def check_transactions(segments: list[Segment], segment: Segment, log_start_offset: int) -> None:
    """Raises CorruptIndexError if an entry of the segment's index has no counterpart in the log."""
    stable = -1
    for entry in segment.transactions:
        if not stable <= entry.last_stable_offset <= entry.last_offset + 1:
            raise CorruptIndexError(f"entry at offset {entry.last_offset} cannot be stable there")
        stable = entry.last_stable_offset
        if not _is_at(segment, entry.last_offset, entry.producer_id, CONTROL_MASK, holes=False):
            raise CorruptIndexError(f"no marker at offset {entry.last_offset}")
        if entry.first_offset >= log_start_offset:
            at = bisect_right([known.base_offset for known in segments], entry.first_offset) - 1
            first = segments[max(at, 0)]
            mask = TRANSACTIONAL_MASK
            if not _is_at(first, entry.first_offset, entry.producer_id, mask, holes=True):
                raise CorruptIndexError(f"no transaction begins at offset {entry.first_offset}")


def _is_at(segment: Segment, offset: int, producer_id: int, mask: int, *, holes: bool) -> bool:
    """Whether a batch of this kind begins there; with `holes` also if no batch holds `offset`."""
    position = find_batch(segment, offset)
    head = segment.file.pread(HEADER_SIZE, position)
    if len(head) < HEADER_SIZE:
        return holes and position == segment.size
    fields = HEADER.unpack(head)
    if holes and fields[0] > offset:
        return True
    return bool(fields[0] == offset and fields[9] == producer_id and fields[5] & mask)


def rebuild_transactions(segment: Segment, producers: Producers, reason: str) -> None:
    """Write the index anew from the segment's markers; `producers` is the state at its start."""
    if segment.on_rebuild is not None:
        segment.on_rebuild(segment.path(TRANSACTION_INDEX), reason)
    found: list[AbortedTransaction] = []
    for fields in walk_batches(segment.file, 0, segment.size):
        if fields.magic >= 2:
            aborted = replay_batch(producers, read_stored_batch(segment, fields))
            if aborted is not None:
                found.append(aborted)
    segment.write_transactions(found, durable=True)
