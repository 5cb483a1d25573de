"""The records of an answer in slices, each small enough to be appended in one turn of the loop.

A slice holds whole batches: at most 256 KiB and 256 batches, but one batch whatever its size. A
tail that was cut short is left out. Batches of a newer leader epoch than the one that was asked in
are left out too: the leader has lost and won its office since, and we have not heard of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ...core.log.walking import walk_buffer
from ...core.ports import Buffer

SLICE_BYTES: Final = 256 * 1024
SLICE_BATCHES: Final = 256

_LEADER_EPOCH_AT: Final = 12


def record_slices(records: Buffer, leader_epoch: int) -> Iterator[memoryview]:
    """Parts of `records` in order, for a follower in `leader_epoch`."""
    view = memoryview(records)
    start = end = count = 0
    for batch in walk_buffer(view):
        at = batch.position
        if batch.magic >= 2:
            epoch = int.from_bytes(view[at + _LEADER_EPOCH_AT : at + _LEADER_EPOCH_AT + 4], "big")
            if leader_epoch < epoch <= 0x7FFF_FFFF:
                break
        if count and (at + batch.size - start > SLICE_BYTES or count == SLICE_BATCHES):
            yield view[start:end]
            start, count = at, 0
        end = at + batch.size
        count += 1
    if end > start:
        yield view[start:end]
