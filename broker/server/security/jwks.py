"""Where the keys of tokens come from: a URL or a file that settings name, read again in time.

The first reading must succeed, or the listener does not start; later ones that fail keep the keys
that are there (SASL-45). A token with an unknown key asks for one reading, rarely: anybody can make
such tokens (ATK-30).
"""

from __future__ import annotations

import asyncio
from collections import OrderedDict
from collections.abc import Awaitable, Callable
from contextlib import suppress
from typing import Final, NamedTuple

from barnabas.http_exchange import HttpError

from .material import Warn
from .token_keys import JwksError, TokenKeys, UnknownKeyError, parse_jwks

DOCUMENT_BYTES_MAX: Final = 1_048_576
KIDS_MAX: Final = 16
KID_CHARS_MAX: Final = 1000
KID_APART_S: Final = 60.0
"""Kafka's: for one unknown id the keys are read again once in that time."""

MISSES_APART_S: Final = 10.0
"""For whatever unknown ids: once in that time."""

Fetch = Callable[[], Awaitable[bytes]]
"""The document. Raises HttpError, OSError."""


class Pace(NamedTuple):
    """How often the keys are read, in seconds: as a rule, and after a failure."""

    refresh_s: float
    retry_s: float
    retry_max_s: float


class Jwks:
    """The keys as they are now; `start` before they are asked for."""

    def __init__(self, fetch: Fetch, pace: Pace, now_s: Callable[[], float]) -> None:
        """`now_s` is a clock that never goes back."""
        self._fetch = fetch
        self._pace = pace
        self._now_s = now_s
        self._keys = TokenKeys([])
        self._missed: OrderedDict[str, float] = OrderedDict()
        self._not_before = -MISSES_APART_S
        self._wanted = asyncio.Event()
        self._task: asyncio.Task[None] | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    @property
    def keys(self) -> TokenKeys:
        """Those of the last reading that succeeded."""
        return self._keys

    async def start(self, warn: Warn) -> None:
        """Read them, and go on reading them; `warn` hears of later readings that fail.

        Raises HttpError, OSError, JwksError.
        """
        await self._read()
        self._loop = asyncio.get_running_loop()
        self._task = self._loop.create_task(self._keep_fresh(warn), name="jwks")

    async def stop(self) -> None:
        """Read them no more."""
        task, self._task = self._task, None
        if task is not None:
            task.cancel()
            with suppress(asyncio.CancelledError):
                await task

    def miss(self, error: UnknownKeyError) -> None:
        """A token has a key that is not there. May be called in any thread."""
        loop = self._loop
        if loop is not None:
            with suppress(RuntimeError):  # the loop has ended
                loop.call_soon_threadsafe(self.on_miss, error.kid)

    def on_miss(self, kid: str) -> bool:
        """Whether the keys will be read at once because of this id."""
        now = self._now_s()
        if len(kid) > KID_CHARS_MAX or now < self._not_before:
            return False
        if kid in self._missed and now < self._missed[kid] + KID_APART_S:
            return False
        self._missed[kid] = now
        if len(self._missed) > KIDS_MAX:
            self._missed.popitem(last=False)
        self._not_before = now + MISSES_APART_S
        self._wanted.set()
        return True

    async def _read(self) -> None:
        document = await self._fetch()
        if len(document) > DOCUMENT_BYTES_MAX:
            raise JwksError(f"is longer than {DOCUMENT_BYTES_MAX} bytes")
        self._keys = await asyncio.to_thread(parse_jwks, document)

    async def _keep_fresh(self, warn: Warn) -> None:
        pace = self._pace
        wait_s, failures = pace.refresh_s, 0
        while True:
            with suppress(TimeoutError):
                async with asyncio.timeout(wait_s):
                    await self._wanted.wait()
            self._wanted.clear()
            try:
                await self._read()
            except (HttpError, OSError, JwksError) as error:
                warn("the keys of tokens were not read again", reason=str(error))
                wait_s = min(pace.retry_max_s, pace.retry_s * 2**failures)
                failures = min(failures + 1, 30)
            else:
                wait_s, failures = pace.refresh_s, 0
