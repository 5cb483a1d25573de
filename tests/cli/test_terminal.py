"""The command on a terminal and in a pipe: Ctrl-C ends it, a reader that has enough is no error."""

from __future__ import annotations

import json
import os
import pty
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from typing import Any

import pytest

from barnabas.testing.process import NodeProcess

pytestmark = pytest.mark.slow

Barnabas = Callable[..., "subprocess.CompletedProcess[str]"]
CTRL_C = b"\x03"

TAKE_TERMINAL = (
    "import fcntl, os, signal, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    " signal.signal(signal.SIGINT, signal.SIG_DFL);"
    " os.execv(sys.executable, [sys.executable, '-m', 'barnabas.cli.main', *sys.argv[1:]])"
)
"""So that Ctrl-C reaches the process as it does from a shell: through its terminal, and not
ignored, as it is in what a script starts in the background, these tests included."""


class Terminal:
    """The command with a terminal of its own for input and messages."""

    def __init__(self, node: NodeProcess, *arguments: str, **streams: Any) -> None:
        self.keyboard, theirs = pty.openpty()
        self.process = subprocess.Popen(
            [sys.executable, "-c", TAKE_TERMINAL, *arguments],
            stdin=theirs,
            start_new_session=True,
            env={**os.environ, "BARNABAS_BOOTSTRAP_SERVER": node.bootstrap},
            **{"stdout": theirs, "stderr": theirs, **streams},
        )
        os.close(theirs)

    def press(self, keys: bytes) -> None:
        os.write(self.keyboard, keys)

    def until(self, text: bytes) -> bytes:
        shown = b""
        while text not in shown:
            shown += os.read(self.keyboard, 4096)
        return shown

    def end(self) -> int:
        return self.process.wait(20)

    def close(self) -> None:
        self.process.kill()
        self.process.wait()
        os.close(self.keyboard)


Open = Callable[..., Terminal]


@pytest.fixture
def terminal(node: NodeProcess) -> Iterator[Open]:
    opened: list[Terminal] = []

    def start(*arguments: str, **streams: Any) -> Terminal:
        opened.append(Terminal(node, *arguments, **streams))
        return opened[-1]

    yield start
    for each in opened:
        each.close()


def test_ctrl_c_ends_produce_at_once(barnabas: Barnabas, terminal: Open) -> None:
    """Goal: one Ctrl-C, exit status 130, no traceback; what was typed before it is stored."""
    barnabas("topic", "create", "typed", "-p", "1")
    with open(os.devnull, "w") as nothing:
        typing = terminal("produce", "typed", stdout=nothing)
    typing.press(b"hello\n")
    assert barnabas("consume", "typed", "-o", "beginning", "-c", "1").stdout == "hello\n"
    typing.press(CTRL_C)
    assert typing.end() == 130
    shown = typing.until(b"^C")
    assert b"Traceback" not in shown
    assert b"Fatal" not in shown


def test_ctrl_c_ends_consume_which_says_what_it_waits_for(
    barnabas: Barnabas, terminal: Open
) -> None:
    """Goal: nothing is shown without a word: on a terminal it says that it starts at the end."""
    barnabas("topic", "create", "watched", "-p", "1")
    watching = terminal("consume", "watched")
    assert b"-o beginning" in watching.until(b"those that are there")
    watching.press(CTRL_C)
    assert watching.end() == 130


def test_a_terminal_gets_lines_and_a_pipe_does_not(barnabas: Barnabas, terminal: Open) -> None:
    """Goal: tables are drawn for people only."""
    barnabas("topic", "create", "drawn", "-p", "1")
    assert "1 partition," in barnabas("topic", "create", "one", "-p", "1").stdout
    listing = terminal("topic", "list")
    assert "━" in listing.until(b"drawn").decode()
    assert listing.end() == 0
    plain = barnabas("topic", "list").stdout
    assert plain.isascii()
    header, first = plain.splitlines()[:2]
    assert header.split() == ["topic", "partitions", "replicas", "id"]
    assert first.split()[:3] == ["drawn", "1", "1"]


