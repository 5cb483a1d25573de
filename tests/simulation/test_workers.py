"""Processes that run simulations do not outlive who started them."""

from __future__ import annotations

import socket
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
PATIENCE_S = 60.0


def test_workers_end_with_their_parent() -> None:
    """Goal: a killed `barnabas simulate --jobs` leaves nothing behind."""
    with socket.create_server(("127.0.0.1", 0)) as server:
        server.settimeout(PATIENCE_S)
        port = str(server.getsockname()[1])
        command = [sys.executable, "-m", "tests.simulation.left_alone", port]
        with subprocess.Popen(command, stdin=subprocess.PIPE, cwd=ROOT) as parent:
            worker, _ = server.accept()
            with worker:
                worker.settimeout(PATIENCE_S)
                assert worker.recv(1) == b"x"
                parent.kill()
                assert worker.recv(1) == b""
