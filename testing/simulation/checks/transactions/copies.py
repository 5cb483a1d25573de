"""The group that copies: each committed record once, and offsets that count with their records
(I-36)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from barnabas.client import TopicPartition
from barnabas.client.transactions.machine import Outcome
from barnabas.testing.simulation.hooks import InvariantError
from barnabas.testing.simulation.workload.transactions.attempts import (
    SOURCE,
    TARGET,
    Attempt,
    Attempts,
    FoundOffsets,
    source_of,
)

from .decided import DecidedPartitions


class Copies:
    """What was copied, and what the group is said to have committed."""

    def __init__(
        self, decided: DecidedPartitions, attempts: Attempts, relied_on: dict[str, str]
    ) -> None:
        """`relied_on`: takes transactions that are committed, since somebody was told offsets."""
        self._decided = decided
        self._attempts = attempts
        self._relied_on = relied_on
        self._copies: dict[str, bytes] = {}
        self._found: list[tuple[float, Mapping[TopicPartition, int]]] = []

    def add(self, where: TopicPartition, records: Iterable[tuple[int, bytes]]) -> None:
        """These are committed: each is the only copy of a committed record."""
        for _, value in records if where.topic == TARGET else ():
            source = source_of(value)
            known = self._copies.setdefault(source, value)
            if known != value:
                raise InvariantError(
                    "I-36",
                    f"{SOURCE} {source} is copied twice, by {known[:40]!r} and {value[:40]!r}",
                )
            number, _, offset = source.partition("@")
            origin = self._decided.of(TopicPartition(SOURCE, int(number)))
            if int(offset) not in origin.values:
                raise InvariantError("I-36", f"{value[:60]!r} is the copy of what is not committed")

    def missing(self) -> list[str]:
        """Committed records of the source without a copy."""
        return [
            f"{one.where}@{offset}"
            for one in self._decided
            if one.where.topic == SOURCE
            for offset in one.values
            if f"{one.where.partition}@{offset}" not in self._copies
        ]

    def on_found(self, found: FoundOffsets) -> None:
        """Offsets count when their transaction is committed, never before, and stay."""
        for where, offset in found.offsets.items():
            mine = [
                one for one in self._attempts.by_name.values() if one.offsets.get(where) == offset
            ]
            if not any(map(self._may_count, mine)):
                raise InvariantError(
                    "I-36",
                    f"the group is at {offset} of {where}; no transaction with that is committed:"
                    f" {[one.name for one in mine]}",
                )
            if len(mine) == 1:
                self._relied_on.setdefault(mine[0].name, "who asked for offsets")
        if not found.is_current:
            return
        for where, floor in self._floors(found).items():
            if found.offsets.get(where, -1) < floor:
                raise InvariantError(
                    "I-36",
                    f"the group is at {found.offsets.get(where)} of {where}, asked at"
                    f" {found.asked_s:.6f}; {floor} had been committed before",
                )
        self._found.append((found.answered_s, found.offsets))

    def _may_count(self, attempt: Attempt) -> bool:
        return (
            attempt.asked_s is not None
            and attempt.outcome is not Outcome.ABORTED
            and attempt.name not in self._decided.aborts
        )

    def _floors(self, found: FoundOffsets) -> dict[TopicPartition, int]:
        """What had been told before the question; a stable answer has what was acknowledged too."""
        known = [offsets for told_s, offsets in self._found if told_s <= found.asked_s]
        if found.is_stable:
            known += [
                one.offsets
                for one in self._attempts.by_name.values()
                if one.outcome is Outcome.COMMITTED
                and one.ended_s is not None
                and one.ended_s <= found.asked_s
            ]
        floors: dict[TopicPartition, int] = {}
        for offsets in known:
            for where, offset in offsets.items():
                floors[where] = max(floors.get(where, 0), offset)
        return floors
