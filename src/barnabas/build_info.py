"""How this installation was built: which modules are compiled C; all others are read as Python."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from . import __version__

PACKAGE = Path(__file__).parent


@dataclass(frozen=True, slots=True)
class BuildInfo:
    """The version, and the names of the compiled modules, sorted; none in a pure installation."""

    version: str
    compiled_modules: tuple[str, ...]

    @property
    def is_compiled(self) -> bool:
        """Whether any module runs as C."""
        return bool(self.compiled_modules)

    def describe(self) -> str:
        """In a few words, for people: `4 compiled modules` or `pure Python`."""
        count = len(self.compiled_modules)
        if not count:
            return "pure Python"
        return f"{count} compiled module{'s' if count > 1 else ''}"


def build_info() -> BuildInfo:
    """What lies on disk beside the source: Python prefers a compiled module to its source."""
    from importlib.machinery import EXTENSION_SUFFIXES

    found = set()
    for path in PACKAGE.rglob("*.so"):
        suffix = next((one for one in EXTENSION_SUFFIXES if path.name.endswith(one)), None)
        if suffix is not None:
            parts = (*path.parent.relative_to(PACKAGE).parts, path.name.removesuffix(suffix))
            if not parts[-1].endswith("__mypyc"):  # the code of the modules, itself none
                found.add(".".join(("barnabas", *parts)))
    return BuildInfo(__version__, tuple(sorted(found)))
