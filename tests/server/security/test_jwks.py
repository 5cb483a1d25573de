"""When keys are read, and how often whoever sends tokens can have them read."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from contextlib import asynccontextmanager

import pytest
from kit.tokens import claims, jwks, public, signed
from kit.waiting import until

from barnabas.broker.server.security.jwks import (
    DOCUMENT_BYTES_MAX,
    KIDS_MAX,
    MISSES_APART_S,
    Jwks,
    Pace,
)
from barnabas.broker.server.security.token_keys import JwksError, UnknownKeyError
from barnabas.http_exchange import HttpError

NEVER = Pace(1000.0, 1000.0, 1000.0)


class Source:
    """A document that changes, and counts who reads it."""

    def __init__(self) -> None:
        self.documents: list[bytes | Exception] = [jwks()]
        self.reads = 0
        self.now_s = 0.0
        self.warnings: list[object] = []

    async def fetch(self) -> bytes:
        self.reads += 1
        found = self.documents.pop(0) if len(self.documents) > 1 else self.documents[0]
        if isinstance(found, Exception):
            raise found
        return found

    def warn(self, event: str, **fields: object) -> None:
        self.warnings.append((event, fields))

    async def read(self, count: int) -> None:
        await until(lambda: self.reads >= count)

    @asynccontextmanager
    async def running(self, pace: Pace = NEVER) -> AsyncIterator[Jwks]:
        made = Jwks(self.fetch, pace, lambda: self.now_s)
        await made.start(self.warn)
        try:
            yield made
        finally:
            await made.stop()


async def test_the_first_reading_must_succeed() -> None:
    """SASL-45: else there is no listener; a document that is too long is none."""
    for wrong in (HttpError("away"), OSError("gone"), b"{}", b" " * (DOCUMENT_BYTES_MAX + 1)):
        source = Source()
        source.documents = [wrong]
        with pytest.raises((HttpError, OSError, JwksError)):
            async with source.running():
                raise AssertionError("it started")


async def test_later_failures_keep_the_keys() -> None:
    """SASL-45: and they are read again after a while, until that works."""
    source = Source()
    wrong = HttpError("away")
    source.documents += [wrong, b"{}", wrong, jwks(public("a"), public("b"))]
    async with source.running(Pace(0.001, 0.001, 0.002)) as made:
        await until(lambda: len(source.warnings) == 3)
        await until(lambda: len(made.keys) == 2)


async def test_an_unknown_key_has_them_read() -> None:
    """SASL-45: the token fails now, and the next one with that key is known."""
    source = Source()
    source.documents += [jwks(public("a"), public("b"))]
    fresh = claims(0)
    async with source.running() as made:
        with pytest.raises(UnknownKeyError) as caught:
            made.keys.claims_of(signed(fresh, "b"))
        made.miss(caught.value)
        await until(lambda: len(made.keys) == 2)
        assert made.keys.claims_of(signed(fresh, "b")) == fresh


async def test_ten_thousand_unknown_keys() -> None:
    """ATK-30: one reading for all of them, and one more when its time has come."""
    source = Source()
    async with source.running() as made:
        assert [made.on_miss(f"{number}") for number in range(10_000)].count(True) == 1
        await source.read(2)
        source.now_s = MISSES_APART_S
        assert [made.on_miss(f"{number}") for number in range(10_000)].count(True) == 1
        await source.read(3)
        assert len(made._missed) == 2


async def test_one_unknown_key_again_and_again() -> None:
    """ATK-30, ATK-29, SASL-45: once a minute; a long one never; few are remembered."""
    source = Source()
    async with source.running() as made:
        times = []
        for second in range(0, 200, 2):
            source.now_s = second
            if made.on_miss("a"):
                times.append(second)
            assert not made.on_miss("k" * 1001)
        assert times == [0, 60, 120, 180]
        for number in range(2 * KIDS_MAX):
            source.now_s += MISSES_APART_S
            assert made.on_miss(f"other {number}")
        assert len(made._missed) == KIDS_MAX


async def test_one_reading_at_a_time() -> None:
    """ATK-30: while one is under way, what is missed waits for the next."""
    under_way, most = 0, 0
    go_on = asyncio.Event()
    go_on.set()

    async def fetch() -> bytes:
        nonlocal under_way, most
        under_way += 1
        most = max(most, under_way)
        await go_on.wait()
        under_way -= 1
        return jwks()

    now_s = 0.0
    asked: Callable[[], Awaitable[bytes]] = fetch
    made = Jwks(asked, NEVER, lambda: now_s)
    await made.start(lambda event, **fields: None)
    go_on.clear()
    for number in range(5):
        now_s += MISSES_APART_S
        assert made.on_miss(str(number))
        await asyncio.sleep(0)
    await until(lambda: under_way == 1)
    await made.stop()
    assert most == 1
