"""One broker process: started on an empty directory, measured from outside, stopped."""

from __future__ import annotations

import shutil
import signal
import socket
import subprocess
import time
from abc import ABC, abstractmethod
from pathlib import Path
from typing import NamedTuple

from . import paths, procfs
from .first_ack import wait_for_first_ack

PARTITIONS = 8
"""Of a topic that the broker creates by itself."""
SEGMENT_BYTES = 2**30
FIRST_TOPIC = "first"
START_TIMEOUT_S = 60.0
STOP_TIMEOUT_S = 60.0


class UnavailableError(Exception):
    """This machine lacks something that the broker needs; the text says what."""


def free_port() -> int:
    """A port that nobody listened on a moment ago."""
    with socket.create_server(("127.0.0.1", 0)) as listener:
        return int(listener.getsockname()[1])


class TlsListener(NamedTuple):
    """A second listener, for measuring TLS beside the plain one."""

    port: int
    keystore: Path
    """Key and chain in PEM."""

    @property
    def address(self) -> str:
        """As the setting `listeners` has it."""
        return f"SSL://127.0.0.1:{self.port}"

    @property
    def settings(self) -> dict[str, str]:
        """Of both brokers."""
        return {"ssl.keystore.location": str(self.keystore)}


class Broker(ABC):
    """What both brokers have in common: a data directory, a process, its output in a file."""

    name: str
    title: str

    def __init__(self) -> None:
        self.process: subprocess.Popen[bytes] | None = None
        self.port = 0
        self.directory = paths.DATA / self.name
        self.first_ack_s = 0.0
        self.tls: TlsListener | None = None
        """Set before it starts."""
        self.settings: dict[str, str] = {}
        """More than the usual ones; set before it starts."""

    @abstractmethod
    def prepare(self) -> None:
        """Fetch or build what is needed, once; `UnavailableError` says why that is not possible."""

    @abstractmethod
    def versions(self) -> dict[str, str]:
        """What is measured, for the report."""

    @abstractmethod
    def format(self) -> list[str]:
        """Make the directory ready; the command line that serves it."""

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    @property
    def log_path(self) -> Path:
        """Where the process writes."""
        return paths.LOGS / f"{self.name}.log"

    def start(self) -> None:
        """Start on an empty directory and wait for the first acknowledged record."""
        shutil.rmtree(self.directory, ignore_errors=True)
        self.directory.mkdir(parents=True)
        paths.LOGS.mkdir(parents=True, exist_ok=True)
        self.port = free_port()
        command = self.format()
        with self.log_path.open("wb") as output:
            started = time.perf_counter()
            self.process = subprocess.Popen(
                command, stdout=output, stderr=output, cwd=self.directory
            )
        process = self.process
        try:
            self.first_ack_s = wait_for_first_ack(
                self.port,
                FIRST_TOPIC,
                started=started,
                timeout_s=START_TIMEOUT_S,
                alive=lambda: process.poll() is None,
            )
        except TimeoutError as error:
            self.kill()
            raise TimeoutError(f"{self.title}: {error}; it wrote {self.log_path}") from None

    def resident_mb(self) -> float:
        """Resident memory now, MB."""
        return procfs.resident_mb(self.pid)

    def stop(self) -> float:
        """SIGTERM; seconds until the process is gone. The data directory goes with it."""
        assert self.process is not None
        started = time.perf_counter()
        self.process.send_signal(signal.SIGTERM)
        try:
            self.process.wait(STOP_TIMEOUT_S)
        except subprocess.TimeoutExpired:
            self.kill()
            raise
        seconds = time.perf_counter() - started
        shutil.rmtree(self.directory, ignore_errors=True)
        return seconds

    def kill(self) -> None:
        """End the process if it is still there, and remove its data."""
        if self.process is not None and self.process.poll() is None:
            self.process.kill()
            self.process.wait()
        shutil.rmtree(self.directory, ignore_errors=True)
