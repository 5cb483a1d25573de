"""The node's log: structlog, as JSON or for a console, on standard error."""

from __future__ import annotations

import contextlib
import copy
import sys
import time
from typing import Any, Self  # Any: what structlog hands from one processor to the next

import structlog

from .log_levels import ROOT, LogLevels

LEVELS = ("debug", "info", "warning", "error")
_NUMBERS = {"debug": 10, "info": 20, "warning": 30, "error": 40}
_KAFKAS_NAMES = {"debug": "DEBUG", "info": "INFO", "warning": "WARN", "error": "ERROR"}


class _Lines:
    """Writes lines to standard error; one that cannot be written is lost.

    The reader of a pipe may have gone, the disk of a file may be full: that must not end a request,
    or a stop half-way.
    """

    __slots__ = ("_printer",)

    def __init__(self) -> None:
        self._printer = structlog.PrintLogger(file=sys.stderr)

    def debug(self, line: str) -> None:
        """Write a line if that can be done."""
        with contextlib.suppress(OSError):
            self._printer.msg(line)

    info = warning = error = debug


class Logger:
    """Writes events with fields; `style` is "json" or "console"."""

    __slots__ = ("_bound", "levels", "name")

    def __init__(self, style: str = "console", level: str = "info", **fields: object) -> None:
        assert style in ("json", "console")
        self.name = ROOT
        self.levels = LogLevels(_KAFKAS_NAMES[level])
        """Of this logger and of all that were made of it by `named`."""
        self._bound: Any = structlog.wrap_logger(_Lines(), processors=_processors(style)).bind(
            **fields
        )

    def named(self, name: str) -> Self:
        """A logger for one part of the node, whose level may be changed by itself."""
        self.levels.add(name)
        made = copy.copy(self)
        made.name = name
        return made

    def debug(self, event: str, **fields: object) -> None:
        """For whoever looks for a fault."""
        self._write("debug", event, fields)

    def info(self, event: str, **fields: object) -> None:
        """What an operator may want to know."""
        self._write("info", event, fields)

    def warning(self, event: str, **fields: object) -> None:
        """What an operator should look at some day."""
        self._write("warning", event, fields)

    def error(self, event: str, **fields: object) -> None:
        """What an operator must look at."""
        self._write("error", event, fields)

    def _write(self, level: str, event: str, fields: dict[str, object]) -> None:
        if self.levels.writes(self.name, _NUMBERS[level]):
            getattr(self._bound, level)(event, **fields)


def _processors(style: str) -> list[Any]:
    processors: list[Any] = [structlog.processors.add_log_level, _stamp]
    if style == "json":
        return [
            *processors,
            structlog.processors.dict_tracebacks,
            structlog.processors.JSONRenderer(),
        ]
    renderer = structlog.dev.ConsoleRenderer(
        colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
    )
    return [*processors, renderer]


def _stamp(_logger: object, _name: str, event: Any) -> Any:
    event["timestamp"] = _iso(time.time())
    return event


def _iso(at_s: float) -> str:
    """UTC with microseconds."""
    whole, fraction = divmod(int(at_s * 1_000_000), 1_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{fraction:06d}Z"
