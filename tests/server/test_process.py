"""A node as a process: ready line, SIGTERM, SIGKILL, and settings or places that are wrong."""

from __future__ import annotations

import asyncio
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest
from kit.batches import batch
from kit.fetching import long_poll
from kit.producing import send
from kit.raw_client import RawClient
from kit.signals import inherited

from barnabas.testing.cluster_layout import free_ports
from barnabas.testing.process import NodeProcess

from .clusters import CLUSTER_ID

pytestmark = pytest.mark.slow


def run(*arguments: str, timeout_s: float = 20) -> subprocess.CompletedProcess[str]:
    """A node that is expected to end by itself."""
    return subprocess.run(
        [sys.executable, "-m", "barnabas.broker", *arguments],
        capture_output=True,
        text=True,
        timeout=timeout_s,
        check=False,
    )


def told(node: NodeProcess) -> list[str]:
    """Lines of the process, of stdout and of the log."""
    return b"".join(node.output).decode().splitlines(keepends=True)


def test_ready_line_and_clean_stop(tmp_path: Path) -> None:
    """Goal: one line on stdout, exit status 0 on SIGTERM, the marker of a clean stop."""
    node = NodeProcess(tmp_path / "d").start()
    assert not (tmp_path / "d" / ".kafka_cleanshutdown").exists()
    assert node.stop() == 0
    (line,) = (each for each in told(node) if each.startswith("barnabas "))
    assert re.fullmatch(
        r"barnabas \S+ ready: node 1 \(broker\+controller\), cluster [\w-]{22}, "
        rf"127\.0\.0\.1:\d+, dir {tmp_path}/d, start \d+\.\d\d s\n",
        line,
    ), line
    assert (tmp_path / "d" / ".kafka_cleanshutdown").exists()


@pytest.mark.parametrize(
    ("listeners", "where"),
    [
        ("A://0.0.0.0:0", r"0\.0\.0\.0:\d+ \(A open to the network, without authentication\)"),
        ("A://127.0.0.1:0,B://:0", r"127\.0\.0\.1:\d+ \(B open to the network, without auth.*\)"),
    ],
)
def test_the_ready_line_says_what_is_open(tmp_path: Path, listeners: str, where: str) -> None:
    """Goal: nobody opens a broker without passwords to a network and is not told."""
    path, names = str(tmp_path / "d"), "A:PLAINTEXT,B:PLAINTEXT"
    settings = ("log.dirs=" + path, "listeners=" + listeners)
    arguments = [part for one in settings for part in ("--set", one)]
    arguments += ["--set", f"listener.security.protocol.map={names}"]
    process = subprocess.Popen(
        [sys.executable, "-m", "barnabas.broker", *arguments], stdout=subprocess.PIPE, text=True
    )
    try:
        assert process.stdout is not None
        assert re.search(f", {where}, dir {path}, ", process.stdout.readline())
    finally:
        process.terminate()
        process.communicate(timeout=20)


def test_sigint_stops_as_well(tmp_path: Path) -> None:
    """Goal: Ctrl-C is a clean stop."""
    node = NodeProcess(tmp_path / "d").start()
    os.kill(node.pid, signal.SIGINT)
    assert node._process is not None
    node._process.wait(20)
    assert node.stop() == 0
    assert (tmp_path / "d" / ".kafka_cleanshutdown").exists()


def test_a_node_that_waits_for_its_cluster_can_be_stopped(tmp_path: Path) -> None:
    """Goal: SIGTERM ends a start that no quorum answers; nothing is left running."""
    port, other = free_ports(2)
    settings = {
        "node.id": "1",
        "cluster.id": CLUSTER_ID,
        "listeners": f"PLAINTEXT://127.0.0.1:0,CONTROLLER://127.0.0.1:{port}",
        "controller.listener.names": "CONTROLLER",
        "controller.quorum.voters": f"1@127.0.0.1:{port},2@127.0.0.1:{other}",
        "log.dirs": str(tmp_path / "d"),
    }
    arguments = [part for pair in settings.items() for part in ("--set", "=".join(pair))]
    process = subprocess.Popen([sys.executable, "-m", "barnabas.broker", *arguments])
    try:
        deadline = time.monotonic() + 20
        while not is_listening(port):  # then it asks for votes
            assert time.monotonic() < deadline
            assert process.poll() is None
        process.send_signal(signal.SIGTERM)
        assert process.wait(20) == 0
    finally:
        process.kill()
        process.wait()