def test_a_reader_that_has_enough_is_no_error(barnabas: Barnabas, node: NodeProcess) -> None:
    """Goal: `consume | head` ends with status 0 and says nothing."""
    barnabas("produce", "long", stdin="".join(f"{n:0100}\n" for n in range(10_000)))
    with subprocess.Popen(
        [sys.executable, "-m", "barnabas.cli.main", "consume", "long", "-e"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "BARNABAS_BOOTSTRAP_SERVER": node.bootstrap},
    ) as running:
        assert running.stdout is not None
        assert running.stderr is not None
        assert [int(running.stdout.readline()) for _ in range(3)] == [0, 1, 2]
        running.stdout.close()
        assert running.stderr.read() == b""
    assert running.returncode == 0


def test_the_end_of_a_topic_means_from_its_beginning(barnabas: Barnabas) -> None:
    """Goal: `consume -e` without -o shows what is there; to start at the end would show nothing."""
    barnabas("produce", "there", "one")
    assert barnabas("consume", "there", "-e").stdout == "one\n"
    assert barnabas("consume", "there", "-e", "-o", "end").stdout == ""
    assert barnabas("consume", "there", "--until", "1").stdout == "one\n"


def test_errors_are_json_where_json_was_asked_for(barnabas: Barnabas) -> None:
    """Goal: a program reads errors as it reads answers: broker's, client's and usage errors."""
    told = barnabas("topic", "describe", "nothing", "--json", status=1)
    found = json.loads(told.stderr)
    assert found["type"] == "UnknownTopicOrPartitionError"
    assert "nothing" in found["error"]
    assert told.stdout == ""
    usage = json.loads(barnabas("topic", "alter", "x", "--json", status=2).stderr)
    assert usage["type"] == "UsageError"
    refused = barnabas("topic", "list", "--json", status=1, bootstrap="127.0.0.1:1")
    assert "127.0.0.1:1" in json.loads(refused.stderr)["error"]
    assert json.loads(barnabas("consume", "no", "--json", status=1).stderr)["error"]


def test_what_changes_is_told_as_json(barnabas: Barnabas) -> None:
    """Goal: delete and alter have --json like create and describe."""
    barnabas("topic", "create", "changing", "-p", "1")
    altered = barnabas(
        "topic", "alter", "changing", "-p", "2", "-c", "segment.ms=99999", "-d", "retention.ms",
        "--json",
    )  # fmt: skip
    assert json.loads(altered.stdout) == {
        "topic": "changing",
        "partitions": 2,
        "configs": {"segment.ms": "99999", "retention.ms": None},
    }
    configured = barnabas("config", "alter", "-t", "changing", "segment.ms=88888", "--json")
    assert json.loads(configured.stdout)["configs"] == {"segment.ms": "88888"}
    deleted = barnabas("topic", "delete", "changing", "never", "--if-exists", "--json")
    assert json.loads(deleted.stdout) == [
        {"topic": "changing", "deleted": True},
        {"topic": "never", "deleted": False},
    ]


def test_ctrl_c_with_lines_under_way_is_bounded(
    barnabas: Barnabas, node: NodeProcess, terminal: Open
) -> None:
    """Goal: a broker that does not answer holds up Ctrl-C for two seconds, not for two minutes."""
    barnabas("topic", "create", "stuck", "-p", "1")
    typing = terminal("produce", "stuck")
    typing.press(b"one\n")
    assert barnabas("consume", "stuck", "-o", "beginning", "-c", "1").stdout == "one\n"
    os.kill(node.pid, signal.SIGSTOP)
    try:
        typing.press(b"two\n")
        typing.press(CTRL_C)
        assert typing.end() == 130
    finally:
        os.kill(node.pid, signal.SIGCONT)
