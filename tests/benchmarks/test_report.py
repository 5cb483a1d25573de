"""Percentiles, ratios, targets, and the report that is made of them."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from bench.figures import median, percentile, ratio
from bench.report import Result, Sample, as_json, markdown, verdict, write
from bench.targets import METRICS, Better, Metric


@pytest.mark.parametrize(
    ("values", "percent", "expected"),
    [
        ([7.0], 50, 7.0),
        ([1.0, 2.0, 3.0, 4.0], 50, 2.0),
        ([float(n) for n in range(1, 101)], 99, 99.0),
        ([float(n) for n in range(1, 1001)], 99.9, 999.0),
        ([1.0, 2.0], 100, 2.0),
        ([1.0, 2.0], 0, 1.0),
    ],
)
def test_percentile(values: list[float], percent: float, expected: float) -> None:
    """Goal: nearest rank, never between two measured values."""
    assert percentile(values, percent) == expected


def test_nothing_measured_is_an_error() -> None:
    with pytest.raises(ValueError, match="no values"):
        percentile([], 50)
    with pytest.raises(ValueError, match="no values"):
        median([])


def test_median_and_ratio() -> None:
    assert median([3.0, 1.0, 2.0]) == 2.0
    assert median([4.0, 1.0, 2.0, 3.0]) == 2.5
    assert ratio(1.0, 4.0) == 0.25
    assert ratio(1.0, 0.0) is None


def test_targets_hold_at_their_bounds() -> None:
    """Goal: `at most` and `at least` include the bound; a bound on ours alone needs no Kafka."""
    less = Metric("a", "a", "s", Better.LESS, target_ratio=0.5)
    more = Metric("b", "b", "s", Better.MORE, target_ratio=1.5)
    alone = Metric("c", "c", "µs", Better.LESS, target=25.0)
    assert less.is_met(1.0, 0.5) is True
    assert less.is_met(1.0, 0.51) is False
    assert more.is_met(1.0, 1.5) is True
    assert more.is_met(1.0, 1.49) is False
    assert more.is_met(1.0, None) is None
    assert alone.is_met(25.1, None) is False


def test_every_metric_has_a_name_of_its_own() -> None:
    assert len({metric.key for metric in METRICS}) == len(METRICS)


def result_of_two_rounds() -> Result:
    """Ours 0.2 and 0.1 s beside Kafka's 2.0 and 2.0: ratios 0.1 and 0.05, median 0.075."""
    machine = {"cores": 2, "memory_gib": 24.0, "date": "2026-11-21 08:00 UTC"}
    result = Result(machine, {"barnabas": "0.1.0", "kafka": "4.3.1"}, {"rounds": 2})
    for number, ours in ((1, 0.2), (2, 0.1)):
        result.samples.append(Sample(number, "barnabas", {"start.first_ack_s": ours}))
        result.samples.append(Sample(number, "kafka", {"start.first_ack_s": 2.0}))
    result.samples.append(Sample(3, "kafka", {"start.first_ack_s": 9.0}, ["it broke"]))
    return result


def test_rows_compare_within_a_round() -> None:
    """Goal: the ratio is the median of the rounds' ratios; a round of one broker has none."""
    (row,) = result_of_two_rounds().rows()
    assert row.ours == pytest.approx(0.15)
    assert row.theirs == 2.0
    assert row.ratios == (0.1, 0.05)
    assert row.ratio == pytest.approx(0.075)
    assert verdict(row) == "met"


def test_report_without_kafka_has_no_ratio() -> None:
    result = result_of_two_rounds()
    result.samples = [Sample(1, "barnabas", {"memory.after_load_mb": 30.0})]
    (row,) = result.rows()
    assert row.ratio is None
    assert verdict(row) == ""
    assert "| - |" in markdown(result)


def test_written_report_says_what_failed(tmp_path: Path) -> None:
    result = result_of_two_rounds()
    paths = write(result, tmp_path)
    assert [path.name for path in paths] == ["report.json", "report.md"]
    found = json.loads(paths[0].read_text())
    assert found["failures"] == ["kafka: it broke"]
    assert found["rows"][0]["met"] is True
    assert found == json.loads(json.dumps(as_json(result)))
    assert "- kafka: it broke" in paths[1].read_text()


def test_picture_is_drawn(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib", reason="the picture needs matplotlib")
    from bench.plot import draw

    path = draw(result_of_two_rounds(), tmp_path / "report.png")
    assert path is not None
    assert path.read_bytes().startswith(b"\x89PNG")
