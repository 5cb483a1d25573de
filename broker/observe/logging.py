"""The node's log: structlog, as JSON or for a console, on standard error.

structlog, with what it imports for consoles, takes as long as a third of a node's start. So it is
imported on a thread of its own when the first warning is written, or sooner by `warm_up`: no
request and no hand-over waits for it. Lines of that time are kept and written, in order, once it is
there; what is only information is written without it, in the same form.
"""

from __future__ import annotations

import atexit
import json
import sys
import threading
import time
from typing import Any

import structlog

LEVELS = ("debug", "info", "warning", "error")
_NUMBERS = {"debug": 10, "info": 20, "warning": 30, "error": 40}

_imported = threading.Event()
"""structlog is here: who writes need not wait for it."""

_Line = tuple[str, str, dict[str, object], float]
"""Level, event, fields, and when: seconds of the wall clock."""


class Logger:
    """Writes events with fields; `style` is "json" or "console"."""

    __slots__ = ("_bound", "_fields", "_kept", "_level", "_lock", "_style", "_thread")

    def __init__(self, style: str = "console", level: str = "info", **fields: object) -> None:
        assert style in ("json", "console")
        self._style = style
        self._level = _NUMBERS[level]
        self._fields = fields
        self._bound: Any = None
        self._kept: list[_Line] = []
        self._lock = threading.Lock()
        self._thread: threading.Thread | None = None

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
        if self._bound is None and _imported.is_set():
            self.warm_up()
        if self._bound is None:
            line = (level, event, fields, time.time())
            with self._lock:
                if self._bound is None and not self._kept and self._can_be_plain(level):
                    sys.stderr.write(self._plain(line))
                    return
                if self._bound is None:
                    self._keep(line)
                    return
        getattr(self._bound, level)(event, **fields)

    def _can_be_plain(self, level: str) -> bool:
        """Whether a line is good enough as it is: a start that went well imports nothing for it."""
        return _NUMBERS[level] < _NUMBERS["warning"] and not sys.stderr.isatty()

    def _keep(self, line: _Line) -> None:
        self._kept.append(line)
        if self._thread is None:
            self._thread = threading.Thread(target=self.warm_up, name="log", daemon=True)
            self._thread.start()
            atexit.register(self.warm_up)  # a process that ends soon after still tells why

    def warm_up(self) -> None:
        """Import and configure structlog now, and write what was kept; for another thread.

        A process without a free descriptor can import nothing: what was kept is then written as it
        is, and the next line tries again.
        """
        if self._bound is not None:
            return
        try:
            bound = self._import()
        except OSError:
            with self._lock:
                kept, self._kept = self._kept, []
                self._thread = None
            atexit.unregister(self.warm_up)
            sys.stderr.write("".join(map(self._plain, kept)))
            return
        with self._lock:
            kept, self._kept = self._kept, []
            for level, event, fields, at_s in kept:
                getattr(bound, level)(event, timestamp=_iso(at_s), **fields)
            self._bound = bound

    def _import(self) -> Any:
        _imported.set()
        return structlog.wrap_logger(
            structlog.PrintLogger(file=sys.stderr), processors=self._processors()
        ).bind(**self._fields)

    def _plain(self, line: _Line) -> str:
        """A line without structlog."""
        level, event, fields, at_s = line
        fields = {name: value for name, value in fields.items() if name != "exc_info"}
        fields = {**self._fields, **fields}
        if self._style == "json":
            found = {**fields, "event": event, "level": level, "timestamp": _iso(at_s)}
            return json.dumps(found, default=repr) + "\n"
        words = "".join(f" {name}={value!r}" for name, value in sorted(fields.items()))
        return f"{_iso(at_s)} [{level:9}] {event:30}{words}\n"

    def _processors(self) -> list[Any]:
        processors: list[Any] = [structlog.processors.add_log_level, _stamp]
        if self._style == "json":
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
    """The time of a line, unless it was kept: then it has its own."""
    event.setdefault("timestamp", _iso(time.time()))
    return event


def _iso(at_s: float) -> str:
    """UTC with microseconds."""
    whole, fraction = divmod(int(at_s * 1_000_000), 1_000_000)
    return time.strftime("%Y-%m-%dT%H:%M:%S", time.gmtime(whole)) + f".{fraction:06d}Z"
