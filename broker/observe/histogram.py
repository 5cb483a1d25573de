"""How often values of some size came, in a fixed number of counters."""

from __future__ import annotations

from bisect import bisect_left


class Histogram:
    """Counts of values in fixed classes; the last class has no upper bound."""

    __slots__ = ("_bounds", "counts", "largest", "total")

    def __init__(self, bounds: tuple[float, ...]) -> None:
        self._bounds = bounds
        self.counts = [0] * (len(bounds) + 1)
        self.total = 0
        self.largest = 0.0

    def add(self, value: float) -> None:
        """Count one value."""
        self.counts[bisect_left(self._bounds, value)] += 1
        self.total += 1
        self.largest = max(self.largest, value)

    def quantile(self, share: float) -> float:
        """An upper bound of the value below which `share` of all values lie."""
        wanted = share * self.total
        seen = 0
        for number, count in enumerate(self.counts):
            seen += count
            if seen >= wanted and count:
                return self._bounds[number] if number < len(self._bounds) else self.largest
        return 0.0
