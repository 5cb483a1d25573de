"""Bits of stored batches that turn over where they lie, as a disk lets them without a word."""

from __future__ import annotations

from pathlib import Path

LENGTH = 8
"""Where the length of a batch is in its header; the base offset is the eight bytes before it."""


def positions_in(data: bytes | bytearray) -> list[int]:
    """Where each batch of a segment's file begins."""
    found, at = [], 0
    while at < len(data):
        found.append(at)
        at += 12 + int.from_bytes(data[at + LENGTH : at + 12], "big")
    return found


def turn_bit(path: Path, number: int, byte: int, bit: int) -> None:
    """Turn a bit over in the batch of this number, -1 for the last; `byte` counts from its begin.

    The file is written in place, so that whoever has it open reads it so.
    """
    data = path.read_bytes()
    at = positions_in(data)[number] + byte
    with path.open("r+b") as file:
        file.seek(at)
        file.write(bytes([data[at] ^ bit]))
