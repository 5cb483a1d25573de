"""Asks several brokers the same question, so that one that hangs delays nobody."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import Callable, Coroutine, Sequence
from typing import Any, TypeVar

from ..errors import ClientClosedError, ClientError

T = TypeVar("T")


class AllFailedError(Exception):
    """No attempt succeeded; `failures` has the error of each, in the order in which they failed."""

    def __init__(self, failures: list[ClientError]) -> None:
        super().__init__("; ".join(str(each) for each in failures))
        self.failures = failures


async def first_success(
    attempts: Sequence[Callable[[], Coroutine[Any, Any, T]]], stagger_s: float
) -> T:
    """The result of the first attempt that succeeds; the others are cancelled.

    An attempt begins when the one before it fails, or has taken `stagger_s`. Use it only for
    requests that change nothing, since several brokers may get the same one.

    Raises:
        AllFailedError: none succeeded.
        ClientClosedError, and every error that is no ClientError: at once.
    """
    loop = asyncio.get_running_loop()
    waiting = deque(attempts)
    running: list[asyncio.Task[T]] = []
    failures: list[ClientError] = []
    try:
        while waiting or running:
            if waiting:
                running.append(loop.create_task(waiting.popleft()()))
            await asyncio.wait(
                running,
                timeout=stagger_s if waiting else None,
                return_when=asyncio.FIRST_COMPLETED,
            )
            for task in [each for each in running if each.done()]:
                running.remove(task)
                error = (
                    ClientClosedError("the client was stopped")
                    if task.cancelled()
                    else task.exception()
                )
                if error is None:
                    return task.result()
                if not isinstance(error, ClientError) or isinstance(error, ClientClosedError):
                    raise error
                failures.append(error)
    finally:
        for task in running:
            task.cancel()
        await asyncio.gather(*running, return_exceptions=True)
    raise AllFailedError(failures)
