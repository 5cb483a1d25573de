"""What an interrupted delete or compaction left in a partition's folder, treated as Kafka does.

`.deleted`: the segment was on its way out; removed. `.cleaned`: compaction had not finished;
removed. `.swap`: compaction had finished and was about to replace the old segments; finished here
(CMP-14). Names in a folder become durable in no certain order, so the folder is synced between the
steps of that: an old segment must not come back once the new one has its name.
"""

from __future__ import annotations

from ..ports import Disk
from .file_names import (
    CLEANED,
    DELETED,
    INDEX_SUFFIXES,
    LOG,
    METADATA_SNAPSHOT,
    PRODUCER_SNAPSHOT,
    SEGMENT_SUFFIXES,
    SWAP,
    has_suffix,
    offset_of,
)
from .segment import Segment
from .walking import walk_batches

_NOWHERE = 1 << 63
_TEMPORARY = ".tmp"


def clear_leftovers(disk: Disk, directory: str) -> list[str]:
    """Bring the folder to a state where every file counts; the names of files removed.

    Raises OSError.
    """
    names = disk.list_directory(directory)
    doomed = [name for name in names if _is_doomed(name)]
    cleaned_from = min(
        (offset_of(name) or 0 for name in names if name.endswith(CLEANED)), default=_NOWHERE
    )
    swaps: list[str] = []
    for name in names:
        if name.endswith(SWAP):
            # A split that was interrupted: its parts were being swapped in while others were
            # still being written. The original is still there.
            undone = (offset_of(name) or 0) >= cleaned_from
            (doomed if undone else swaps).append(name)
    if swaps:
        # Who was killed while it gave them these names may not have made that durable: the old
        # segments are not to go before it is.
        disk.fsync_directory(directory)
        doomed += _replaced_by(disk, directory, swaps, names)
    for name in doomed:
        disk.remove(f"{directory}/{name}")
    if swaps:
        _put_in_place(disk, directory, swaps)
    return doomed


def _put_in_place(disk: Disk, directory: str, swaps: list[str]) -> None:
    """What was to be replaced is gone: give the new files their names, the records' file last.

    While that one has its old name, another crash is followed by all of this again.
    """
    disk.fsync_directory(directory)
    for name in sorted(swaps, key=lambda one: one.endswith(LOG + SWAP)):
        if name.endswith(LOG + SWAP):
            disk.fsync_directory(directory)
        disk.rename(f"{directory}/{name}", f"{directory}/{name.removesuffix(SWAP)}")
    disk.fsync_directory(directory)


def _is_doomed(name: str) -> bool:
    if name.endswith(METADATA_SNAPSHOT + DELETED):
        return False  # snapshots of the metadata log have their own owner
    ours = offset_of(name) is not None
    return name.endswith((DELETED, CLEANED)) or (ours and name.endswith(_TEMPORARY))


def _replaced_by(disk: Disk, directory: str, swaps: list[str], names: list[str]) -> list[str]:
    first, end = _NOWHERE, -1
    for name in swaps:
        if name.endswith(LOG + SWAP):
            base = offset_of(name) or 0
            first = min(first, base)
            end = max(end, base, _end_of(disk, directory, name, base))
    return [
        name for name in names if _is_segment_file(name) and first <= (offset_of(name) or 0) < end
    ]


def _is_segment_file(name: str) -> bool:
    return any(has_suffix(name, suffix) for suffix in (*SEGMENT_SUFFIXES, PRODUCER_SNAPSHOT))


def _end_of(disk: Disk, directory: str, name: str, base: int) -> int:
    file = disk.open(f"{directory}/{name}")
    try:
        end = base
        for fields in walk_batches(file, 0, file.size()):
            end = fields.last_offset + 1
        return end
    finally:
        file.close()


def remove_orphans(disk: Disk, directory: str) -> list[str]:
    """Remove indexes that have no segment; their names."""
    names = disk.list_directory(directory)
    orphans = []
    for suffix in INDEX_SUFFIXES:
        for name in names:
            if has_suffix(name, suffix) and name.removesuffix(suffix) + LOG not in names:
                disk.remove(f"{directory}/{name}")
                orphans.append(name)
    return orphans


def open_segments(disk: Disk, directory: str, *, now_ms: int, index_interval: int) -> list[Segment]:
    """All segments of the folder in order of their offsets, looked at but not read."""
    segments = []
    for name in disk.list_directory(directory):
        base = offset_of(name)
        if base is not None and has_suffix(name, LOG):
            segment = Segment(disk, directory, base, now_ms=now_ms, index_interval=index_interval)
            segment.open_existing()
            segment.rest_file()
            segments.append(segment)
    return segments
