"""How long a broker keeps others waiting while something heavy is done to it.

A process of its own, `python -m bench.pings --port N`, asks ApiVersions again and again on one
connection until its input ends, and prints `ready`, then one JSON object. `Pings` runs it for the
other benches.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import threading
import time
from types import TracebackType
from typing import Self

from .figures import percentile
from .wire import Wire, compact, frame

API_VERSIONS, VERSION = 18, 3
PAUSE_S = 0.005
END_TIMEOUT_S = 10.0


def ask_until_told(port: int) -> list[float]:
    """Until the input ends; how long each answer took, in milliseconds, in rising order."""
    is_over = threading.Event()

    def wait() -> None:
        sys.stdin.read()
        is_over.set()

    threading.Thread(target=wait, daemon=True).start()
    request = frame(API_VERSIONS, VERSION, 1, compact(b"bench") + compact(b"1") + b"\x00")
    took_ms: list[float] = []
    with Wire(port) as connection:
        connection.call(request)
        print("ready", flush=True)
        while not took_ms or not is_over.wait(PAUSE_S):
            began = time.perf_counter()
            connection.call(request)
            took_ms.append(1e3 * (time.perf_counter() - began))
    return sorted(took_ms)


class Pings:
    """The process, from entering to leaving; then `found` has what it measured."""

    def __init__(self, port: int) -> None:
        self._command = [sys.executable, "-m", "bench.pings", "--port", str(port)]
        self.found: dict[str, float] = {}

    def __enter__(self) -> Self:
        self._process = subprocess.Popen(
            self._command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        assert self._process.stdout is not None
        self._process.stdout.readline()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        try:
            said, _ = self._process.communicate("", END_TIMEOUT_S)
        finally:
            self._process.kill()
            self._process.wait()
        if kind is None:
            self.found = json.loads(said)


def main() -> None:
    """Read the command line, ask, print the figures as JSON."""
    parser = argparse.ArgumentParser(prog="python -m bench.pings", description=__doc__)
    parser.add_argument("--port", type=int, required=True)
    took_ms = ask_until_told(parser.parse_args().port)
    found = {
        "pings": len(took_ms),
        "ping_p50_ms": percentile(took_ms, 50),
        "ping_p99_ms": percentile(took_ms, 99),
        "longest_ping_ms": took_ms[-1],
    }
    json.dump(found, sys.stdout)


if __name__ == "__main__":
    main()
