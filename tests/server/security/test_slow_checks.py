"""A function of PLAIN that is slow: what is left of the logins of those who have gone."""

from __future__ import annotations

import threading
from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from pathlib import Path

import pytest
from kit.raw_client import RawClient
from kit.secured import PASSWORD, USER

from barnabas.protocol.messages.sasl_authenticate_request import SaslAuthenticateRequest
from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest

from .doors import LOGIN, Door, door, log_in

THREADS = 4
SETTING = (
    "listener__name__sasl_plaintext__plain__sasl_server_callback_handler_class",
    f"{__name__}.takes",
)
ASKED: list[str] = []
MAY_ANSWER = threading.Event()


def takes(name: str, password: str) -> bool:
    """Answers when it may."""
    ASKED.append(name)
    return MAY_ANSWER.wait(10.0) and password == PASSWORD


@asynccontextmanager
async def slow_door(directory: Path, **more: str) -> AsyncIterator[Door]:
    ASKED.clear()
    MAY_ANSWER.clear()
    async with door(directory, "SASL_PLAINTEXT", **dict([SETTING]), **more) as one:
        try:
            yield one
        finally:
            MAY_ANSWER.set()


async def ask(client: RawClient, name: str) -> None:
    """Send a password, and wait for nothing."""
    await client.ask(SaslHandshakeRequest(mechanism="PLAIN"), 1)
    token = f"\0{name}\0{PASSWORD}".encode()
    client.send(SaslAuthenticateRequest(auth_bytes=token), 2)


@pytest.mark.each_loop
async def test_whose_time_is_over_is_not_asked_about(tmp_path: Path) -> None:
    """SASL-21: else those who try again wait behind their own earlier attempts, and nobody gets in
    any more."""
    limit = {"connections.authentication.timeout.ms": "300"}
    async with slow_door(tmp_path, **limit) as one, AsyncExitStack() as stack:
        clients = [await stack.enter_async_context(one.client()) for _ in range(2 * THREADS)]
        for client in clients:
            await ask(client, "late")
        for client in clients:
            assert await client.reader.read(-1) == b""
        assert len(ASKED) == THREADS
        MAY_ANSWER.set()
        async with one.client() as client:
            assert (await log_in(client, LOGIN)).error_code == 0
        assert ASKED == ["late"] * THREADS + [USER]
