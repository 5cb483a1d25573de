"""Waiting until something holds, without sleeping for a time."""

from __future__ import annotations

import asyncio
from collections.abc import Callable


async def until(condition: Callable[[], object]) -> None:
    """Let the broker, which runs on this loop, go on until the condition holds."""
    while not condition():  # noqa: ASYNC110 - the broker knows no events of ours
        await asyncio.sleep(0)
