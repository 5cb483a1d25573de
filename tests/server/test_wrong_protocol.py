"""Somebody who speaks another protocol is told so in the log."""

from __future__ import annotations

import pytest

from barnabas.broker.server.wrong_protocol import guess


@pytest.mark.parametrize(
    ("beginning", "name"),
    [
        (b"GET / HTTP/1.1", "HTTP"),
        (bytes.fromhex("16030100c2"), "TLS"),
        (bytes.fromhex("15030300"), "TLS"),
        (b"SSH-2.0-", "SSH"),
        (bytes(4), ""),
        (b"\xff\xff\xff\xff", ""),
    ],
)
def test_the_length_tells_the_protocol(beginning: bytes, name: str) -> None:
    """ENV-05, KIP-498: 352,518,912 bytes are a TLS alert."""
    length = int.from_bytes(beginning[:4], "big", signed=True)
    assert guess(length) == (f": the client seems to speak {name}" if name else "")
