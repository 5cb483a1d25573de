"""The listening half of a listener with TLS is closed in any turn of the event loop."""

from __future__ import annotations

import asyncio
import contextlib
import socket
import ssl
from typing import cast

import pytest

from barnabas.broker.server.connection import Connection
from barnabas.broker.server.security.tls_server import TlsServer, listening_sockets


class NobodyFinishes:
    """The listener of handshakes that are not ended."""

    tls = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)

    def new_connection(self) -> Connection:
        return cast("Connection", asyncio.Protocol())  # nothing is asked of it before the handshake

    def refusal(self, host: str) -> str | None:
        return None

    def handshake_failed(self, host: str, reason: str) -> None:
        raise AssertionError(reason)

    def handshake_took(self, duration_ms: float) -> None:
        raise AssertionError("a handshake with a peer that says nothing")


@pytest.mark.parametrize("turns", range(8))
async def test_a_connection_is_closed_that_comes_with_the_close(turns: int) -> None:
    """Goal: who is accepted, and whose handshake has not begun, is let go too (TLS-22)."""
    (listening,) = listening_sockets("127.0.0.1", 0, 8)
    server = TlsServer(NobodyFinishes(), [listening], most=4, timeout_ms=60_000)
    await server.start_serving()
    address = listening.getsockname()
    with socket.create_connection(address) as knocking:
        knocking.setblocking(False)
        for _ in range(turns):
            await asyncio.sleep(0)
        await server.close()
        with contextlib.suppress(ConnectionError):  # a reset, where nobody had accepted it yet
            assert await asyncio.get_running_loop().sock_recv(knocking, 1) == b""
    with socket.socket() as late:
        assert late.connect_ex(address) != 0
