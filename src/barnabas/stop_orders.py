"""The signals that ask a program to stop."""

from __future__ import annotations

import signal


def stop_orders() -> tuple[signal.Signals, ...]:
    """SIGINT, SIGTERM and SIGHUP, which says that the terminal was closed; under `nohup`, where it
    is ignored, that is no order to stop."""
    if signal.getsignal(signal.SIGHUP) is signal.SIG_IGN:
        return signal.SIGINT, signal.SIGTERM
    return signal.SIGINT, signal.SIGTERM, signal.SIGHUP
