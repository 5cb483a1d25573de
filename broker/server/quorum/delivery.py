"""Hands what is committed to the listeners: the newest snapshot first, then batch after batch.

Each listener has a position of its own, so one that is added late gets everything as well;
listeners at the same position share the reading and decoding. While a listener asks for time (it
returns an awaitable), nothing more is handed over, but the quorum goes on.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Coroutine, Sequence
from typing import Final, cast

from barnabas.protocol.errors import DecodeError, KafkaError
from barnabas.protocol.message import Message
from barnabas.protocol.record_batch import BatchHeader, iter_batch_headers

from ...core.cluster.image import DamagedMetadataError
from ...core.ports import Env
from ...core.raft.metadata_batches import entries
from ...core.raft.snapshot_file import DamagedSnapshotError, Snapshot, SnapshotId
from ..formatting import MetadataError
from .listener import QuorumListener
from .raft_log import QuorumLog

_READ_BYTES: Final = 256 * 1024
_BYTES_PER_TURN: Final = 64 * 1024
"""After this many bytes, other work gets its turn on the event loop."""

_LOADED_AT_ONCE_BYTES: Final = 256 * 1024
"""Larger snapshots are read and decoded on another thread."""

_FROM_THE_BEGINNING: Final = -1


class _Feed:
    """A listener, and the offset up to which it has everything."""

    __slots__ = ("listener", "next_offset")

    def __init__(self, listener: QuorumListener) -> None:
        self.listener = listener
        self.next_offset = _FROM_THE_BEGINNING


class Delivery:
    """See the module. `run_to_end` is for the start of a node, `pump` for the time after it."""

    def __init__(
        self,
        log: QuorumLog,
        env: Env,
        on_delivered: Callable[[int], object],
        on_failure: Callable[[Exception], object],
    ) -> None:
        """`on_delivered` is called with the offset below which all listeners were handed
        everything; the last of them may still be at work at it (decision 4)."""
        self._log = log
        self._env = env
        self._on_delivered = on_delivered
        self._on_failure = on_failure
        self._feeds: list[_Feed] = []
        self._high_watermark = 0
        self._must_load = False  # a snapshot replaced the log: all listeners begin with it
        self._told = -1
        self._task: asyncio.Task[None] | None = None
        self._is_pumping = False
        self._turn_bytes = 0
        self.bytes_since_snapshot = 0
        """Bytes of the records handed over since the newest snapshot (630-06)."""
        self.oldest_ms = -1
        """When the oldest of those records was appended; -1 if there are none."""

    @property
    def is_idle(self) -> bool:
        """Whether everything that is committed has been handed over."""
        return self._task is None and self._next() is None

    def add(self, listener: QuorumListener) -> None:
        """Add a listener, which begins with the newest snapshot."""
        self._feeds.append(_Feed(listener))

    def advance(self, high_watermark: int) -> None:
        """Everything below this offset is committed; `pump` hands it over."""
        self._high_watermark = max(self._high_watermark, high_watermark)

    def load_snapshot(self, end_offset: int) -> None:
        """The log was replaced by a snapshot: all listeners load the newest one before anything
        else."""
        self._high_watermark = max(self._high_watermark, end_offset)
        self._must_load = True

    def snapshot_made(self) -> None:
        """Begin to count bytes and age anew: a snapshot was made."""
        self.bytes_since_snapshot = 0
        self.oldest_ms = -1

    # --- running ------------------------------------------------------------------------------

    def pump(self) -> None:
        """Hand over what is committed; what takes longer goes on in the background."""
        if self._task is not None or self._is_pumping:
            return
        self._is_pumping = True
        self._turn_bytes = 0
        waiting = None
        try:
            # Listeners that hear that they have everything may cause further commits.
            while waiting is None and self._next() is not None:
                waiting = self._hand_over()
                self._tell()
        except Exception as error:
            self._failed(error)
            return
        finally:
            self._is_pumping = False
        if waiting is not None:
            self._task = asyncio.get_running_loop().create_task(self._go_on(waiting))
        else:
            self._tell()

    async def _go_on(self, waiting: Awaitable[object]) -> None:
        try:
            pending: Awaitable[object] | None = waiting
            while pending is not None:
                await pending
                self._turn_bytes = 0
                self._tell()
                pending = self._hand_over()
        except Exception as error:
            self._failed(error)
            return
        finally:
            self._task = None
        self._tell()

    def _failed(self, error: Exception) -> None:
        """A listener could not take what is committed, and would never see it again: the node must
        stop."""
        if not isinstance(error, MetadataError | DamagedMetadataError | KafkaError | OSError):
            told = {"message": "a listener of the metadata log failed", "exception": error}
            asyncio.get_running_loop().call_exception_handler(told)
        self._feeds.clear()
        self._on_failure(error)

    def run_to_end(self) -> None:
        """Hand over everything before returning, which may block. Raises MetadataError."""
        while (waiting := self._hand_over()) is not None:
            self._turn_bytes = 0
            _run(waiting)
        self._tell()

    async def stop(self) -> None:
        """Hand over nothing more."""
        task, self._task = self._task, None
        self._feeds.clear()
        if task is not None:
            task.cancel()
            await asyncio.gather(task, return_exceptions=True)

    def _tell(self) -> None:
        offsets = [feed.next_offset for feed in self._feeds]
        reached = min(offsets, default=self._high_watermark)
        if not self._must_load and reached > self._told:
            self._told = reached
            self._on_delivered(reached)

    # --- one thing after the other ------------------------------------------------------------

    def _hand_over(self) -> Awaitable[object] | None:
        """Go on until a listener needs time, or nothing is left. Raises MetadataError."""
        while (feed := self._next()) is not None:
            if self._must_load or feed.next_offset < self._log.start_offset:
                waiting = self._begin(feed)
            else:
                waiting = self._read(feed.next_offset)
            if waiting is not None:
                return waiting
            if self._turn_bytes >= _BYTES_PER_TURN or self._env.maybe("delivery-waits"):
                return asyncio.sleep(0)
        return None

    def _next(self) -> _Feed | None:
        """The listener that is furthest behind; None if all have everything."""
        if not self._feeds:
            return None
        feed = min(self._feeds, key=lambda one: one.next_offset)
        if self._must_load or feed.next_offset < self._high_watermark:
            return feed
        return None

    def _begin(self, feed: _Feed) -> Awaitable[object] | None:
        files = self._log.files
        latest = files.latest
        if self._must_load:
            for each in self._feeds:
                each.next_offset = _FROM_THE_BEGINNING
            self._must_load = False
            self._told = -1
        if latest is None:
            feed.next_offset = self._log.start_offset
            return None
        if files.is_loaded(latest) or files.size(latest) <= _LOADED_AT_ONCE_BYTES:
            return self._give_snapshot(latest, self._load(latest))
        return self._load_elsewhere(latest)

    def _load(self, latest: SnapshotId) -> Snapshot:
        files = self._log.files
        try:
            return files.load(latest)
        except (DamagedSnapshotError, OSError) as error:
            raise MetadataError(f"{files.folder}/{latest.file_name}: {error}") from None

    async def _load_elsewhere(self, latest: SnapshotId) -> None:
        content = await asyncio.get_running_loop().run_in_executor(None, self._load, latest)
        waiting = self._give_snapshot(latest, content)
        if waiting is not None:
            await waiting

    def _give_snapshot(self, latest: SnapshotId, content: Snapshot) -> Awaitable[object] | None:
        """Hand a snapshot to each listener whose position is before its end."""
        files = self._log.files
        waiting = []
        for feed in self._feeds:
            if feed.next_offset < latest.end_offset:
                feed.next_offset = latest.end_offset
                try:
                    more = feed.listener.on_snapshot(
                        latest, content.records, content.last_timestamp
                    )
                except DamagedMetadataError as error:
                    raise MetadataError(f"{files.folder}/{latest.file_name}: {error}") from error
                if more is not None:
                    waiting.append(more)
        files.forget_loaded()
        self.snapshot_made()
        if (hooks := self._env.hooks) is not None:
            hooks.on("snapshot-loaded", end_offset=latest.end_offset, epoch=latest.epoch)
        return _all_of(waiting)

    def _read(self, offset: int) -> Awaitable[object] | None:
        log = self._log.log
        data = bytes(log.read(offset, _READ_BYTES, self._high_watermark, at_least_one_batch=True))
        waiting = None
        end = offset
        for position, header in iter_batch_headers(data):
            if header.next_offset <= offset:
                continue
            if header.base_offset > end:
                # Offsets are under no checksum. No listener has this position: it would be skipped.
                raise MetadataError(
                    f"{log.directory}: where offset {end} was due is one of {header.base_offset}"
                )
            batch = data[position : position + header.size]
            waiting = self._give(header, batch, max(header.base_offset, offset))
            end = header.next_offset
            if waiting is not None or self._turn_bytes >= _BYTES_PER_TURN:
                break
        if end == offset:
            raise MetadataError(f"{log.directory}: nothing can be read at offset {offset}")
        return waiting

    def _give(self, header: BatchHeader, batch: bytes, offset: int) -> Awaitable[object] | None:
        """Hand one batch to each listener whose position it begins at."""
        records = self._decoded(batch, offset)
        self._turn_bytes += len(batch)
        self.bytes_since_snapshot += len(batch)
        if self.oldest_ms < 0 and records:
            self.oldest_ms = header.max_timestamp
        waiting = []
        for feed in self._feeds:
            if feed.next_offset == offset:
                feed.next_offset = header.next_offset
                try:
                    more = feed.listener.on_committed(
                        offset,
                        header.partition_leader_epoch,
                        records,
                        header.max_timestamp,
                        header.last_offset,
                    )
                except (DamagedMetadataError, KafkaError) as error:
                    where = self._log.log.directory
                    raise MetadataError(f"{where}: after offset {offset - 1}: {error}") from error
                if more is not None:
                    waiting.append(more)
        return _all_of(waiting)

    def _decoded(self, batch: bytes, offset: int) -> list[Message]:
        try:
            return [
                entry.message
                for entry in entries(batch)
                if not entry.is_control and entry.offset >= offset
            ]
        except (DecodeError, KafkaError) as error:
            where = self._log.log.directory
            raise MetadataError(f"{where}: after offset {offset - 1}: {error}") from error


def _all_of(waiting: Sequence[Awaitable[object]]) -> Awaitable[object] | None:
    if not waiting:
        return None
    return waiting[0] if len(waiting) == 1 else _one_by_one(waiting)


async def _one_by_one(waiting: Sequence[Awaitable[object]]) -> None:
    for one in waiting:
        await one


def _run(waiting: Awaitable[object]) -> None:
    """Run a coroutine to its end at once: it only gives other work its turn, and here there is
    none."""
    steps = cast("Coroutine[object, None, object]", waiting)
    try:
        while True:
            steps.send(None)
    except StopIteration:
        return
