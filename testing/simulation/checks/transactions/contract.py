"""What transactional programs may rely on, by the committed batches: I-22, I-34 and I-35.

These are the truth: each transaction's records and markers, in the order in which they were
committed. What producers, readers and the group are told is compared with that.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from typing import Any

from barnabas.client import TopicPartition
from barnabas.client.transactions.machine import Outcome
from barnabas.testing.simulation.checks.committed import Committed
from barnabas.testing.simulation.checks.replica_logs import ReplicaLogs, key_of_partition
from barnabas.testing.simulation.events import Event
from barnabas.testing.simulation.hooks import HookBus, InvariantError
from barnabas.testing.simulation.workload.transactions.attempts import (
    TOPICS,
    Attempt,
    Attempts,
    Owned,
)
from barnabas.testing.simulation.workload.transactions.transactor import TIMEOUT_MS

from .completed import Completed
from .copies import Copies
from .decided import Decided, DecidedPartitions
from .history import check_history
from .reading import Reading
from .stored import Stored, StoredBatches

IN_TIME = 0.9
"""A part of its timeout in which a transaction is not overdue, by whichever clock."""


class TransactionContract:
    """Listens to the logs and to what happens to transactional programs."""

    def __init__(
        self,
        bus: HookBus,
        logs: ReplicaLogs,
        committed: Committed,
        attempts: Attempts,
        *,
        has_epochs: bool,
        clock_spread: float,
    ) -> None:
        """`has_epochs`: each transaction has an epoch of its own (KIP-890).
        `clock_spread`: a clock is wrong by at most this part of the time that has passed; infinite
        if clocks jump. Who times a transaction may be another than who noted its beginning."""
        self._bus = bus
        self._logs = logs
        self._committed = committed
        self.stored = StoredBatches(bus)
        """The batches of the topics that it looks at."""
        self._attempts = attempts
        self._has_epochs = has_epochs
        self._clock_spread = clock_spread
        self._decided = DecidedPartitions()
        self._relied_on: dict[str, str] = {}
        """Transactions that somebody was told to be committed, and who."""
        self._owners: dict[str, list[tuple[Owned, float]]] = {}
        self._fences: dict[int, tuple[int, dict[TopicPartition, int]]] = {}
        """By producer id: the epoch that counts, and where partitions ended when it was given."""
        self.reading = Reading(self._decided)
        self.copies = Copies(self._decided, attempts, self._relied_on)
        Completed(bus, self._decided, lambda: self.is_off)
        bus.listen("hw", self._on_watermark)
        for listeners, check in (
            (attempts.on_owned, self._on_owned),
            (attempts.on_ended, self._check_told),
            (attempts.on_got, self.reading.on_got),
            (attempts.on_stable, self.reading.on_stable),
            (attempts.on_found, self.copies.on_found),
        ):
            listeners.append(partial(self._check, check))

    @property
    def is_off(self) -> bool:
        """Whether an unclean election, which was allowed, has taken the promises away."""
        return self._committed.unclean_elections > 0

    def _check(self, check: Callable[[Any], object], event: Any) -> None:
        if not self.is_off:
            self._bus.check(check, event)

    # --- what is committed --------------------------------------------------------------------

    def _on_watermark(self, event: Event) -> None:
        partition = event.fields["partition"]
        if partition.topic not in TOPICS or not event.fields["as_leader"] or self.is_off:
            return
        one = self._decided.of(TopicPartition(partition.topic, partition.index))
        start, end = one.end, event.fields["high_watermark"]
        if end <= start:
            return
        one.end = end
        key = key_of_partition(partition)
        log = self._logs.of(event.node, key)
        assert log is not None, "a log that nobody told of"
        for batch in log.between(start, end):
            stored = self.stored.of(key, batch)
            if stored.is_marker:
                self._take_marker(one, stored)
            else:
                self._take_records(one, stored)

    def _take_records(self, one: Decided, batch: Stored) -> None:
        name = one.add_records(batch)
        epoch, ends = self._fences.get(batch.producer_id, (-1, {}))
        if batch.epoch < epoch and batch.base >= ends.get(one.where, 0):
            raise InvariantError(
                "I-35",
                f"{one.where}@{batch.base}: {name} goes on in epoch {batch.epoch} of producer"
                f" {batch.producer_id} after epoch {epoch} was given",
            )

    def _take_marker(self, one: Decided, batch: Stored) -> None:
        ended = one.add_marker(batch)
        if ended is None:
            return
        if self._has_epochs and batch.epoch <= ended.epoch:
            raise InvariantError(
                "I-34",
                f"{one.where}@{batch.base}: {ended.attempt} of epoch {ended.epoch} ends with a"
                f" marker of epoch {batch.epoch}: the next one has no other",
            )
        self._check_end(one.where, self._attempts.by_name[ended.attempt], batch.is_commit)
        if batch.is_commit:
            self.copies.add(one.where, ended.records)

    def _check_end(self, where: TopicPartition, attempt: Attempt, is_commit: bool) -> None:
        """I-34: all markers of a transaction say the same, and what its producer asked for."""
        name = attempt.name
        self._decided.note_end(where, name, is_commit=is_commit)
        if is_commit and attempt.asked_s is None:
            raise InvariantError("I-34", f"{name} is committed in {where}; nobody asked for that")
        if not is_commit and self._is_aborted_by_nobody(attempt):
            raise InvariantError(
                "I-34",
                f"{name} is aborted in {where}; nobody asked for that, and its time is not up",
            )
        self._check_told(attempt)

    def _is_aborted_by_nobody(self, attempt: Attempt) -> bool:
        claimed_s = self._attempts.claimed.get(attempt.client, -1.0)
        now_s = self._bus.loop.now
        age_s = now_s - attempt.begun_s + 2 * self._clock_spread * now_s
        return (
            not attempt.is_given_up
            and claimed_s < attempt.begun_s
            and age_s * 1000 < IN_TIME * TIMEOUT_MS
        )

    def _check_told(self, attempt: Attempt) -> None:
        """I-34: markers, and what the producer and others were told, do not contradict."""
        name, told = attempt.name, attempt.outcome
        if told is Outcome.COMMITTED:
            self._relied_on.setdefault(name, "its producer")
        aborted_in, committed_in = (
            self._decided.aborts.get(name),
            self._decided.commits.get(name),
        )
        if name in self._relied_on and aborted_in is not None:
            raise InvariantError(
                "I-34",
                f"{self._relied_on[name]} was told that {name} is committed; it is aborted in"
                f" {aborted_in}",
            )
        if told is Outcome.ABORTED and committed_in is not None:
            raise InvariantError(
                "I-34", f"{name} is aborted for its producer, and committed in {committed_in}"
            )

    # --- whose transactional id it is -----------------------------------------------------------

    def _on_owned(self, owned: Owned) -> None:
        """I-22: who comes later has another producer id, or a later epoch."""
        before = self._owners.setdefault(owned.client, [])
        for earlier, told_s in before:
            is_later = told_s <= owned.asked_s
            is_same = earlier.producer_id == owned.producer_id
            if is_later and is_same and owned.epoch <= earlier.epoch:
                raise InvariantError(
                    "I-22",
                    f"{owned.client} has epoch {owned.epoch} of producer {owned.producer_id}; its"
                    f" producer {earlier.life} had epoch {earlier.epoch} before",
                )
        before.append((owned, self._bus.loop.now))
        if left := self._decided.open_before(owned.producer_id, owned.epoch):
            raise InvariantError(
                "I-35",
                f"{owned.client} has epoch {owned.epoch} of producer {owned.producer_id}; {left} of"
                " an earlier one is open",
            )
        if owned.epoch > self._fences.get(owned.producer_id, (-1, {}))[0]:
            self._fences[owned.producer_id] = (owned.epoch, self._decided.ends())

    # --- in the end ------------------------------------------------------------------------------

    def still_open(self) -> list[str]:
        """Transactions without a marker in a partition that has records of them (L-9)."""
        return [] if self.is_off else self._decided.still_open()

    def not_copied(self) -> list[str]:
        """Committed records of the source that the group has made no copy of (I-36)."""
        return [] if self.is_off else self.copies.missing()

    def not_read(self, reader: str) -> list[str]:
        """Committed records that lie behind the position of a reader (I-23)."""
        return [] if self.is_off else self.reading.left(reader)

    def check_whole(self) -> None:
        """I-34: of what is committed all records are there, once, in the order of their sending;
        and I-37."""
        if self.is_off:
            return
        places = self._decided.places()
        for attempt in self._attempts.by_name.values():
            if attempt.name in self._decided.commits or attempt.outcome is Outcome.COMMITTED:
                _check_whole(attempt, places)
        check_history(self._attempts)

    def check_coordinator(self, name: str, leader_epoch: int) -> None:
        """I-34: the markers of this transaction are of the present coordinator (TXN-35)."""
        epochs = self._decided.coordinator_epochs(name)
        if not self.is_off and epochs - {leader_epoch}:
            raise InvariantError(
                "I-34", f"{name}: markers of coordinator epochs {epochs}, it is {leader_epoch}"
            )


def _check_whole(attempt: Attempt, places: Mapping[bytes, tuple[TopicPartition, int]]) -> None:
    last: dict[TopicPartition, int] = {}
    for where, value in attempt.sent:
        found = places.get(value)
        if found is None or found[0] != where:
            raise InvariantError(
                "I-34", f"{attempt.name} is committed, and {value[:40]!r} of it is at {found}"
            )
        told = attempt.stored.get(value, found[1])
        if found[1] != told:
            raise InvariantError("I-34", f"{value[:40]!r} is at {found}, told was {told}")
        if found[1] <= last.get(where, -1):
            raise InvariantError("I-34", f"{attempt.name}: {found} comes after {last[where]}")
        last[where] = found[1]
