"""Planted bugs as changes of the source: other text in one place of one file, nothing else.

They are planted while the module is imported: the files stay as they are, and so does everything
that is running. The text that is replaced must be there exactly once, so that a bug which no longer
fits the code is noticed and not hunted in vain.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Sequence
from importlib.abc import Loader, MetaPathFinder
from importlib.machinery import ModuleSpec, PathFinder
from pathlib import Path
from types import ModuleType
from typing import NamedTuple

import barnabas


class DoesNotFitError(Exception):
    """The text that a bug replaces is not in its file, or is there more than once."""


class FineMutant(NamedTuple):
    """One condition that is wrong."""

    name: str
    rule: str
    """The rule, of those that the product follows, which the bug breaks."""
    what: str
    """The bug in one line."""
    file: str
    """The file below the package, as in `broker/core/replication/isr.py`."""
    old: str
    new: str
    equivalent: str = ""
    """Why the bug makes no visible difference; empty if it makes one."""

    @property
    def module(self) -> str:
        """The module of the file."""
        return ".".join((barnabas.__name__, *Path(self.file).with_suffix("").parts))

    def changed(self, source: str) -> str:
        """The source with the bug. Raises DoesNotFitError."""
        count = source.count(self.old)
        if count != 1:
            raise DoesNotFitError(f"{self.name}: {count} times in {self.file}: {self.old!r}")
        return source.replace(self.old, self.new)


class _PlantingLoader(Loader):
    def __init__(self, path: str, mutants: Sequence[FineMutant]) -> None:
        self._path = path
        self._mutants = mutants

    def exec_module(self, module: ModuleType) -> None:
        source = Path(self._path).read_text()
        for mutant in self._mutants:
            source = mutant.changed(source)
        exec(compile(source, self._path, "exec"), module.__dict__)


class Planting(MetaPathFinder):
    """Finds the modules that get a bug, before any other finder does."""

    def __init__(self, mutants: Iterable[FineMutant]) -> None:
        self._mutants: dict[str, list[FineMutant]] = {}
        for mutant in mutants:
            self._mutants.setdefault(mutant.module, []).append(mutant)

    def find_spec(
        self, fullname: str, path: Sequence[str] | None, target: ModuleType | None = None
    ) -> ModuleSpec | None:
        """The module with its bugs; None for all other modules."""
        mutants = self._mutants.get(fullname)
        found = PathFinder.find_spec(fullname, path, target) if mutants else None
        if mutants is None or found is None or found.origin is None:
            return None
        found.loader = _PlantingLoader(found.origin, mutants)
        return found


def plant(mutants: Sequence[FineMutant]) -> None:
    """Plant these bugs in the product. Raises DoesNotFitError.

    Raises RuntimeError if one of their modules has been imported already: it would be without its
    bug.
    """
    late = sorted({mutant.module for mutant in mutants} & set(sys.modules))
    if late:
        raise RuntimeError(f"imported before a bug was planted: {', '.join(late)}")
    for mutant in mutants:
        mutant.changed(source_of(mutant))
    sys.meta_path.insert(0, Planting(mutants))


def source_of(mutant: FineMutant) -> str:
    """The unchanged source of the file. Raises OSError."""
    return (Path(barnabas.__path__[0]) / mutant.file).read_text()
