"""What programs try again and again, until the cluster has done it or the run is over."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import Protocol, TypeVar

from barnabas.client import Admin, Consumer, Producer
from barnabas.client.errors import ClientError, TopicAlreadyExistsError

RETRY_PAUSE_S = 0.2

ClientT = TypeVar("ClientT", Admin, Consumer, Producer)
Told = Callable[[BaseException], object]
"""Hears what a program was told."""


class Ending(Protocol):
    """Says when programs shall end."""

    @property
    def is_over(self) -> bool:
        """Whether they shall end."""
        ...


async def started(run: Ending, make: Callable[[], ClientT], told: Told) -> ClientT | None:
    """A started client; tries until the cluster lets it in, None when the run is over."""
    while not run.is_over:
        client = make()
        try:
            await client.start()
        except (ClientError, OSError) as error:
            told(error)
            await client.stop()
            await asyncio.sleep(RETRY_PAUSE_S)
        else:
            return client
    return None


async def until_done(work: Callable[[], Awaitable[object]], told: Told) -> None:
    """Tries until it is done; a topic that is there already counts as made."""
    while True:
        try:
            await work()
        except TopicAlreadyExistsError:
            return
        except ClientError as error:
            told(error)
            await asyncio.sleep(RETRY_PAUSE_S)
        else:
            return
