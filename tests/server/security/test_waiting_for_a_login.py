"""Whoever a listener lets wait before it reads anything has its time for the login afterwards."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from kit.raw_client import RawClient
from kit.secured import USER
from kit.waiting import until

from barnabas.protocol.messages.sasl_handshake_request import SaslHandshakeRequest

from .doors import Door, door, log_in

SHORT_MS = 200


@asynccontextmanager
async def one_waits(directory: Path) -> AsyncIterator[tuple[Door, RawClient, RawClient]]:
    """A listener with room for one connection, whose client has logged in, and one that waits."""
    settings = {
        "listener.name.sasl.plaintext.max.connections": "1",
        "connections.authentication.timeout.ms": str(SHORT_MS),
    }
    async with door(directory, "SASL_PLAINTEXT", **settings) as one, one.client() as first:
        await log_in(first)
        async with one.client() as second:
            await until(lambda: len(one.connections) == 2)
            yield one, first, second


@pytest.mark.each_loop
async def test_who_comes_too_fast(tmp_path: Path) -> None:
    """QTA-16: the rate says when somebody is served, and only then the time for the login begins.

    Otherwise all who must wait for longer are closed, come again, and count again.
    """
    settings = {
        "max.connection.creation.rate": "2",
        "quota.window.num": "2",
        "connections.authentication.timeout.ms": str(SHORT_MS),
    }
    async with (
        door(tmp_path, "SASL_PLAINTEXT", **settings) as one,
        one.client() as first,
        one.client() as second,
        one.client() as third,
    ):
        for client in (first, second, third):
            client.send(SaslHandshakeRequest(mechanism="PLAIN"), 1)
        await third.receive(17, 1)


@pytest.mark.each_loop
async def test_a_full_listener(tmp_path: Path) -> None:
    """TLS-24: who waits for a place may wait for as long as it takes."""
    async with one_waits(tmp_path) as (one, first, second):
        loop_time = one.connections[1]._listener.now
        began = loop_time()
        await until(lambda: loop_time() - began > 2.5 * SHORT_MS / 1000.0)
        first.writer.close()
        assert (await log_in(second)).error_code == 0
        assert one.connections[0].principal.name == USER


@pytest.mark.each_loop
async def test_who_is_silent_afterwards(tmp_path: Path) -> None:
    """ATK-10: once they are served, they have no more time than others."""
    async with one_waits(tmp_path) as (_, first, second):
        first.writer.close()
        assert await second.closed()
