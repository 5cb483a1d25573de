"""Run as a program: a pool whose worker holds a connection to the port that is named."""

from __future__ import annotations

import socket
import sys

from barnabas.testing.simulation.workers import workers

_held: list[socket.socket] = []


def hold(port: int) -> None:
    """Connect, say so, and keep the connection."""
    _held.append(socket.create_connection(("127.0.0.1", port)))
    _held[0].sendall(b"x")


if __name__ == "__main__":
    with workers(1) as pool:
        pool.submit(hold, int(sys.argv[1])).result()
        sys.stdin.read()
