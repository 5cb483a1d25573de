"""Marks that only mypyc reads, so that running needs no mypy_extensions; never compiled itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mypy_extensions import mypyc_attr as mypyc_attr  # noqa: PLC0414 - the alias re-exports it
else:

    def mypyc_attr(**_):
        """A class decorator that does nothing."""
        return lambda cls: cls
