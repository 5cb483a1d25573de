"""A node whose disk obeys a file of faults: `python -m barnabas.testing.chaos.faulty_node`.

It is `python -m barnabas.broker` in all else. The faults stand in `DIR.faults` beside the log
directory DIR, as JSON, and hold from the moment at which the file is there until it is gone: a list
of objects with `call` (append, pread, fsync, rename), `path` (a part of the path in DIR), and
what happens: `delay_s`, `errno` (EIO, ENOSPC, …), or `dies_at` (the how-manieth such call ends the
process by SIGKILL, before it is made).
"""

from __future__ import annotations

import errno
import json
import os
import signal
import sys
import time
from collections.abc import Callable
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from barnabas.broker.storage.files import RealDisk, RealFile

CALLS: Final = ("append", "pread", "fsync", "rename")
_SUFFIX: Final = ".faults"


@dataclass(slots=True)
class Fault:
    """What happens to one kind of call on some files."""

    call: str
    path: str = ""
    delay_s: float = 0.0
    errno: str = ""
    dies_at: int = 0


def arm(directory: Path, *faults: Fault) -> None:
    """Let a node have these faults from now on; none of them: heal it."""
    path = Path(f"{directory}{_SUFFIX}")
    if not faults:
        path.unlink(missing_ok=True)
        return
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps([asdict(fault) for fault in faults]), encoding="utf-8")
    draft.rename(path)


class Faults:
    """What the file says now; it is looked at before each call."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._path = f"{directory}{_SUFFIX}"
        self._stamp = 0
        self._faults: list[Fault] = []
        self._calls: dict[int, int] = {}

    def meet(self, call: str, path: str) -> None:
        """Delay, fail or die, if a fault is armed. Raises OSError."""
        self._look()
        path = path.removeprefix(self._directory)
        for index, fault in enumerate(self._faults):
            if fault.call != call or fault.path not in path:
                continue
            if fault.dies_at:
                self._calls[index] = self._calls.get(index, 0) + 1
                if self._calls[index] >= fault.dies_at:
                    os.kill(os.getpid(), signal.SIGKILL)
            if fault.delay_s:
                time.sleep(fault.delay_s)
            if fault.errno:
                number = getattr(errno, fault.errno)
                raise OSError(number, os.strerror(number), path)

    def _look(self) -> None:
        try:
            stamp = os.stat(self._path).st_mtime_ns
        except FileNotFoundError:
            self._faults, self._stamp = [], 0
            return
        if stamp != self._stamp:
            text = Path(self._path).read_text(encoding="utf-8")
            self._faults = [Fault(**one) for one in json.loads(text)]
            self._stamp = stamp
            self._calls.clear()


def install(faults: Faults) -> None:
    """Put the faults in front of the real disk of this process."""
    for cls, names in ((RealFile, ("append", "pread", "fsync")), (RealDisk, ("rename",))):
        for name in names:
            setattr(cls, name, _guarded(faults, name, getattr(cls, name)))


def _guarded(faults: Faults, name: str, real: Callable[..., Any]) -> Callable[..., Any]:
    def call(self: Any, *arguments: Any) -> Any:
        path = arguments[0] if name == "rename" else self.path
        faults.meet(name, path)
        return real(self, *arguments)

    return call


def main() -> None:
    """Run the node."""
    from barnabas.broker.__main__ import main as run_broker

    directory = sys.argv[sys.argv.index("--dir") + 1]
    install(Faults(directory))
    run_broker()


if __name__ == "__main__":
    main()
