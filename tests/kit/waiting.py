"""Waiting until something holds: on this loop, or in another program."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TypeVar

T = TypeVar("T")

PATIENCE_S = 30.0


async def until(condition: Callable[[], object]) -> None:
    """Let the broker, which runs on this loop, go on until the condition holds."""
    while not condition():  # noqa: ASYNC110 - the broker knows no events of ours
        await asyncio.sleep(0)


async def eventually(ask: Callable[[], Awaitable[T]], wanted: Callable[[T], bool]) -> T:
    """The first answer that is wanted; fails with the last one when none comes in time."""
    loop = asyncio.get_running_loop()
    deadline = loop.time() + PATIENCE_S
    while not wanted(answer := await ask()):
        assert loop.time() < deadline, f"still {answer}"
        await asyncio.sleep(0.02)  # another program: there is nothing to wait on
    return answer
