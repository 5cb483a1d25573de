"""Which partition of an internal topic is responsible for an id (CRT-01)."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

REMEMBERED: Final = 4096
"""Ids whose hash is at hand; each is asked for with every heartbeat and commit of its members."""

LONG: Final = 256
"""Ids that are longer are not kept for it."""


def partition_of(coordinated_id: str, partition_count: int) -> int:
    """The partition of a group id or transactional id: Java's string hash of it, without a sign."""
    is_long = len(coordinated_id) > LONG
    found = _hash_of(coordinated_id) if is_long else _remembered_hash_of(coordinated_id)
    # The smallest number has no counterpart without a sign; Java's library takes 0 for it.
    return 0 if found == -(1 << 31) else abs(found) % partition_count


def _hash_of(coordinated_id: str) -> int:
    """Over UTF-16 code units: a character above U+FFFF counts as two."""
    units = coordinated_id.encode("utf-16-be", "surrogatepass")
    found = 0
    for at in range(0, len(units), 2):
        found = (31 * found + (units[at] << 8 | units[at + 1])) & 0xFFFF_FFFF
    return found - (1 << 32) if found & 0x8000_0000 else found


_remembered_hash_of = lru_cache(REMEMBERED)(_hash_of)
