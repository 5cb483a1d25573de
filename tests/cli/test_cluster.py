"""`barnabas cluster` as a user types it: up, status, kill, restart, down, and what is refused."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from kit.signals import inherited

from barnabas.testing.process import NodeProcess

pytestmark = pytest.mark.slow


def cluster(*arguments: str, status: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run(
        [sys.executable, "-m", "barnabas.cli.main", "cluster", *arguments],
        capture_output=True,
        text=True,
        timeout=90,
        check=False,
    )
    assert done.returncode == status, done.stdout + done.stderr
    return done


@pytest.fixture
def directory(tmp_path: Path) -> Iterator[Path]:
    yield tmp_path / "c"
    if (tmp_path / "c" / "cluster.json").exists():
        cluster("down", "--dir", str(tmp_path / "c"))


def states(directory: Path) -> dict[int, str]:
    found = json.loads(cluster("status", "--dir", str(directory), "--json").stdout)
    return {row["id"]: row["state"] for row in found["nodes"]}


def test_up_and_down_again(directory: Path) -> None:
    """Goal: --json tells where everything is; nodes are killed, held and started one by one."""
    where = ("--dir", str(directory))
    told = cluster("up", "--brokers", "2", "--racks", "a,b", "--detach", "--json", *where)
    shown = cluster("status", *where).stdout
    assert f"export BARNABAS_CLUSTER_DIR={directory}" in shown, "for a folder of one's own"
    found: dict[str, Any] = json.loads(told.stdout)
    assert [row["rack"] for row in found["nodes"]] == ["a", "b"]
    assert found["bootstrap"] == ",".join(f"127.0.0.1:{row['port']}" for row in found["nodes"])
    assert all(Path(f"/proc/{row['pid']}").exists() for row in found["nodes"])
    cluster("kill", "2", *where)
    assert states(directory) == {1: "running", 2: "stopped"}
    assert "node 2 does not run" in cluster("stop", "2", *where, status=1).stderr
    cluster("restart", "2", *where)
    cluster("pause", "2", *where)
    assert states(directory) == {1: "running", 2: "paused"}
    cluster("resume", "2", *where)
    assert states(directory) == {1: "running", 2: "running"}
    assert "runs already" in cluster("up", *where, status=1).stderr
    cluster("down", *where)
    assert states(directory) == {1: "stopped", 2: "stopped"}
    assert "start it without --brokers" in cluster("up", "--brokers", "9", *where, status=1).stderr


def test_the_same_command_again(directory: Path) -> None:
    """Goal: what was typed at first may be typed again; the nodes that do not run are started."""
    shape = ("--brokers", "2", "--racks", "a,b", "--set", "num.partitions=2")
    again = ("up", *shape, "--detach", "--dir", str(directory))
    cluster(*again)
    assert "runs already" in cluster(*again, status=1).stderr
    cluster("kill", "2", "--dir", str(directory))
    cluster(*again)
    assert states(directory) == {1: "running", 2: "running"}
    cluster("down", "--dir", str(directory))
    others = ("--racks", "b,a", "--set", "num.partitions=3")
    refused = cluster(*again, *others, status=1).stderr
    assert "made with other options: start it without --racks, --set," in refused
    assert states(directory) == {1: "stopped", 2: "stopped"}


def test_commands_find_the_cluster_whoever_of_it_is_dead(tmp_path: Path) -> None:
    """Goal: without -b a command asks all brokers of the cluster here, not the first one alone."""

    def run(*arguments: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "barnabas.cli.main", *arguments],
            capture_output=True,
            text=True,
            timeout=90,
            check=True,
            cwd=tmp_path,
            env={**os.environ, **variables},
        )

    try:
        up = run("cluster", "up", "--detach").stdout
        assert "export" not in up, "the usual folder needs no variable"
        run("topic", "create", "t", "-p", "1", "-r", "3")
        killed = json.loads(run("cluster", "kill", "1", "--json").stdout)
        assert killed == {"node": 1, "action": "kill", "state": "stopped", "voters_missing": None}
        assert json.loads(run("topic", "list", "--json").stdout)[0]["topic"] == "t"
        run("produce", "t", "x")
        assert run("consume", "t", "-e").stdout == "x\n"
        there = {"BARNABAS_CLUSTER_DIR": str(tmp_path / "barnabas-cluster")}
        assert run("topic", "list", "--json", **there).stdout
        told = run("cluster", "status", "--dir", str(tmp_path / "barnabas-cluster")).stdout
        assert "127.0.0.1" in told
    finally:
        down = json.loads(run("cluster", "down", "--json").stdout)
    assert down == {"stopped": [2, 3], "killed": []}


def test_restart_waits_for_nobody_who_cannot_answer(directory: Path) -> None:
    """Goal: not for a paused node, not for a quorum that is not there; both would be time-outs."""
    where = ("--dir", str(directory))
    cluster("up", "--brokers", "3", "--detach", *where)
    cluster("pause", "1", *where)
    cluster("restart", "2", *where)
    assert states(directory) == {1: "paused", 2: "running", 3: "running"}
    cluster("down", *where)
    told = cluster("restart", "3", *where).stdout
    assert "no quorum until 1 more of the controllers run" in told
    assert "no quorum" not in cluster("restart", "1", *where).stdout


def test_what_is_refused(tmp_path: Path) -> None:
    """Goal: one line that names what is wrong; nothing is left behind."""
    where = ("--dir", str(tmp_path / "none"))
    assert "holds no cluster" in cluster("status", *where, status=1).stderr
    assert "2 racks" in cluster("up", "--brokers", "1", "--racks", "a,b", *where, status=1).stderr
    for setting, reason in (
        ("num.partitions=x", "Invalid value x for configuration num.partitions"),
        ("num.partition=2", "did you mean num.partitions?"),
        ("listeners=PLAINTEXT://:1", "each has its own listeners: use --port"),
        ("node.id=5", "each has its own node.id"),
    ):
        assert reason in cluster("up", "--set", setting, *where, status=1).stderr
    assert not (tmp_path / "none").exists()
    (tmp_path / "full").mkdir()
    (tmp_path / "full" / "letter.txt").write_text("dear")
    refused = cluster("up", "--dir", str(tmp_path / "full"), status=1).stderr
    assert "is not empty" in refused
    assert len(refused.splitlines()) == 1


@pytest.mark.parametrize("order", [signal.SIGINT, signal.SIGHUP])
def test_ctrl_c_ends_it_cleanly_even_in_the_background(
    directory: Path, order: signal.Signals
) -> None:
    """Goal: Ctrl-C stops all nodes, also where the shell had it ignored; so does a closed
    terminal."""
    command = [sys.executable, "-m", "barnabas.cli.main", "cluster", "up", "--brokers", "1"]
    with inherited(SIGINT=signal.SIG_IGN, SIGHUP=signal.SIG_DFL):
        running = subprocess.Popen(
            [*command, "--dir", str(directory)], stdout=subprocess.PIPE, text=True
        )
    with running:
        assert running.stdout is not None
        for line in running.stdout:
            if "Ctrl-C stops it." in line:
                break
        os.kill(running.pid, order)
        rest = running.stdout.read()
    assert running.returncode == 0
    assert "stopped" in rest
    assert states(directory) == {1: "stopped"}
    assert (directory / "node-1" / ".kafka_cleanshutdown").exists()


def test_a_port_that_another_broker_has(directory: Path, tmp_path: Path) -> None:
    """Goal: a broker of another cluster that answers there is not taken for a node of this one."""
    with NodeProcess(tmp_path / "other") as other:
        where = ("--dir", str(directory), "--port", str(other.port))
        told = cluster("up", "--brokers", "1", "--detach", *where, status=1).stderr
    assert "node 1 ended with status 1" in told
    assert "address already in use" in told
