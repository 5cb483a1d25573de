"""Goal: a broker that stands still holds nobody up who can ask another."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine
from typing import Any

import pytest

from barnabas.client.errors import ClientClosedError, ConnectionFailedError
from barnabas.client.wire.first_success import AllFailedError, first_success

Attempt = Callable[[], Coroutine[Any, Any, str]]
NEVER_S = 1000.0


def failing(error: Exception) -> Attempt:
    async def attempt() -> str:
        raise error

    return attempt


def saying(text: str) -> Attempt:
    async def attempt() -> str:
        return text

    return attempt


async def test_the_next_begins_as_soon_as_one_fails() -> None:
    refused = ConnectionFailedError("refused")
    async with asyncio.timeout(5):
        assert await first_success([failing(refused), saying("b")], NEVER_S) == "b"


async def test_the_next_begins_when_one_takes_its_time_and_the_slow_one_is_cancelled() -> None:
    ended: list[str] = []

    async def hanging() -> str:
        try:
            await asyncio.Event().wait()
        finally:
            ended.append("hanging")
        return "never"

    assert await first_success([hanging, saying("b")], 0.001) == "b"
    assert ended == ["hanging"]


async def test_all_failures_are_told_in_order() -> None:
    errors = [ConnectionFailedError("a"), ConnectionFailedError("b")]
    with pytest.raises(AllFailedError, match="a; b") as caught:
        await first_success([failing(each) for each in errors], NEVER_S)
    assert caught.value.failures == errors


@pytest.mark.parametrize("error", [ClientClosedError("stopped"), KeyError("a bug")])
async def test_what_no_other_broker_can_mend_ends_it_at_once(error: Exception) -> None:
    with pytest.raises(type(error)):
        await first_success([failing(error), saying("b")], NEVER_S)
