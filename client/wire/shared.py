"""Work that several callers wait for, each as long as it likes."""

from __future__ import annotations

import asyncio
from typing import TypeVar

from ..errors import ClientClosedError

T = TypeVar("T")


async def shared(work: asyncio.Task[T]) -> T:
    """What the work comes to; who is cancelled meanwhile leaves it to the others.

    Raises:
        ClientClosedError: the work was cancelled, since the client was stopped. Not a
            CancelledError: it would end the caller's own task as if somebody had cancelled it.
    """
    try:
        return await asyncio.shield(work)
    except asyncio.CancelledError:
        me = asyncio.current_task()
        if work.cancelled() and me is not None and not me.cancelling():
            raise ClientClosedError("the client was stopped") from None
        raise
