"""Varints, read and written: seven bits a byte, the lowest first, the high bit says "go on".

One of the leaves that a wheel compiles: `setup.py` says which, and why. `i` is an offset into
`data`; a read past the end raises IndexError.
"""

# librt's parameters are typed as its C integers, which pyright does not take for int.
# pyright: reportArgumentType=false, reportReturnType=false
from __future__ import annotations

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
    value &= 0x7F
    for shift in (7, 14, 21, 28):
        byte = data[i]
        i += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value > 0xFFFFFFFF:
                break
            return value, i
    raise DecodeError("an unsigned varint of more than 32 bits")


def read_varint(data: bytes, i: int) -> tuple[int, int]:
    """A zigzag varint of 32 bits, and the offset behind it."""
    value, i = read_uvarint(data, i)
    return (value >> 1) ^ -(value & 1), i


def read_varlong(data: bytes, i: int) -> tuple[int, int]:
    """A zigzag varint of 64 bits, and the offset behind it."""
    value = 0
    for shift in range(0, 70, 7):
        byte = data[i]
        i += 1
        value |= (byte & 0x7F) << shift
        if byte < 0x80:
            if value > 0xFFFFFFFFFFFFFFFF:
                break
            return (value >> 1) ^ -(value & 1), i
    raise DecodeError("a varint of more than 64 bits")


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


def write_varint(writer: BytesWriter, value: int) -> None:
    """A zigzag varint of up to 64 bits."""
    write_uvarint(writer, value * 2 if value >= 0 else -value * 2 - 1)
