"""The checks of the main job notice every kind of wrong record, and every wrong figure."""

from __future__ import annotations

import dataclasses
from typing import Any

import pytest

from examples.flights.ledger import Ledger
from examples.flights.pipeline import FlightReport
from examples.flights.verdict import differences, expected_report

KEYS = [b"UA", b"AA", b"UA", b"UA"]
VALUES = [b"0", b"1", b"2", b"3"]
PLACES = [(0, 0), (1, 0), (0, 1), (0, 2)]
"""Partition and offset of each row."""

CLEAN = dict.fromkeys(("lost", "duplicated", "out_of_order", "altered", "misplaced", "unknown"), 0)


def acked() -> Ledger:
    ledger = Ledger(KEYS, VALUES)
    for row, place in enumerate(PLACES):
        ledger.acked(row, *place)
    return ledger


def read(ledger: Ledger, row: int, **changes: Any) -> None:
    """Read back a row, with some of what belongs to it changed."""
    given: dict[str, Any] = {
        "header": b"%d" % row,
        "key": KEYS[row],
        "value": VALUES[row],
        "place": PLACES[row],
    }
    given.update(changes)
    ledger.read(given["header"], given["key"], given["value"], *given["place"])


def check(ledger: Ledger, **expected: int) -> None:
    counts = ledger.counts()
    assert {name: counts[name] for name in CLEAN} == {**CLEAN, **expected}
    assert bool(ledger.failures()) == bool(expected)


def test_all_well() -> None:
    """Goal: every row once, keys in any order among each other."""
    ledger = acked()
    for row in (0, 2, 3, 1):
        read(ledger, row)
    check(ledger)
    assert (ledger.produced, ledger.consumed) == (4, 4)


def test_lost() -> None:
    """Goal: a row that never comes is counted, though the number of records is right."""
    ledger = acked()
    for row in (0, 1, 2, 2):
        read(ledger, row)
    check(ledger, lost=1, duplicated=1)


def test_out_of_order() -> None:
    """Goal: an earlier flight of a carrier after a later one; another carrier does not matter."""
    ledger = acked()
    for row in (2, 1, 0, 3):
        read(ledger, row)
    check(ledger, out_of_order=1)


@pytest.mark.parametrize("change", [{"key": b"AA"}, {"key": None}, {"value": b"9"}])
def test_altered(change: dict[str, object]) -> None:
    """Goal: the bytes that come back are compared, not only counted."""
    ledger = acked()
    for row in (0, 1, 2):
        read(ledger, row)
    read(ledger, 3, **change)
    check(ledger, altered=1)


def test_misplaced() -> None:
    """Goal: what the producer was told about partition and offset is true."""
    ledger = acked()
    for row in (0, 1, 2):
        read(ledger, row)
    read(ledger, 3, place=(0, 7))
    check(ledger, misplaced=1)


@pytest.mark.parametrize("header", [None, b"", b"x", b"4", b"-1"])
def test_unknown(header: bytes | None) -> None:
    """Goal: a record that is none of ours is counted and does not stop the check."""
    ledger = acked()
    for row in range(4):
        read(ledger, row)
    read(ledger, 0, header=header)
    check(ledger, unknown=1)
    assert "consumed 5 of 4 records" in ledger.failures()


def test_not_acknowledged() -> None:
    """Goal: a record that no broker has confirmed is a failure of its own."""
    ledger = Ledger(KEYS, VALUES)
    ledger.acked(0, 0, 0)
    assert ledger.failures()[0] == "produced 1 of 4 records"


@pytest.fixture(scope="module")
def report() -> FlightReport:
    from examples.flights.dataset import load_flights

    return expected_report(load_flights(2_000).table)


def test_same_figures(report: FlightReport) -> None:
    """Goal: equal reports have no differences."""
    assert report.rows == 2_000
    assert differences(report, report) == []


def test_wrong_figures(report: FlightReport) -> None:
    """Goal: one flight more, one mean off by a little, one carrier too few: each is named."""
    united = report.by_carrier["UA"]
    assert united.mean_dep_delay_min is not None
    wrong = {
        "flights": dataclasses.replace(united, flights=united.flights + 1),
        "mean_dep_delay_min": dataclasses.replace(
            united, mean_dep_delay_min=united.mean_dep_delay_min * 1.000001
        ),
        "late": dataclasses.replace(united, late=0),
    }
    for field, stats in wrong.items():
        changed = dataclasses.replace(report, by_carrier={**report.by_carrier, "UA": stats})
        (text,) = differences(changed, report)
        assert text.startswith(f"carrier UA, {field}: Spark says")
    fewer = {name: stats for name, stats in report.by_carrier.items() if name != "UA"}
    assert differences(dataclasses.replace(report, by_carrier=fewer), report) == [
        "carrier UA is only in the input"
    ]
    changed = dataclasses.replace(report, rows=1_999, mismatched_keys=3)
    assert differences(changed, report) == [
        "Spark read 1,999 rows, the input has 2,000",
        "3 records have a key that is not their carrier",
    ]
