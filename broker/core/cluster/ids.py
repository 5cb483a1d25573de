"""Unique ids: random uuids, made as Kafka makes them."""

from __future__ import annotations

from barnabas.protocol.primitives import uuid_to_text

from ..ports import Env


def random_uuid(env: Env) -> bytes:
    """16 bytes of a random (version 4) uuid, whose text does not begin with `-`.

    A text that begins with `-` reads as an option on a command line.
    """
    while True:
        number = env.random.getrandbits(128)
        number = number & ~(0xF << 76) | 4 << 76  # version 4
        number = number & ~(0x3 << 62) | 2 << 62  # variant of RFC 4122
        value = number.to_bytes(16, "big")
        if not uuid_to_text(value).startswith("-"):
            return value
