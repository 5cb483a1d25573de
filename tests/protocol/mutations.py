"""Batches changed by chance, and what each backend makes of them."""

from __future__ import annotations

from random import Random
from typing import Any

from kit.varints import uvarint

from barnabas.protocol.batch_errors import BatchError
from barnabas.protocol.batch_json import ParsedBatch
from barnabas.protocol.batch_vectors import batch_backend

BACKENDS = [batch_backend(name) for name in ("python", "construct")]


HUGE = uvarint(2 * (2**31 - 9))


def outcome(backend: Any, data: bytes) -> tuple[Any, ...] | int:
    """What a backend reads, or the code it refuses with."""
    try:
        found: ParsedBatch = backend.parse(data)
    except BatchError as error:
        return int(error.code)
    return repr(found.header), found.records


def mutated(data: bytes, random: Random) -> bytes:
    """One to three changes."""
    out = bytearray(data)
    for _ in range(random.randint(1, 3)):
        at = random.randrange(len(out) + 1)
        kind = random.randrange(4)
        if kind == 0:
            del out[at : at + random.randint(1, 3)]
        elif kind == 1:
            out[at:at] = random.choice([b"\0", b"\1", b"\xff", b"\x80\x01", HUGE])
        elif at < len(out):
            out[at] = random.choice([0, 1, 2, 0x7F, 0x80, 0xFF, out[at] ^ 1, out[at] + 1 & 0xFF])
    return bytes(out)
