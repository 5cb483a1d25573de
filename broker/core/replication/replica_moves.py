"""Which replicas of this broker are on their way to another of its log directories (KIP-113).

Directories that were asked for before there was a replica are remembered for its creation.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

from ..log.log_directory import LogDirectory
from .future_replica import FutureReplica
from .partition import FlushQueue, Partition

WISHES_MAX: Final = 10_000
"""Replicas yet to be created whose directory is remembered; the oldest wish is forgotten."""

Report = Callable[[str, dict[str, object]], object]
Key = tuple[str, int]


class ReplicaMoves:
    """All moves of one broker."""

    def __init__(self, report: Report, flushes: FlushQueue) -> None:
        """`report`: event and its fields, for the node's log."""
        self._flushes = flushes
        self._report = report
        self._moves: dict[Partition, FutureReplica] = {}
        self._left: dict[Partition, FutureReplica] = {}
        """Given up since a disk failed: their copies are still there."""
        self._wishes: dict[Key, LogDirectory] = {}
        self.on_begun: Callable[[FutureReplica], object] = _nobody_works
        """Told of each move that begins, or goes on after a start."""

    def __iter__(self) -> Iterator[FutureReplica]:
        return iter(list(self._moves.values()))

    def __len__(self) -> int:
        return len(self._moves)

    def of(self, partition: Partition) -> FutureReplica | None:
        """The move of this replica; None if it stays where it is."""
        return self._moves.get(partition)

    # --- wishes -------------------------------------------------------------------------------

    def wish(self, key: Key, target: LogDirectory) -> None:
        """Have the replica created there, if it ever is."""
        self._wishes.pop(key, None)
        self._wishes[key] = target
        if len(self._wishes) > WISHES_MAX:
            del self._wishes[next(iter(self._wishes))]

    def take_wish(self, key: Key) -> LogDirectory | None:
        """Where a replica that is created now was asked to be."""
        return self._wishes.pop(key, None)

    # --- moves --------------------------------------------------------------------------------

    def begin(self, partition: Partition, source: LogDirectory, target: LogDirectory) -> None:
        """Make the future log. Raises OSError."""
        log = target.create(
            partition.topic, partition.index, partition.topic_id, partition.config, is_future=True
        )
        self.go_on(FutureReplica(partition, source, target, log))

    def go_on(self, move: FutureReplica) -> None:
        """A move whose future log is there."""
        self._moves[move.partition] = move
        self.on_begun(move)

    def cancel(self, partition: Partition) -> None:
        """The replica stays where it is, or is deleted: the copy's folder is removed."""
        move = self.leave(partition) or self._left.get(partition)
        self._left.pop(partition, None)
        if move is not None:
            try:
                move.target.delete(*move.key, is_future=True)
            except OSError as error:
                self._report(
                    "the folder of a future log could not be renamed",
                    {"log": move.log.name, "error": str(error)},
                )

    def leave(self, partition: Partition) -> FutureReplica | None:
        """Work at it no more; the copy stays on the disk, for the next start."""
        move = self._moves.pop(partition, None)
        if move is not None:
            move.end()
            self._left[partition] = move
        return move

    def replace(self, move: FutureReplica) -> None:
        """The copy becomes the replica's log; the former one is deleted.

        Raises LogDirectoryFailure: the target refused, and the move has not ended.
        """
        former = move.replace()
        self._flushes.forget(move.partition, former)
        move.partition.request_flush()
        del self._moves[move.partition]
        try:
            move.source.delete(*move.key)
        except OSError as error:
            self._report(
                "the former folder of a replica that was moved could not be renamed",
                {"log": former.name, "folder": former.directory, "error": str(error)},
            )


def _nobody_works(move: FutureReplica) -> None:
    """Before the broker's work has begun; it looks for moves when it does."""
