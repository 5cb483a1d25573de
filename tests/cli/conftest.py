"""A node for the command line to talk to, and the command as a user types it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable, Iterator

import pytest

from barnabas.testing.process import NodeProcess

Barnabas = Callable[..., "subprocess.CompletedProcess[str]"]


@pytest.fixture(scope="module")
def node(tmp_path_factory: pytest.TempPathFactory) -> Iterator[NodeProcess]:
    with NodeProcess(tmp_path_factory.mktemp("node") / "data") as process:
        yield process


@pytest.fixture
def barnabas(node: NodeProcess) -> Barnabas:
    """Runs `barnabas ARGUMENTS` against the node; returns what it printed."""

    def run(
        *arguments: str, stdin: str = "", status: int = 0, bootstrap: str | None = None
    ) -> subprocess.CompletedProcess[str]:
        result = subprocess.run(
            [sys.executable, "-m", "barnabas.cli.main", *arguments],
            input=stdin,
            capture_output=True,
            text=True,
            timeout=60,
            check=False,
            env={
                "BARNABAS_BOOTSTRAP_SERVER": bootstrap or node.bootstrap,
                "PATH": "",
                "LANG": "C.UTF-8",
                # The command that runs is the one that the tests import.
                "PYTHONPATH": os.environ.get("PYTHONPATH", ""),
            },
        )
        assert result.returncode == status, result.stdout + result.stderr
        return result

    return run
