"""Fetch sessions: how one is opened, and how it goes on."""

from __future__ import annotations

import asyncio
from typing import Any

from kit.broker import Bench
from kit.fetching import fetch, wanted
from kit.raw_client import RawClient

from barnabas.protocol.messages.fetch_request import FetchRequest

from .clusters import TOPIC_ID, create_replicated, register

FOREVER_MS = 60_000


def going_on(session_id: int, epoch: int, max_wait_ms: int = FOREVER_MS) -> FetchRequest:
    """The next fetch of a session; it names no partition, as nothing changed for the client."""
    return FetchRequest(
        session_id=session_id, session_epoch=epoch, max_wait_ms=max_wait_ms, min_bytes=1
    )


async def go_on(client: RawClient, session_id: int, epoch: int) -> list[Any]:
    """Its rows; the broker has to answer at once, although the fetch may wait."""
    answer = await asyncio.wait_for(client.ask(going_on(session_id, epoch), 16), 10)
    assert answer.error_code == 0
    return [row for topic in answer.responses for row in topic.partitions]


async def open_session(bench: Bench, client: RawClient) -> int:
    """A session with t-0, which this broker leads, and with one of a topic beside it."""
    register(bench)
    create_replicated(bench, isr=(1,))
    beside = fetch(wanted(), topic=bench.create_topic("beside"))
    request = fetch(wanted(), topic=TOPIC_ID, session_epoch=0)
    request.topics += beside.topics
    answer = await client.ask(request, 16)
    assert answer.session_id != 0
    return int(answer.session_id)
