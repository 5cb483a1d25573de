"""One segment of a log: a `.log` file of batches, with its indexes.

A segment that is not written to any more is opened, and its indexes are read, when somebody asks;
`rest` gives the file handle and the memory back.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from contextlib import closing

from barnabas.protocol.batch_walk import BatchFields

from ..ports import Buffer, Disk, File
from .failures import CorruptIndexError
from .file_names import (
    LOG,
    OFFSET_INDEX,
    SEGMENT_SUFFIXES,
    TIME_INDEX,
    TRANSACTION_INDEX,
    segment_file,
)
from .offset_index import OffsetIndex, decode_offset_index
from .time_index import TimeIndex, decode_time_index
from .transaction_index import AbortedTransaction, decode_transaction_index
from .walking import walk_in_order

NEVER = 1 << 62
NO_TIMESTAMP = -1

RELATIVE_OFFSET_MAX = 0x7FFF_FFFF
"""No offset in a segment is further from its base: indexes keep the distance as an int32."""

INDEX_BYTES_MAX = 128 * 1024 * 1024
"""A larger index file is no index: at 12 bytes an entry, a segment of 2 GiB has no use for it."""


class Segment:
    """Batches from `base_offset` on, and what its indexes know of them."""

    __slots__ = (
        "_file",
        "_index",
        "_times",
        "_transactions",
        "base_offset",
        "created_ms",
        "directory",
        "disk",
        "index_interval",
        "mark",
        "max_timestamp",
        "max_timestamp_offset",
        "on_rebuild",
        "size",
        "transactions_checked",
        "unindexed_bytes",
    )

    def __init__(
        self, disk: Disk, directory: str, base_offset: int, *, now_ms: int, index_interval: int
    ) -> None:
        self.disk = disk
        self.directory = directory
        self.base_offset = base_offset
        self.index_interval = index_interval
        self.created_ms = now_ms
        self.mark = ""
        """What its files' names end with, beyond their suffix, while compaction exchanges them."""
        self.size = 0
        self.max_timestamp = NO_TIMESTAMP
        self.max_timestamp_offset = base_offset
        self.unindexed_bytes = 0
        self.transactions_checked = False
        """The transaction index was made here, or was held against the log."""
        self.on_rebuild: Callable[[str, str], None] | None = None
        """Told (path, reason) when an index turned out damaged and was made again."""
        self._file: File | None = None
        self._index: OffsetIndex | None = None
        self._times: TimeIndex | None = None
        self._transactions: list[AbortedTransaction] | None = None

    def path(self, suffix: str = LOG) -> str:
        """Path of one of the segment's files."""
        return segment_file(self.directory, self.base_offset, suffix) + self.mark

    # --- files and indexes, opened when asked for ---

    def create(self) -> None:
        """Make an empty segment; leftovers of the same base offset are overwritten."""
        self._file = self.disk.open(self.path(), create=True, truncate=True)
        self.size = 0
        for suffix in (OFFSET_INDEX, TIME_INDEX):
            self.disk.open(self.path(suffix), create=True, truncate=True).close()
        if self.disk.exists(self.path(TRANSACTION_INDEX)):
            self.disk.remove(self.path(TRANSACTION_INDEX))
        self._index = OffsetIndex(self.base_offset)
        self._times = TimeIndex(self.base_offset)
        self._transactions = []
        self.transactions_checked = True

    def open_existing(self) -> None:
        """Look at the file's size; raises OSError."""
        self.size = self.file.size()

    @property
    def is_ready(self) -> bool:
        """Whether file and indexes are there, so that nothing must be opened to read it."""
        return self._file is not None and self._index is not None and self._times is not None

    @property
    def knows_transactions(self) -> bool:
        """Whether the transaction index is in memory, and true."""
        return self._transactions is not None and self.transactions_checked

    @property
    def file(self) -> File:
        if self._file is None:
            self._file = self.disk.open(self.path())
        return self._file

    @property
    def index(self) -> OffsetIndex:
        if self._index is None:
            self._load_indexes()
        assert self._index is not None
        return self._index

    @property
    def times(self) -> TimeIndex:
        if self._times is None:
            self._load_indexes()
        assert self._times is not None
        return self._times

    @property
    def transactions(self) -> list[AbortedTransaction]:
        """Aborted transactions whose marker is in this segment."""
        if self._transactions is None:
            exists = self.disk.exists(self.path(TRANSACTION_INDEX))
            data = self._read_index(TRANSACTION_INDEX) if exists else b""
            self._transactions = decode_transaction_index(self.base_offset, data)
        return self._transactions

    def _read_index(self, suffix: str) -> bytes | bytearray:
        with closing(self.disk.open(self.path(suffix))) as file:
            size = file.size()
            if size > INDEX_BYTES_MAX:
                raise CorruptIndexError(f"{suffix} has {size} bytes, more than any index")
            return file.pread(size, 0)

    def _load_indexes(self) -> None:
        try:
            offsets, times = self._read_indexes()
            self._index = decode_offset_index(self.base_offset, offsets, self.size)
            self._times = decode_time_index(self.base_offset, times)
        except CorruptIndexError as error:
            self.rebuild_indexes(str(error))

    def _read_indexes(self) -> tuple[bytes | bytearray, bytes | bytearray]:
        for suffix in (OFFSET_INDEX, TIME_INDEX):
            if not self.disk.exists(self.path(suffix)):
                raise CorruptIndexError(f"{suffix} is missing")
        return self._read_index(OFFSET_INDEX), self._read_index(TIME_INDEX)

    def rebuild_indexes(self, reason: str) -> None:
        """Make offset and time index again from the batch headers, and write them."""
        self.take_rebuilt(self.with_new_indexes(), reason)

    def take_rebuilt(self, made: Segment, reason: str) -> None:
        """Have the indexes of `made` (`with_new_indexes`), and write them. Raises OSError."""
        if self.on_rebuild is not None:
            self.on_rebuild(self.path(OFFSET_INDEX), reason)
        self._index, self._times = made.index, made.times
        self.unindexed_bytes = made.unindexed_bytes
        self.max_timestamp = made.max_timestamp
        self.max_timestamp_offset = made.max_timestamp_offset
        self.save_indexes()

    def with_new_indexes(self) -> Segment:
        """A segment of the same file, on any thread; this one is in use until then."""
        made = Segment(
            self.disk,
            self.directory,
            self.base_offset,
            now_ms=self.created_ms,
            index_interval=self.index_interval,
        )
        made.size, made.mark = self.size, self.mark
        made.reset_indexes()
        try:
            reach = made.base_offset + RELATIVE_OFFSET_MAX
            for fields in walk_in_order(made.file, made.size, made.base_offset, reach):
                made.note_batch(fields)
        finally:
            made.close()
        made.note_largest_timestamp()
        return made

    # --- writing ---

    def append(
        self, buffers: Sequence[Buffer], size: int, last_offset: int, timestamp: int
    ) -> bool:
        """Write one batch at the end; whether the indexes got an entry for it. Raises OSError."""
        self.file.append(buffers)
        position = self.size
        self.size = position + size
        if self.unindexed_bytes > self.index_interval:
            self.note_appended(last_offset, position, size, timestamp)
            return True
        # As `note_appended` does, without the call: most batches get no entry.
        self.unindexed_bytes += size
        if timestamp > self.max_timestamp:
            self.max_timestamp = timestamp
            self.max_timestamp_offset = last_offset
        return False

    def append_all(self, batches: Buffer) -> int:
        """Write whole batches at the end; the position of the first. Raises OSError.

        Each of them is yet to be noted (`note_appended`).
        """
        position = self.size
        self.file.append((batches,))
        self.size = position + len(batches)
        return position

    def seal(self) -> None:
        """Nothing will be appended for now: write what the index files lack. Raises OSError."""
        self.note_largest_timestamp()
        self.save_indexes()

    def count_unindexed(self) -> None:
        """Learn how many bytes came since the last index entry."""
        self.unindexed_bytes = self.size - self.index.last_position()

    def reset_indexes(self) -> None:
        """Empty offset and time index, to be filled by `note_batch` for every batch."""
        self._index = OffsetIndex(self.base_offset)
        self._times = TimeIndex(self.base_offset)
        self._index.saved = self._times.saved = -1
        self.unindexed_bytes = 0
        self.max_timestamp = NO_TIMESTAMP
        self.max_timestamp_offset = self.base_offset

    def note_batch(self, fields: BatchFields) -> None:
        """Take a batch of this segment into the indexes, as appending it does."""
        self.note_appended(fields.last_offset, fields.position, fields.size, fields.max_timestamp)

    def note_appended(self, last_offset: int, position: int, size: int, timestamp: int) -> None:
        """The rule of both indexes: an entry once enough bytes went by since the last one."""
        if timestamp > self.max_timestamp:
            self.max_timestamp = timestamp
            self.max_timestamp_offset = last_offset
        if self.unindexed_bytes > self.index_interval:
            self.index.append(last_offset, position)
            self.times.maybe_append(self.max_timestamp, self.max_timestamp_offset)
            self.unindexed_bytes = 0
        self.unindexed_bytes += size

    def note_largest_timestamp(self) -> None:
        """The last entry of a time index, made when the segment is closed or rolled."""
        self.times.maybe_append(self.max_timestamp, self.max_timestamp_offset)

    def add_aborted(self, entry: AbortedTransaction) -> bool:
        """Note an aborted transaction, in the file at once: it is rare. Whether the file is new.

        Raises OSError; readers of this segment know of it all the same, and recovery repeats it.
        """
        self.transactions.append(entry)
        with closing(self.disk.open(self.path(TRANSACTION_INDEX), create=True)) as file:
            file.append([entry.encode()])
        return len(self.transactions) == 1

    def write_transactions(
        self, entries: Iterable[AbortedTransaction], *, durable: bool = False
    ) -> None:
        """Replace the transaction index; without entries there is no file.

        `durable`: where no flush comes after it that knows of the change (recovery). Only then is
        the file read first, and left alone if it says so already: a cut reads nothing.
        """
        self._transactions = list(entries)
        self.transactions_checked = True
        path = self.path(TRANSACTION_INDEX)
        data = b"".join(entry.encode() for entry in self._transactions)
        exists = self.disk.exists(path)
        if not data:
            if exists:
                self.disk.remove(path)
        elif not (durable and exists and self.disk.read_file(path) == data):
            self.disk.write_file_atomically(path, data, durable=durable)

    def take_transactions(self, entries: list[AbortedTransaction]) -> None:
        """Have these, which are those of the file and true."""
        self._transactions = entries
        self.transactions_checked = True

    def shorten(self, offset: int, size: int) -> None:
        """Forget what lies from `offset` on, where the file's first `size` bytes end."""
        self.index.truncate_to(offset)
        self.times.truncate_to(offset)
        self.size = size

    def cut(
        self, offset: int, position: int, max_timestamp: int, max_timestamp_offset: int
    ) -> None:
        """Drop what lies from `offset` on, at `position` of the file; the largest timestamp then.

        Raises OSError.
        """
        self.shorten(offset, position)
        self.max_timestamp = max_timestamp
        self.max_timestamp_offset = max_timestamp_offset
        self.count_unindexed()
        self.file.truncate(position)
        self.save_indexes()

    def become(self, shorter: Segment) -> None:
        """Be as `shorter`, which was worked out from the same files, and so the files.

        Raises OSError.
        """
        had_entries = not self.knows_transactions or bool(self._transactions)
        self.take_over(shorter)
        if had_entries:
            self.write_transactions(shorter.transactions)
        self.adopt(shorter)
        self.file.truncate(shorter.size)
        self.size = shorter.size
        self.save_indexes()
        self.count_unindexed()

    def adopt(self, copied: Segment) -> None:
        """Have the file and the indexes that a copy of the same size has and this one lacks."""
        if self._index is None or self._times is None:
            self._index, self._times = copied._index, copied._times
        if self._file is None:
            self._file = copied.detach_file()

    def take_over(self, other: Segment) -> None:
        """Know what `other`, of the same files, knows of them: indexes and largest timestamp."""
        self._index, self._times = other._index, other._times
        self._transactions = other._transactions
        self.transactions_checked = other.transactions_checked
        self.max_timestamp = other.max_timestamp
        self.max_timestamp_offset = other.max_timestamp_offset

    # --- saving and closing ---

    def save_indexes(self) -> None:
        """Write the entries that the index files do not have yet."""
        if self._index is not None and self._index.saved != len(self._index):
            self._save(OFFSET_INDEX, self._index, 8)
        if self._times is not None and self._times.saved != len(self._times):
            self._save(TIME_INDEX, self._times, 12)

    def _save(self, suffix: str, index: OffsetIndex | TimeIndex, entry_size: int) -> None:
        file = self.disk.open(self.path(suffix), create=True)
        try:
            first = max(index.saved, 0)
            if file.size() < first * entry_size:
                first = 0
            file.pwrite(index.encode(first), first * entry_size)
            # Cut, never emptied first: file systems flush a file at once that was emptied.
            if file.size() != len(index) * entry_size:
                file.truncate(len(index) * entry_size)
        finally:
            file.close()
        index.saved = len(index)

    def rest(self) -> None:
        """Give the file handle and the indexes' memory back, until somebody asks again."""
        self.save_indexes()
        self.close()
        self._index = self._times = self._transactions = None

    def rest_file(self) -> int:
        """Give the file's descriptor back until it is needed; how many there were."""
        if self._file is None:
            return 0
        self._file.rest()
        return 1

    def close(self) -> None:
        """Close the file."""
        if (file := self.detach_file()) is not None:
            file.close()

    def detach_file(self) -> File | None:
        """Hand the open file over to the caller, who closes it (an fsync may be under way)."""
        file, self._file = self._file, None
        return file

    def existing_files(self) -> list[str]:
        """Paths of the segment's files that are there."""
        return [path for path in map(self.path, SEGMENT_SUFFIXES) if self.disk.exists(path)]
