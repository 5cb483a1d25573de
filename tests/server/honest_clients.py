"""Clients that do as they should, while a test does not."""

from __future__ import annotations

from kit.broker import Bench

from barnabas.protocol.messages.api_versions_request import ApiVersionsRequest


async def honest_client_is_served(bench: Bench) -> None:
    async with bench.connect() as client:
        answer = await client.ask(ApiVersionsRequest(), 0)
        assert answer.error_code == 0


async def many_others_are_served(bench: Bench) -> None:
    """So many turns of the loop that what could go on for somebody else has gone on."""
    for _ in range(100):
        await honest_client_is_served(bench)
