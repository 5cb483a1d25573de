"""What transactional programs may rely on: I-22, I-23, I-34 to I-36; L-9 after the faults.

The committed batches are the truth: each transaction's records and markers, in the order in which
they were committed. What producers, readers and the group are told is compared with that.
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
    SOURCE,
    TARGET,
    TOPICS,
    Attempts,
    Attempt,
    FoundOffsets,
    Got,
    Owned,
    Stable,
    source_of,
)

from .decided import Decided
from .stored import Stored, StoredBatches


class TransactionContract:
    """Listens to the logs and to what happens to transactional programs."""

    def __init__(
        self,
        bus: HookBus,
        logs: ReplicaLogs,
        committed: Committed,
        stored: StoredBatches,
        attempts: Attempts,
    ) -> None:
        self._bus = bus
        self._logs = logs
        self._committed = committed
        self._stored = stored
        self._attempts = attempts
        self.decided: dict[TopicPartition, Decided] = {}
        self._commits: dict[str, TopicPartition] = {}
        """Transactions that a marker committed, and where it did so first."""
        self._aborts: dict[str, TopicPartition] = {}
        self._relied_on: dict[str, str] = {}
        """Transactions that somebody was told to be committed, and how."""
        self._owners: dict[str, list[tuple[Owned, float]]] = {}
        self._fences: dict[int, tuple[int, dict[TopicPartition, int]]] = {}
        """By producer id: the epoch that counts, and where partitions ended when it was given."""
        self._copies: dict[str, bytes] = {}
        self._positions: dict[tuple[str, TopicPartition], int] = {}
        self._found: list[tuple[float, Mapping[TopicPartition, int]]] = []
        self._ends: dict[TopicPartition, list[tuple[float, int]]] = {}
        bus.listen("hw", self._on_watermark)
        for listeners, check in (
            (attempts.on_owned, self._on_owned),
            (attempts.on_ended, self._on_ended),
            (attempts.on_got, self._on_got),
            (attempts.on_found, self._on_found),
            (attempts.on_stable, self._on_stable),
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
        where = TopicPartition(partition.topic, partition.index)
        one = self.decided.setdefault(where, Decided(where))
        end = event.fields["high_watermark"]
        if end <= one.end:
            return
        key = key_of_partition(partition)
        log = self._logs.of(event.node, key)
        assert log is not None, "a log that nobody told of"
        start, one.end = one.end, end
        for batch in log.between(start, end):
            self._take(one, self._stored.of(key, batch))

    def _take(self, one: Decided, batch: Stored) -> None:
        if batch.is_marker:
            ended = one.add_marker(batch)
            if ended is not None:
                self._end(one.where, ended.attempt, is_commit=batch.is_commit)
                for _, value in ended.records if batch.is_commit else ():
                    self._copied(one.where, value)
            return
        name = one.add_records(batch)
        fence = self._fences.get(batch.producer_id)
        if fence is not None and batch.epoch < fence[0] and batch.base >= fence[1].get(one.where, 0):
            raise InvariantError(
                "I-35",
                f"{one.where}@{batch.base}: {name} goes on in epoch {batch.epoch} of producer"
                f" {batch.producer_id} after epoch {fence[0]} was given",
            )

    def _end(self, where: TopicPartition, name: str, *, is_commit: bool) -> None:
        """I-34: all markers of a transaction say the same, and what its producer asked for."""
        attempt = self._attempts.by_name[name]
        mine, others = (
            (self._commits, self._aborts) if is_commit else (self._aborts, self._commits)
        )
        mine.setdefault(name, where)
        kind = "committed" if is_commit else "aborted"
        if name in others:
            raise InvariantError(
                "I-34", f"{name} is {kind} in {where}, and the other way in {others[name]}"
            )
        if is_commit and attempt.asked_s is None:
            raise InvariantError("I-34", f"{name} is committed in {where}; nobody asked for that")
        self._check_told(attempt)

    def _check_told(self, attempt: Attempt) -> None:
        """I-34: markers, and what the producer and others were told, do not contradict."""
        name, told = attempt.name, attempt.outcome
        if told is Outcome.COMMITTED:
            self._relied_on.setdefault(name, "its producer")
        if name in self._relied_on and name in self._aborts:
            raise InvariantError(
                "I-34",
                f"{self._relied_on[name]} was told that {name} is committed;"
                f" it is aborted in {self._aborts[name]}",
            )
        if told is Outcome.ABORTED and name in self._commits:
            raise InvariantError(
                "I-34", f"{name} is aborted for its producer, committed in {self._commits[name]}"
            )

    def _on_ended(self, attempt: Attempt) -> None:
        self._check_told(attempt)

    # --- whose transactional id it is -----------------------------------------------------------

    def _on_owned(self, owned: Owned) -> None:
        """I-22: who comes later has another producer id, or a later epoch."""
        before = self._owners.setdefault(owned.client, [])
        for earlier, told_s in before:
            if told_s <= owned.asked_s and earlier.producer_id == owned.producer_id:
                if owned.epoch <= earlier.epoch:
                    raise InvariantError(
                        "I-22",
                        f"{owned.client} has epoch {owned.epoch} of producer {owned.producer_id},"
                        f" which {earlier.life} had before with epoch {earlier.epoch}",
                    )
        before.append((owned, self._bus.loop.now))
        known = self._fences.get(owned.producer_id, (-1, {}))
        if owned.epoch > known[0]:
            ends = {where: one.end for where, one in self.decided.items()}
            self._fences[owned.producer_id] = (owned.epoch, ends)

    # --- what readers get ----------------------------------------------------------------------

    def _on_got(self, got: Got) -> None:
        """I-23: committed records, all of them, each once, in their order."""
        one = self.decided.get(got.where)
        if one is None or one.values.get(got.offset) != got.value:
            state = "is in no committed transaction"
            if one is not None and got.offset in one.hidden:
                state = f"is of {one.hidden[got.offset]}, which is aborted"
            raise InvariantError(
                "I-23", f"{got.reader} reads {got.where}@{got.offset} {got.value[:40]!r}: it {state}"
            )
        place = got.reader, got.where
        position = self._positions.get(place, 0)
        if got.offset < position:
            raise InvariantError(
                "I-23", f"{got.reader} reads {got.where}@{got.offset} after {position - 1}"
            )
        if left := one.between(position, got.offset):
            raise InvariantError(
                "I-23",
                f"{got.reader} reads {got.where}@{got.offset} and leaves {left[:3]} out:"
                f" {one.values[left[0]][:40]!r}",
            )
        self._positions[place] = got.offset + 1

    def _on_stable(self, stable: Stable) -> None:
        """I-33: the end for readers of committed records never goes back (as I-18 has it)."""
        answers = self._ends.setdefault(stable.where, [])
        floor = max((end for told_s, end in answers if told_s <= stable.asked_s), default=0)
        if stable.offset < floor:
            raise InvariantError(
                "I-33",
                f"{stable.where} ends at {stable.offset} for readers, asked at"
                f" {stable.asked_s:.6f}; {floor} had been told before",
            )
        answers.append((stable.answered_s, stable.offset))

    # --- the group that copies -------------------------------------------------------------------

    def _copied(self, where: TopicPartition, value: bytes) -> None:
        """I-36: of each record of the source there is one copy."""
        if where.topic != TARGET:
            return
        source = source_of(value)
        known = self._copies.setdefault(source, value)
        if known != value:
            raise InvariantError(
                "I-36", f"{SOURCE} {source} is copied twice, by {known[:40]!r} and {value[:40]!r}"
            )
        number, _, offset = source.partition("@")
        origin = self.decided[TopicPartition(SOURCE, int(number))]
        if int(offset) not in origin.values:
            raise InvariantError("I-36", f"{value[:60]!r} is the copy of what is not committed")

    def _on_found(self, found: FoundOffsets) -> None:
        """I-36: offsets count when their transaction is committed, never before, and stay."""
        for where, offset in found.offsets.items():
            mine = [
                one for one in self._attempts.by_name.values() if one.offsets.get(where) == offset
            ]
            if not any(self._may_count(one) for one in mine):
                raise InvariantError(
                    "I-36",
                    f"the group is at {offset} of {where}; no transaction with that is committed:"
                    f" {[one.name for one in mine]}",
                )
            if len(mine) == 1:
                self._relied_on.setdefault(mine[0].name, "who asked for offsets")
        if not found.is_current:
            return
        floors: dict[TopicPartition, int] = {}
        for told_s, offsets in self._found:
            if told_s <= found.asked_s:
                for where, offset in offsets.items():
                    floors[where] = max(floors.get(where, 0), offset)
        for one in self._attempts.by_name.values() if found.is_stable else ():
            is_acked = one.outcome is Outcome.COMMITTED and one.ended_s is not None
            if is_acked and one.ended_s <= found.asked_s:  # type: ignore[operator]  # just seen
                for where, offset in one.offsets.items():
                    floors[where] = max(floors.get(where, 0), offset)
        for where, floor in floors.items():
            if found.offsets.get(where, -1) < floor:
                raise InvariantError(
                    "I-36",
                    f"the group is at {found.offsets.get(where)} of {where}, asked at"
                    f" {found.asked_s:.6f}; {floor} had been committed before",
                )
        self._found.append((self._bus.loop.now, found.offsets))

    def _may_count(self, attempt: Attempt) -> bool:
        return (
            attempt.asked_s is not None
            and attempt.outcome is not Outcome.ABORTED
            and attempt.name not in self._aborts
        )

    # --- in the end ------------------------------------------------------------------------------

    def still_open(self) -> list[str]:
        """Transactions without a marker in a partition that has records of them (L-9)."""
        if self.is_off:
            return []
        return [
            f"{open_.attempt} in {where}"
            for where, one in sorted(self.decided.items())
            for open_ in one.opened.values()
        ]

    def not_copied(self) -> list[str]:
        """Committed records of the source that the group has made no copy of."""
        if self.is_off:
            return []
        return [
            f"{where}@{offset}"
            for where, one in sorted(self.decided.items())
            if where.topic == SOURCE
            for offset in one.values
            if f"{where.partition}@{offset}" not in self._copies
        ]

    def not_read(self, reader: str) -> list[str]:
        """Committed records that lie behind the position of a reader (I-23)."""
        if self.is_off:
            return []
        return [
            f"{where}@{offset}"
            for where, one in sorted(self.decided.items())
            for offset in one.between(self._positions.get((reader, where), 0), one.end)
        ]

    def check_whole(self) -> None:
        """I-34: of what is committed all records are there, once, in the order of their sending.

        Records that no broker acknowledged may be missing only where nothing was committed.
        """
        if self.is_off:
            return
        places: dict[bytes, tuple[TopicPartition, int]] = {}
        for where, one in self.decided.items():
            for offset, value in one.values.items():
                if value in places:
                    raise InvariantError(
                        "I-34", f"{value[:40]!r} is at {places[value]} and {where}@{offset}"
                    )
                places[value] = where, offset
        for attempt in self._attempts.by_name.values():
            if attempt.name in self._commits or attempt.outcome is Outcome.COMMITTED:
                _check_whole(attempt, places)


def _check_whole(attempt: Attempt, places: Mapping[bytes, tuple[TopicPartition, int]]) -> None:
    last: dict[TopicPartition, int] = {}
    for where, value in attempt.sent:
        found = places.get(value)
        if found is None or found[0] != where:
            raise InvariantError(
                "I-34", f"{attempt.name} is committed, and {value[:40]!r} of it is at {found}"
            )
        if found[1] != attempt.stored.get(value, found[1]):
            raise InvariantError(
                "I-34", f"{value[:40]!r} is at {found}, its producer was told {attempt.stored[value]}"
            )
        if found[1] <= last.get(where, -1):
            raise InvariantError("I-34", f"{attempt.name}: {found} comes after {last[where]}")
        last[where] = found[1]
