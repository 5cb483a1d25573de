"""Bookkeeping: what was sent, what was acknowledged where, and what came back."""

from __future__ import annotations

from array import array
from collections.abc import Sequence

ROW_HEADER = "row"
"""Header with the number of the input row in decimal; it rises within each key."""

NOT_ACKED = -1


class Ledger:
    """Compares every record that is read with the row of the input that it claims to be."""

    def __init__(self, keys: Sequence[bytes], values: Sequence[bytes]) -> None:
        assert len(keys) == len(values)
        self._keys = keys
        self._values = values
        self._times_read = bytearray(len(keys))
        self._acked_partition = array("i", [NOT_ACKED]) * len(keys)
        self._acked_offset = array("q", [NOT_ACKED]) * len(keys)
        self._read_early: dict[int, tuple[int, int]] = {}
        """Row -> where it was read before its acknowledgement came."""
        self._last_row: dict[bytes, int] = {}
        self.produced = 0
        self.consumed = 0
        self.duplicated = 0
        self.out_of_order = 0
        self.altered = 0
        """Key or value is not that of the row."""
        self._misplaced = 0
        self.unknown = 0
        """No row of the input."""

    def acked(self, row: int, partition: int, offset: int) -> None:
        """The broker has confirmed this row, at this place."""
        self._acked_partition[row] = partition
        self._acked_offset[row] = offset
        self.produced += 1
        early = self._read_early.pop(row, None)
        if early is not None and not self._is_where_acked(row, *early):
            self._misplaced += 1

    def read(
        self,
        row_header: bytes | None,
        key: bytes | None,
        value: bytes | None,
        partition: int,
        offset: int,
    ) -> None:
        """A record came back. Call in the order in which each partition gave them."""
        self.consumed += 1
        if row_header is None or not row_header.isdigit() or int(row_header) >= len(self._keys):
            self.unknown += 1
            return
        row = int(row_header)
        if key != self._keys[row] or value != self._values[row]:
            self.altered += 1
        if self._acked_partition[row] == NOT_ACKED:
            self._read_early[row] = (partition, offset)
        elif not self._is_where_acked(row, partition, offset):
            self._misplaced += 1
        if self._times_read[row]:
            self.duplicated += 1
            return
        self._times_read[row] = 1
        key = self._keys[row]
        if row < self._last_row.get(key, -1):
            self.out_of_order += 1
        else:
            self._last_row[key] = row

    def _is_where_acked(self, row: int, partition: int, offset: int) -> bool:
        # A broker that no longer knows the first answer to a retry confirms without an offset.
        return self._acked_partition[row] == partition and self._acked_offset[row] in (
            offset,
            NOT_ACKED,
        )

    @property
    def misplaced(self) -> int:
        """Records read elsewhere than the producer was told, or that it was told nothing of."""
        return self._misplaced + len(self._read_early)

    @property
    def lost(self) -> int:
        """Rows of the input that were never read."""
        return self._times_read.count(0)

    def counts(self) -> dict[str, int]:
        """Every count, under the name that it has in `summary.json`."""
        return {
            "produced": self.produced,
            "consumed": self.consumed,
            "lost": self.lost,
            "duplicated": self.duplicated,
            "out_of_order": self.out_of_order,
            "altered": self.altered,
            "misplaced": self.misplaced,
            "unknown": self.unknown,
        }

    def failures(self) -> list[str]:
        """What is not as it must be, in words; empty when every count is right."""
        rows = len(self._keys)
        found = [
            f"{name} {count:,} of {rows:,} records"
            for name, count in (("produced", self.produced), ("consumed", self.consumed))
            if count != rows
        ]
        words = {
            "lost": "were acknowledged or sent but never read",
            "duplicated": "were read more than once",
            "out_of_order": "came after a later flight of the same carrier",
            "altered": "came back with another key or value",
            "misplaced": "were read elsewhere than the producer was told",
            "unknown": "belong to no row of the input",
        }
        counts = self.counts()
        found += [
            f"{counts[name]:,} records {text}" for name, text in words.items() if counts[name]
        ]
        return found
