"""A node in a process of its own that outlives the program that started it, and is found by its
pid.

Its output goes to a file. The pid may meanwhile belong to another process, so the time at which the
process began is kept with it.
"""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path

NODE_MODULE = "barnabas.broker"
_STEP_S = 0.005


@dataclass(frozen=True, slots=True)
class Pid:
    """A process; its start time tells it from a later process with the same number."""

    number: int
    began: int

    @property
    def is_alive(self) -> bool:
        """Whether it still runs (or is stopped by SIGSTOP); a zombie does not."""
        found = _stat(self.number)
        return found is not None and found[0] != "Z" and found[1] == self.began

    @property
    def is_paused(self) -> bool:
        """Whether it is stopped by SIGSTOP."""
        found = _stat(self.number)
        return found is not None and found[0] == "T" and found[1] == self.began

    def signal(self, number: signal.Signals) -> None:
        """Send a signal, if it is still the same process."""
        if self.is_alive:
            os.kill(self.number, number)


def _stat(pid: int) -> tuple[str, int] | None:
    """State and start time (clock ticks since boot) of a process; None if there is none."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_bytes().rpartition(b")")[2].split()
    except OSError:
        return None
    return fields[0].decode(), int(fields[19])


def spawn(
    directory: Path,
    settings: dict[str, str],
    output: Path,
    module: str = NODE_MODULE,
    environment: dict[str, str] | None = None,
    config_file: Path | None = None,
) -> Pid:
    """Start `barnabas serve` in a session of its own; its output is appended to `output`.

    What is in `settings` everybody on this machine can read; secrets belong into `config_file`.
    `module` is what runs, with the arguments of `python -m barnabas.broker`; `environment` are its
    variables, without which it has those of this process.
    """
    command = [sys.executable, "-m", module, "--dir", str(directory)]
    if config_file is not None:
        command += ["--config", str(config_file)]
    for name, value in settings.items():
        command += ["--set", f"{name}={value}"]
    with output.open("ab") as file:
        process = subprocess.Popen(
            command,
            stdin=subprocess.DEVNULL,
            stdout=file,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            env=environment,
        )
    _children[process.pid] = process
    found = _stat(process.pid)
    return Pid(process.pid, found[1] if found else 0)


_children: dict[int, subprocess.Popen[bytes]] = {}
"""The processes that this one started: it must read their exit statuses, or they stay zombies."""


def exit_status(pid: Pid) -> int | None:
    """The exit status of a child (negative: the signal that ended it); None if it runs or is no
    child."""
    child = _children.get(pid.number)
    return child.poll() if child is not None else None


def wait_for_end(pid: Pid, timeout_s: float) -> bool:
    """Wait until the process has ended; False if it still runs after `timeout_s`."""
    child = _children.get(pid.number)
    if child is not None:
        try:
            child.wait(timeout_s)
        except subprocess.TimeoutExpired:
            return False
        return True
    deadline = time.monotonic() + timeout_s
    while pid.is_alive:
        if time.monotonic() > deadline:
            return False
        time.sleep(_STEP_S)
    return True
