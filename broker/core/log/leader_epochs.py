"""Which leader epoch began at which offset: how two copies of a log find where they part (KIP-101).

Rules 101-01 and 101-02. Kept in `leader-epoch-checkpoint`, which may lack the newest epochs: they
are written and made durable with the next flush of the log, before the recovery point passes their
records; until then a crash finds them in the batches that it must read anyway. So a hundred new
leaderships write no file. What is dropped is taken out of the file at once: the file never speaks
of an epoch that the log does not have.

The file is Kafka's: its first epoch begins where the log does. That does not tell in which epoch
the record before was written, so a running log remembers it besides (`epoch_before`).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right

from ..ports import Disk
from . import checkpoints
from .failures import CorruptCheckpointError

UNDEFINED_EPOCH = -1
UNDEFINED_OFFSET = -1

_STALE = -1
_NOTHING_BEFORE = 0, UNDEFINED_EPOCH


class LeaderEpochs:
    """Epochs and their start offsets, both growing; kept in the file `path`."""

    __slots__ = (
        "_before",
        "_disk",
        "_written",
        "dirty",
        "epochs",
        "latest",
        "path",
        "starts",
        "unsaved",
    )

    def __init__(self, disk: Disk, path: str) -> None:
        self._disk = disk
        self.path = path
        self.epochs: list[int] = []
        self.starts: list[int] = []
        self.latest = UNDEFINED_EPOCH
        """The newest epoch; -1 if none is known."""
        self.dirty = False
        """The file holds entries that were not made durable yet."""
        self.unsaved = False
        """There are entries that are not in the file."""
        self._written = 0
        """The file holds so many entries, the oldest; `_STALE` if it holds something else."""
        self._before = _NOTHING_BEFORE
        """Where the log begins, and the epoch of the record before."""

    def entries(self) -> list[tuple[int, int]]:
        """(epoch, start offset), oldest first."""
        return list(zip(self.epochs, self.starts, strict=True))

    def load(self) -> None:
        """Read the file; raises CorruptCheckpointError, FileNotFoundError."""
        entries = []
        for fields in checkpoints.decode_lines(self._disk.read_file(self.path), self.path):
            if len(fields) != 2:
                raise CorruptCheckpointError(f"{self.path} has a line of {len(fields)} fields")
            entries.append([checkpoints.integer(field, self.path) for field in fields])
        for epoch, start in entries:
            if epoch < 0 or start < 0:
                raise CorruptCheckpointError(f"{self.path} has a negative epoch or offset")
            self._put(epoch, start)
        if self.entries() == [(epoch, start) for epoch, start in entries]:
            self._written = len(entries)
        else:
            self.unsaved = True

    def assign(self, epoch: int, start_offset: int) -> None:
        """Say that `epoch` begins at `start_offset`; known epochs keep the start they have.

        Entries that contradict the new one (a later epoch, a later start) are dropped.
        Raises OSError, if the file had them.
        """
        assert epoch >= 0
        assert start_offset >= 0
        if self._put(epoch, start_offset):
            self._settle()

    def _keep(self, count: int) -> None:
        del self.epochs[count:]
        del self.starts[count:]
        self.latest = self.epochs[-1] if self.epochs else UNDEFINED_EPOCH
        if count < self._written:
            self._written = _STALE

    def _settle(self) -> None:
        """What was dropped leaves the file now, what is new comes into it with the next flush."""
        if self._written == _STALE:
            self.write()
        else:
            self.unsaved = self._written != len(self.epochs)

    def _put(self, epoch: int, start: int) -> bool:
        if self.epochs and epoch == self.epochs[-1] and start >= self.starts[-1]:
            return False
        keep = len(self.epochs)
        while keep and (self.epochs[keep - 1] >= epoch or self.starts[keep - 1] >= start):
            keep -= 1
        self._keep(keep)
        self.epochs.append(epoch)
        self.starts.append(start)
        self.latest = epoch
        return True

    def note_batch(self, epoch: int, base_offset: int) -> None:
        """Learn from a batch in the log (recovery, replication): only a newer epoch counts."""
        if epoch > self.latest:
            self._put(epoch, base_offset)
            self.unsaved = True

    def epoch_of(self, offset: int) -> int:
        """The epoch that `offset` was written in; -1 if it is older than all we know."""
        at = bisect_right(self.starts, offset)
        return self.epochs[at - 1] if at else UNDEFINED_EPOCH

    def epoch_before(self, start_offset: int) -> int:
        """The epoch of the record before the log's start; -1 if it is not known.

        It is not of a log that began anew there, or was opened with nothing from before.
        """
        offset, epoch = self._before
        return epoch if offset == start_offset else UNDEFINED_EPOCH

    def end_offset_for(self, epoch: int, log_end_offset: int) -> tuple[int, int]:
        """(epoch, end offset) for a question about `epoch` (101-02).

        The largest known epoch <= `epoch` and where it ended; (-1, -1) if nothing can be said.
        """
        if epoch == UNDEFINED_EPOCH or not self.epochs:
            return UNDEFINED_EPOCH, UNDEFINED_OFFSET
        if epoch == self.epochs[-1]:
            return epoch, log_end_offset
        higher = bisect_right(self.epochs, epoch)
        if higher == len(self.epochs):
            return UNDEFINED_EPOCH, UNDEFINED_OFFSET
        if higher == 0:
            # Older than all we know: those records are gone, reading begins with the first epoch.
            return epoch, self.starts[0]
        return self.epochs[higher - 1], self.starts[higher]

    def truncate_from_end(self, end_offset: int) -> None:
        """Drop epochs that began at `end_offset` or later: the log was cut there."""
        if end_offset < self._before[0]:
            self._before = _NOTHING_BEFORE
        keep = bisect_left(self.starts, end_offset)
        if keep < len(self.starts):
            self._keep(keep)
            self._settle()

    def truncate_from_start(self, start_offset: int) -> None:
        """Forget what ended before `start_offset`; the epoch of that offset now begins there."""
        if start_offset > self._before[0]:
            self._before = (start_offset, self.epoch_of(start_offset - 1))
        at = bisect_right(self.starts, start_offset)
        if at and (at > 1 or self.starts[0] != start_offset):
            del self.epochs[: at - 1]
            del self.starts[: at - 1]
            self.starts[0] = start_offset
            self._written = _STALE if self._written else 0
            self._settle()

    def clear(self) -> None:
        """Forget everything: the log begins anew."""
        self._before = _NOTHING_BEFORE
        self._keep(0)
        self._settle()

    def flush_begins(self) -> None:
        """The file is made durable as it is now."""
        self.dirty = False

    def moved_to(self, directory: str) -> None:
        """The log's folder was renamed."""
        self.path = directory + "/" + self.path.rpartition("/")[2]

    def write(self, *, durable: bool = False) -> None:
        """Replace the file; with `durable` it survives a loss of power from here on."""
        lines = [f"{epoch} {start}" for epoch, start in self.entries()]
        self._disk.write_file_atomically(
            self.path, checkpoints.encode_lines(lines), durable=durable
        )
        self.dirty = not durable
        self.unsaved = False
        self._written = len(lines)
