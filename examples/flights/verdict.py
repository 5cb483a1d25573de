"""Spark's numbers against pandas' on the input: they have to be the same."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from .pipeline import LATE_MIN, FlightReport, FlightStats

if TYPE_CHECKING:
    import pandas as pd

RELATIVE_TOLERANCE = 1e-9
"""Means of the same whole numbers, added up in another order."""


def expected_report(table: pd.DataFrame) -> FlightReport:
    """The same sums as the pipeline's, straight from the input."""
    return FlightReport(
        rows=len(table),
        mismatched_keys=0,
        by_carrier={str(name): _stats(part) for name, part in table.groupby("carrier")},
        by_hour={int(str(hour)): _stats(part) for hour, part in table.groupby("hour")},
    )


def _stats(part: pd.DataFrame) -> FlightStats:
    departures = part["dep_delay"].dropna()
    arrivals = part["arr_delay"].dropna()
    return FlightStats(
        flights=len(part),
        departed=len(departures),
        late=int((departures > LATE_MIN).sum()),
        mean_dep_delay_min=float(departures.mean()) if len(departures) else None,
        mean_arr_delay_min=float(arrivals.mean()) if len(arrivals) else None,
    )


def differences(found: FlightReport, expected: FlightReport) -> list[str]:
    """Where Spark and pandas disagree, in words; empty when they agree."""
    result = []
    if found.rows != expected.rows:
        result.append(f"Spark read {found.rows:,} rows, the input has {expected.rows:,}")
    if found.mismatched_keys:
        result.append(f"{found.mismatched_keys:,} records have a key that is not their carrier")
    result += _compare("carrier", found.by_carrier, expected.by_carrier)
    result += _compare("hour", found.by_hour, expected.by_hour)
    return result


def _compare(
    kind: str, found: dict[Any, FlightStats], expected: dict[Any, FlightStats]
) -> list[str]:
    result = []
    for name in sorted(found.keys() | expected.keys()):
        if name not in found or name not in expected:
            where = "Spark's result" if name in found else "the input"
            result.append(f"{kind} {name} is only in {where}")
            continue
        for field in FlightStats.__slots__:
            ours, theirs = getattr(found[name], field), getattr(expected[name], field)
            if not _same(ours, theirs):
                result.append(f"{kind} {name}, {field}: Spark says {ours}, pandas {theirs}")
    return result


def _same(ours: float | None, theirs: float | None) -> bool:
    if ours is None or theirs is None:
        return ours is theirs
    return math.isclose(ours, theirs, rel_tol=RELATIVE_TOLERANCE, abs_tol=RELATIVE_TOLERANCE)
