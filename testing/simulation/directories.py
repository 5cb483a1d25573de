"""The directories of a simulated disk, and what a loss of power undoes of them."""

from __future__ import annotations

import posixpath
from collections.abc import Callable
from random import Random


class Directories:
    """The existing directories. With `forgets`, a new one, or a new name, lasts only once its
    parent directory is synced; without, at once."""

    def __init__(self, *, forgets: bool) -> None:
        self._forgets = forgets
        self._paths: set[str] = {"/"}
        self._new: dict[str, None] = {}
        self._renames: list[tuple[str, str]] = []

    def __contains__(self, path: str) -> bool:
        return path in self._paths or path in ("", "/")

    def paths(self) -> list[str]:
        """All directories, in order."""
        return sorted(self._paths)

    def clear(self) -> None:
        """Remove all of them."""
        self._paths = {"/"}
        self.settle()

    def settle(self) -> None:
        """Make all of them durable."""
        self._new.clear()
        self._renames.clear()

    def make(self, path: str) -> None:
        """Add a directory with all its parents."""
        path = path.rstrip("/")
        while path and path not in self._paths:
            self._paths.add(path)
            if self._forgets:
                self._new[path] = None
            path = posixpath.dirname(path).rstrip("/")

    def rename(self, source: str, target: str) -> None:
        """Give a directory with all that is in it another name."""
        self._paths = {moved(path, source, target) for path in self._paths}
        self._new = {moved(path, source, target): None for path in self._new}
        if self._forgets and target not in self._new:
            self._renames.append((source, target))

    def remove(self, path: str) -> None:
        """Remove a directory with all that is in it, durably."""
        path = path.rstrip("/")
        self._paths = {one for one in self._paths if not is_in(one, path)}
        self._new = {one: None for one in self._new if one in self._paths}
        self._renames = [one for one in self._renames if one[1] in self._paths]

    def sync(self, parent: str) -> None:
        """Make durable what is in this directory."""
        for path in list(self._new):
            if posixpath.dirname(path) == parent:
                del self._new[path]
        self._renames = [one for one in self._renames if posixpath.dirname(one[1]) != parent]

    def is_durable(self, path: str) -> bool:
        """Whether a loss of power would leave this directory."""
        while path not in ("", "/"):
            if path in self._new:
                return False
            path = posixpath.dirname(path)
        return True

    def renames_lost(self, random: Random) -> list[tuple[str, str]]:
        """(new name, old name) of those that get their old name back. A directory that was made
        under the old name since is lost then, with all that is in it: one name is one directory."""
        lost = []
        for source, target in reversed(self._renames):
            if random.random() < 0.5:
                others = [path for path in self._paths if not is_in(path, source)]
                self._paths = {moved(path, target, source) for path in others}
                new = [path for path in self._new if not is_in(path, source)]
                self._new = {moved(path, target, source): None for path in new}
                lost.append((target, source))
        self._renames.clear()
        return lost

    def lose_power(self, random: Random) -> Callable[[str], bool]:
        """Lose some of those that were not synced; returns whether a path was lost with them."""
        gone = [path for path in sorted(self._new) if random.random() < 0.5]

        def is_lost(path: str) -> bool:
            return any(is_in(path, one) for one in gone)

        self._paths = {path for path in self._paths if not is_lost(path)}
        self._new.clear()
        return is_lost


def is_in(path: str, directory: str) -> bool:
    """Whether the path is that of the directory, or of something in it."""
    return path == directory or path.startswith(directory + "/")


def moved(path: str, source: str, target: str) -> str:
    """The path after `source` was renamed."""
    if is_in(path, source):
        return target + path[len(source) :]
    return path
