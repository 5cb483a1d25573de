"""The records of an answer in slices, each small enough to be appended in one turn of the loop.

A slice holds whole batches: at most 256 KiB and 256 batches, but one batch whatever its size. A
tail that was cut short is left out. Batches of a newer leader epoch than the one that was asked in
are left out too: the leader has lost and won its office since, and we have not heard of it.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from barnabas.protocol.batch_walk import walk_buffer

from ...core.ports import Buffer

SLICE_BYTES: Final = 256 * 1024
SLICE_BATCHES: Final = 256


def record_slices(records: Buffer, leader_epoch: int) -> Iterator[memoryview]:
    """The parts of `records` in order, for a follower in `leader_epoch`."""
    view = memoryview(records)
    start = end = count = 0
    for batch in walk_buffer(view):
        at = batch.position
        if batch.leader_epoch > leader_epoch:
            break
        if count and (at + batch.size - start > SLICE_BYTES or count == SLICE_BATCHES):
            yield view[start:end]
            start, count = at, 0
        end = at + batch.size
        count += 1
    if end > start:
        yield view[start:end]
