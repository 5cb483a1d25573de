"""PySpark data source for barnabas; needs `barnabas[spark]`."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from .data_source import BarnabasDataSource
    from .session import start_session

__all__ = ["BarnabasDataSource", "start_session"]


def __getattr__(name: str) -> object:
    """Import PySpark only when the data source is asked for: planning and options need none."""
    if name == "BarnabasDataSource":
        from .data_source import BarnabasDataSource

        return BarnabasDataSource
    if name == "start_session":
        from .session import start_session

        return start_session
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
