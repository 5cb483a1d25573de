"""Frames before the login that are too short for what they say to be."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from .doors import door

NO_SUCH_VERSION = struct.pack(">ihh", 4, 18, 99)
"""ApiVersions, and nothing behind its version: not even a correlation id."""


@pytest.mark.each_loop
@pytest.mark.parametrize("count", [1, 512], ids=["one", "to the end of the buffer"])
async def test_api_versions_without_a_correlation_id(tmp_path: Path, count: int) -> None:
    """SASL-03, ENV-05: it is closed as what is no request, and nobody takes it for our bug."""
    async with door(tmp_path, "SASL_PLAINTEXT") as one, one.client() as client:
        client.writer.write(NO_SUCH_VERSION * count)
        assert await client.closed()
        assert not one.bench.log.events("unexpected error on a connection")
        (told,) = one.bench.log.events("connection closed")
        assert "4 bytes" in str(told["reason"])
