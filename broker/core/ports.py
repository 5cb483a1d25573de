"""The seams to the world: clock, disk and randomness, handed in as one `Env`.

The fourth seam, the network, is asyncio's own loop API (`create_server`, `create_connection`),
so that a simulated loop is the network. Product code reads no clock, file or random number but
through here; `storage` has the real disk, the simulator has one that loses power.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Protocol  # Any: fields of events

from barnabas.protocol.buffer import Buffer

__all__ = ["Buffer", "Clock", "Disk", "Env", "File", "Hooks"]

if TYPE_CHECKING:
    from random import Random  # the type of the injected generator, nothing else


class Clock(Protocol):
    """Two clocks: one for durations that never jumps, one for timestamps that may."""

    def monotonic_ms(self) -> float:
        """Milliseconds since some start; never goes back. Every timeout uses this one."""
        ...

    def wall_ms(self) -> int:
        """Milliseconds since 1970. Only record timestamps and retention use this one."""
        ...


class Lent(Protocol):
    """Bytes of a file that are read later, even if the file has been closed or removed
    meanwhile."""

    def __len__(self) -> int: ...

    @property
    def is_cut(self) -> bool:
        """Whether the file was cut within these bytes; what was read before this was asked is
        valid."""
        ...

    def read_now(self, size: int, at: int) -> Buffer | None:
        """Up to `size` of the bytes, from position `at` on; None if that would have to wait for the
        device."""
        ...

    def read(self, size: int, at: int) -> Buffer:
        """Up to `size` of the bytes, from position `at` on. For any thread, as it may wait. Raises
        OSError."""
        ...


class File(Protocol):
    """One open file. All calls are synchronous; every one may raise `OSError`."""

    @property
    def path(self) -> str: ...

    def size(self) -> int:
        """The present size of the file in bytes."""
        ...

    def append(self, buffers: Sequence[Buffer]) -> int:
        """Write all buffers at the end, without joining them; returns the bytes written.

        Writes everything or raises `OSError`; after an error the file is as long as before, or the
        error says that it could not be cut back.
        """
        ...

    def pread(self, size: int, offset: int) -> bytes | bytearray:
        """Read up to `size` bytes at `offset`, and wait for them; fewer at the end of the file.

        The buffer is the caller's own: nobody else has it, and it does not change.
        """
        ...

    def try_pread(self, size: int, offset: int) -> bytes | bytearray | None:
        """As `pread` if the bytes are in memory; None if it would have to wait for the device."""
        ...

    def pread_later(self, size: int, offset: int) -> Callable[[], bytes | bytearray]:
        """A function that reads as `pread` does, for another thread: this file may be cut, closed
        or removed before it is called.

        Raises OSError, as does the function.
        """
        ...

    def lend(self, size: int, offset: int) -> Lent | None:
        """The `size` bytes at `offset`, which must exist, to be read later; None if that is not
        possible."""
        ...

    def pwrite(self, data: Buffer, offset: int) -> None:
        """Write all of `data` at `offset` (headers rewritten in place, index entries)."""
        ...

    def truncate(self, size: int) -> None: ...

    def fsync(self) -> None:
        """Make the file's bytes durable. Blocking: callers on an event loop use an executor."""
        ...

    def rest(self) -> None:
        """Close the descriptor until the next call, which opens the file again by its path.

        Must not be called while another thread uses the file.
        """
        ...

    def close(self) -> None: ...


class Disk(Protocol):
    """A file system. Paths are strings; every call may raise `OSError`."""

    def open(self, path: str, *, create: bool = False, truncate: bool = False) -> File:
        """Open for reading and writing. Raises FileNotFoundError if it does not exist and not
        `create`."""
        ...

    def read_file(self, path: str) -> bytes: ...

    def write_file_atomically(self, path: str, data: bytes, *, durable: bool = True) -> None:
        """Write a temporary file beside `path`, fsync it, rename it over, fsync the directory.

        With `durable` False nothing is synced (the rename is still atomic).
        """
        ...

    def new_lock(self) -> AbstractContextManager[object]:
        """A lock between threads, of which two may write one file."""
        ...

    def exists(self, path: str) -> bool: ...

    def is_directory(self, path: str) -> bool: ...

    def list_directory(self, path: str) -> list[str]:
        """Names in the directory, sorted."""
        ...

    def make_directory(self, path: str) -> None:
        """Create the directory and its parents; it may exist already."""
        ...

    def rename(self, source: str, target: str) -> None: ...

    def remove(self, path: str) -> None:
        """Remove one file. Raises FileNotFoundError if it does not exist."""
        ...

    def remove_tree(self, path: str) -> None:
        """Remove a directory with everything in it."""
        ...

    def fsync_directory(self, path: str) -> None:
        """Make names in this directory durable (after create, rename, remove)."""
        ...

    def free_bytes(self, path: str) -> int:
        """The free bytes of the file system that holds `path`."""
        ...

    def total_bytes(self, path: str) -> int:
        """The size of the file system that holds `path`."""
        ...


class Hooks(Protocol):
    """What the simulator is told by a node, and asks it to suffer; there is none in production.

    The object belongs to one node, so events need not name it. Product code calls `if (hooks :=
    env.hooks) is not None: hooks.on("hw", ...)`; the names of events and their fields are listed in
    `testing/simulation/events.py`. A hook changes nothing and raises nothing.
    """

    def on(self, event: str, **fields: Any) -> None:
        """An event has happened; called after it, in the same turn of the loop."""
        ...

    def maybe(self, name: str) -> bool:
        """Whether the simulator wants the trouble of this name to happen now."""
        ...


@dataclass(slots=True)
class Env:
    """The world of one node: its clock, disk and randomness."""

    clock: Clock
    disk: Disk
    random: Random
    hooks: Hooks | None = None
    """None in production."""

    def maybe(self, name: str) -> bool:
        """Whether the simulator wants the trouble `name` here and now; always False in
        production."""
        return self.hooks is not None and self.hooks.maybe(name)
