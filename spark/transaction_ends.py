"""What the driver and the tasks of an exactly-once write tell each other through the cluster.

That a write is aborted, for tasks that begin late; and that what is committed can be seen.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Sequence
from typing import Final

from barnabas.client import Admin
from barnabas.client.errors import TransactionalIdNotFoundError

from .errors import WriteError

log = logging.getLogger("barnabas.spark")

PATIENCE_S: Final = 30.0
"""How long the driver waits for the markers of what it has committed."""
FIRST_LOOK_S: Final = 0.005
LAST_LOOK_S: Final = 0.5
"""Pauses between two looks, from the first to the longest."""


def _mark_of(name: str) -> str:
    """A transactional id that exists as soon as the batch write of this name is aborted."""
    return f"{name}-aborted"


async def mark_aborted(admin: Admin, name: str) -> None:
    """Tell tasks that start from now on that the batch write `name` is aborted.

    A task may begin after the driver has fenced its predecessor, as Spark does not wait for tasks
    that it kills: its transaction would be ended by nobody, and readers would wait behind it until
    it times out. Mark the write first, and fence then: a task looks for the mark after it has
    started its producer, so that it sees the mark or is fenced.
    """
    await admin.fence_producers([_mark_of(name)])


async def check_not_aborted(admin: Admin, name: str) -> None:
    """Raise WriteError if the batch write `name` is aborted."""
    try:
        await admin.describe_transactions([_mark_of(name)])
    except TransactionalIdNotFoundError:
        return
    raise WriteError(f"write {name} was aborted before this task began")


async def until_seen(admin: Admin, transactional_ids: Sequence[str]) -> None:
    """Wait until no transaction of these ids has markers left to write: a coordinator confirms a
    commit as soon as it is decided, and readers see it some milliseconds later.

    After `PATIENCE_S` it is a warning: what is decided stays so.
    """
    pause_s, left = FIRST_LOOK_S, list(transactional_ids)
    try:
        async with asyncio.timeout(PATIENCE_S):
            while left:
                found = await admin.describe_transactions(left)
                left = [name for name in left if found[name].is_open]
                if left:
                    await asyncio.sleep(pause_s)
                    pause_s = min(2 * pause_s, LAST_LOOK_S)
    except TimeoutError:
        log.warning("committed, and not to be seen yet: %s", ", ".join(left))
