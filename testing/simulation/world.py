"""The process during a run: the real world's clocks, chance and waits are shut off.

Product code has its seams: `Env` of a node, `ClientEnv` of a client, and the loop. Nothing is
turned to the simulation here; what nobody should call raises.
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
from threading import get_ident
from typing import Any  # Any: whatever the forbidden function would return
from unittest.mock import patch

from .loop import ForbiddenInSimulationError

RECURSION_LIMIT = 20_000
"""A cluster's image, compared in depth, and long chains of futures need more than the default."""


@contextmanager
def simulated_world(seed: int) -> Iterator[None]:
    """Whoever asks the real world while this is open gets a ForbiddenInSimulationError.

    Garbage is not collected: a dead node's coroutines must not run their `finally` blocks, ever.
    """
    original_state = random.getstate()
    enabled = gc.isenabled()
    with ExitStack() as stack:
        for module, name in (
            (time, "time"),
            (time, "time_ns"),
            (time, "monotonic"),
            (time, "monotonic_ns"),
            (time, "sleep"),
            (os, "urandom"),
            (uuid, "uuid4"),
            (secrets, "token_bytes"),
        ):
            forbidden = _forbidden(f"{module.__name__}.{name}", getattr(module, name))
            stack.enter_context(patch.object(module, name, forbidden))
        stack.enter_context(patch.object(random, "Random", _SeededOnly))
        logging.disable(logging.CRITICAL)
        limit = sys.getrecursionlimit()
        sys.setrecursionlimit(max(limit, RECURSION_LIMIT))
        random.seed(seed)  # the functions of the module, for programs that use them
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


def _forbidden(what: str, real: Callable[..., Any]) -> Callable[..., Any]:
    """For this thread, the run's; others, of a Spark session say, live in the real world."""
    here = get_ident()

    def refuse(*args: object, **options: object) -> Any:
        if get_ident() != here:
            return real(*args, **options)
        raise ForbiddenInSimulationError(f"{what}: take it from Env, or from ClientEnv")

    return refuse


class _SeededOnly(random.Random):
    """Generators that are told their seed."""

    def __init__(self, x: int | float | str | bytes | bytearray | None = None) -> None:
        if x is None:
            raise ForbiddenInSimulationError("random.Random(): take it from Env, or from ClientEnv")
        super().__init__(x)
