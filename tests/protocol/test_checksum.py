"""CRC-32C: right, of any buffer, and cheap to import."""

from __future__ import annotations

import pytest

from barnabas.protocol.checksum import crc32c

# RFC 3720, appendix B.4.
KNOWN = [
    (b"", 0),
    (b"123456789", 0xE3069283),
    (bytes(32), 0x8A9136AA),
    (b"\xff" * 32, 0x62A8AB43),
    (bytes(range(32)), 0x46DD794E),
    (bytes(range(31, -1, -1)), 0x113FDB5C),
]


@pytest.mark.parametrize(("data", "expected"), KNOWN)
def test_known_checksums(data: bytes, expected: int) -> None:
    """Goal: the values of the standard, for each kind of buffer, also in two steps."""
    assert crc32c(data) == expected
    assert crc32c(bytearray(data)) == expected
    assert crc32c(memoryview(bytearray(data))) == expected
    half = len(data) // 2
    assert crc32c(data[half:], crc32c(data[:half])) == expected
