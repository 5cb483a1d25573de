"""Percentiles, medians and ratios."""

from __future__ import annotations

from collections.abc import Sequence
from math import ceil


def percentile(ordered: Sequence[float], percent: float) -> float:
    """The smallest of the values (in rising order) that `percent` % of them do not exceed."""
    if not ordered:
        raise ValueError("no values")
    return ordered[max(ceil(len(ordered) * percent / 100) - 1, 0)]


def median(values: Sequence[float]) -> float:
    """The middle value, or the mean of the middle two."""
    ordered = sorted(values)
    if not ordered:
        raise ValueError("no values")
    half = len(ordered) // 2
    return ordered[half] if len(ordered) % 2 else (ordered[half - 1] + ordered[half]) / 2


def ratio(ours: float, theirs: float) -> float | None:
    """Ours over theirs; None where theirs is nothing and the ratio says nothing."""
    return ours / theirs if theirs else None
