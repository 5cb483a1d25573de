"""Certificates as bytes: the elements of DER, one in the other."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final, NamedTuple

SEQUENCE: Final = 0x30


class CertificateError(ValueError):
    """These bytes are no certificate."""


class Element(NamedTuple):
    """Tag, content, and both with their length, as they were."""

    tag: int
    content: bytes
    whole: bytes


def one(data: bytes) -> Element:
    """The sequence that stands here. Raises CertificateError, StopIteration."""
    found = next(elements(data))
    if found.tag != SEQUENCE:
        raise CertificateError("no sequence where one must be")
    return found


def elements(data: bytes) -> Iterator[Element]:
    """What stands in this content, one after the other. Raises CertificateError, IndexError."""
    at = 0
    while at < len(data):
        tag, size, begin = data[at], data[at + 1], at + 2
        if size & 0x80:
            count = size & 0x7F
            size = int.from_bytes(data[begin : begin + count], "big")
            begin += count
        if begin + size > len(data):
            raise CertificateError("an element that is cut off")
        yield Element(tag, data[begin : begin + size], data[at : begin + size])
        at = begin + size


def object_id(content: bytes) -> str:
    """The numbers of an object identifier, with dots."""
    numbers: list[int] = []
    value = 0
    for byte in content:
        value = value << 7 | byte & 0x7F
        if not byte & 0x80:
            numbers.append(value)
            value = 0
    first = min(numbers[0] // 40, 2)
    return ".".join(map(str, (first, numbers[0] - 40 * first, *numbers[1:])))
