"""What the first bytes are of somebody who speaks something else than Kafka's protocol."""

from __future__ import annotations

from typing import Final

_BEGINNINGS: Final = {
    b"GET ": "HTTP",
    b"POST": "HTTP",
    b"HEAD": "HTTP",
    b"PUT ": "HTTP",
    b"SSH-": "SSH",
    b"\x16\x03": "TLS",
    b"\x15\x03": "TLS",
}


def guess(length: int) -> str:
    """What a frame's length, taken for text again, belongs to; empty if nobody knows it.

    Kafka's clients read a TLS alert as a length of 352,518,912 bytes (KIP-498); here it is named.
    """
    beginning = length.to_bytes(4, "big", signed=True)
    for known, name in _BEGINNINGS.items():
        if beginning.startswith(known):
            return f": the client seems to speak {name}"
    return ""
