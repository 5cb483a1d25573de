"""Counts and lengths inside requests that promise more than there is, in every API and version.

CVE-2022-34917, CVE-2026-111108; ENV-06, ENV-11; F-4 for codecs alone.
"""

from __future__ import annotations

import tracemalloc
from collections import defaultdict
from functools import cache

import pytest
from fuzz.message_targets import CASES, SELECTOR_BYTES, selector
from fuzz.seeds import seeds

from barnabas.protocol.apis import message_class
from barnabas.protocol.errors import DecodeError

MEMORY_MAX = 2 << 20
OFFSETS_MAX = 40
HOSTILE = (
    b"\x7f\xff\xff\xff",  # the largest int32
    b"\xff\xff\xff\xfe",  # -2
    b"\x10\0\0\0",
    b"\0\x0f\x42\x40",  # a million
    b"\xff\xff\xff\xff\x07",  # as varints: 2^31 - 1,
    b"\xff\xff\xff\xff\x0f",  # 2^32 - 1,
    b"\x80\x80\x80\x80\x80\x01",  # one that is too long,
    b"\xa0\x8d\x06",  # a hundred thousand
)

NAMES = sorted({name for name, _ in CASES if message_class(name).KIND == "request"})


@cache
def bodies() -> dict[bytes, set[bytes]]:
    """Kafka's own bytes of each message and version."""
    found: dict[bytes, set[bytes]] = defaultdict(set)
    for seed in seeds("codecs"):
        found[seed[:SELECTOR_BYTES]].add(seed[SELECTOR_BYTES:])
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_no_promise_is_believed(name: str) -> None:
    """Goal: each number at each offset of Kafka's own bytes costs little memory."""
    message = message_class(name)
    bodies()
    tracemalloc.start()
    try:
        for version in range(message.MIN_VERSION, message.MAX_VERSION + 1):
            for body in bodies()[selector(name, version)]:
                try_everywhere(name, version, body)
        assert tracemalloc.get_traced_memory()[1] < MEMORY_MAX
    finally:
        tracemalloc.stop()


def try_everywhere(name: str, version: int, body: bytes) -> None:
    message = message_class(name)
    for at in range(min(len(body), OFFSETS_MAX)):
        for number in HOSTILE:
            data = body[:at] + number + body[at + len(number) :]
            try:
                message.decode(data, version)
            except DecodeError:
                continue
