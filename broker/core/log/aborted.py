"""Which transactions of a log were aborted: the segments' transaction indexes, held against it."""

from __future__ import annotations

from functools import partial

from ..ports import Env
from ..reads import Load, Steps, finish
from .file_names import TRANSACTION_INDEX
from .log_copy import LogCopy
from .log_start import LogStart
from .opening import Opening
from .segment import Segment
from .segment_copy import SegmentCopy
from .segments import Segments
from .transaction_index import AbortedTransaction, collect_aborted


class AbortedTransactions:
    """The aborted transactions of one log."""

    __slots__ = ("_env", "_producers", "_segments", "_snapshots", "_start")

    def __init__(self, opening: Opening, env: Env, segments: Segments, start: LogStart) -> None:
        self._env = env
        self._segments = segments
        self._start = start
        self._producers = opening.producers
        self._snapshots = opening.snapshots

    def between(self, from_offset: int, upto_offset: int) -> list[tuple[int, int]]:
        """(producer id, first offset) of those that a read of this range needs (98-06)."""
        return finish(self.finding(from_offset, upto_offset))

    def finding(self, from_offset: int, upto_offset: int) -> Steps[list[tuple[int, int]]]:
        """As `between`. Raises OSError."""
        found: list[tuple[int, int]] = []
        for segment in self._segments.since(from_offset):
            if not segment.knows_transactions:
                yield from self._knowing(segment)
            entries, complete = collect_aborted(segment.transactions, from_offset, upto_offset)
            found += [(entry.producer_id, entry.first_offset) for entry in entries]
            if complete:
                break
        return found

    def of(self, segment: Segment) -> list[AbortedTransaction]:
        """Those whose marker is in `segment`; its index is checked when it comes from the disk."""
        if not segment.knows_transactions:
            finish(self._knowing(segment))
        return segment.transactions

    def _knowing(self, segment: Segment) -> Steps[None]:
        while not segment.knows_transactions:
            # Transactions that end here may have begun in any segment before.
            copy = LogCopy(
                list(self._segments),
                self._snapshots,
                self._producers,
                log_start_offset=self._start.offset,
                now_ms=self._env.clock.wall_ms(),
            )
            copied: SegmentCopy = yield Load(partial(_look_up, copy, copy.of(segment)))
            if segment.knows_transactions or copied.size != segment.size:
                continue
            path = copied.path(TRANSACTION_INDEX)
            damage = [found for found in copied.rebuilt if found[0] == path]
            if not damage:
                segment.take_transactions(copied.transactions)
                continue
            if segment.on_rebuild is not None:
                segment.on_rebuild(*damage[0])
            segment.write_transactions(copied.transactions, durable=True)


def _look_up(copy: LogCopy, copied: SegmentCopy) -> SegmentCopy:
    """The same, knowing its transactions. Raises OSError."""
    try:
        copy.aborted_in(copied)
    finally:
        copy.close()
    return copied
