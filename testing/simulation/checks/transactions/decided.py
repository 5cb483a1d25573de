"""What became of transactions, by the committed batches of each partition, in their order.

I-34 (one end for the whole of a transaction, that which its producer asked for) and I-35 (nothing
of a producer whose transactional id is another's).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
from collections.abc import Iterator
from dataclasses import dataclass, field

from barnabas.client import TopicPartition
from barnabas.testing.simulation.hooks import InvariantError
from barnabas.testing.simulation.workload.transactions.attempts import attempt_of

from .stored import Stored


@dataclass(slots=True)
class Open:
    """A transaction that has no marker yet."""

    attempt: str
    epoch: int
    records: list[tuple[int, bytes]] = field(default_factory=list)


@dataclass(slots=True)
class Ended:
    """The last marker of a producer, and what it ended."""

    attempt: str
    marker_epoch: int
    coordinator_epoch: int


class Decided:
    """One partition."""

    def __init__(self, where: TopicPartition) -> None:
        self.where = where
        self.end = 0
        """So far it was looked at."""
        self.opened: dict[int, Open] = {}
        """By producer id."""
        self.values: dict[int, bytes] = {}
        """Committed records by offset."""
        self.hidden: dict[int, str] = {}
        """Aborted records by offset: of which transaction."""
        self.coordinator_epochs: dict[str, int] = {}
        """Of each transaction that has ended: whose marker ended it."""
        self._offsets: list[int] = []
        self._ended: dict[int, Ended] = {}

    def between(self, start: int, end: int) -> list[int]:
        """Offsets of committed records in this range."""
        return self._offsets[
            bisect_left(self._offsets, start) : bisect_right(self._offsets, end - 1)
        ]

    def add_records(self, batch: Stored) -> str:
        """The next committed batch; the transaction that it is of."""
        (name,) = {attempt_of(value) for _, value in batch.records}
        one = self.opened.get(batch.producer_id)
        last = self._ended.get(batch.producer_id)
        if one is None:
            if last is not None and last.attempt == name:
                raise InvariantError("I-35", f"{self._at(batch)}: more of {name}, which has ended")
            if last is not None and batch.epoch < last.marker_epoch:
                raise InvariantError(
                    "I-35",
                    f"{self._at(batch)}: {name} begins in epoch {batch.epoch} after a marker of"
                    f" epoch {last.marker_epoch}",
                )
            one = self.opened[batch.producer_id] = Open(name, batch.epoch)
        elif one.attempt != name or one.epoch != batch.epoch:
            raise InvariantError(
                "I-34",
                f"{self._at(batch)}: {name} of epoch {batch.epoch} goes on in {one.attempt} of"
                f" epoch {one.epoch}, which has no marker",
            )
        one.records += batch.records
        return name

    def add_marker(self, batch: Stored) -> Open | None:
        """The next marker; what it ends, if there is anything to end."""
        one = self.opened.pop(batch.producer_id, None)
        last = self._ended.get(batch.producer_id)
        if last is not None and batch.coordinator_epoch < last.coordinator_epoch:
            raise InvariantError(
                "I-34",
                f"{self._at(batch)}: a marker of coordinator epoch {batch.coordinator_epoch}"
                f" after one of {last.coordinator_epoch}",
            )
        highest = max(one.epoch if one else -1, last.marker_epoch if last else -1)
        if batch.epoch < highest:
            raise InvariantError(
                "I-34", f"{self._at(batch)}: a marker of epoch {batch.epoch} after {highest}"
            )
        name = one.attempt if one else last.attempt if last else ""
        self._ended[batch.producer_id] = Ended(name, batch.epoch, batch.coordinator_epoch)
        if one is not None:
            self.coordinator_epochs[one.attempt] = batch.coordinator_epoch
        for offset, value in one.records if one else ():
            if batch.is_commit:
                self.values[offset] = value
                insort(self._offsets, offset)
            else:
                self.hidden[offset] = one.attempt if one else ""
        return one

    def _at(self, batch: Stored) -> str:
        return f"{self.where}@{batch.base} of producer {batch.producer_id}"


class DecidedPartitions:
    """All partitions, and how each transaction ended in them."""

    def __init__(self) -> None:
        self._by_place: dict[TopicPartition, Decided] = {}
        self.commits: dict[str, TopicPartition] = {}
        """Transactions that a marker committed, and where it did so first."""
        self.aborts: dict[str, TopicPartition] = {}

    def __iter__(self) -> Iterator[Decided]:
        """In order of their names."""
        return iter([one for _, one in sorted(self._by_place.items())])

    def of(self, where: TopicPartition) -> Decided:
        """One partition."""
        found = self._by_place.get(where)
        if found is None:
            found = self._by_place[where] = Decided(where)
        return found

    def ends(self) -> dict[TopicPartition, int]:
        """How far each was looked at."""
        return {where: one.end for where, one in self._by_place.items()}

    def note_end(self, where: TopicPartition, name: str, *, is_commit: bool) -> None:
        """I-34: a transaction has ended here as it did elsewhere."""
        mine, others = (self.commits, self.aborts) if is_commit else (self.aborts, self.commits)
        mine.setdefault(name, where)
        if name in others:
            kind = "committed" if is_commit else "aborted"
            raise InvariantError(
                "I-34", f"{name} is {kind} in {where}, and the other way in {others[name]}"
            )

    def still_open(self) -> list[str]:
        """Transactions without a marker in a partition that has records of them."""
        return [f"{begun.attempt} in {one.where}" for one in self for begun in one.opened.values()]

    def open_before(self, producer_id: int, epoch: int) -> str:
        """A transaction of an earlier epoch of this producer that has no marker, and where."""
        for one in self:
            begun = one.opened.get(producer_id)
            if begun is not None and begun.epoch < epoch:
                return f"{begun.attempt} in {one.where}"
        return ""

    def places(self) -> dict[bytes, tuple[TopicPartition, int]]:
        """Where each committed record is. I-34: it is at one place."""
        found: dict[bytes, tuple[TopicPartition, int]] = {}
        for one in self:
            for offset, value in one.values.items():
                if value in found:
                    raise InvariantError(
                        "I-34", f"{value[:40]!r} is at {found[value]} and {one.where}@{offset}"
                    )
                found[value] = one.where, offset
        return found

    def coordinator_epochs(self, name: str) -> set[int]:
        """Of the markers that ended this transaction."""
        return {one.coordinator_epochs[name] for one in self if name in one.coordinator_epochs}
