"""What a broker gives to threads, done when a test says so."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any

from barnabas.broker.core.reads import Planned


class Threads:
    """Holds what is to be done on threads until the test does it."""

    def __init__(self) -> None:
        self.waiting: list[tuple[Planned, Callable[[Any], object]]] = []
        self.done = 0

    def load(self, planned: Planned, done: Callable[[Any], object]) -> None:
        self.waiting.append((planned, done))

    def do(self, between: Callable[[], object] = lambda: None) -> None:
        """The oldest; `between`: after it has read, before anybody knows."""
        planned, done = self.waiting.pop(0)
        given = planned.wait()
        between()
        self.done += 1
        done(given)

    async def do_all(self, answer: asyncio.Task[Any]) -> Any:
        """Until the answer is there, which is returned."""
        while not answer.done():
            if self.waiting:
                self.do()
            await asyncio.sleep(0)
        return answer.result()
