"""Prepares a truncation: finds out what a log will be once it is cut, changing nothing (279-01).

A truncation must know where the batch of its offset begins, what the largest timestamp below it is,
and what producers had done by then. All that is read from copies of the segments that have
file handles and indexes of their own, so that a thread can read while the event loop serves
others. Nobody appends to the log or cuts it meanwhile. Damaged indexes are repaired in the copies
only. The cut itself (`PartitionLog.try_truncate`) then reads nothing.
"""

from __future__ import annotations

from collections.abc import Callable

from .log_copy import LogCopy
from .producers import Producers
from .segment import NO_TIMESTAMP
from .segment_copy import SegmentCopy
from .segment_reading import find_batch, first_timestamp, largest_timestamp
from .walking import walk_batches


class Cut:
    """What a log will consist of after the truncation."""

    __slots__ = ("basis", "first_timestamp", "offset", "producers", "segment")

    def __init__(
        self,
        basis: object,
        offset: int,
        segment: SegmentCopy,
        first_timestamp: int,
        producers: Producers,
    ) -> None:
        self.basis = basis
        """Equal to what it was for: else it is no longer true."""
        self.offset = offset
        """The new end offset: that of the last whole batch below the offset that was asked for."""
        self.segment = segment
        """The last segment that stays, in its future state."""
        self.first_timestamp = first_timestamp
        self.producers = producers


class Cutting:
    """Finds the `Cut`. It may be called once, on any thread.

    Raises OSError, and KafkaError CORRUPT_MESSAGE if the segment cannot be walked.
    """

    __slots__ = ("_basis", "_basis_now", "_copy", "_is_compacted", "_offset")

    def __init__(
        self, copy: LogCopy, offset: int, basis: Callable[[], object], *, is_compacted: bool
    ) -> None:
        """`copy`: of the segments that stay, of which the last one will become shorter; `basis`
        differs from what it gives now once the log is another; `is_compacted`: offsets may be
        missing."""
        self._copy = copy
        self._offset = offset
        self._is_compacted = is_compacted
        self._basis_now = basis
        self._basis = basis()
        copy.last.copy_indexes()

    @property
    def is_outdated(self) -> bool:
        """Whether the log is another by now: neither what is found out nor an error that is met on
        the way says anything of it. To be asked on the event loop."""
        return self._basis_now() != self._basis

    def __call__(self) -> Cut:
        try:
            cut = self._find_out()
        except BaseException:
            self._copy.close()
            raise
        self._copy.close(but_last=True)  # that file is what will be cut
        return cut

    def _find_out(self) -> Cut:
        copy, offset = self._copy, self._offset
        segment = copy.last
        position = find_batch(segment, offset)
        found = next(walk_batches(segment.file, position, segment.size), None)
        if found is not None and (found.magic < 2 or found.base_offset <= offset):
            offset = found.base_offset if found.magic >= 2 else offset
        elif not self._is_compacted:
            # Offsets are under no checksum: one that has rotten, here or at a leader, makes a hole.
            # What is in it comes again; a log that ended behind it would never get it.
            end = max(_end_before(segment, position), copy.log_start_offset)
            offset = min(end, offset)
        aborted = copy.aborted_in(segment)
        segment.shorten(offset, position)
        segment.max_timestamp, segment.max_timestamp_offset = NO_TIMESTAMP, segment.base_offset
        largest_timestamp(segment)
        segment.write_transactions(entry for entry in aborted if entry.last_offset < offset)
        producers = copy.producers_at(copy.log_start_offset, offset)
        return Cut(self._basis, offset, segment, first_timestamp(segment), producers)


def _end_before(segment: SegmentCopy, position: int) -> int:
    """The offset after the last batch before `position`; where the segment begins without one."""
    end = segment.base_offset
    start = segment.index.last_position_upto(position - 1) if position else 0
    for fields in walk_batches(segment.file, start, position):
        end = fields.last_offset + 1
    return end
