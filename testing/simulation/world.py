"""The process during a run: clocks, randomness, locks and logs of the real world are shut off.

Product code has its seams (`Env`, the loop); what lies beside them is turned to the simulation
here: the client's timestamps and jitter, the locks of log directories, the nodes' log lines. What
nobody should call at all raises.
"""

from __future__ import annotations

import gc
import logging
import os
import random
import secrets
import sys
import time
import uuid
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from typing import Any
from unittest.mock import patch

from barnabas.broker.observe.logging import Logger
from barnabas.broker.storage.lock import DirectoryLock, DirectoryLockedError

from .clock import EPOCH_MS
from .incarnation import CURRENT, Incarnation
from .loop import ForbiddenInSimulationError, SimulatedLoop

RECURSION_LIMIT = 20_000
"""A cluster's image, compared in depth, and long chains of futures need more than the default."""

LogLine = Callable[[str, str, dict[str, object]], None]
"""Level, event and fields of a line that a node writes into its log."""


@contextmanager
def simulated_world(loop: SimulatedLoop, seed: int, on_log: LogLine) -> Iterator[None]:
    """All of the real world that code may reach is the simulation's while this is open.

    `on_log` gets the lines of the nodes' logs. Garbage is not collected: a dead node's coroutines
    must not run their `finally` blocks, ever.
    """
    locks: dict[str, Incarnation | None] = {}
    original_state = random.getstate()
    enabled = gc.isenabled()
    with ExitStack() as stack:
        for target, name, replacement in (
            (time, "time", lambda: EPOCH_MS / 1000.0 + loop.now),
            (time, "time_ns", lambda: EPOCH_MS * 1_000_000 + int(loop.now * 1e9)),
            (time, "monotonic", lambda: loop.now),
            (time, "monotonic_ns", lambda: int(loop.now * 1e9)),
            (time, "perf_counter", lambda: loop.now),
            (time, "perf_counter_ns", lambda: int(loop.now * 1e9)),
            (time, "sleep", _forbidden("time.sleep")),
            (os, "urandom", _forbidden("os.urandom")),
            (uuid, "uuid4", _forbidden("uuid.uuid4")),
            (secrets, "token_bytes", _forbidden("secrets.token_bytes")),
            (random, "Random", _seeded(seed)),
            (Logger, "_write", _log_writer(on_log)),
            (DirectoryLock, "__init__", _lock(locks)),
            (DirectoryLock, "release", _release(locks)),
        ):
            stack.enter_context(patch.object(target, name, replacement))
        logging.disable(logging.CRITICAL)
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        random.seed(seed)
        gc.collect()
        gc.disable()
        try:
            yield
        finally:
            random.setstate(original_state)
            sys.setrecursionlimit(limit)
            logging.disable(logging.NOTSET)
            if enabled:
                gc.enable()


def _forbidden(what: str) -> Callable[..., Any]:
    def refuse(*args: object, **options: object) -> Any:
        del args, options
        raise ForbiddenInSimulationError(f"{what}: take it from Env")

    return refuse


def _seeded(seed: int) -> type[random.Random]:
    """`random.Random` for code that makes generators of its own, such as the client."""
    seeds = random.Random(f"generators {seed}")

    class SeededRandom(random.Random):
        """Seeded by the run when nobody says with what."""

        def __init__(self, x: Any = None) -> None:
            super().__init__(seeds.getrandbits(64) if x is None else x)

    return SeededRandom


def _log_writer(on_log: LogLine) -> Callable[..., None]:
    def write(logger: Logger, level: str, event: str, fields: dict[str, object]) -> None:
        del logger
        on_log(level, event, fields)

    return write


def _lock(locks: dict[str, Incarnation | None]) -> Callable[..., None]:
    """Each machine has paths of its own, so that one table serves them all."""

    def take(lock: DirectoryLock, directory: str) -> None:
        lock.path = f"{directory}/.lock"
        lock._fd = -1
        holder = locks.get(lock.path)
        if holder is not None and not holder.is_dead:
            raise DirectoryLockedError(f"{directory} is in use by {holder} ({lock.path})")
        locks[lock.path] = CURRENT.get()

    return take


def _release(locks: dict[str, Incarnation | None]) -> Callable[[DirectoryLock], None]:
    def release(lock: DirectoryLock) -> None:
        locks.pop(lock.path, None)

    return release
