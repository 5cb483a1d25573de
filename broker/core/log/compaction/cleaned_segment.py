"""The segment that takes what is left of others, under names that end with `.cleaned` (CMP-13)."""

from __future__ import annotations

from barnabas.protocol.batch_errors import InvalidBatchError
from barnabas.protocol.batch_walk import batch_fields

from ...ports import Buffer, Disk
from ..file_names import CLEANED, LOG, OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX, segment_file
from ..flushing import ClosedFile
from ..segment import Segment
from ..transaction_index import AbortedTransaction

SUFFIXES = (OFFSET_INDEX, TIME_INDEX, TRANSACTION_INDEX, LOG)
"""Of its files; that of the records comes last."""

_SIZE_MAX = 0x7FFF_FFFF
"""Indexes keep a position as an int32."""


class CleanedSegment:
    """Batches are added, written in large pieces, and made durable at the end."""

    __slots__ = ("_aborted", "_buffer_bytes", "_waiting", "segment")

    def __init__(
        self,
        disk: Disk,
        directory: str,
        base_offset: int,
        *,
        index_interval: int,
        buffer_bytes: int,
    ) -> None:
        """Makes its files, in place of what an earlier attempt left. Raises OSError."""
        self.segment = Segment(
            disk, directory, base_offset, now_ms=0, index_interval=index_interval
        )
        self.segment.mark = CLEANED
        self.segment.create()
        self._buffer_bytes = buffer_bytes
        self._waiting = bytearray()
        self._aborted: list[AbortedTransaction] = []

    def add(self, batch: Buffer) -> None:
        """Append one batch, which is copied. Raises OSError, InvalidBatchError: no room for it."""
        segment = self.segment
        fields = batch_fields(batch, 0, segment.size + len(self._waiting))
        assert fields is not None and fields.size == len(batch), "a whole batch"
        if fields.position + fields.size > _SIZE_MAX:
            raise InvalidBatchError(f"{segment.path()} grows beyond {_SIZE_MAX} bytes")
        segment.note_batch(fields)
        self._waiting += batch
        if len(self._waiting) >= self._buffer_bytes:
            self.write()

    def add_aborted(self, entry: AbortedTransaction) -> None:
        """Its marker was added."""
        self._aborted.append(entry)

    def write(self) -> None:
        """Hand over what waits to the file. Raises OSError."""
        if self._waiting:
            self.segment.append_all(self._waiting)
            self._waiting = bytearray()

    def finish(self) -> None:
        """Write the rest and the indexes, and make all of it durable, names too. Raises OSError."""
        self.write()
        segment = self.segment
        segment.seal()
        segment.write_transactions(self._aborted)
        segment.file.fsync()
        for suffix in SUFFIXES[:-1]:
            ClosedFile(segment.disk, segment.path(suffix)).fsync()
        segment.disk.fsync_directory(segment.directory)

    def discard(self) -> None:
        """Close and remove its files; what cannot be removed goes at the next opening."""
        segment = self.segment
        segment.close()
        for suffix in SUFFIXES:
            remove_quietly(segment.disk, segment.path(suffix))


def remove_quietly(disk: Disk, path: str) -> None:
    """Remove a file that is only in the way."""
    try:
        disk.remove(path)
    except OSError:
        return


def rename_files(disk: Disk, segment: Segment, mark: str) -> None:
    """Give the segment's files names that end with `mark`; that of the records comes last.

    Without a transaction index there is one file less. Raises OSError.
    """
    for suffix in SUFFIXES:
        plain = segment_file(segment.directory, segment.base_offset, suffix)
        try:
            disk.rename(segment.path(suffix), plain + mark)
        except FileNotFoundError:
            if suffix != TRANSACTION_INDEX:
                raise
