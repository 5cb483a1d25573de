"""CPU time of one call, from a few windows of many calls."""

from __future__ import annotations

from collections.abc import Callable
from time import thread_time

REPEATS = 5
WINDOW_S = 0.05


def microseconds(function: Callable[[], object]) -> float:
    """The best of a few windows: CPU time of one call in microseconds."""
    function()
    calls, seconds = 1, 0.0
    while seconds < WINDOW_S / 4:
        calls *= 2
        seconds = window(function, calls)
    return min(window(function, calls) for _ in range(REPEATS)) / calls * 1e6


def window(function: Callable[[], object], calls: int) -> float:
    """CPU seconds of this thread for so many calls."""
    every = range(calls)
    started = thread_time()
    for _ in every:
        function()
    return thread_time() - started
