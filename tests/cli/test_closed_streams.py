"""Standard streams that the shell has closed."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest

from barnabas.testing.process import NodeProcess

pytestmark = pytest.mark.slow


@pytest.mark.parametrize(
    ("line", "status", "told"),
    [
        ("topic list >&-", 0, ""),
        ("topic create closed --json >&-", 0, ""),
        ("produce closed <&-", 1, "Bad file descriptor"),
    ],
)
def test_streams_that_are_closed(node: NodeProcess, line: str, status: int, told: str) -> None:
    """Goal: a stream that the shell closed is no bug of the command."""
    done = subprocess.run(
        ["/bin/sh", "-c", f'"$0" -m barnabas.cli.main {line}', sys.executable],
        env={**os.environ, "BARNABAS_BOOTSTRAP_SERVER": node.bootstrap},
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert done.returncode == status, done.stderr
    assert told in done.stderr
    assert "Traceback" not in done.stderr
