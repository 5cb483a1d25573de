"""Varints, read and written: seven bits a byte, the lowest first, the high bit says "go on".

One of the leaves that a wheel compiles: `setup.py` says which, and why. `i` is an offset into
`data`; a read past the end raises IndexError.
"""

# librt's parameters are typed as its C integers, which pyright does not take for int.
# pyright: reportArgumentType=false, reportReturnType=false
from __future__ import annotations

from typing import Final

from librt.strings import BytesWriter

from .errors import DecodeError


def read_uvarint(data: bytes, i: int) -> tuple[int, int]:
    """An unsigned varint of at most 32 bits, and the offset behind it."""
    byte = data[i]
    i += 1
    if byte < 0x80:
        return byte, i
    return read_uvarint_rest(data, i, byte)


def read_uvarint_rest(data: bytes, i: int, value: int) -> tuple[int, int]:
    """The rest of an unsigned varint whose first byte, `value`, had its high bit set."""
    byte = data[i]
    i += 1
    value = value & 0x7F | (byte & 0x7F) << 7
    if byte < 0x80:
        return value, i
    shift = 14
    while byte > 0x7F and shift <= 28:
        byte = data[i]
        i += 1
        value |= (byte & 0x7F) << shift
        shift += 7
    if byte > 0x7F or value > 0xFFFFFFFF:
        raise DecodeError("an unsigned varint of more than 32 bits")
    return value, i


def read_varint(data: bytes, i: int) -> tuple[int, int]:
    """A zigzag varint of 32 bits, and the offset behind it."""
    value = data[i]
    i += 1
    if value > 0x7F:
        value, i = read_uvarint_rest(data, i, value)
    return (value >> 1) ^ -(value & 1), i


def read_varlong(data: bytes, i: int) -> tuple[int, int]:
    """A zigzag varint of 64 bits, and the offset behind it."""
    byte = data[i]
    i += 1
    if byte < 0x80:
        return (byte >> 1) ^ -(byte & 1), i
    return read_varlong_rest(data, i, byte)


def read_varlong_rest(data: bytes, i: int, value: int) -> tuple[int, int]:
    """The rest of a zigzag varint of 64 bits whose first byte, `value`, had its high bit set."""
    byte = data[i]
    i += 1
    value = value & 0x7F | (byte & 0x7F) << 7
    if byte < 0x80:
        return (value >> 1) ^ -(value & 1), i
    shift = 14
    while byte > 0x7F and shift <= 63:
        byte = data[i]
        i += 1
        value |= (byte & 0x7F) << shift
        shift += 7
    # Nine bytes hold 63 bits; compiled, no number is compared with one beyond a machine word.
    if byte > 0x7F or (shift > 63 and value > 0xFFFFFFFFFFFFFFFF):
        raise DecodeError("a varint of more than 64 bits")
    return (value >> 1) ^ -(value & 1), i


def write_uvarint(writer: BytesWriter, value: int) -> None:
    """An unsigned varint; `value` is not negative."""
    while value > 0x7F:
        writer.append(value & 0x7F | 0x80)
        value >>= 7
    writer.append(value)


def uvarint(value: int) -> bytes:
    """The bytes of an unsigned varint."""
    writer = BytesWriter()
    write_uvarint(writer, value)
    return writer.getvalue()


SMALL: Final = 0x1000
"""How many numbers from 0 on have their bytes in `SMALL_UVARINTS`."""

SMALL_UVARINTS: Final[list[bytes]] = [uvarint(number) for number in range(SMALL)]
"""The bytes of small numbers, since looking them up costs less than making them."""


def write_varint(writer: BytesWriter, value: int) -> None:
    """A zigzag varint of up to 64 bits."""
    write_uvarint(writer, value * 2 if value >= 0 else -value * 2 - 1)
