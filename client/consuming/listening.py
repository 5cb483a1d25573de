"""Calling a program's rebalance listener, whichever of its callbacks there are, async or not."""

from __future__ import annotations

import asyncio
import inspect
import logging
from collections.abc import Iterable

from ..structs import TopicPartition

log = logging.getLogger("barnabas.client")

REVOKED = "on_partitions_revoked"
ASSIGNED = "on_partitions_assigned"
LOST = "on_partitions_lost"


def check_listener(listener: object) -> None:
    """Raise TypeError for what has no callback of a rebalance listener."""
    if listener is not None and not any(
        callable(getattr(listener, name, None)) for name in (REVOKED, ASSIGNED, LOST)
    ):
        raise TypeError(f"listener has no {REVOKED} or {ASSIGNED}: {listener!r}")


async def call(listener: object, name: str, partitions: Iterable[TopicPartition]) -> None:
    """Call one callback; without `on_partitions_lost`, `on_partitions_revoked` is told."""
    callback = getattr(listener, name, None)
    if callback is None and name == LOST:
        callback = getattr(listener, REVOKED, None)
    if callback is None:
        return
    log.debug("%s", name)
    result = callback(set(partitions))
    if not inspect.isawaitable(result):
        return
    me = asyncio.current_task()
    before = 0 if me is None else me.cancelling()
    try:
        await result
    except asyncio.CancelledError as error:
        if me is None or me.cancelling() > before:
            raise
        # Of something that it waited for. It must not end the membership in silence.
        raise RuntimeError(f"{name} let the cancellation of another task out") from error
