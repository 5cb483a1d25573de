"""Anomalies of order: reads that go back or leave records out, writes that go back."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

from .operations import Anomaly, Operation, Place
from .places import Places


class _Last(NamedTuple):
    offset: int
    operation: Operation


def polls(operations: Sequence[Operation], places: Places) -> Iterator[Anomaly]:
    """Each reader is handed what is visible in the order of offsets, and leaves nothing out.

    Within one operation the anomalies are `int-nonmonotonic-poll` and `int-poll-skip`.
    """
    positions: dict[str, dict[Place, _Last]] = {}
    for operation in operations:
        last = positions.setdefault(operation.process, {})
        if not operation.goes_on:
            last.clear()
        for step in operation.polled:
            before = last.get(step.place)
            last[step.place] = _Last(step.offset, operation)
            if before is None:
                continue
            prefix = "int-" if before.operation is operation else ""
            where = f"{operation.name} reads {step.place}@{step.offset} after @{before.offset}"
            if step.offset <= before.offset:
                yield Anomaly(f"{prefix}nonmonotonic-poll", where)
            elif left := places.between(step.place, before.offset, step.offset):
                yield Anomaly(f"{prefix}poll-skip", f"{where} and leaves {left[:3]} out")


def sends(operations: Sequence[Operation]) -> Iterator[Anomaly]:
    """What a process writes to a partition is stored in the order of its writing.

    Within one operation the anomaly is `int-nonmonotonic-send`. Others may write in between.
    """
    last: dict[tuple[str, Place], _Last] = {}
    for operation in operations:
        for step in operation.sent:
            if step.offset is None:
                continue
            key = operation.process, step.place
            before = last.get(key)
            last[key] = _Last(step.offset, operation)
            if before is not None and step.offset <= before.offset:
                prefix = "int-" if before.operation is operation else ""
                yield Anomaly(
                    f"{prefix}nonmonotonic-send",
                    f"{operation.name} wrote {step.place}@{step.offset} after @{before.offset}",
                )
