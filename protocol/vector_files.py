"""Files of vectors: their lines, what was found in them, and why a line did not hold."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from pathlib import Path


class VectorError(Exception):
    """A vector did not hold; the text says how."""


class FileResult:
    """How many vectors of one file held, and what is wrong with each of the others."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.passed = 0
        self.failures: list[str] = []  # `file:line: reason`

    def fail(self, line: int, reason: str) -> None:
        """Note a vector that did not hold."""
        self.failures.append(f"{self.path}:{line}: {reason}")


def read_lines(path: Path) -> Iterator[str]:
    """The lines of a file, unpacked when its name ends in `.gz`."""
    if path.suffix == ".gz":
        with gzip.open(path, "rt", encoding="utf-8") as file:
            yield from file
    else:
        with path.open(encoding="utf-8") as file:
            yield from file
