"""What the topic of delays must hold: each line of the table once."""

from __future__ import annotations

import json

from examples.flights import delays
from examples.flights.pipeline import FlightReport, FlightStats


def test_each_line_once() -> None:
    """Goal: what is missing, changed or there twice is named."""
    stats = FlightStats(3, 2, 1, 4.5, None)
    report = FlightReport(3, 0, {"UA": stats}, {5: stats, 6: stats})
    lines = delays.lines_of(report)
    assert [json.loads(each)["name"] for each in lines] == ["UA", "5", "6"]
    assert json.loads(lines[0])["mean_dep_delay_min"] == 4.5
    assert delays.differences(reversed(lines), lines) == []
    (missing,) = delays.differences(lines[:2], lines)
    assert missing == f"topic delays lacks {lines[2]}"
    (twice,) = delays.differences([*lines, lines[0]], lines)
    assert twice == f"topic delays has once too often {lines[0]}"
    assert len(delays.differences(["x", *lines[1:]], lines)) == 2
