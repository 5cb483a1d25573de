"""A barnabas node in a process of its own: start, wait until it is ready, stop, kill."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import threading
from collections import deque
from pathlib import Path
from types import TracebackType
from typing import IO

READY_LINE = re.compile(rb"ready: node (\d+).*?(\[?[0-9A-Za-z.:\-]+\]?):(\d+)")
"""The line that `barnabas serve` prints when it takes connections: node id, host, port."""

START_TIMEOUT_S = 30.0
OUTPUT_LINES_MAX = 10_000


class NodeDidNotStartError(RuntimeError):
    """The process ended, or stayed silent, before it was ready; the text has what it printed."""


class NodeProcess:
    """One `barnabas serve` as a child process; the port is chosen by the system unless given.

    `python` is the interpreter that runs it, and so the installation that is run.
    """

    def __init__(
        self,
        directory: str | Path,
        *,
        port: int = 0,
        settings: dict[str, str] | None = None,
        arguments: list[str] | None = None,
        environment: dict[str, str] | None = None,
        python: str | Path = sys.executable,
    ) -> None:
        self.directory = Path(directory)
        self.port = port
        self.host = "127.0.0.1"
        self.settings = dict(settings or {})
        self._arguments = list(arguments or [])
        self._environment = environment
        self._python = str(python)
        self._process: subprocess.Popen[bytes] | None = None
        self.output: deque[bytes] = deque(maxlen=OUTPUT_LINES_MAX)
        self._reader: threading.Thread | None = None
        self._ready_or_ended = threading.Event()
        self._is_ready = False

    @property
    def bootstrap(self) -> str:
        """The address as `host:port`."""
        return f"{self.host}:{self.port}"

    @property
    def pid(self) -> int:
        assert self._process is not None, "start() first"
        return self._process.pid

    def start(self) -> NodeProcess:
        """Start the process and wait for the ready line.

        Raises:
            NodeDidNotStartError: it ended or stayed silent; the message holds its output.
        """
        command = [self._python, "-m", "barnabas.broker", "--port", str(self.port)]
        if "log.dirs" not in self.settings:
            command += ["--dir", str(self.directory)]
        for name, value in self.settings.items():
            command += ["--set", f"{name}={value}"]
        self._ready_or_ended.clear()
        self._is_ready = False
        self._process = subprocess.Popen(
            command + self._arguments,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            env=self._environment,
        )
        self._await_ready()
        return self

    def _await_ready(self) -> None:
        process = self._process
        assert process is not None
        assert process.stdout is not None
        # A thread empties the pipe for the node's whole life: a full pipe would block its log.
        self._reader = threading.Thread(
            target=self._read_output, args=(process.stdout,), daemon=True
        )
        self._reader.start()
        self._ready_or_ended.wait(START_TIMEOUT_S)
        if not self._is_ready:  # `poll` may not have noticed the end of the process yet
            self.kill()
            raise NodeDidNotStartError(
                f"barnabas did not become ready in {self.directory}:\n"
                + b"".join(self.output).decode(errors="replace")
            )

    def _read_output(self, stream: IO[bytes]) -> None:
        for line in stream:
            self.output.append(line)
            found = None if self._ready_or_ended.is_set() else READY_LINE.search(line)
            if found:
                self.host, self.port = found[2].decode(), int(found[3])
                self._is_ready = True
                self._ready_or_ended.set()
        self._ready_or_ended.set()

    def stop(self, timeout_s: float = 20.0) -> int:
        """SIGTERM, then wait; returns the exit status."""
        return self._end(signal.SIGTERM, timeout_s)

    def kill(self) -> int:
        """SIGKILL, then wait: no clean-up runs in the node."""
        return self._end(signal.SIGKILL, 10.0)

    def _end(self, number: signal.Signals, timeout_s: float) -> int:
        process = self._process
        if process is None:
            return 0
        if process.poll() is None:
            process.send_signal(number)
        try:
            process.wait(timeout_s)
        except subprocess.TimeoutExpired:
            process.kill()
            process.wait()
        if self._reader is not None:
            self._reader.join()
        if process.stdout is not None:
            process.stdout.close()
        self._process = None
        return process.returncode

    def __enter__(self) -> NodeProcess:
        return self if self._process is not None else self.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.stop()
