"""`barnabas user` as a user types it."""

from __future__ import annotations

import json
import os
import pty
import subprocess
import sys
from pathlib import Path

import pytest

from barnabas.testing.process import NodeProcess

from .conftest import Barnabas

pytestmark = pytest.mark.slow


def test_users_come_and_go(barnabas: Barnabas, tmp_path: Path) -> None:
    """SASL-28, SASL-30: made once, changed for all mechanisms, deleted; passwords by standard
    input and by file."""
    assert barnabas("user", "list").stdout == "no users\n"
    done = barnabas("user", "create", "alice", stdin="wonder; land\n")
    assert done.stdout == "created user alice for SCRAM-SHA-512\n"
    again = barnabas("user", "create", "alice", stdin="x", status=1)
    assert "user alice is there already" in again.stderr
    file = tmp_path / "password"
    file.write_text("other\n")
    changed = barnabas(
        *("user", "alter", "alice", "--mechanism", "scram-sha-256", "--iterations", "8192"),
        *("--password-file", str(file), "--json"),
    )
    both = {"SCRAM-SHA-512": 8192, "SCRAM-SHA-256": 8192}
    assert json.loads(changed.stdout) == {"user": "alice", "mechanisms": both, "action": "changed"}
    listed = json.loads(barnabas("user", "list", "--json").stdout)
    assert listed == [{"user": "alice", "mechanisms": both}]
    assert "SCRAM-SHA-256        8192" in barnabas("user", "describe", "alice").stdout
    barnabas("user", "delete", "alice", "--mechanism", "SCRAM-SHA-256")
    told = barnabas("user", "delete", "alice", "--mechanism", "SCRAM-SHA-256", status=1)
    assert "user alice has no SCRAM-SHA-256, but SCRAM-SHA-512" in told.stderr
    barnabas("user", "delete", "alice")
    assert json.loads(barnabas("user", "list", "--json").stdout) == []


def test_what_is_refused(barnabas: Barnabas, tmp_path: Path) -> None:
    """SASL-28, SEC-04: the message names what is wrong, and no password."""
    for arguments in (("alter", "bob"), ("describe", "bob"), ("delete", "bob")):
        told = barnabas("user", *arguments, stdin="secret", status=1).stderr
        assert "RESOURCE_NOT_FOUND" in told
        assert "secret" not in told
    for wrong in ("", "\n", "two\nlines"):
        told = barnabas("user", "create", "bob", stdin=wrong, status=2).stderr
        assert "must have the password in one line" in told
    few = barnabas("user", "create", "bob", "--iterations", "4095", stdin="x", status=2)
    assert "4095 is not in the range" in few.stderr
    (tmp_path / "binary").write_bytes(b"\xff")
    told = barnabas(
        "user", "create", "bob", "--password-file", str(tmp_path / "binary"), status=2
    ).stderr
    assert "is not UTF-8" in told


def test_a_terminal_is_asked_and_shows_nothing(node: NodeProcess) -> None:
    """SEC-04: typed twice, without an echo."""
    ours, theirs = pty.openpty()
    running = subprocess.Popen(
        [sys.executable, "-m", "barnabas.cli.main", "user", "create", "typed"],
        stdin=theirs,
        stdout=theirs,
        stderr=theirs,
        env={**os.environ, "BARNABAS_BOOTSTRAP_SERVER": node.bootstrap},
        start_new_session=True,
    )
    os.close(theirs)
    seen = b""
    asked = 0
    try:
        while data := os.read(ours, 1000):
            seen += data
            if seen.count(b": ") > asked:
                asked += 1
                os.write(ours, b"secret\n")
    except OSError:
        pass  # the other end of a terminal is gone: the command has ended
    os.close(ours)
    assert running.wait(30) == 0, seen
    assert b"created user typed" in seen
    assert b"secret" not in seen
