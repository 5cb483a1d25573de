"""Variable-length integers as bytes, written here anew so that no test trusts our own writer."""

from __future__ import annotations


def uvarint(value: int) -> bytes:
    """An unsigned varint, of any length."""
    out = bytearray()
    while value > 0x7F:
        out.append(value & 0x7F | 0x80)
        value >>= 7
    out.append(value)
    return bytes(out)


def varint(value: int) -> bytes:
    """A zigzag varint of a signed number."""
    return uvarint(value * 2 if value >= 0 else -value * 2 - 1)
