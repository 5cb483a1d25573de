"""How processes that a test starts find their signals handled."""

from __future__ import annotations

import signal
from collections.abc import Iterator
from contextlib import contextmanager


@contextmanager
def inherited(**handlers: signal.Handlers) -> Iterator[None]:
    """Processes that are started meanwhile have these handlers, as in `SIGHUP=signal.SIG_DFL`,
    whatever the tests themselves were started with, as by `nohup`."""
    before = {name: signal.signal(signal.Signals[name], to) for name, to in handlers.items()}
    try:
        yield
    finally:
        for name, handler in before.items():
            signal.signal(signal.Signals[name], handler)
