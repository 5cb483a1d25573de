"""The node's log: structlog, as JSON or for a console, on standard error.

structlog takes a third of the time in which a node starts, so it is imported with the first line
that is written; a start without trouble writes none before it is ready.
"""

from __future__ import annotations

from typing import Any

LEVELS = ("debug", "info", "warning", "error")
_NUMBERS = {"debug": 10, "info": 20, "warning": 30, "error": 40}


class Logger:
    """Writes events with fields; `style` is "json" or "console"."""

    __slots__ = ("_bound", "_fields", "_level", "_style")

    def __init__(self, style: str = "console", level: str = "info", **fields: object) -> None:
        assert style in ("json", "console")
        self._style = style
        self._level = _NUMBERS[level]
        self._fields = fields
        self._bound: Any = None

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
        if _NUMBERS[level] < self._level:
            return
        if self._bound is None:
            self.warm_up()
        getattr(self._bound, level)(event, **fields)

    def warm_up(self) -> None:
        """Import and configure structlog now."""
        import sys

        import structlog

        processors: list[Any] = [
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
        ]
        if self._style == "json":
            processors += [
                structlog.processors.dict_tracebacks,
                structlog.processors.JSONRenderer(),
            ]
        else:
            processors.append(
                structlog.dev.ConsoleRenderer(
                    colors=sys.stderr.isatty(), exception_formatter=structlog.dev.plain_traceback
                )
            )
        self._bound = structlog.wrap_logger(
            structlog.PrintLogger(file=sys.stderr), processors=processors
        ).bind(**self._fields)
