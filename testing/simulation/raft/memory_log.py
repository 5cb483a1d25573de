"""A metadata log in memory that knows what is durable, with the hash of all history in each batch.

A batch's `chain` is a hash over everything up to it, so that comparing two logs up to an offset is
comparing two numbers (I-2), and the state of a listener that applied so far is its chain (I-16).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, NamedTuple, cast

from barnabas.broker.core.raft.messages import EpochEnd, Records
from barnabas.broker.core.raft.ports import Control, ControlEntry, KRaftVersion, LeaderChange
from barnabas.broker.core.raft.snapshot_file import SnapshotId
from barnabas.broker.core.raft.voters import Voters
from barnabas.protocol.message import Message

if TYPE_CHECKING:
    from random import Random

PIECE_BYTES = 100
"""What one batch counts against `max_bytes`."""


class Batch(NamedTuple):
    """Some records that are appended together."""

    base: int
    end: int
    epoch: int
    payload: int
    chain: int
    controls: tuple[ControlEntry, ...]


class SnapshotContent(NamedTuple):
    """What a snapshot file holds: the state's hash and the quorum's own records."""

    chain: int
    controls: tuple[KRaftVersion | Voters, ...]
    size: int


class Piece:
    """Some bytes of a snapshot; only their number and origin matter."""

    __slots__ = ("content", "length", "position")

    def __init__(self, content: SnapshotContent, position: int, length: int) -> None:
        self.content = content
        self.position = position
        self.length = length

    def __len__(self) -> int:
        return self.length


class LogImage(NamedTuple):
    """A log as it may lie on the disk although memory has replaced it."""

    start: int
    start_chain: int
    start_epoch: int
    batches: list[Batch]


class MemoryRaftLog:
    """Implements RaftLog; `on_append` and `on_truncate` are the oracle's ears."""

    def __init__(self, bootstrap: Sequence[KRaftVersion | Voters] = ()) -> None:
        self.bootstrap = tuple(bootstrap)
        self.start = 0
        self.start_chain = 0
        self.start_epoch = 0
        self.batches: list[Batch] = []
        self.ends: list[int] = []
        self.epochs: list[int] = []
        self.epoch_starts: list[int] = []
        self.synced_count = 0
        self.stale: LogImage | None = None
        self.files: dict[SnapshotId, SnapshotContent] = {}
        self.ids: list[SnapshotId] = []
        self.partial: tuple[SnapshotId, SnapshotContent | None, int] | None = None
        self.on_append: Callable[[Batch], None] = lambda _batch: None
        self.on_truncate: Callable[[int], None] = lambda _offset: None
        self.next_payload = 0
        self.end_offset = 0
        self.last_epoch = 0

    # What the core asks ---------------------------------------------------------------------

    @property
    def start_offset(self) -> int:
        return self.start

    def end_of_epoch(self, epoch: int) -> EpochEnd:
        index = bisect_right(self.epochs, epoch)
        if not index:
            return EpochEnd(-1, self.start)
        end = self.epoch_starts[index] if index < len(self.epochs) else self.end_offset
        return EpochEnd(self.epochs[index - 1], end)

    def chain_at(self, end: int) -> int | None:
        """The hash of all history before `end`; None if no batch ends there."""
        if end == self.start:
            return self.start_chain
        index = bisect_left(self.ends, end)
        if index < len(self.ends) and self.ends[index] == end:
            return self.batches[index].chain
        return None

    def durable_chain_at(self, end: int) -> int | None:
        """The same, for what surely survives a power loss."""
        if end == self.start:
            return self.start_chain
        index = bisect_left(self.ends, end)
        if index < self.synced_count and self.ends[index] == end:
            return self.batches[index].chain
        return None

    def append_messages(self, messages: Sequence[Message], epoch: int) -> int:
        payload = cast("int", messages[0])
        self._add(self.end_offset + len(messages), epoch, payload, ())
        return self.end_offset

    def append_control(self, controls: Sequence[Control], epoch: int) -> int:
        base = self.end_offset
        kept = tuple(
            ControlEntry(base + index, one)
            for index, one in enumerate(controls)
            if not isinstance(one, LeaderChange)
        )
        self._add(base + len(controls), epoch, -1, kept)
        return self.end_offset

    def _add(self, end: int, epoch: int, payload: int, controls: tuple[ControlEntry, ...]) -> None:
        base = self.end_offset
        before = self.batches[-1].chain if self.batches else self.start_chain
        chain = hash((before, base, end, epoch, payload))
        self._push(Batch(base, end, epoch, payload, chain, controls))

    def _push(self, batch: Batch) -> None:
        if batch.base != self.end_offset:
            raise AssertionError(f"I-2: {batch} appended at {self.end_offset}")
        if batch.epoch != self.last_epoch or not self.epochs:
            self.epochs.append(batch.epoch)
            self.epoch_starts.append(batch.base)
            self.last_epoch = batch.epoch
        self.batches.append(batch)
        self.ends.append(batch.end)
        self.end_offset = batch.end
        self.on_append(batch)

    def append_records(self, records: Records) -> Sequence[ControlEntry]:
        controls: list[ControlEntry] = []
        for batch in cast("list[Batch]", records):
            self._push(batch)
            controls += batch.controls
        return controls

    def read(self, offset: int, max_bytes: int) -> Records:
        index = bisect_right(self.ends, offset)
        return self.batches[index : index + max(1, max_bytes // PIECE_BYTES)]

    def is_batch_boundary(self, offset: int) -> bool:
        return self.chain_at(offset) is not None

    def truncate(self, offset: int) -> None:
        self.on_truncate(offset)
        index = bisect_right(self.ends, offset)
        if index < self.synced_count:
            if self.stale is None:
                kept = self.batches[: self.synced_count]
                self.stale = LogImage(self.start, self.start_chain, self.start_epoch, kept)
            self.synced_count = index
        del self.batches[index:]
        del self.ends[index:]
        self.end_offset = self.ends[-1] if self.ends else self.start
        while self.epoch_starts and self.epoch_starts[-1] >= self.end_offset > self.start:
            self.epochs.pop()
            self.epoch_starts.pop()
        if not self.batches:
            self._restart_epochs()
        self.last_epoch = self.epochs[-1] if self.epochs else 0

    def _restart_epochs(self) -> None:
        self.epochs = [self.start_epoch] if self.start else []
        self.epoch_starts = [self.start] if self.start else []

    def truncate_to_snapshot(self, snapshot: SnapshotId) -> None:
        content = self.files.get(snapshot)
        kept = self.batches[: self.synced_count]
        self.stale = LogImage(self.start, self.start_chain, self.start_epoch, kept)
        self.start = self.end_offset = snapshot.end_offset
        self.start_chain = content.chain if content is not None else 0
        self.start_epoch = self.last_epoch = snapshot.epoch
        self.batches, self.ends, self.synced_count = [], [], 0
        self._restart_epochs()
        for one in [it for it in self.ids if it.end_offset < snapshot.end_offset]:
            self.forget_snapshot(one)

    def raise_start(self, snapshot: SnapshotId) -> None:
        chain = self.chain_at(snapshot.end_offset)
        if chain is None:
            raise AssertionError(f"I-14: no batch ends at {snapshot}")
        index = bisect_right(self.ends, snapshot.end_offset)
        del self.batches[:index]
        del self.ends[:index]
        self.synced_count = max(0, self.synced_count - index)
        self.start, self.start_chain = snapshot.end_offset, chain
        self.start_epoch = snapshot.epoch
        later = bisect_left(self.epoch_starts, snapshot.end_offset)
        self.epochs = [snapshot.epoch, *self.epochs[later:]]
        self.epoch_starts = [snapshot.end_offset, *self.epoch_starts[later:]]
        self.stale = None
        for one in [it for it in self.ids if it.end_offset < snapshot.end_offset]:
            self.forget_snapshot(one)

    def controls(self) -> Sequence[ControlEntry]:
        first: Sequence[KRaftVersion | Voters] = self.bootstrap
        after = 0
        if self.ids:
            first = self.files[self.ids[-1]].controls
            after = self.ids[-1].end_offset
        found = [ControlEntry(-1, one) for one in first]
        for batch in self.batches:
            found += [one for one in batch.controls if one.offset >= after]
        return found

    # Snapshots ------------------------------------------------------------------------------

    def snapshots(self) -> Sequence[SnapshotId]:
        return self.ids

    def add_snapshot(self, snapshot: SnapshotId, content: SnapshotContent) -> None:
        """A complete, durable file."""
        if snapshot not in self.files:
            insort(self.ids, snapshot)
        self.files[snapshot] = content

    def forget_snapshot(self, snapshot: SnapshotId) -> None:
        """Delete the file."""
        del self.files[snapshot]
        self.ids.remove(snapshot)

    def snapshot_size(self, snapshot: SnapshotId) -> int:
        content = self.files.get(snapshot)
        return -1 if content is None else content.size

    def read_snapshot(self, snapshot: SnapshotId, position: int, max_bytes: int) -> Records | None:
        content = self.files.get(snapshot)
        if content is None:
            return None
        return Piece(content, position, min(max_bytes, content.size - position))

    def download_position(self, snapshot: SnapshotId) -> int:
        if self.partial is None or self.partial[0] != snapshot:
            self.partial = (snapshot, None, 0)
        return self.partial[2]

    def append_download(self, snapshot: SnapshotId, data: Records) -> None:
        assert self.partial is not None and self.partial[0] == snapshot
        piece = cast("Piece", data)
        content = piece.content
        if self.partial[1] not in (None, content):
            content = SnapshotContent(-1, (), content.size)  # of two files: it will be refused
        self.partial = (snapshot, content, self.partial[2] + piece.length)

    def drop_download(self) -> None:
        self.partial = None

    def freeze(self, snapshot: SnapshotId) -> bool:
        """The partial file is complete; False if it is not what it should be."""
        partial, self.partial = self.partial, None
        if partial is None or partial[1] is None or partial[0] != snapshot:
            return False
        if partial[1].chain == -1 or partial[2] != partial[1].size:
            return False
        self.add_snapshot(snapshot, partial[1])
        return True

    # Durability -----------------------------------------------------------------------------

    def mark_synced(self, count: int) -> None:
        """An fsync that began when the log had `count` batches is done."""
        self.synced_count = max(self.synced_count, min(count, len(self.batches)))
        self.stale = None

    def lose_power(self, random: Random) -> None:
        """Keep what is durable, and some of the rest; a truncation may not have happened."""
        self.partial = None
        stale, self.stale = self.stale, None
        if stale is not None and random.random() < 0.5:
            self.start, self.start_chain = stale.start, stale.start_chain
            self.start_epoch = stale.start_epoch
            self._replace(stale.batches)
        else:
            self._replace(self.batches[: random.randint(self.synced_count, len(self.batches))])

    def image(self) -> dict[int, int]:
        """What surely survived until now: end offset of each batch -> chain."""
        return {one.end: one.chain for one in self.batches[: self.synced_count]}

    def cut(self, count: int) -> None:
        """Keep so many batches, whatever was synced: what is on the disk cannot be read."""
        self.partial = self.stale = None
        self._replace(self.batches[:count])

    def _replace(self, batches: list[Batch]) -> None:
        self.batches = list(batches)
        self.ends = [one.end for one in batches]
        self.synced_count = len(batches)
        self.end_offset = self.ends[-1] if batches else self.start
        self._restart_epochs()
        for one in batches:
            if not self.epochs or self.epochs[-1] != one.epoch:
                self.epochs.append(one.epoch)
                self.epoch_starts.append(one.base)
        self.last_epoch = self.epochs[-1] if self.epochs else 0
