"""Long or blocking work off the event loop, one piece at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

ResultT = TypeVar("ResultT")
"""The result of work that runs elsewhere."""


class Worker:
    """Threads share one interpreter: with eight of them the loop would get a ninth of it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._turn = asyncio.Lock()

    async def run(self, work: Callable[[], ResultT]) -> ResultT:
        """The result of `work`, which runs when the work before it is done. Raises what it
        raises."""
        async with self._turn:
            return await self._loop.run_in_executor(None, work)
