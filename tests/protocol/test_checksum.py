"""CRC-32C: right, of any buffer, and cheap to import."""

from __future__ import annotations

import subprocess
import sys

import pytest

from barnabas.protocol import checksum
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


def test_the_package_around_the_extension_is_not_imported() -> None:
    """Goal: `crc32c` the package costs 46 ms to import; we take the C function alone."""
    code = "import sys, barnabas.protocol.checksum; print('crc32c' in sys.modules)"
    run = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert run.stdout.strip() == "False"


@pytest.mark.parametrize("answer", [None, lambda data: 0, 17])
def test_another_layout_of_the_package_is_survived(
    answer: object, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Goal: without the extension where it is today, or with another one, the package serves."""
    monkeypatch.setattr(checksum, "_extension", lambda: answer)
    found = checksum._load()
    assert found(b"123456789") == 0xE3069283
