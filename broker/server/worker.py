"""Long or blocking work off the event loop, one piece at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import TypeVar

ResultT = TypeVar("ResultT")
"""Of work that runs elsewhere."""


class Worker:
    """Threads share one interpreter: eight at work would leave the loop a ninth of it."""

    def __init__(self) -> None:
        self._loop = asyncio.get_running_loop()
        self._turn = asyncio.Lock()

    async def run(self, work: Callable[[], ResultT]) -> ResultT:
        """What `work` returns; it runs when those before it are done. Raises what it raises."""
        async with self._turn:
            return await self._loop.run_in_executor(None, work)
