"""What became of the transactions in one partition, by its committed batches, in their order.

I-34 (one end for the whole of a transaction, that which its producer asked for) and I-35 (nothing
of a producer whose transactional id is another's).
"""

from __future__ import annotations

from bisect import bisect_left, bisect_right, insort
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
    epoch: int
    """Of the records; -1: there were none."""
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
        self.begun: dict[str, int] = {}
        """Of each transaction how many records are here."""
        self._offsets: list[int] = []
        self._ended: dict[int, Ended] = {}

    def between(self, start: int, end: int) -> list[int]:
        """Offsets of committed records in this range."""
        return self._offsets[bisect_left(self._offsets, start) : bisect_right(self._offsets, end - 1)]

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
        self.begun[name] = self.begun.get(name, 0) + len(batch.records)
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
        name = "" if one is None else one.attempt
        if one is None and last is not None:
            name = last.attempt
        epoch = one.epoch if one else -1
        self._ended[batch.producer_id] = Ended(name, epoch, batch.epoch, batch.coordinator_epoch)
        for offset, value in one.records if one else ():
            if batch.is_commit:
                self.values[offset] = value
                insort(self._offsets, offset)
            else:
                self.hidden[offset] = one.attempt if one else ""
        return one

    def _at(self, batch: Stored) -> str:
        return f"{self.where}@{batch.base} of producer {batch.producer_id}"
