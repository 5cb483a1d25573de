"""The three checkpoints of a log directory: recovery points, log starts and high watermarks.

What they said of logs that were not opened yet is kept here, and written again with each change.
"""

from __future__ import annotations

from collections.abc import Mapping

from ..ports import Disk
from . import file_names
from .checkpoints import CheckpointFile, CheckpointWrite, PartitionKey, write_offsets
from .failures import CorruptCheckpointError
from .partition_log import PartitionLog

Logs = Mapping[PartitionKey, PartitionLog]
Offsets = Mapping[PartitionKey, int]


class OffsetFiles:
    """Those of one directory."""

    __slots__ = ("_disk", "_found", "_points", "_starts", "_unlisted", "_watermarks")

    def __init__(self, disk: Disk, directory: str) -> None:
        self._disk = disk
        self._points = CheckpointFile(disk, f"{directory}/{file_names.RECOVERY_POINTS}")
        self._starts = CheckpointFile(disk, f"{directory}/{file_names.LOG_START_OFFSETS}")
        self._watermarks = CheckpointFile(disk, f"{directory}/{file_names.HIGH_WATERMARKS}")
        self._found: dict[CheckpointFile, dict[PartitionKey, int]] = {
            file: {} for file in self._files
        }
        """Of logs that were not opened yet; the others know it themselves."""
        self._unlisted = -1
        """Recovery point of a log that the file does not name: 0, it is new, or the file was
        damaged; -1, there is no file."""

    @property
    def _files(self) -> tuple[CheckpointFile, ...]:
        return self._points, self._starts, self._watermarks

    def load(self, *, is_new: bool) -> list[str]:
        """Read the files; which were passed over, and why. Raises OSError.

        `is_new`: the directory has no log yet.
        """
        path = self._points.path
        if is_new and not self._disk.exists(path):
            # From here on a log that the file does not name is a new one, also after a power loss.
            write_offsets(self._disk, path, {})
        # A damaged file is what a power failure leaves of one that was not synced: nothing counts
        # as flushed then, and every hole as the lost tail of a segment.
        self._unlisted = 0 if self._disk.exists(path) else -1
        damage = []
        for file in self._files:
            try:
                self._found[file] = file.read()
            except CorruptCheckpointError as error:
                damage.append(f"{error}; passed over")
        return damage

    def lose_watermarks(self) -> None:
        """For the simulator: as if that file were damaged."""
        self._found[self._watermarks] = {}

    def recovery_point_of(self, key: PartitionKey) -> int:
        """Below it a log that is opened now was durable; -1 if that is not known."""
        return self._found[self._points].get(key, self._unlisted)

    def start_of(self, key: PartitionKey) -> int:
        """Where a log that is opened now begins, if not with its first segment."""
        return self._found[self._starts].get(key, 0)

    def watermark_of(self, key: PartitionKey) -> int:
        """The high watermark of a log that is opened now."""
        return self._found[self._watermarks].get(key, 0)

    def forget(self, key: PartitionKey) -> None:
        """From here on the log itself knows, or it is gone."""
        for found in self._found.values():
            found.pop(key, None)

    def may_name(self, key: PartitionKey) -> bool:
        """Whether a file says something of this log, or will when a write ends."""
        return any(file.may_name(key) for file in self._files)

    def recovery_points(self, logs: Logs, limits: Offsets) -> CheckpointWrite:
        """That file, durably; of a log in `limits` no more than is said there."""
        return CheckpointWrite(
            [self._points.take_down(self._recovered(logs, limits))], durable=True
        )

    def all_three(self, logs: Logs, limits: Offsets, *, durable: bool) -> CheckpointWrite:
        """All files as they are to be now."""
        starts = {
            key: log.log_start_offset
            for key, log in logs.items()
            if log.log_start_offset > log.first_segment_offset
        }
        watermarks = {key: log.high_watermark for key, log in logs.items()}
        files = (
            self._points.take_down(self._recovered(logs, limits)),
            self._watermarks.take_down(self._found[self._watermarks] | watermarks),
            self._starts.take_down(self._found[self._starts] | starts),
        )
        return CheckpointWrite(files, durable=durable)

    def _recovered(self, logs: Logs, limits: Offsets) -> dict[PartitionKey, int]:
        recovered = self._found[self._points] | {
            key: log.sure_recovery_point for key, log in logs.items()
        }
        for key, limit in limits.items():
            if key in recovered:
                recovered[key] = min(recovered[key], limit)
        return recovered
