"""Which transactions of a log were aborted: the segments' transaction indexes, held against it."""

from __future__ import annotations

from ..ports import Env
from .failures import CorruptIndexError
from .log_start import LogStart
from .opening import Opening, carry_producers
from .producers import Producers
from .segment import Segment
from .segments import Segments
from .transaction_index import AbortedTransaction, collect_aborted
from .transaction_repair import check_transactions, rebuild_transactions


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
        found: list[tuple[int, int]] = []
        for segment in self._segments.since(from_offset):
            entries, complete = collect_aborted(self.of(segment), from_offset, upto_offset)
            found += [(entry.producer_id, entry.first_offset) for entry in entries]
            if complete:
                break
        return found

    def of(self, segment: Segment) -> list[AbortedTransaction]:
        """Those whose marker is in `segment`; its index is checked when it comes from the disk."""
        if not segment.transactions_checked:
            try:
                check_transactions(list(self._segments), segment, self._start.offset)
                segment.transactions_checked = True
            except CorruptIndexError as error:
                self._rebuild(segment, str(error))
        return segment.transactions

    def _rebuild(self, segment: Segment, reason: str) -> None:
        disk = self._env.disk
        at_hand = disk.hurry(None)  # rare, and too long to begin again at each read
        try:
            state = Producers(self._producers.name, self._producers.expiration_ms)
            carry_producers(
                state,
                self._snapshots,
                list(self._segments),
                segment.base_offset,
                self._env.clock.wall_ms(),
            )
            rebuild_transactions(segment, state, reason)
        finally:
            disk.hurry(at_hand)
