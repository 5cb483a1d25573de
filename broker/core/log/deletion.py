"""Files on their way out: renamed at once, removed after `file.delete.delay.ms`.

Readers that hold a file open finish in peace, and an operator has a minute to change their mind.
The caller drives the time.
"""

from __future__ import annotations

from heapq import heappop, heappush

from ..ports import Disk


class DeletionSchedule:
    """What is to be removed, and when."""

    __slots__ = ("_disk", "_due")

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._due: list[tuple[float, str]] = []

    def __len__(self) -> int:
        return len(self._due)

    def add(self, path: str, due_ms: float) -> None:
        """Remove the file or folder `path` once the monotonic clock has reached `due_ms`."""
        heappush(self._due, (due_ms, path))

    def next_due_ms(self) -> float | None:
        """When to call `run_due` next, on the monotonic clock; None if there is nothing to do."""
        return self._due[0][0] if self._due else None

    def run_due(self, now_ms: float) -> list[str]:
        """Remove what is due; the paths removed. One that is gone already does not matter.

        Raises OSError for the first that cannot be removed; the next call goes on after it.
        """
        removed = []
        while self._due and self._due[0][0] <= now_ms:
            _, path = heappop(self._due)
            try:
                if self._disk.is_directory(path):
                    self._disk.remove_tree(path)
                else:
                    self._disk.remove(path)
                removed.append(path)
            except FileNotFoundError:
                continue
        return removed