def is_listening(port: int) -> bool:
    try:
        socket.create_connection(("127.0.0.1", port), 1).close()
    except OSError:
        return False
    return True


def test_variables_of_a_service_do_not_stop_the_start(tmp_path: Path) -> None:
    """Goal: in Kubernetes a Service called barnabas may be beside the node; its log names them."""
    environment = {
        **os.environ,
        "BARNABAS_PORT": "tcp://10.0.0.7:9092",
        "BARNABAS_SERVICE_HOST": "10.0.0.7",
    }
    node = NodeProcess(tmp_path / "d", environment=environment).start()
    assert node.stop() == 0
    told = [line for line in node.output if b"set nothing" in line]
    assert len(told) == 1
    assert b"BARNABAS_PORT, BARNABAS_SERVICE_HOST" in told[0]


async def test_connections_that_are_open_do_not_hold_up_a_stop(tmp_path: Path) -> None:
    """Goal: idle clients and long polls are let go; the stop takes well under a second."""
    node = NodeProcess(tmp_path / "d").start()
    async with RawClient(node.host, node.port) as idle, RawClient(node.host, node.port) as parked:
        parked.send(long_poll(60_000), 11)
        assert (await send(idle, batch(b"v"))).error_code == 3  # it is served
        stopping = asyncio.get_running_loop().run_in_executor(None, node.stop, 5.0)
        assert await stopping == 0
        assert await idle.closed()
        assert await parked.closed()


def test_a_second_node_on_the_directory_is_refused(tmp_path: Path) -> None:
    """Goal: one line that names the directory, exit status 1; the first node lives."""
    with NodeProcess(tmp_path / "d") as node:
        done = run("--dir", str(tmp_path / "d"), "--port", "0")
        assert done.returncode == 1
        assert "in use by another process" in done.stderr
        assert len(done.stderr.splitlines()) == 1
        assert node.stop() == 0


def test_a_port_that_is_taken(tmp_path: Path) -> None:
    """Goal: one line that says so, exit status 1, and the directory can be used afterwards."""
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        done = run("--dir", str(tmp_path / "d"), "--port", str(taken.getsockname()[1]))
    assert done.returncode == 1
    assert "in use" in done.stderr
    with NodeProcess(tmp_path / "d"):
        pass


def test_a_listener_whose_port_another_one_has(tmp_path: Path) -> None:
    """Goal: of two that can bind a port, since none listens yet, no one stays deaf unseen."""
    (port,) = free_ports(1)
    two = f"A://0.0.0.0:{port},B://127.0.0.1:{port}"
    protocols = "listener.security.protocol.map=A:PLAINTEXT,B:PLAINTEXT"
    done = run("--dir", str(tmp_path / "d"), "--set", f"listeners={two}", "--set", protocols)
    assert done.returncode == 1
    assert done.stderr.splitlines()[-1] == "barnabas: [Errno 98] Address already in use"


@pytest.mark.parametrize(
    ("arguments", "told"),
    [
        (("--set", "num.partitons=3"), "num.partitions"),
        (("--set", "num.partitions=zero"), "num.partitions"),
        (("--set", "num.partitions=0"), "num.partitions"),
        (("--set", "listeners=nonsense"), "nonsense"),
        (("--config", "/nowhere/at/all.toml"), "/nowhere/at/all.toml"),
    ],
)
def test_bad_settings_stop_the_start(tmp_path: Path, arguments: tuple[str, ...], told: str) -> None:
    """Bad input: the field, the value and what is allowed, in one line; no directory is made."""
    done = run("--dir", str(tmp_path / "d"), *arguments)
    assert done.returncode in (1, 2)
    assert told in done.stderr
    assert len(done.stderr.splitlines()) == 1


