"""Where each value of a history is, who wrote it, and who has read it."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Sequence

from .operations import Operation, Outcome, Place, Polled, Sent, Value


class Places:
    """All that the operations say of records, put together. Raises ValueError for a value that
    was written twice: then nobody can say which of the two was read."""

    def __init__(self, operations: Sequence[Operation]) -> None:
        self.writers: dict[Value, tuple[Operation, Sent]] = {}
        self.readers: dict[Value, list[Operation]] = {}
        self.at: dict[tuple[Place, int], dict[Value, None]] = {}
        """Values at each offset; more than one is wrong."""
        self.of: dict[Value, dict[tuple[Place, int], None]] = {}
        """Places of each value; more than one is wrong."""
        self.read_up_to: dict[Place, int] = {}
        self._visible: dict[Place, list[int]] = {}
        """Offsets of records that readers must be handed, in order."""
        for operation in operations:
            for step in operation.steps:
                if isinstance(step, Sent):
                    self._sent(operation, step)
                else:
                    self._polled(operation, step)
        self._sort()

    def _sent(self, operation: Operation, sent: Sent) -> None:
        if sent.value in self.writers:
            raise ValueError(f"{sent.value!r} was written twice")
        self.writers[sent.value] = operation, sent
        if sent.offset is not None:
            self._is_at(sent.value, sent.place, sent.offset)

    def _polled(self, operation: Operation, polled: Polled) -> None:
        self.readers.setdefault(polled.value, []).append(operation)
        self._is_at(polled.value, polled.place, polled.offset)
        known = self.read_up_to.get(polled.place, -1)
        self.read_up_to[polled.place] = max(known, polled.offset)

    def _is_at(self, value: Value, place: Place, offset: int) -> None:
        self.at.setdefault((place, offset), {})[value] = None
        self.of.setdefault(value, {})[place, offset] = None

    def _sort(self) -> None:
        for value, found in self.of.items():
            if self.is_visible(value):
                for place, offset in found:
                    self._visible.setdefault(place, []).append(offset)
        for offsets in self._visible.values():
            offsets.sort()

    def is_visible(self, value: Value) -> bool:
        """Whether readers must be handed it: its writer was told so, or somebody was handed it."""
        writer = self.writers.get(value)
        is_committed = writer is not None and writer[0].outcome is Outcome.OK
        return is_committed or value in self.readers

    def between(self, place: Place, first: int, last: int) -> list[int]:
        """Offsets of visible records strictly between these two."""
        offsets = self._visible.get(place, [])
        return offsets[bisect_right(offsets, first) : bisect_left(offsets, last)]

    def in_order(self) -> Iterator[tuple[Place, Iterable[tuple[int, Value]]]]:
        """Of each partition the visible records by offset."""
        for place, offsets in self._visible.items():
            yield place, [(at, next(iter(self.at[place, at]))) for at in dict.fromkeys(offsets)]
