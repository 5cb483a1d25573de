"""One round of compaction: a map of the keys in the dirty part, then all segments written anew.

A `Cleaning` is made on the event loop, from copies; its `prepare` and `rewrite` run on a thread, in
pieces: they are generators that yield the bytes read and written since the last time. Nothing of
the log itself changes; `exchange.py` puts what was written into it.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

from ..log_copy import LogCopy
from ..rules import LogRules
from ..segment import Segment
from ..segment_copy import SegmentCopy
from .batch_filter import BatchFilter, LastWrite
from .batches import stored_batches
from .cleanable import DirtyPart
from .cleaned_segment import CleanedSegment
from .dirty_keys import read_keys
from .grouping import Extent, groups_of
from .offset_map import OffsetMap
from .transactions import AbortedRanges

DECOMPRESSED_MIN_BYTES = 64 * 1024 * 1024
"""A batch may have been stored when `max.decompressed.message.bytes` was larger."""


@dataclass(frozen=True, slots=True)
class CleanerLimits:
    """What a round may use."""

    map_bytes: int
    """For the map of one round."""
    load_factor: float
    buffer_bytes: int
    """Read, and written, at a time."""
    breathe: Callable[[], object]
    """Called on the thread after each little piece of work: lets the event loop go on."""


class Cleaning:
    """One round of one log."""

    def __init__(
        self,
        copy: LogCopy,
        sources: list[Segment],
        part: DirtyPart,
        rules: LogRules,
        limits: CleanerLimits,
        *,
        log_start_offset: int,
        now_ms: int,
    ) -> None:
        """`sources`: the segments below the end of `part`, of which `copy` has copies first."""
        self._copy = copy
        self.sources = sources
        self._part = part
        self._rules = rules
        self._limits = limits
        self._log_start_offset = log_start_offset
        self._now_ms = now_ms
        self._map = OffsetMap(limits.map_bytes, limits.load_factor)
        self._aborted: AbortedRanges | None = None
        self._filter: BatchFilter | None = None
        self.end = part.first_dirty
        """After `prepare`: the offset up to which the log is clean when all groups are."""
        self.groups: list[range] = []
        """After `prepare`: numbers of the `sources` that become one segment each."""

    def close(self) -> None:
        """Close all files; on the thread that used them, or when it is done."""
        self._copy.close()

    def forget(self) -> Iterator[int]:
        """Free the map, in pieces as `prepare` filled it; the last that is asked of a round."""
        for _ in self._map.clear():
            yield 0

    @property
    def keyless(self) -> int:
        """Records without a key that were left out so far."""
        return 0 if self._filter is None else self._filter.keyless

    # --- the map ---

    def prepare(self) -> Iterator[int]:
        """Fill the map, and find out all else that the batches are judged by (CMP-03)."""
        copies = self._copy.copies
        aborted = AbortedRanges([one for copied in copies for one in self._copy.aborted_in(copied)])
        self._aborted = aborted
        self._copy.close()
        yield 0
        end, part, limit = self._part.end, self._part, self._limit_bytes
        last = part.first_dirty
        for copied, following in zip(copies, [*copies[1:], None], strict=True):
            if copied.base_offset >= end:
                break
            if following is not None and following.base_offset <= part.first_dirty:
                continue
            batches = stored_batches(copied, self._limits.buffer_bytes, part.first_dirty)
            for fields, batch in batches:
                if not read_keys(batch, fields, self._map, aborted, part.first_dirty, limit):
                    end = last = self._map.latest_offset + 1
                    break
                last = fields.last_offset + 1
                yield fields.size
            copied.close()
        # Where the map is not full, all below the end is clean, also if the last offsets are holes.
        self.end = end
        self._map.latest_offset = end - 1
        self._filter = BatchFilter(
            self._map,
            aborted,
            self._last_writes(),
            end=last,
            now_ms=self._now_ms,
            delete_retention_ms=self._rules.delete_retention_ms,
            limit=limit,
        )
        self.groups = list(groups_of(self._extents(), self._rules))
        yield 0

    @property
    def _limit_bytes(self) -> int:
        return max(self._rules.max_decompressed_bytes, DECOMPRESSED_MIN_BYTES)

    def _last_writes(self) -> dict[int, LastWrite]:
        """As of the end of the cleaned part: a batch behind it may be cut off again."""
        producers = self._copy.producers_at(self._log_start_offset, self._part.end)
        producers.remove_expired(self._now_ms)
        return {
            producer_id: (entry.last_offset, entry.epoch)
            for producer_id, entry in producers.by_id.items()
        }

    def _extents(self) -> list[Extent]:
        """Of the segments that begin below the round's end."""
        copies, ends = self._copies(), self._ends()
        return [
            Extent(copied.base_offset, end, copied.size)
            for copied, end in zip(copies, ends, strict=True)
            if copied.base_offset < self.end
        ]

    def _copies(self) -> list[SegmentCopy]:
        return self._copy.copies[: len(self.sources)]

    def _ends(self) -> list[int]:
        return [*(copied.base_offset for copied in self._copies()[1:]), self._part.end]

    # --- writing anew ---

    def rewrite(self, group: range) -> Iterator[int | CleanedSegment]:
        """Write what stays of a group of segments; groups are to be taken in order.

        The last that it yields is what was written, durable, under its first name; nothing, if a
        single segment would stay as it is. Raises OSError, KafkaError for a damaged batch.
        """
        first = self._copy.copies[group[0]]
        cleaned = CleanedSegment(
            first.disk,
            first.directory,
            first.base_offset,
            index_interval=first.index_interval,
            buffer_bytes=self._limits.buffer_bytes,
        )
        is_changed = len(group) > 1
        try:
            for number in group:
                copied = self._copy.copies[number]
                cleaned.segment.created_ms = copied.created_ms
                for done, same in self._copy_batches(copied, cleaned):
                    is_changed = is_changed or not same
                    yield done
                copied.close()
            if is_changed:
                cleaned.finish()
        except BaseException:
            cleaned.discard()
            raise
        if is_changed:
            yield cleaned
        else:
            cleaned.discard()

    def _copy_batches(
        self, copied: SegmentCopy, cleaned: CleanedSegment
    ) -> Iterator[tuple[int, bool]]:
        """Bytes read and written, and whether it was a plain copy, for each batch."""
        assert self._filter is not None and self._aborted is not None, "prepare comes first"
        for fields, batch in stored_batches(copied, self._limits.buffer_bytes):
            kept = self._filter.keep(batch)
            if kept is not None:
                cleaned.add(kept)
                entry = self._aborted.ended_at(fields.last_offset)
                if entry is not None and self._filter.keeps_abort:
                    cleaned.add_aborted(entry)
            yield fields.size + (0 if kept is None else len(kept)), kept is batch
