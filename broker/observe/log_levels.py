"""From which level on a node's loggers write; it may be changed while the node runs (KIP-412).

Names have dots: a logger without a level of its own has that of the nearest one above it, and all
are below `root`. Levels are told by Kafka's names. Nothing here is kept over a restart.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

ROOT: Final = "root"

LEVELS: Final[Mapping[str, int]] = MappingProxyType(
    {"TRACE": 5, "DEBUG": 10, "INFO": 20, "WARN": 30, "ERROR": 40, "FATAL": 50}
)
"""Kafka's names of levels. A node writes no lines of TRACE and FATAL: with TRACE a logger writes
all that it has, with FATAL nothing."""


class LogLevels:
    """The loggers of one node, by name."""

    __slots__ = ("_numbers", "_own")

    def __init__(self, root: str) -> None:
        """`root` is the level of all loggers at first: a name of `LEVELS`."""
        self._own = {ROOT: root}
        self._numbers: dict[str, int] = {}
        self.add(ROOT)

    def add(self, name: str) -> None:
        """There is a logger of this name; a second call does nothing."""
        self._numbers.setdefault(name, LEVELS[self.level(name)])

    def names(self) -> list[str]:
        """The loggers that there are, sorted."""
        return sorted(self._numbers)

    def level(self, name: str) -> str:
        """The level that counts for this logger: its own, or the one that it inherits."""
        while name not in self._own:
            above, dot, _ = name.rpartition(".")
            name = above if dot else ROOT
        return self._own[name]

    def writes(self, name: str, number: int) -> bool:
        """Whether this logger writes lines of the level with this number."""
        return number >= self._numbers[name]

    def set(self, name: str, level: str) -> None:
        """Give a logger, which must be there, a level of `LEVELS`."""
        assert name in self._numbers
        self._own[name] = level
        self._find_numbers()

    def reset(self, name: str) -> None:
        """The logger, which must not be `root`, has the level of the one above it."""
        assert name != ROOT
        self._own.pop(name, None)
        self._find_numbers()

    def _find_numbers(self) -> None:
        self._numbers = {name: LEVELS[self.level(name)] for name in self._numbers}
