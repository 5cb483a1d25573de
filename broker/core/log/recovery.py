"""From the bytes on the disk back to a valid segment, and to the state of its producers.

Kafka's behaviour: a segment that may not be on the disk as it was written is read through, every
batch checked, and cut at the first that is not whole and true; all segments after it are dropped,
since offsets must not have holes that nobody knows of. Whatever was acknowledged with `flush` on
is before that place. What was cut is named in a report; nothing is cut silently.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from zlib import crc32

from barnabas.protocol.batch_walk import BatchFields, batch_fields
from barnabas.protocol.control_records import ControlType, read_end_marker
from barnabas.protocol.errors import KafkaError
from barnabas.protocol.record_batch import (
    ATTRIBUTES_AT,
    CONTROL_MASK,
    HEADER,
    HEADER_SIZE,
    LAST_OFFSET_DELTA_AT,
    LOG_OVERHEAD,
    TRANSACTIONAL_MASK,
    check_batch,
)
from barnabas.protocol.records import decode_batch

from ..ports import Buffer
from .leader_epochs import LeaderEpochs
from .producers import Producers, last_sequence_of
from .recovery_watch import RecoveryWatch
from .segment import NEVER, RELATIVE_OFFSET_MAX, Segment
from .transaction_index import AbortedTransaction
from .walking import walk_batches

_READ_BYTES = 1024 * 1024
_LEGACY_CRC_FROM = 16


class Cut:
    """What recovery took off a log: the file, from which position, how many bytes, and why."""

    __slots__ = ("bytes", "path", "position", "reason")

    def __init__(self, path: str, position: int, size: int, reason: str) -> None:
        self.path = path
        self.position = position
        self.bytes = size
        self.reason = reason

    def __str__(self) -> str:
        return f"{self.path}: cut {self.bytes} bytes at position {self.position}: {self.reason}"

    __repr__ = __str__


class RecoveryReport:
    """What opening a log had to put right; empty after a clean stop."""

    __slots__ = ("cuts", "notes", "recovered", "removed")

    def __init__(self) -> None:
        self.recovered: list[str] = []
        """Segment files that were read through and checked."""
        self.cuts: list[Cut] = []
        self.removed: list[str] = []
        """Leftovers of an interrupted delete or compaction, and indexes without a segment."""
        self.notes: list[str] = []
        """Indexes, checkpoints and snapshots that were damaged and made again."""

    @property
    def is_empty(self) -> bool:
        return not (self.recovered or self.cuts or self.removed or self.notes)

    def __str__(self) -> str:
        parts = [str(cut) for cut in self.cuts] + self.notes
        if self.removed:
            parts.append(f"leftovers removed: {', '.join(self.removed)}")
        if self.recovered:
            parts.append(f"segments read through: {len(self.recovered)}")
        return "; ".join(parts) or "nothing to put right"

    __repr__ = __str__

    def note_rebuild(self, path: str, reason: str) -> None:
        """Say that an index was made again."""
        self.notes.append(f"{path}: rebuilt: {reason}")


class Recovery:
    """What is learnt on the way through the segments that are not known to be on the disk."""

    __slots__ = ("contiguous", "end", "epochs", "newest_epoch", "report", "told_epochs", "watch")

    def __init__(
        self,
        epochs: LeaderEpochs,
        report: RecoveryReport,
        watch: RecoveryWatch,
        *,
        contiguous: bool = False,
        told_epochs: Sequence[tuple[int, int]] = (),
    ) -> None:
        self.epochs = epochs
        self.told_epochs = told_epochs
        """What the file says of epochs that are learnt anew: (epoch, start), in order."""
        self.end = 0
        """The offset after the last batch read; 0 before that."""
        self.report = report
        self.watch = watch
        self.contiguous = contiguous
        """No compaction made holes between the batches."""
        self.newest_epoch = -1
        """Of the batches read. One of an older epoch behind was cut off once and came back."""


def recover_segment(
    segment: Segment, producers: Producers, recovery: Recovery, upper_offset: int = NEVER
) -> bool:
    """Read a segment through, rebuild its indexes, cut it at the first bad batch.

    `producers` must be the state at the segment's start and is carried to its end; no batch may
    reach `upper_offset`, where the next segment begins. False if something was cut: then nothing
    after this segment may be kept. Raises OSError, RecoveryStoppedError.
    """
    report = recovery.report
    report.recovered.append(segment.path())
    segment.reset_indexes()
    aborted: list[AbortedTransaction] = []
    valid = 0
    reason = ""
    try:
        for fields, batch in _checked_batches(segment, upper_offset, recovery):
            segment.note_batch(fields)
            if fields.magic >= 2:
                if fields.leader_epoch >= 0:
                    _note_epoch(recovery, fields.leader_epoch, fields.base_offset)
                entry = replay_batch(producers, batch)
                if entry is not None:
                    aborted.append(entry)
            valid, recovery.end = fields.position + fields.size, fields.last_offset + 1
    except _BadBatchError as error:
        reason = str(error)
    cut = segment.size - valid
    if cut:
        report.cuts.append(Cut(segment.path(), valid, cut, reason or "batch is cut short"))
        segment.file.truncate(valid)
        segment.size = valid
    segment.write_transactions(aborted, durable=True)
    segment.seal()
    return not cut


def _note_epoch(recovery: Recovery, epoch: int, base_offset: int) -> None:
    newest = recovery.newest_epoch
    if epoch < newest:
        raise _BadBatchError(f"epoch {epoch} comes after epoch {newest}")
    if epoch > newest:
        # Compaction takes the batches with which epochs began. Where there are none, the file knows
        # better: a follower that parted there must not be told that it did so later (101-02).
        for told, start in recovery.told_epochs:
            if newest < told <= epoch and recovery.end <= start <= base_offset:
                recovery.epochs.note_batch(told, start)
    recovery.newest_epoch = epoch
    recovery.epochs.note_batch(epoch, base_offset)


class _BadBatchError(Exception):
    """The batch at this place is not what was written."""


def _checked_batches(
    segment: Segment, upper_offset: int, recovery: Recovery
) -> Iterator[tuple[BatchFields, memoryview]]:
    size = segment.size
    lowest = segment.base_offset
    position = data_at = 0
    data: Buffer = b""
    while position < size:
        at = position - data_at
        fields = batch_fields(data, at, position)
        if fields is None or at + fields.size > len(data):
            wanted = max(_READ_BYTES, fields.size if fields else 0)
            recovery.watch.note_read(position - data_at)
            data = segment.file.pread(min(wanted, size - position), position)
            data_at, at = position, 0
            fields = batch_fields(data, 0, position)
        if fields is None:
            raise _BadBatchError("no batch header")
        if fields.size > size - position:
            raise _BadBatchError(
                f"batch of {fields.size} bytes is cut short after {size - position}"
            )
        if at + fields.size > len(data):  # larger than one read
            data = segment.file.pread(fields.size, position)
            data_at, at = position, 0
        batch = memoryview(data)[at : at + fields.size]
        _check(batch, fields)
        _check_offsets(segment, fields, lowest, upper_offset)
        if recovery.contiguous and fields.magic >= 2 and position and fields.base_offset != lowest:
            raise _BadBatchError(f"offsets {lowest} to {fields.base_offset - 1} before it are lost")
        yield fields, batch
        lowest = fields.last_offset + 1
        position += fields.size


def _check_offsets(segment: Segment, fields: BatchFields, lowest: int, upper: int) -> None:
    # Offsets are not under the checksum; what is around a batch is all there is to check them by.
    if fields.base_offset < lowest:
        raise _BadBatchError(f"offset {fields.base_offset} comes after {lowest - 1}")
    last = fields.last_offset
    if last - segment.base_offset > RELATIVE_OFFSET_MAX or last >= upper:
        raise _BadBatchError(f"offset {last} is beyond what the segment can hold")
    if fields.base_offset > lowest:
        # A hole: compaction leaves some, but then the next batch does not fill it.
        following = next(
            walk_batches(segment.file, fields.position + fields.size, segment.size), None
        )
        if following is not None and lowest <= following.base_offset <= last:
            raise _BadBatchError(
                f"offset {fields.base_offset} comes before {following.base_offset}"
            )


def _check(batch: memoryview, fields: BatchFields) -> None:
    if fields.magic > 2 or fields.magic < 0:
        raise _BadBatchError(f"magic {fields.magic} is unknown")
    if fields.magic < 2:
        stored = int.from_bytes(batch[LOG_OVERHEAD:_LEGACY_CRC_FROM], "big")
        if crc32(batch[_LEGACY_CRC_FROM:]) != stored:
            raise _BadBatchError("message does not match its checksum")
        return
    try:
        check_batch(batch, 0, len(batch))
    except KafkaError as error:
        raise _BadBatchError(error.message or str(error)) from None


def replay_batch(producers: Producers, batch: Buffer) -> AbortedTransaction | None:
    """Note a stored batch of magic 2 in the producers' state; the transaction it aborted, if any.

    Only the batch of a control marker is read beyond its header.
    """
    fields = HEADER.unpack_from(batch)
    base, _, _, _, _, attributes, delta, _, timestamp, pid, epoch, sequence, _ = fields
    if pid < 0:
        return None
    if attributes & CONTROL_MASK:
        marker = end_marker(batch)
        if marker is None:
            return None
        return producers.add_marker(pid, epoch, marker[0], marker[1], base, timestamp)
    producers.add_batch(
        pid,
        epoch,
        last_sequence_of(sequence, delta),
        base,
        base + delta,
        timestamp,
        txn=bool(attributes & TRANSACTIONAL_MASK),
    )
    return None


def end_marker(batch: Buffer) -> tuple[ControlType, int] | None:
    """(abort or commit, coordinator epoch) of a control batch; None if it ends nothing."""
    records = decode_batch(batch, 0)
    return read_end_marker(records[0].key, records[0].value) if records else None


def replay_range(producers: Producers, segments: list[Segment], start: int, end: int) -> None:
    """Carry the producers' state from offset `start` to `end`, reading headers only."""
    for at, segment in enumerate(segments):
        following = segments[at + 1].base_offset if at + 1 < len(segments) else end
        if following <= start or segment.base_offset >= end:
            continue
        for fields in walk_batches(segment.file, segment.index.lookup(start), segment.size):
            if fields.last_offset < start:
                continue
            if fields.base_offset >= end:
                break
            if fields.magic >= 2:
                replay_batch(producers, read_stored_batch(segment, fields))
    producers.map_end_offset = end


def read_stored_batch(segment: Segment, fields: BatchFields) -> Buffer:
    """As much of a batch as `replay_batch` needs: the header, or all of a control batch."""
    head = segment.file.pread(HEADER_SIZE, fields.position)
    if int.from_bytes(head[ATTRIBUTES_AT:LAST_OFFSET_DELTA_AT], "big") & CONTROL_MASK:
        return segment.file.pread(fields.size, fields.position)
    return head
