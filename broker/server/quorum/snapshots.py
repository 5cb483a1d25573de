"""The snapshots in `__cluster_metadata-0`: found, read in pieces, written, downloaded, retired.

A snapshot is written to `….checkpoint.part`; only what was checked and fsynced gets its real name
(630-02), and nothing with a real name is ever changed. One that is dropped is renamed to
`….checkpoint.deleted` and removed a minute later, so that whoever reads it finishes (630-19).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from barnabas.protocol.batch_errors import BatchError
from barnabas.protocol.errors import DecodeError
from barnabas.protocol.record_batch import iter_batch_headers

from ...core.log.deletion import DeletionSchedule
from ...core.ports import Buffer, Env, File
from ...core.raft.metadata_batches import entries
from ...core.raft.snapshot_file import (
    SUFFIX,
    DamagedSnapshotError,
    Snapshot,
    SnapshotId,
    decode_snapshot,
    parse_name,
)

PART: Final = ".part"
DELETED: Final = ".deleted"
DAMAGED: Final = ".damaged"
"""The ending of a damaged snapshot's file: never read again, and never removed."""
DELETE_DELAY_MS: Final = 60_000
BOOTSTRAP_ID: Final = SnapshotId(0, 0)
"""The snapshot that formatting writes: it names the voters and covers no offset."""

_OPEN_MAX: Final = 4
_HEAD_BYTES: Final = 65_536
"""An upper bound for the size of the first batch."""


class SnapshotFiles:
    """All snapshots of one metadata log. Every method may raise OSError."""

    def __init__(self, env: Env, folder: str, deletions: DeletionSchedule) -> None:
        self._env = env
        self._disk = env.disk
        self.folder = folder
        self.notes: list[str] = []
        """What was unusual, for the node's log."""
        self._deletions = deletions
        self._ids: list[SnapshotId] = []
        self._open: dict[SnapshotId, File] = {}
        self._part: PartialSnapshot | None = None
        self._cached: tuple[SnapshotId, Snapshot] | None = None

    # --- at boot ------------------------------------------------------------------------------

    def scan(self) -> None:
        """Find what is there; what an interrupted write or deletion left is removed (630-02).

        The newest snapshot is read and checked; a damaged one is put aside for whoever wants to see
        or save what is in it, named in `notes`, and the one before it takes its place.
        """
        for name in self._disk.list_directory(self.folder):
            if name.endswith((SUFFIX + PART, SUFFIX + DELETED)):
                self._disk.remove(self._path(name))
        found = (parse_name(name) for name in self._disk.list_directory(self.folder))
        self._ids = sorted(one for one in found if one is not None)
        while self._ids:
            try:
                self.load(self._ids[-1])
                return
            except DamagedSnapshotError as error:
                path = self._path(self._ids.pop().file_name)
                self.notes.append(f"{path}: damaged snapshot: {error}; kept as {path}{DAMAGED}")
                self._disk.rename(path, path + DAMAGED)

    def damaged(self) -> list[str]:
        """Names of the files that were put aside, now or at an earlier start."""
        names = self._disk.list_directory(self.folder)
        return [name for name in names if name.endswith(SUFFIX + DAMAGED)]

    # --- reading ------------------------------------------------------------------------------

    @property
    def ids(self) -> Sequence[SnapshotId]:
        """All snapshots but the bootstrap one, the oldest first."""
        return [one for one in self._ids if one != BOOTSTRAP_ID]

    @property
    def has_bootstrap(self) -> bool:
        """Whether formatting left a snapshot that names the first voters."""
        return BOOTSTRAP_ID in self._ids

    @property
    def latest(self) -> SnapshotId | None:
        """The newest snapshot that is not the bootstrap one."""
        ids = self.ids
        return ids[-1] if ids else None

    def load(self, snapshot: SnapshotId) -> Snapshot:
        """All of a snapshot; the last one that was loaded is kept until `forget_loaded`.

        Raises DamagedSnapshotError: cut, flipped bits, no header or footer (630-03).
        """
        if self._cached is not None and self._cached[0] == snapshot:
            return self._cached[1]
        content = read_snapshot(self._disk.read_file(self._path(snapshot.file_name)))
        self._cached = (snapshot, content)
        return content

    def is_loaded(self, snapshot: SnapshotId) -> bool:
        """Whether `load` can answer without reading the disk."""
        return self._cached is not None and self._cached[0] == snapshot

    def forget_loaded(self) -> None:
        """Forget the loaded content: nobody needs it any more."""
        self._cached = None

    def size(self, snapshot: SnapshotId) -> int:
        """Bytes of a snapshot; -1 if it is not there."""
        file = self._opened(snapshot)
        return -1 if file is None else file.size()

    def read(self, snapshot: SnapshotId, position: int, max_bytes: int) -> Buffer | None:
        """A piece of a snapshot, at any position (630-13); None if there is no such snapshot."""
        file = self._opened(snapshot)
        return None if file is None else file.pread(max_bytes, position)

    def appended_ms(self, snapshot: SnapshotId) -> int:
        """The wall clock of the last record before the snapshot, by its header; -1 if it is not
        there."""
        head = self.read(snapshot, 0, _HEAD_BYTES)
        for entry in entries(head or b""):
            return int(getattr(entry.message, "last_contained_log_timestamp", -1))
        return -1

    def _opened(self, snapshot: SnapshotId) -> File | None:
        if snapshot not in self._ids or snapshot == BOOTSTRAP_ID:
            return None
        file = self._open.get(snapshot)
        if file is None:
            while len(self._open) >= _OPEN_MAX:
                self._open.pop(next(iter(self._open))).close()
            file = self._disk.open(self._path(snapshot.file_name))
            self._open[snapshot] = file
        return file

    # --- partial files ------------------------------------------------------------------------

    def begin(self, snapshot: SnapshotId) -> PartialSnapshot:
        """Create a partial file for a snapshot that this node makes."""
        return PartialSnapshot(self._env, snapshot, self._path(snapshot.file_name))

    def part_size(self, snapshot: SnapshotId) -> int:
        """How much of this snapshot was downloaded, in bytes; parts of other snapshots are
        removed."""
        if self._part is None:
            return 0
        if self._part.snapshot != snapshot:
            self.drop_part()
            return 0
        return self._part.size()

    def append_part(self, snapshot: SnapshotId, pieces: Sequence[Buffer]) -> None:
        """Append to the download of this snapshot; begins it if another one, or none, is under
        way."""
        if self._part is None or self._part.snapshot != snapshot:
            self.drop_part()
            self._part = self.begin(snapshot)
        self._part.append(pieces)

    def drop_part(self) -> None:
        """Abandon the download."""
        part, self._part = self._part, None
        if part is not None:
            part.give_up()

    def take_part(self, snapshot: SnapshotId) -> PartialSnapshot:
        """The complete download, to be frozen on another thread; then call `frozen`."""
        part, self._part = self._part, None
        assert part is not None, "nothing was downloaded"
        assert part.snapshot == snapshot, f"the partial file is of {part.snapshot}"
        return part

    def frozen(self, snapshot: SnapshotId, content: Snapshot | None) -> None:
        """The file has got its real name."""
        self._ids = sorted({*self._ids, snapshot})
        if content is not None:
            self._cached = (snapshot, content)

    # --- the end of snapshots -----------------------------------------------------------------

    def retire_before(self, end_offset: int) -> list[SnapshotId]:
        """Retire the snapshots that end before `end_offset`, never the newest (630-09); returns
        them."""
        doomed = [one for one in self.ids if one.end_offset < end_offset and one != self.latest]
        for snapshot in doomed:
            self.retire(snapshot)
        if end_offset > 0 and self.has_bootstrap and self.latest is not None:
            self.retire(BOOTSTRAP_ID)
        return doomed

    def retire(self, snapshot: SnapshotId) -> None:
        """Rename the file now, and remove it after a minute."""
        self._ids.remove(snapshot)
        if self._cached is not None and self._cached[0] == snapshot:
            self._cached = None
        file = self._open.pop(snapshot, None)
        if file is not None:
            file.close()
        path = self._path(snapshot.file_name)
        self._disk.rename(path, path + DELETED)
        self._deletions.add(path + DELETED, self._env.clock.monotonic_ms() + DELETE_DELAY_MS)

    def close(self) -> None:
        """Close all files."""
        for file in self._open.values():
            file.close()
        self._open.clear()
        if self._part is not None:
            self._part.close()
            self._part = None

    def _path(self, name: str) -> str:
        return f"{self.folder}/{name}"


