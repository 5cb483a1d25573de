"""What compaction leaves of a batch: all of it, some of its records, none of them, or nothing.

The rules are CMP-04 to CMP-11; a round has one filter, which sees all batches of the log's cleaned
part in order.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final, cast

from barnabas.protocol.compression import codec_of, decompress
from barnabas.protocol.record_batch import (
    CODEC_MASK,
    CONTROL_MASK,
    DELETE_HORIZON_MASK,
    HEADER,
    HEADER_SIZE,
    MAGIC_AT,
    TRANSACTIONAL_MASK,
)
from barnabas.protocol.record_spans import Span, record_spans
from barnabas.protocol.records import decode_batch

from ...ports import Buffer
from ..recovery import end_marker
from .offset_map import OffsetMap
from .rewriting import Fields, emptied, rewritten
from .transactions import AbortedRanges, MarkerWatch

LastWrite = tuple[int, int]
"""Of a producer at the end of the cleaned part: offset of its last batch of records, -1 if it has
none there, and its epoch."""

_NONE_WRITTEN: Final = (-2, -2)


class BatchFilter:
    """Decides batch by batch, from the first of the log on."""

    __slots__ = (
        "_aborted",
        "_delete_retention_ms",
        "_end",
        "_limit",
        "_map",
        "_now_ms",
        "_producers",
        "_watch",
        "keeps_abort",
        "keyless",
    )

    def __init__(
        self,
        offsets: OffsetMap,
        aborted: AbortedRanges,
        producers: Mapping[int, LastWrite],
        *,
        end: int,
        now_ms: int,
        delete_retention_ms: int,
        limit: int,
    ) -> None:
        """`producers`: the active ones; `end`: where the last batch ends that the map knows;
        `limit` bounds what a batch may decompress to (ENV-13)."""
        self._map = offsets
        self._aborted = aborted
        self._producers = producers
        self._now_ms = now_ms
        self._delete_retention_ms = delete_retention_ms
        self._limit = limit
        self._end = end
        self._watch = MarkerWatch()
        self.keeps_abort = False
        """The batch that was kept last is the abort marker of a transaction that has batches."""
        self.keyless = 0
        """Records without a key, which nothing can supersede: they are dropped."""

    def keep(self, batch: memoryview) -> Buffer | None:
        """What stays of a whole batch: the same bytes, others, or nothing (None).

        Raises InvalidBatchError: its records are not what its header says.
        """
        self.keeps_abort = False
        if batch[MAGIC_AT] < 2:
            return self._keep_old(batch)
        fields = cast("Fields", HEADER.unpack_from(batch))
        if fields[5] & CONTROL_MASK:
            return self._keep_marker(batch, fields)
        if fields[5] & TRANSACTIONAL_MASK:
            self._watch.saw_batch(fields[9])
            if self._aborted.has(fields[9], fields[0]):
                return self._empty_or_nothing(batch, fields)
        if not fields[12]:
            return self._empty_or_nothing(batch, fields)
        return self._keep_records(batch, fields)

    # --- records ---

    def _keep_records(self, batch: memoryview, fields: Fields) -> Buffer | None:
        attributes, horizon_ms = fields[5], fields[7]
        data = decompress(codec_of(attributes & CODEC_MASK), batch[HEADER_SIZE:], self._limit)
        spans = record_spans(data, fields[12], fields[6])
        has_horizon = bool(attributes & DELETE_HORIZON_MASK)
        kept = self._kept(spans, fields[0], tombstones=not has_horizon or self._now_ms < horizon_ms)
        if not kept:
            return self._empty_or_nothing(batch, fields)
        needs_horizon = not has_horizon and not all(span[6] for span in kept)
        if len(kept) == len(spans) and not needs_horizon:
            return batch
        return rewritten(fields, data, kept, self._new_horizon_ms if needs_horizon else None)

    def _kept(self, spans: list[Span], base: int, *, tombstones: bool) -> list[Span]:
        """CMP-04: the last of each key, and what the map does not reach."""
        get, latest = self._map.get, self._map.latest_offset
        kept = []
        for span in spans:
            key, offset = span[5], base + span[4]
            if offset > latest:
                kept.append(span)
            elif key is None:
                self.keyless += 1
            elif offset >= get(key) and (span[6] or tombstones):
                kept.append(span)
        return kept

    @property
    def _new_horizon_ms(self) -> int:
        return self._now_ms + self._delete_retention_ms

    def _keep_old(self, batch: memoryview) -> Buffer | None:
        """Magic 0 and 1: kept or dropped as a whole; their tombstones have no horizon, and stay."""
        records = decode_batch(batch, 0, self._limit)
        kept = 0
        for record in records:
            if record.offset > self._map.latest_offset:
                kept += 1
            elif record.key is None:
                self.keyless += 1
            elif record.offset >= self._map.get(record.key):
                kept += 1
        return batch if kept else None

    # --- batches without records ---

    def _empty_or_nothing(self, batch: memoryview, fields: Fields) -> Buffer | None:
        """CMP-09, CMP-10: the last batch of a producer, and the one where the cleaned part ends."""
        last_offset = fields[0] + fields[6]
        is_last = self._producers.get(fields[9], _NONE_WRITTEN)[0] == last_offset
        if not (is_last or last_offset + 1 == self._end):
            return None
        return emptied(fields) if fields[12] else batch

    # --- markers ---

    def _keep_marker(self, batch: memoryview, fields: Fields) -> Buffer | None:
        marker = end_marker(batch) if fields[12] else None
        if marker is None:
            # One that says nothing any more, or nothing that is known here.
            return batch if fields[12] else self._empty_or_nothing(batch, fields)
        if fields[0] + fields[6] > self._map.latest_offset:
            self._watch.ends_nothing(fields[9])
            self.keeps_abort = True
            return batch
        if not self._watch.ends_nothing(fields[9]):
            self.keeps_abort = True
            return batch
        if not fields[5] & DELETE_HORIZON_MASK:
            return self._with_horizon(batch, fields)
        return batch if self._now_ms < fields[7] or self._is_needed(fields) else None

    def _is_needed(self, fields: Fields) -> bool:
        """Whole, not emptied: nothing else in the log tells of this producer's epoch."""
        last_offset, epoch = self._producers.get(fields[9], _NONE_WRITTEN)
        fences = last_offset == -1 and epoch == fields[10]
        return fences or fields[0] + fields[6] + 1 == self._end

    def _with_horizon(self, batch: memoryview, fields: Fields) -> bytes:
        data = bytes(batch[HEADER_SIZE:])
        spans = record_spans(data, fields[12], fields[6])
        return rewritten(fields, data, spans, self._new_horizon_ms)
