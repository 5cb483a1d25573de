"""The segments of one log, in order: which exist, which has an offset, and which are open."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterator

from ..ports import Disk, File
from .segment import Segment

OPEN_SEGMENTS_MAX = 4
"""Closed segments that keep their file and indexes open for readers."""


class Segments:
    """A log's segments, oldest first. Closes no file while a flush on another thread may use it."""

    __slots__ = (
        "_all",
        "_bases",
        "_disk",
        "_holds",
        "_index_interval",
        "_on_rebuild",
        "_recent",
        "_to_close",
        "active",
        "directory",
    )

    def __init__(
        self,
        disk: Disk,
        directory: str,
        segments: list[Segment],
        *,
        index_interval: int,
        on_rebuild: Callable[[str, str], None],
    ) -> None:
        """`segments`: opened, at least one. `on_rebuild`: as in `Segment`, for later segments."""
        self._disk = disk
        self.directory = directory
        self._all = segments
        self._bases = [segment.base_offset for segment in segments]
        self._index_interval = index_interval
        self._on_rebuild = on_rebuild
        self.active = segments[-1]
        """The last segment, to which records are appended."""
        self._recent: list[Segment] = []
        self._holds = 0
        self._to_close: list[File] = []

    def __len__(self) -> int:
        # If the disk failed between `remove_all` and `begin`, no segment may be left.
        return len(self._all)

    def __iter__(self) -> Iterator[Segment]:
        return iter(list(self._all))

    def __getitem__(self, at: int) -> Segment:
        return self._all[at]

    @property
    def size_bytes(self) -> int:
        """Bytes of records in all segments."""
        return sum(segment.size for segment in self._all)

    @property
    def first_offset(self) -> int:
        """Base offset of the oldest segment."""
        return self._bases[0]

    @property
    def bases(self) -> tuple[int, ...]:
        """Base offsets of all segments."""
        return tuple(self._bases)

    def since(self, offset: int) -> list[Segment]:
        """The segment that has `offset` (or the first one), and all after it."""
        return self._all[max(bisect_right(self._bases, offset) - 1, 0) :]

    def before(self, offset: int) -> list[Segment]:
        """The segments that begin below `offset`; the first one in any case."""
        return self._all[: max(bisect_left(self._bases, offset), 1)]

    def end_of(self, segment: Segment) -> int:
        """Base offset of the segment after `segment`, which must not be the last one."""
        return self._bases[bisect_right(self._bases, segment.base_offset)]

    # --- segments that come and go ---

    def begin(self, base_offset: int, now_ms: int) -> Segment:
        """A new, empty last segment; `now_ms` is the wall clock. Raises OSError."""
        segment = Segment(
            self._disk,
            self.directory,
            base_offset,
            now_ms=now_ms,
            index_interval=self._index_interval,
        )
        segment.on_rebuild = self._on_rebuild
        segment.create()
        self._all.append(segment)
        self._bases.append(base_offset)
        self.active = segment
        return segment

    def cut_back(self, shorter: Segment) -> None:
        """Truncate: the segment with the base offset of `shorter` becomes the last one.

        All later segments are removed, and it takes the state of `shorter`. Raises OSError.
        """
        while self._bases[-1] > shorter.base_offset:
            self._remove_last()
        self.active = self._all[-1]
        self.active.become(shorter)

    def remove_all(self) -> None:
        """Remove all files; `begin` comes next. Raises OSError."""
        while self._all:
            self._remove_last()

    def _remove_last(self) -> None:
        segment = self._all.pop()
        del self._bases[-1]
        self._let_go(segment)
        for path in segment.existing_files():
            self._disk.remove(path)

    def part_with(self, segment: Segment) -> list[str]:
        """Take a segment out of the log; returns its files, which still exist."""
        paths = segment.existing_files()
        self._let_go(segment)
        at = self._all.index(segment)
        del self._all[at], self._bases[at]
        return paths

    def exchange(self, old: list[Segment], cleaned: Segment) -> None:
        """Have `cleaned` where the segments `old` are, which lie side by side, all inactive."""
        at = self._all.index(old[0])
        for segment in old:
            self._let_go(segment)
        self._all[at : at + len(old)] = [cleaned]
        self._bases[at : at + len(old)] = [cleaned.base_offset]
        cleaned.index_interval = self._index_interval
        cleaned.on_rebuild = self._on_rebuild

    def close_files_of(self, segment: Segment) -> None:
        """Give back what a segment holds; the next use opens its files by the names that they have
        then."""
        self._close(segment.detach_file())
        segment.rest()

    def _let_go(self, segment: Segment) -> None:
        self._close(segment.detach_file())
        if segment in self._recent:
            self._recent.remove(segment)

    def index_every(self, size: int) -> None:
        """From now on add an index entry after each `size` bytes of records."""
        self._index_interval = size
        for segment in self._all:
            segment.index_interval = size

    def moved_to(self, directory: str) -> None:
        """The log's folder was renamed: files are found there from now on."""
        self.directory = directory
        for segment in self._all:
            segment.directory = directory

    # --- open files ---

    def touch(self, segment: Segment) -> None:
        """`segment` is about to be read: of the inactive ones keep only the last read ones open."""
        if segment is self.active:
            return
        if segment in self._recent:
            self._recent.remove(segment)
        self._recent.append(segment)
        if len(self._recent) > OPEN_SEGMENTS_MAX:
            oldest = self._recent.pop(0)
            if oldest is not self.active:
                self._close(oldest.detach_file())
                oldest.rest()

    def rest_files(self) -> int:
        """Close files until they are needed again; how many, none while a flush holds them."""
        if self._holds:
            return 0
        return sum(segment.rest_file() for segment in self._all)

    def close(self) -> None:
        """Close all files."""
        for segment in self._all:
            self._close(segment.detach_file())

    @property
    def is_held(self) -> bool:
        """Whether a flush may be using files."""
        return self._holds > 0

    def hold(self) -> None:
        """A flush begins: no file is closed until `release`."""
        self._holds += 1

    def release(self) -> None:
        """A flush ended; with the last one the files are closed that had to wait."""
        self._holds -= 1
        if not self._holds:
            files, self._to_close = self._to_close, []
            for file in files:
                file.close()

    def _close(self, file: File | None) -> None:
        if file is None:
            return
        if self._holds:
            self._to_close.append(file)
        else:
            file.close()
