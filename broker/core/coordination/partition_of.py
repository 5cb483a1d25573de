"""Which partition of an internal topic is responsible for an id (CRT-01)."""

from __future__ import annotations


def partition_of(coordinated_id: str, partition_count: int) -> int:
    """The partition of a group id or transactional id: Java's string hash of it, without a sign.

    The hash is over UTF-16 code units: a character above U+FFFF counts as two.
    """
    units = coordinated_id.encode("utf-16-be", "surrogatepass")
    found = 0
    for at in range(0, len(units), 2):
        found = (31 * found + (units[at] << 8 | units[at + 1])) & 0xFFFF_FFFF
    signed = found - (1 << 32) if found & 0x8000_0000 else found
    # The smallest number has no counterpart without a sign; Java's library takes 0 for it.
    return 0 if signed == -(1 << 31) else abs(signed) % partition_count
