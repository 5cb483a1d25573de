"""Giving back the file descriptors of logs that nothing is written to: there may be too few.

A log needs none while nobody reads it or writes to it. When more files are open than may be, those
of logs that did not grow since somebody last looked go first; the next use opens them again.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .partition_log import PartitionLog

SHARE = 8
"""So large a part of the open files is closed at a time, that it need not be done at each opening:
one in eight."""


class Resting:
    """Closes files of a node's logs, on the thread that uses the logs."""

    def __init__(self, logs: Callable[[], Iterable[PartitionLog]]) -> None:
        self._logs = logs
        self._cursor = 0
        self._ends: dict[PartitionLog, int] = {}

    def make_room(self, open_files: int) -> int:
        """Close an eighth of the `open_files`, if that is possible; how many were closed."""
        wanted = max(open_files // SHARE, 1)
        logs = list(self._logs())
        start = self._cursor % len(logs) if logs else 0
        line = logs[start:] + logs[:start]
        former, self._ends = self._ends, {log: log.log_end_offset for log in logs}
        closed = 0
        for is_idle in (True, False):
            for log in line:
                if closed >= wanted:
                    return closed
                if (former.get(log) == log.log_end_offset) is is_idle:
                    self._cursor += 1
                    closed += log.rest_files()
        return closed
