"""What the core wants durable: `quorum-state`, the log, snapshots; on other threads, one at a time.

Before `go_on` everything is done here and now. After it a state or a flush that is asked for while
one runs waits for its end; of several only the last one counts.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from functools import partial
from typing import Any  # Any: results of work of any kind

from ...core.log.failures import LogDirectoryFailure
from ...core.log.flushing import Syncable
from ...core.raft.quorum_state import QuorumState
from ...core.raft.ready import Flush
from ..worker import ResultT
from .floor import Floor
from .raft_log import QuorumLog


class Durable:
    """See the module. A failure is given to `fail`, and nothing more is written after it."""

    def __init__(
        self,
        log: QuorumLog,
        write_state: Callable[[QuorumState], None],
        on_state: Callable[[QuorumState], object],
        on_flushed: Callable[[Flush], object],
        fail: Callable[[BaseException], object],
        write_floor: Callable[[Floor], None],
    ) -> None:
        self._log = log
        self._write_state = write_state
        self._on_state = on_state
        self._on_flushed = on_flushed
        self._fail = fail
        self._write_floor = write_floor
        self._floor: Floor | None = None
        self._is_writing_floor = False
        self._loop: asyncio.AbstractEventLoop | None = None
        self._state: QuorumState | None = None
        self._is_writing = False
        self._flush: Flush | None = None
        self._is_flushing = False
        self._has_failed = False
        self._background: dict[asyncio.Future[Any], None] = {}

    def go_on(self, loop: asyncio.AbstractEventLoop) -> None:
        """From now on write in the background."""
        self._loop = loop

    async def drain(self) -> None:
        """Wait until no thread is writing any more."""
        while self._background:
            await asyncio.wait(list(self._background))

    def elsewhere(self, work: Callable[[], ResultT], then: Callable[[ResultT], object]) -> None:
        """Run `work` on another thread, then `then` with its result."""
        if self._loop is None:
            then(work())
            return
        future = self._loop.run_in_executor(None, work)
        self._background[future] = None
        future.add_done_callback(partial(self._ended, then))

    def _ended(self, then: Callable[[ResultT], object], done: asyncio.Future[ResultT]) -> None:
        self._background.pop(done, None)
        if done.cancelled() or self._has_failed:
            return
        error = done.exception()
        if error is None:
            then(done.result())
        else:
            self._has_failed = True
            self._fail(error)

    # --- quorum-state -------------------------------------------------------------------------

    def want_state(self, state: QuorumState) -> None:
        """Write the quorum state (595-01)."""
        self._state = state
        if not self._is_writing:
            self._begin_state()

    def _begin_state(self) -> None:
        state, self._state = self._state, None
        assert state is not None
        self._is_writing = True

        def written(_: None) -> None:
            self._is_writing = False
            if self._state is not None:
                self._begin_state()
            self._on_state(state)

        self.elsewhere(partial(self._write_state, state), written)

    # --- what the disk is known to have -------------------------------------------------------

    def want_floor(self, floor: Floor) -> None:
        """Write the floor of the log; nothing depends on when that is done."""
        self._floor = floor
        if not self._is_writing_floor:
            self._begin_floor()

    def _begin_floor(self) -> None:
        floor, self._floor = self._floor, None
        assert floor is not None
        self._is_writing_floor = True

        def written(_: None) -> None:
            self._is_writing_floor = False
            if self._floor is not None:
                self._begin_floor()

        self.elsewhere(partial(self._write_floor, floor), written)

    # --- the log ------------------------------------------------------------------------------

    def want_flush(self, flush: Flush) -> None:
        """Make the log durable (595-04)."""
        if self._loop is None:
            self._log.log.flush()
            self._on_flushed(flush)
            return
        if self._flush is None and not self._is_flushing:
            # Records that are appended in the same turn of the loop share the flush.
            self._loop.call_soon(self._begin_flush)
        self._flush = flush

    def _begin_flush(self) -> None:
        flush, self._flush = self._flush, None
        if flush is None or self._has_failed:
            return
        self._is_flushing = True
        try:
            files = self._log.flush_start()
        except OSError as error:
            self._has_failed = True
            self._fail(error)
            return
        self.elsewhere(partial(_sync, files), partial(self._synced, flush))

    def _synced(self, flush: Flush, error: OSError | None) -> None:
        self._is_flushing = False
        self._log.flush_end(error)
        if error is not None:
            self._has_failed = True
            self._fail(LogDirectoryFailure(self._log.log.directory, "flushing", error))
            return
        if self._flush is not None:
            self._begin_flush()
        self._on_flushed(flush)


def _sync(files: Sequence[Syncable]) -> OSError | None:
    """Fsync the files. An error is returned, not raised: the log must be told of it before
    others."""
    try:
        for file in files:
            file.fsync()
    except OSError as error:
        return error
    return None
