"""What readers of committed records get: I-23, and I-33 as they are told it."""

from __future__ import annotations

from barnabas.client import TopicPartition
from barnabas.testing.simulation.hooks import InvariantError
from barnabas.testing.simulation.workload.transactions.attempts import Got, Stable

from .decided import DecidedPartitions


class Reading:
    """The positions of all readers, and the ends that were told."""

    def __init__(self, decided: DecidedPartitions) -> None:
        self._decided = decided
        self._positions: dict[tuple[str, TopicPartition], int] = {}
        self._ends: dict[TopicPartition, list[tuple[float, int]]] = {}

    def on_got(self, got: Got) -> None:
        """I-23: committed records, all of them, each once, in their order."""
        one = self._decided.of(got.where)
        here = f"{got.reader} reads {got.where}@{got.offset}"
        if one.values.get(got.offset) != got.value:
            name = one.hidden.get(got.offset)
            state = "in no committed transaction" if name is None else f"of {name}, aborted"
            raise InvariantError("I-23", f"{here} {got.value[:40]!r}: it is {state}")
        place = got.reader, got.where
        position = self._positions.get(place, 0)
        if got.offset < position:
            raise InvariantError("I-23", f"{here} after {position - 1}")
        if left := one.between(position, got.offset):
            raise InvariantError(
                "I-23", f"{here} and leaves {left[:3]} out: {one.values[left[0]][:40]!r}"
            )
        self._positions[place] = got.offset + 1

    def on_stable(self, stable: Stable) -> None:
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

    def left(self, reader: str) -> list[str]:
        """Committed records that lie behind the position of a reader."""
        return [
            f"{one.where}@{offset}"
            for one in self._decided
            for offset in one.between(self._positions.get((reader, one.where), 0), one.end)
        ]
