"""The last offset of each key in the dirty part of a log, in bounded memory (CMP-03).

A key stands for itself if it is short, else its digest of 16 bytes stands for it. Kafka takes MD5;
nobody else sees these digests, so this is a hash for which nobody can make two keys meet.

The table is many small ones. One for all keys would hold the interpreter, and with it the event
loop, for twenty milliseconds when it grows to half a million keys, and for as long when it goes.
"""

from __future__ import annotations

from collections.abc import Iterator
from hashlib import blake2b
from typing import Final

DIGEST_BYTES: Final = 16

ENTRY_BYTES: Final = 200
"""What a key takes at most in the table, with its digest and its offset: CPython keeps it in a hash
table that may be a third full, beside two objects (`tests/core/log/compaction` measures it)."""


def fingerprint(key: bytes) -> bytes:
    """What stands for a key: no two keys have the same one."""
    return key if len(key) < DIGEST_BYTES else blake2b(key, digest_size=DIGEST_BYTES).digest()


TABLES: Final = 64
"""A power of two. By a hash whose seed nobody knows, all of them have about as many keys."""

_TABLE_OF: Final = TABLES - 1


class OffsetMap:
    """Key -> offset of its last record, of as many keys as `buffer_bytes` have room for."""

    __slots__ = ("_tables", "capacity", "latest_offset", "size")

    def __init__(self, buffer_bytes: int, load_factor: float) -> None:
        """At least one key fits, so that every round gets on."""
        self.capacity = max(int(buffer_bytes * load_factor) // ENTRY_BYTES, 1)
        self._tables: list[dict[bytes, int]] = [{} for _ in range(TABLES)]
        """By fingerprint."""
        self.size = 0
        """Number of keys."""
        self.latest_offset = -1
        """The last offset that is known to the map, whether it has a key or not."""

    def put(self, key: bytes, offset: int) -> bool:
        """Note a record; offsets come in order. False if the map is full: it is not noted."""
        found = key if len(key) < DIGEST_BYTES else fingerprint(key)
        table = self._tables[hash(found) & _TABLE_OF]
        if found not in table:
            if self.size >= self.capacity:
                return False
            self.size += 1
        table[found] = self.latest_offset = offset
        return True

    def get(self, key: bytes) -> int:
        """Offset of the key's last record in the map; -1 if it has none."""
        found = key if len(key) < DIGEST_BYTES else fingerprint(key)
        return self._tables[hash(found) & _TABLE_OF].get(found, -1)

    def clear(self) -> Iterator[None]:
        """Forget all keys, table by table: each step frees some."""
        for table in self._tables:
            table.clear()
            yield
        self.size = 0
