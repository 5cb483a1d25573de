"""Requests that wait until other answers have been read: they keep nobody else waiting."""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from kit.raw_client import RawClient
from kit.waiting import until

from barnabas.protocol.messages.init_producer_id_request import InitProducerIdRequest
from barnabas.protocol.messages.metadata_request import MetadataRequest

from .nodes import serving

MIB = 1 << 20
IN_WORK_MAX = 5


class Unread:
    """A connection with an answer that nobody reads."""

    def count_unsent(self) -> None:
        """It stays as large."""

    def close(self, reason: str) -> None:
        """It stays."""


async def test_those_who_wait_for_memory_are_not_in_work(tmp_path: Path) -> None:
    """Goal: with the memory for answers spent, as many Metadata requests as may be in work wait;
    requests with small answers are answered all the same, on a connection one after the other."""
    settings = {"queued_max_response_bytes": MIB, "queued_max_requests": IN_WORK_MAX}
    async with serving(tmp_path, **settings) as (node, client), AsyncExitStack() as stack:
        others = [
            await stack.enter_async_context(RawClient("127.0.0.1", node.port))
            for _ in range(IN_WORK_MAX + 1)
        ]
        unread, budget = Unread(), node.broker.connections.answers
        budget.resize(unread, 2 * MIB)
        for other in others:
            other.send(MetadataRequest(topics=None), 9)
        await asyncio.wait_for(until(lambda: len(budget._waiting) == len(others)), 10)
        for _ in range(3):
            request = InitProducerIdRequest(transactional_id=None, transaction_timeout_ms=1)
            request.producer_id = request.producer_epoch = -1
            assert (await client.ask(request, 4)).error_code == 0
        budget.resize(unread, 0)
        for other in others:
            assert (await asyncio.wait_for(other.receive(3, 9), 10)).brokers