def test_many_nodes_at_once(tmp_path: Path) -> None:
    """Goal: nodes do not know of each other: three start and stop side by side."""
    nodes = [NodeProcess(tmp_path / str(number)) for number in range(3)]
    threads = [threading.Thread(target=node.start) for node in nodes]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len({node.port for node in nodes}) == 3
    assert [node.stop() for node in nodes] == [0, 0, 0]


def test_the_ready_line_of_an_ipv6_address(tmp_path: Path) -> None:
    """Goal: what it says is an address that every client takes."""
    with NodeProcess(tmp_path / "d", arguments=["--host", "::1"]) as node:
        (line,) = (each for each in told(node) if each.startswith("barnabas "))
        assert f", [::1]:{node.port}, dir " in line


@pytest.mark.parametrize("module", ["barnabas.broker", "barnabas.cli.main"])
def test_a_log_that_cannot_be_written_does_not_spoil_the_stop(tmp_path: Path, module: str) -> None:
    """Goal: whoever read the log has gone; the node serves on, and SIGTERM still stops it clean."""
    command = [sys.executable, "-m", module, *(["serve"] if module.endswith("main") else [])]
    reading, writing = os.pipe()
    os.close(reading)
    node = subprocess.Popen(
        [*command, "--dir", str(tmp_path / "d"), "--port", "0"],
        stdout=subprocess.PIPE,
        stderr=writing,
    )
    os.close(writing)
    with node:
        assert node.stdout is not None
        assert b" ready: node 1 " in node.stdout.readline()
        node.send_signal(signal.SIGTERM)
        assert node.wait(20) == 0
    assert (tmp_path / "d" / ".kafka_cleanshutdown").exists()


@pytest.mark.parametrize("is_ignored", [False, True])
def test_a_terminal_that_is_closed(tmp_path: Path, is_ignored: bool) -> None:
    """Goal: SIGHUP stops a node as clean as SIGTERM, as in Kafka; under `nohup` it does not."""
    command = [sys.executable, "-m", "barnabas.broker", "--dir", str(tmp_path), "--port", "0"]
    with inherited(SIGHUP=signal.SIG_IGN if is_ignored else signal.SIG_DFL):
        node = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
        )
    with node:
        assert node.stdout is not None
        assert b" ready: node 1 " in node.stdout.readline()
        node.send_signal(signal.SIGHUP)
        if is_ignored:
            assert node.poll() is None
            node.send_signal(signal.SIGTERM)
        try:
            assert node.wait(20) == 0
        finally:
            node.kill()
    assert (tmp_path / ".kafka_cleanshutdown").exists()


@pytest.mark.parametrize("module", ["barnabas.broker", "barnabas.cli.main"])
def test_nobody_reads_the_ready_line(tmp_path: Path, module: str) -> None:
    """Goal: a node whose standard output has no reader any more serves, and stops clean."""
    command = [sys.executable, "-m", module, *(["serve"] if module.endswith("main") else [])]
    ready = tmp_path / "ready"
    reading, writing = os.pipe()
    os.close(reading)
    node = subprocess.Popen(
        [*command, "--dir", str(tmp_path / "d"), "--port", "0", "--set", f"ready.file={ready}"],
        stdout=writing,
        stderr=subprocess.PIPE,
    )
    os.close(writing)
    with node:
        assert node.stderr is not None
        told = iter(node.stderr)
        assert any(b"active controller" in line for line in told)
        while not ready.exists() and node.poll() is None:
            time.sleep(0.01)
        node.send_signal(signal.SIGTERM)
        assert not [line for line in told if b"Error" in line]
        assert node.wait(20) == 0
    assert (tmp_path / "d" / ".kafka_cleanshutdown").exists()
