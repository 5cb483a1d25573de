"""Programs of the chaos runs: nodes of another version, clients that die, disks that kill."""

from __future__ import annotations

import signal
import subprocess
import sys
from pathlib import Path

import pytest

from barnabas.testing.node_process import spawn, wait_for_end
from barnabas.testing.process_cluster import ProcessCluster
from lab.chaos.__main__ import ENDED
from lab.chaos.chosen_version import MODULE, choose
from lab.chaos.client_process import Journal, Noted, read_journal
from lab.chaos.fault_points import all_points
from lab.chaos.faulty_node import Fault, arm, died_at
from lab.chaos.killed_clients import faults_of_reader, faults_of_writers
from lab.chaos.soak import slope
from lab.programs import environment

STORED = [Noted(0, 0, "w:0"), Noted(1, 0, "w:1"), Noted(0, 1, "w:3")]


def test_what_writers_were_told_is_true(tmp_path: Path) -> None:
    """I-5, I-21: lost, twice and out of order; what nobody was told may be there."""
    book = Journal(str(tmp_path / "book"))
    book.note(STORED[:2])
    told = read_journal(tmp_path / "book")
    assert told == STORED[:2]
    assert faults_of_writers(told, STORED) == []
    (lost,) = faults_of_writers([*told, Noted(2, 0, "w:2")], STORED)
    assert "1 records acked to a dead client are lost" in lost
    found = " ".join(faults_of_writers(told, [*STORED, Noted(0, 2, "w:3")]))
    assert "there twice" in found
    assert "out of order or has gaps" in found


def test_readers_go_on_by_one() -> None:
    """I-19: over all lives each offset once, and nothing that is not stored."""
    assert faults_of_reader(STORED, STORED) == []
    assert faults_of_reader([], STORED) == []
    (skipped,) = faults_of_reader(STORED[1:], STORED)
    assert "partition 0" in skipped
    assert len(faults_of_reader([*STORED, STORED[0]], STORED)) == 1
    assert "not stored" in faults_of_reader([Noted(1, 0, "w:9")], STORED)[0]


def older_version(folder: Path) -> Path:
    """A tree whose broker says who it is, and ends."""
    package = folder / "tree" / "barnabas" / "broker"
    package.mkdir(parents=True)
    (package.parent / "__init__.py").touch()
    (package / "__init__.py").touch()
    (package / "__main__.py").write_text(
        "import os, sys; print('older', os.getpid(), *sys.argv[1:])"
    )
    return folder / "tree"


def test_a_node_becomes_the_chosen_version(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """P-22: what runs is the broker of the tree that the file names, as the same process.

    It is started in a directory where the laboratory's modules are not.
    """
    monkeypatch.chdir(tmp_path)
    directory, output = tmp_path / "node-1", tmp_path / "node-1.log"
    choose(directory, older_version(tmp_path))
    node = spawn(directory, {}, output, MODULE, environment())
    assert wait_for_end(node, 60)
    assert output.read_text().split() == ["older", str(node.number), "--dir", str(directory)]


@pytest.mark.parametrize(("is_after", "there"), [(False, False), (True, True)])
def test_a_node_dies_where_it_is_armed(tmp_path: Path, is_after: bool, there: bool) -> None:
    """P-21: before or after the call, and it leaves word where."""
    directory = tmp_path / "node-1"
    directory.mkdir()
    arm(directory, Fault("rename", ends="draft", dies_at=2, is_after=is_after))
    program = (
        "import os, sys\n"
        "from lab.chaos.faulty_node import Faults, install\n"
        "install(Faults(sys.argv[1]))\n"
        "for name in ('one', 'two'):\n"
        "    open(f'{sys.argv[1]}/draft', 'w').close()\n"
        "    os.replace(f'{sys.argv[1]}/draft', f'{sys.argv[1]}/{name}')\n"
    )
    command = [sys.executable, "-c", program, str(directory)]
    done = subprocess.run(command, cwd=tmp_path, env=environment(), timeout=60, check=False)
    assert done.returncode == -signal.SIGKILL
    assert died_at(directory) == "rename /draft"
    assert (directory / "one").exists()
    assert (directory / "two").exists() is there
    arm(directory, Fault("rename"))
    assert died_at(directory) == ""


def test_there_are_enough_points() -> None:
    """P-21: each fsync and rename, and the points of trouble: at least 40, each named once."""
    names = [one.name for one in all_points()]
    assert len(names) == len(set(names)) >= 40


def test_growth_is_the_slope_of_the_samples() -> None:
    """P-24: a straight line through noise."""
    assert slope([(0.0, 5.0)]) == 0.0
    assert slope([(0.0, 10.0), (1.0, 13.0), (2.0, 14.0), (3.0, 17.0)]) == pytest.approx(2.2)


@pytest.mark.slow
def test_sigterm_ends_the_nodes_too(tmp_path: Path) -> None:
    """Goal: whoever ends a run of faults finds none of its nodes running afterwards."""
    command = [sys.executable, "-m", "lab.chaos", "--short", "--rows", "P-1"]
    command += ["--dir", str(tmp_path), "--out", str(tmp_path / "chaos.md")]
    run = subprocess.Popen(
        command, cwd=tmp_path, env=environment(), stderr=subprocess.PIPE, text=True
    )
    assert run.stderr is not None
    assert "P-1" in run.stderr.readline()
    assert run.stderr.readline() or run.poll() is None  # at work, or about to be
    run.send_signal(signal.SIGTERM)
    said = run.communicate(timeout=60)[1]
    assert run.returncode == ENDED, said
    assert "ended by SIGTERM" in said
    assert ProcessCluster.load(tmp_path / "P-1").running() == []
