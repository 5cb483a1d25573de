"""The aborted transactions of a segment: what a reader of committed records must leave out.

File (Kafka's `.txnindex`): entries of 34 bytes, big-endian: version 0, producer id, first offset,
last offset (that of the abort marker), and the last stable offset once this one was decided.
An entry is in the segment that holds the marker. The file exists only once there is an entry.
"""

from __future__ import annotations

from struct import Struct

from .failures import CorruptIndexError

ENTRY_SIZE = 34
_ENTRY = Struct(">hqqqq")
_VERSION = 0


class AbortedTransaction:
    """One aborted transaction of one producer in one partition."""

    __slots__ = ("first_offset", "last_offset", "last_stable_offset", "producer_id")

    def __init__(
        self, producer_id: int, first_offset: int, last_offset: int, last_stable_offset: int
    ) -> None:
        self.producer_id = producer_id
        self.first_offset = first_offset
        self.last_offset = last_offset
        self.last_stable_offset = last_stable_offset

    def encode(self) -> bytes:
        """The 34 bytes of this entry."""
        return _ENTRY.pack(
            _VERSION,
            self.producer_id,
            self.first_offset,
            self.last_offset,
            self.last_stable_offset,
        )

    def __eq__(self, other: object) -> bool:
        return isinstance(other, AbortedTransaction) and self.encode() == other.encode()

    __hash__ = None  # type: ignore[assignment]  # compared, never a key

    def __repr__(self) -> str:
        return (
            f"AbortedTransaction(producer_id={self.producer_id}, "
            f"first_offset={self.first_offset}, last_offset={self.last_offset}, "
            f"last_stable_offset={self.last_stable_offset})"
        )


def decode_transaction_index(base_offset: int, data: bytes | bytearray) -> list[AbortedTransaction]:
    """Entries of a transaction index file; raises CorruptIndexError if one cannot be true."""
    if len(data) % ENTRY_SIZE:
        raise CorruptIndexError(f"transaction index has {len(data)} bytes, not a multiple of 34")
    entries: list[AbortedTransaction] = []
    last = base_offset - 1
    for version, producer_id, first, end, stable in _ENTRY.iter_unpack(data):
        if version != _VERSION:
            raise CorruptIndexError(f"transaction index entry has version {version}, not 0")
        if end <= last or not 0 <= first <= end or stable < 0:
            raise CorruptIndexError(f"transaction index entry at offset {end} cannot be true")
        entries.append(AbortedTransaction(producer_id, first, end, stable))
        last = end
    return entries


def collect_aborted(
    entries: list[AbortedTransaction], from_offset: int, upto_offset: int
) -> tuple[list[AbortedTransaction], bool]:
    """Those that a read of [`from_offset`, `upto_offset`) needs, and whether that is all.

    All: a later entry cannot reach below `upto_offset` any more (98-06).
    """
    found: list[AbortedTransaction] = []
    for entry in entries:
        if entry.last_offset >= from_offset and entry.first_offset < upto_offset:
            found.append(entry)
        if entry.last_stable_offset >= upto_offset:
            return found, True
    return found, False
