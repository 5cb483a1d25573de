"""A node whose disk obeys a file of faults: `python -m lab.chaos.faulty_node`.

It is `python -m barnabas.broker` in all else. The faults stand in `DIR.faults` beside the log
directory DIR, as JSON, and hold from the moment at which the file is there until it is gone: a list
of objects with `call` (see CALLS), `path` (a part of the path in DIR), `ends` (the end of it), and
what happens: `delay_s`, `errno` (EIO, ENOSPC, …), or `dies_at` (the how-manieth such call ends the
process by SIGKILL, before it is made, or with `is_after` when it has been made). A node that dies
so leaves `DIR.died`, which says where.

All but `pread` are looked at where they enter the operating system, so that drafts which are
written, synced and renamed are met as well. The call `point` is none of the disk: its path is the
name of a point of trouble in the code (`env.maybe`): it makes no trouble, but can be died at.
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

from barnabas.broker.core.ports import Env
from barnabas.broker.storage.files import RealFile

_BY_DESCRIPTOR: Final = {
    "append": "pwritev",
    "pwrite": "pwrite",
    "write": "write",
    "fsync": "fsync",
    "truncate": "ftruncate",
}
_BY_PATH: Final = {"rename": "replace", "remove": "unlink", "mkdir": "mkdir"}
CALLS: Final = ("pread", *_BY_DESCRIPTOR, *_BY_PATH)
"""The operations that can fail; a rename is known by the path that it takes away."""
POINT: Final = "point"
_FAULTS: Final = ".faults"
_DIED: Final = ".died"


@dataclass(slots=True)
class Fault:
    """What happens to one kind of operation on some files."""

    call: str
    path: str = ""
    ends: str = ""
    delay_s: float = 0.0
    errno: str = ""
    dies_at: int = 0
    is_after: bool = False


def arm(directory: Path, *faults: Fault) -> None:
    """From now on the node has these faults; with none of them it is healed."""
    path = Path(f"{directory}{_FAULTS}")
    if not faults:
        path.unlink(missing_ok=True)
        return
    Path(f"{directory}{_DIED}").unlink(missing_ok=True)
    draft = path.with_suffix(".draft")
    draft.write_text(json.dumps([asdict(fault) for fault in faults]), encoding="utf-8")
    draft.rename(path)


def died_at(directory: Path) -> str:
    """The operation and path at which a node died since it was armed; empty if it did not."""
    try:
        return Path(f"{directory}{_DIED}").read_text(encoding="utf-8")
    except FileNotFoundError:
        return ""


class Faults:
    """The present content of the file; it is read before each operation."""

    def __init__(self, directory: str) -> None:
        self._directory = directory
        self._path = f"{directory}{_FAULTS}"
        self._stamp = 0
        self._faults: list[Fault] = []
        self._calls: dict[int, int] = {}

    def meet(self, call: str, path: Callable[[], str], *, is_after: bool = False) -> None:
        """Delay, fail or die if a fault is armed. Raises OSError."""
        self._look()
        for index, fault in enumerate(self._faults):
            if fault.call != call or fault.is_after != is_after:
                continue
            where = path().removeprefix(self._directory)
            if fault.path not in where or not where.endswith(fault.ends):
                continue
            if fault.dies_at:
                self._calls[index] = self._calls.get(index, 0) + 1
                if self._calls[index] >= fault.dies_at:
                    self._die(f"{call} {where}")
            if fault.delay_s:
                time.sleep(fault.delay_s)
            if fault.errno:
                number = getattr(errno, fault.errno)
                raise OSError(number, os.strerror(number), where)

    def is_armed(self, call: str, path: str) -> bool:
        """Whether a fault is armed for such an operation: then none may bypass it."""
        self._look()
        where = path.removeprefix(self._directory)
        return any(
            fault.call == call and fault.path in where and where.endswith(fault.ends)
            for fault in self._faults
        )

    def _die(self, where: str) -> None:
        self._faults = []  # a later write is no operation of the node
        Path(f"{self._directory}{_DIED}").write_text(where, encoding="utf-8")
        os.kill(os.getpid(), signal.SIGKILL)

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
    """Put the faults in front of the disk of this process."""
    try_pread = RealFile.try_pread

    def none_cached(file: RealFile, size: int, offset: int) -> bytes | bytearray | None:
        return None if faults.is_armed("pread", file.path) else try_pread(file, size, offset)

    read = _guarded(faults, "pread", RealFile.pread, _path_of_file)
    for method, replacement in (("pread", read), ("try_pread", none_cached)):
        setattr(RealFile, method, replacement)
    for call, name in _BY_DESCRIPTOR.items():
        setattr(os, name, _guarded(faults, call, getattr(os, name), _path_of_descriptor))
    for call, name in _BY_PATH.items():
        setattr(os, name, _guarded(faults, call, getattr(os, name), _path_given))

    def maybe(self: Env, name: str) -> bool:
        del self
        faults.meet(POINT, lambda: name)
        return False

    Env.maybe = maybe  # type: ignore[method-assign]


def _path_of_file(file: RealFile) -> str:
    return file.path


def _path_of_descriptor(descriptor: int) -> str:
    return os.readlink(f"/proc/self/fd/{descriptor}")


def _path_given(path: str | Path) -> str:
    return str(path)


def _guarded(
    faults: Faults, name: str, real: Callable[..., Any], path_of: Callable[[Any], str]
) -> Callable[..., Any]:
    def call(first: Any, *arguments: Any, **options: Any) -> Any:
        faults.meet(name, lambda: path_of(first))
        answer = real(first, *arguments, **options)
        faults.meet(name, lambda: path_of(first), is_after=True)
        return answer

    return call


def main() -> None:
    """Run the node."""
    from barnabas.broker.__main__ import main as run_broker

    directory = sys.argv[sys.argv.index("--dir") + 1]
    install(Faults(directory))
    run_broker()


if __name__ == "__main__":
    main()
