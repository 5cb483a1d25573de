"""TLS handshakes that are begun by the thousand and not ended: who is connected does not notice."""

from __future__ import annotations

import socket
import ssl
from contextlib import ExitStack
from pathlib import Path

import pytest
from kit.secured import KEYS, context

from barnabas.testing.cluster_layout import free_ports
from barnabas.testing.process import NodeProcess

from .wire import MIB, TIMEOUT_S, Wire, complaints, is_served, memory

pytestmark = pytest.mark.slow

HALF = 1000


class TlsWire(Wire):
    """One connection over TLS, at another port than the node's first."""

    def __init__(self, port: int) -> None:
        super().__init__(_Port(port))
        self.socket = context().wrap_socket(self.socket, server_hostname="localhost")


class _Port(NodeProcess):
    """An address to connect to."""

    def __init__(self, port: int) -> None:
        super().__init__("nowhere", port=port)


def half_a_hello() -> bytes:
    """The beginning of what a client says first."""
    incoming, outgoing = ssl.MemoryBIO(), ssl.MemoryBIO()
    client = context().wrap_bio(incoming, outgoing, server_hostname="localhost")
    with pytest.raises(ssl.SSLWantReadError):
        client.do_handshake()
    hello = outgoing.read()
    return hello[: len(hello) // 2]


def test_a_thousand_half_handshakes(tmp_path: Path) -> None:
    """ATK-08, TLS-22: both listeners go on with who is there, the open one with everybody, memory
    stays; and when they are gone there is room again."""
    (port,) = free_ports(1)
    settings = {
        "listeners": f"OPEN://127.0.0.1:0,LOCKED://127.0.0.1:{port}",
        "listener.security.protocol.map": "OPEN:PLAINTEXT,LOCKED:SSL",
        "inter.broker.listener.name": "OPEN",
        **KEYS,
    }
    hello = half_a_hello()
    with NodeProcess(tmp_path / "data", settings=settings) as node, ExitStack() as stack:
        plain = stack.enter_context(Wire(node))
        locked = stack.enter_context(TlsWire(port))
        assert is_served(plain)
        assert is_served(locked)
        before = memory(node)
        begun = []
        for _ in range(HALF):
            one = stack.enter_context(socket.socket())
            one.setblocking(False)  # not all of them are accepted
            one.connect_ex((node.host, port))
            begun.append(one)
        for one in begun:
            try:
                one.send(hello)
            except OSError:
                continue  # it still waits to be accepted
        for _ in range(20):
            assert is_served(plain)
            assert is_served(locked)
            with Wire(node) as other:
                assert is_served(other)
        assert memory(node) < before + 64 * MIB
        for one in begun:
            one.close()
        with TlsWire(port) as late:
            late.socket.settimeout(TIMEOUT_S)
            assert is_served(late)
        assert is_served(locked)
        assert complaints(node) == []
