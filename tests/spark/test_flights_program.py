"""The main job as a user runs it: a process of its own, with a small part of the year."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from barnabas.spark.session import JavaMissingError, require_java
from examples.flights.dataset import load_flights
from examples.flights.verdict import expected_report

pytestmark = [pytest.mark.spark, pytest.mark.slow]

ROOT = Path(__file__).resolve().parents[2]
RECORDS = 4_000
PNG_SIGNATURE = b"\x89PNG\r\n\x1a\n"


def run(*arguments: str) -> subprocess.CompletedProcess[str]:
    try:
        require_java()
    except JavaMissingError as error:
        pytest.skip(str(error))
    return subprocess.run(
        [sys.executable, "-m", "examples.flights", *arguments],
        cwd=ROOT,
        capture_output=True,
        text=True,
        timeout=170,
        check=False,
    )


def test_main_job(tmp_path: Path) -> None:
    """Goal: every count right, Spark's figures those of the input, a plot, a summary, exit 0."""
    ended = run("--records", str(RECORDS), "--out", str(tmp_path / "run"), "--json")
    assert ended.returncode == 0, ended.stderr
    summary = json.loads(ended.stdout)
    assert summary == json.loads((tmp_path / "run" / "summary.json").read_text())
    assert (summary["produced"], summary["consumed"]) == (RECORDS, RECORDS)
    wrong = ("lost", "duplicated", "out_of_order", "altered", "misplaced", "unknown")
    assert [summary[name] for name in wrong] == [0] * len(wrong)
    assert summary["ok"]
    assert summary["failures"] == []
    assert summary["spark"]["rows"] == RECORDS
    expected = expected_report(load_flights(RECORDS).table).by_carrier
    assert summary["spark"]["by_carrier"].keys() == expected.keys()
    for code, stats in expected.items():
        found = summary["spark"]["by_carrier"][code]
        assert (found["flights"], found["departed"]) == (stats.flights, stats.departed)
        assert found["mean_dep_delay_min"] == pytest.approx(stats.mean_dep_delay_min)
    rows = len(summary["spark"]["by_carrier"]) + len(summary["spark"]["by_hour"])
    delays = {"topic": "delays", "rows": rows, "guarantee": "exactly-once"}
    assert summary["delays"] == delays
    assert "each is committed once, and equal" in ended.stderr
    assert (tmp_path / "run" / "flights.png").read_bytes().startswith(PNG_SIGNATURE)
    # Without a terminal there is one line a phase, and no control sequence.
    assert "\x1b" not in ended.stderr
    assert f"{RECORDS:,} records" in ended.stderr
    assert "WRONG" not in ended.stderr


def test_directory_in_the_way(tmp_path: Path) -> None:
    """Goal: one line and exit status 1; nothing of the user's is touched."""
    (tmp_path / "data").mkdir()
    (tmp_path / "data" / "mine.txt").write_text("mine")
    ended = run("--records", "10", "--out", str(tmp_path))
    assert ended.returncode == 1
    assert "is not empty and not the log of a node" in ended.stderr
    assert "Traceback" not in ended.stderr
    assert (tmp_path / "data" / "mine.txt").read_text() == "mine"