class PartialSnapshot:
    """A snapshot that is being written. `run` blocks: call it off the event loop."""

    def __init__(self, env: Env, snapshot: SnapshotId, path: str) -> None:
        self._disk = env.disk
        self.snapshot = snapshot
        self._path = path
        self._file: File | None = env.disk.open(path + PART, create=True, truncate=True)
        self.content: Snapshot | None = None
        self.damage: str | None = None
        """Why the file is no valid snapshot; it has been removed then."""

    def size(self) -> int:
        """The number of bytes written so far."""
        return self._opened().size()

    def append(self, pieces: Sequence[Buffer]) -> None:
        """Append to the file."""
        self._opened().append(pieces)

    def _opened(self) -> File:
        assert self._file is not None, "it was closed"
        return self._file

    def close(self) -> None:
        """Close the file; it stays there until the next start."""
        file, self._file = self._file, None
        if file is not None:
            file.close()

    def give_up(self) -> None:
        """Close the file and remove it, unless it has got its real name already."""
        if self._file is not None:
            self.close()
            self._disk.remove(self._path + PART)

    def run(self, *, check: bool) -> bool:
        """Check the snapshot, fsync and rename it, fsync the directory (630-02, 630-03, 630-14).

        Returns False if it is no valid snapshot; it is removed then. Raises OSError.
        """
        file = self._opened()
        if check:
            try:
                self.content = read_snapshot(file.pread(file.size(), 0))
            except DamagedSnapshotError as error:
                self.damage = f"{self._path}{PART}: {error}; removed, to be fetched again"
                self.give_up()
                return False
        file.fsync()
        self.close()
        self._disk.rename(self._path + PART, self._path)
        self._disk.fsync_directory(self._path.rpartition("/")[0])
        return True


def read_snapshot(data: Buffer) -> Snapshot:
    """The content of a snapshot, all of whose bytes have been checked. Raises
    DamagedSnapshotError."""
    end = 0
    try:
        for position, header in iter_batch_headers(data):
            end = position + header.size
    except (BatchError, DecodeError) as error:
        raise DamagedSnapshotError(f"after byte {end}: {error}") from None
    if end != len(data):
        raise DamagedSnapshotError(f"it is cut in the batch at byte {end} of {len(data)}")
    return decode_snapshot(data)
