"""Reads for followers off the event loop, where KIP-501 is on (501-10).

The files are opened anew on the thread: a segment may be closed or deleted meanwhile, and a file
handle that is shared could by then be another file's. What is read is thrown away; it is in the
page cache then, where the loop finds it. What fails here fails again on the loop, which reports it.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from ...core.log.segmented_log import Stretch
    from ...core.ports import Disk


class ReadsAhead:
    """The `ReadAhead` of a broker."""

    def __init__(self, disk: Disk) -> None:
        self._disk = disk
        self._loop = asyncio.get_running_loop()
        self._is_stopped = False

    def __call__(self, stretches: Sequence[Stretch], done: Callable[[], object]) -> None:
        """Read all of them on a thread, then call `done` on the loop."""
        future = self._loop.run_in_executor(None, self._read, tuple(stretches))
        future.add_done_callback(lambda _: None if self._is_stopped else done())

    def stop(self) -> None:
        """Whoever waits is not called any more."""
        self._is_stopped = True

    def _read(self, stretches: Sequence[Stretch]) -> None:
        for stretch in stretches:
            try:
                file = self._disk.open(stretch.path)
                try:
                    file.pread(stretch.size, stretch.position)
                finally:
                    file.close()
            except OSError:
                continue
