"""Cycles of operations, each of which must have come before the next (Adya's G0 and G1c).

An operation comes before another one that has written the next record of a partition (ww), and
before one that was handed what it wrote (wr).
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from .operations import Anomaly, Operation
from .places import Places

Edges = dict[str, dict[str, str]]
"""By name of an operation: those that come after it, and why."""


def cycles(operations: Sequence[Operation], places: Places) -> Iterator[Anomaly]:
    """G0: of writes alone. G1c: of reads alone. G1c-ww: of both, where neither alone has one."""
    writes, reads = _writes(places), _reads(operations, places)
    for kind, edges in (("G0", writes), ("G1c", reads)):
        for cycle in _cycles_in(edges):
            yield Anomaly(kind, _shown(cycle, edges))
    both: Edges = {name: dict(after) for name, after in writes.items()}
    for name, after in reads.items():
        both.setdefault(name, {}).update(after)
    for cycle in _cycles_in(both):
        kinds = {both[a][b].partition(" ")[0] for a, b in _pairs(cycle)}
        if len(kinds) > 1:
            yield Anomaly("G1c-ww", _shown(cycle, both))


def _writes(places: Places) -> Edges:
    edges: Edges = {}
    for place, records in places.in_order():
        before: str | None = None
        for offset, value in records:
            writer = places.writers.get(value)
            if writer is None:
                continue
            name = writer[0].name
            if before is not None and before != name:
                edges.setdefault(before, {}).setdefault(name, f"ww {place}@{offset}")
            before = name
    return edges


def _reads(operations: Sequence[Operation], places: Places) -> Edges:
    edges: Edges = {}
    for operation in operations:
        for step in operation.polled:
            writer = places.writers.get(step.value)
            if writer is not None and writer[0] is not operation:
                after = edges.setdefault(writer[0].name, {})
                after.setdefault(operation.name, f"wr {step.place}@{step.offset}")
    return edges


def _cycles_in(edges: Edges) -> Iterator[list[str]]:
    """One shortest cycle of each strongly connected part."""
    for part in _parts(edges):
        if len(part) > 1:
            yield _shortest(edges, part)


def _parts(edges: Edges) -> Iterator[set[str]]:
    """Strongly connected parts (Tarjan), without recursion: histories are long."""
    numbers: dict[str, int] = {}
    lowest: dict[str, int] = {}
    stack: list[str] = []
    on_stack: set[str] = set()
    for root in edges:
        if root in numbers:
            continue
        work = [(root, iter(edges.get(root, {})))]
        numbers[root] = lowest[root] = len(numbers)
        stack.append(root)
        on_stack.add(root)
        while work:
            name, left = work[-1]
            for other in left:
                if other not in numbers:
                    numbers[other] = lowest[other] = len(numbers)
                    stack.append(other)
                    on_stack.add(other)
                    work.append((other, iter(edges.get(other, {}))))
                    break
                if other in on_stack:
                    lowest[name] = min(lowest[name], numbers[other])
            else:
                work.pop()
                if work:
                    above = work[-1][0]
                    lowest[above] = min(lowest[above], lowest[name])
                if lowest[name] == numbers[name]:
                    yield _popped(stack, on_stack, name)


def _popped(stack: list[str], on_stack: set[str], name: str) -> set[str]:
    part: set[str] = set()
    while name not in part:
        one = stack.pop()
        on_stack.discard(one)
        part.add(one)
    return part


def _shortest(edges: Edges, part: set[str]) -> list[str]:
    """The shortest way from the first of them back to it."""
    start = min(part)
    came_from: dict[str, str] = {}
    front = [start]
    while front:
        further = []
        for name in front:
            for other in edges.get(name, {}):
                if other == start:
                    return _way_back(came_from, start, name)
                if other in part and other not in came_from:
                    came_from[other] = name
                    further.append(other)
        front = further
    raise AssertionError("every one of them can be reached from every other")


def _way_back(came_from: Mapping[str, str], start: str, last: str) -> list[str]:
    way = [last]
    while way[-1] != start:
        way.append(came_from[way[-1]])
    return way[::-1]


def _pairs(cycle: list[str]) -> list[tuple[str, str]]:
    return list(zip(cycle, [*cycle[1:], cycle[0]], strict=True))


def _shown(cycle: list[str], edges: Edges) -> str:
    return ", ".join(f"{one} before {other} ({edges[one][other]})" for one, other in _pairs(cycle))
